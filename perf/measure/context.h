/* What a measurement has to be read with: the machine, the build, the command. */
#ifndef MEASURE_CONTEXT_H
#define MEASURE_CONTEXT_H

#include <cjson/cJSON.h>
#include <stddef.h>

/* The name of the processor or, for an OpenMP device number >= 0, of the device. */
void bench_device_name(int device, char *name_out, size_t name_bytes);

/* The context block of a JSON file; device -1 is the host. The caller owns it. */
cJSON *bench_context(int device, int argc, char *const *argv);

#endif
