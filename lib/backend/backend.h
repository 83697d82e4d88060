/* The seam between the library and whatever runs its kernels on devices.
 *
 * openmp.c goes through LLVM's OpenMP runtime, none.c is a library without offload,
 * tests/simt/backend_simt.c emulates a device on the CPU. Everything above this file is the same for
 * all of them. */
#ifndef USWI_BACKEND_BACKEND_H
#define USWI_BACKEND_BACKEND_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/descriptor.h>

enum { USWI_MAX_DEVICES = 64, USWI_MAX_ARGUMENTS = 72, USWI_MAX_REDUCERS = 64 };

/* A device that the backend can launch on. */
typedef struct uswi_device {
  int number;                           /* OpenMP device number */
  const struct uswi_gpu_driver *driver; /* its vendor's (gpu_driver.h); NULL: the OpenMP runtime is all there is */
  int ordinal;                          /* that driver's number of the GPU */
  const char *target;                   /* "nvptx", "amdgcn", "x86_64", "simt" */
  char image[16];                       /* the image that it loads: "sm_90", "x86_64", "simt" */
  int runs_bare;                        /* 1: has teams of threads; 0: standard regions only */
  int starts_in_order;      /* 1: teams start in the order of their numbers, so that the last may wait for others */
  int shares_host_memory;   /* 1: any host address is valid on it */
  uint32_t multiprocessors; /* what the tuning table counts teams by */
} uswi_device_t;

/* Words that a launch passes to every bare region (USW_LAUNCH_WORDS). */
#define USWI_COUNT_WORD(T, name) +1
enum { USWI_LAUNCH_WORDS = 0 USW_LAUNCH_WORDS(USWI_COUNT_WORD, void) };

/* Where an address points. */
typedef enum uswi_memory {
  USWI_MEMORY_HOST,    /* plain host memory, or nothing that the backend knows */
  USWI_MEMORY_PINNED,  /* host memory that devices can read as well */
  USWI_MEMORY_DEVICE,  /* memory of the device `device` */
  USWI_MEMORY_MANAGED, /* moves by itself; `device` is where it prefers to be, -1 for the host */
  USWI_MEMORY_UNKNOWN, /* a driver could not tell */
} uswi_memory_t;

typedef struct uswi_where {
  uswi_memory_t memory;
  int device;     /* OpenMP device number; -1 if it is none of ours */
  uint64_t start; /* of the device memory that was allocated with it, if the backend knows that, and */
  uint64_t bytes; /* how many these are; else 0 */
} uswi_where_t;

/* Fill in up to `capacity` devices; returns how many there are. Called once. */
int uswi_backend_devices(uswi_device_t *devices, int capacity);

/* Why devices that the runtime counts are not among them; NULL: they all are. */
const char *uswi_backend_refusal(void);

/* Where an address points. Cheap enough for every call with automatic placement. */
uswi_where_t uswi_backend_where(const void *address);

/* The address on the device of a host address that is mapped there, or NULL. */
const void *uswi_backend_mapped(const uswi_device_t *device, const void *address);

/* Device memory, set to zero if asked for; NULL if there is none. */
void *uswi_backend_allocate(const uswi_device_t *device, size_t bytes, int zeroed);
void uswi_backend_free(const uswi_device_t *device, void *memory);

/* Host memory that the device can write; NULL if there is none. */
void *uswi_backend_allocate_host(const uswi_device_t *device, size_t bytes);
void uswi_backend_free_host(const uswi_device_t *device, void *memory);

/* Copy device memory; 0 if that failed. */
int uswi_backend_copy_to_device(const uswi_device_t *device, void *to, const void *from, size_t bytes);
int uswi_backend_copy_to_host(const uswi_device_t *device, void *to, const void *from, size_t bytes);

/* Run a stub of the kernel on the device and wait for it. Everything that can be checked has been checked. 0: the backend has no
 * thread to launch from, and nothing ran. */
int uswi_backend_launch(const uswi_device_t *device, const usw_entry_t *entry, const usw_launch_t *how, size_t n,
                        const uint64_t *arguments, void *accumulator_out);

/* Give back what the backend keeps for launches. None is under way. */
void uswi_backend_release(void);

#endif
