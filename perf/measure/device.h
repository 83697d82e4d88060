/* An OpenMP device and its memory. A program without device images has no devices, and its OpenMP
 * runtime need not have these calls: there they fail. */
#ifndef MEASURE_DEVICE_H
#define MEASURE_DEVICE_H

#include <stddef.h>
#include <stdint.h>

int bench_device_count(void);

/* Multiprocessors of a GPU, processors of a device that is a CPU; 1 where nobody knows. */
uint32_t bench_device_multiprocessors(int device);

/* NULL if there is none. */
void *bench_device_allocate(int device, size_t bytes);
void bench_device_free(int device, void *memory);

/* Host memory that copies to the device and back read and write themselves; NULL if there is none. */
void *bench_device_allocate_pinned(int device, size_t bytes);
void bench_device_free_pinned(int device, void *memory);

/* Copies from the host to `offset` bytes behind `memory`. Returns 0 on success. */
int bench_device_write(int device, void *memory, size_t offset, const void *data, size_t bytes);

/* Copies from the start of `memory` to the host. Returns 0 on success. */
int bench_device_read(int device, void *data, const void *memory, size_t bytes);

/* Copies within the device's memory. Returns 0 on success. */
int bench_device_copy(int device, void *to, const void *from, size_t bytes);

#endif
