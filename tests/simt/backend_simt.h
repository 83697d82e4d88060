/* What tests can make the emulated device do, and ask of it. */
#ifndef USW_TESTS_SIMT_BACKEND_H
#define USW_TESTS_SIMT_BACKEND_H

#include <stddef.h>
#include <stdint.h>

/* So far, in all threads; allocations that failed do not count. */
typedef struct {
  uint64_t allocations, frees; /* of device and of pinned host memory */
  uint64_t launches;
  uint64_t awaiting; /* of these, the ones whose last team waits for the others */
  uint64_t unsent;   /* words of 8 bytes that were sent to it and not taken */
  uint64_t bytes_to_device;
} simt_counts_t;

simt_counts_t simt_counts(void);

/* From now on the next `good` allocations succeed and all later ones fail; -1: all succeed. */
void simt_fail_allocations_after(int64_t good);

/* Once the next `good` launches are done, one bit of the first record that the next one leaves is turned. */
void simt_flip_after(int64_t good, unsigned bit);

/* Before the library looks for devices: memory of the host is out of the device's reach, but for such of it as is said to be
 * memory of this one (0) or of another one. */
void simt_hide_host_memory(void);
void simt_is_on_device(int device, const void *start, size_t bytes);

/* Before the library looks for devices: there are so many, 1 to SIMT_MOST_DEVICES. One is usual. */
enum { SIMT_MOST_DEVICES = 8 };
void simt_set_devices(int count);
int simt_devices(void);

/* Before the library looks for devices: each has so many; by itself a few, and half as many in the quick tier. */
void simt_set_multiprocessors(uint32_t count);

/* Copies to a device since they were forgotten last; first and last are numbers of theirs among those to all devices, from 1 on. */
typedef struct {
  uint64_t bytes, first, last;
} simt_copies_t;
simt_copies_t simt_copies_of(int device);
void simt_forget_copies(void);

/* From now on all copies to a device fail; -1: to none. */
void simt_lose_device(int device);

/* Before the library looks for devices: launches go through NVIDIA's driver, for which there has to be a stub
 * (tests/faults/stub_driver.c). */
void simt_launch_by_driver(void);
int simt_has_driver(void);

/* The device memory that an address is in, and whose it is; 0: it is in none. */
int simt_range_of(const void *address, int *device_out, unsigned long long *start_out, size_t *bytes_out);

/* What began there is so no longer. */
void simt_is_on_host(const void *start);

/* Bytes of the host that have a copy on a device, as those that OpenMP maps; until all are forgotten. */
void simt_map(int device, const void *start, size_t bytes, const void *copy);
void simt_forget_maps(void);

/* From now on the next `good` copies to the device succeed and all later ones fail; -1: all succeed. */
void simt_fail_copies_after(int64_t good);

#endif
