/* How fast a GPU's clocks ran when it was measured, and what held them back. */
#ifndef MEASURE_CLOCKS_H
#define MEASURE_CLOCKS_H

#include <cjson/cJSON.h>

/* Adds "clocks" to a context, for the NVIDIA GPU of this number of CUDA: clocks in MHz now and at most, the reasons why
 * they are not higher, in words, temperature in C, power in W. What the machine does not tell is left out, and all of it
 * where there is no NVML. Call it just after work: idle clocks are low. */
void bench_add_clocks(cJSON *context, int cuda_device);

#endif
