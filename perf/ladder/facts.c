/* The rungs, in words. */
#include "ladder.h"

const ladder_fact_t ladder_facts[LADDER_RUNGS] = {
    {"0", "interleaved, modulo", .arrays = 1},
    {"1", "contiguous threads", .arrays = 1},
    {"2", "coalesced", .arrays = 1},
    {"3", "k items per thread", .arrays = 1, .has_items = 1},
    {"4", "unrolled, static team size", .arrays = 1, .has_items = 1},
    {"lecture", "offset and mask, fused product", .arrays = 2},
    {"usw_sum", "the library's choice", .arrays = 1, .is_own = 1},
    {"usw_dot", "the library's choice", .arrays = 2, .is_own = 1},
    {"s0", "one work-item", .arrays = 2, .is_scan = 1},
    {"s1", "a tile for each work-item", .arrays = 2, .is_scan = 1},
    {"s2", "team's tree, then add", .arrays = 2, .is_scan = 1},
    {"s3", "totals, then team's tree", .arrays = 2, .is_scan = 1},
    {"s4", "k items per thread", .arrays = 2, .has_items = 1, .is_scan = 1},
    {"s5", "one launch, looking back", .arrays = 2, .has_items = 1, .is_scan = 1},
    {"usw_scan", "the library's choice", .arrays = 2, .is_own = 1, .is_scan = 1},
};
