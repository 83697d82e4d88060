/* The rungs, in words. */
#include "ladder.h"

const ladder_fact_t ladder_facts[LADDER_RUNGS] = {
    {"0", "interleaved, modulo", 1, 0},
    {"1", "contiguous threads", 1, 0},
    {"2", "coalesced", 1, 0},
    {"3", "k items per thread", 1, 1},
    {"4", "unrolled, static team size", 1, 1},
    {"lecture", "offset and mask, fused product", 2, 0},
    {"usw_sum", "the library's choice", 1, 0},
    {"usw_dot", "the library's choice", 2, 0},
};
