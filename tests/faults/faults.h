/* Faults that a test injects: calls that the library makes of the C library, hwloc, the OpenMP runtime and NVIDIA's driver fail
 * one at a time. Only calls from the library's own code count, so that a runtime's failures stay its own. */
#ifndef USW_TESTS_FAULTS_H
#define USW_TESTS_FAULTS_H

#include <stdint.h>

/* Whose function fails. */
typedef enum fault_kind {
  FAULT_MEMORY,
  FAULT_FILE,
  FAULT_THREAD,
  FAULT_LOADER,
  FAULT_TOPOLOGY,
  FAULT_SYSTEM,
  FAULT_OFFLOAD,
  FAULT_DRIVER,
  FAULT_KINDS
} fault_kind_t;

/* What the library holds and has to give back. */
typedef enum fault_resource {
  RESOURCE_NONE,
  RESOURCE_MEMORY,
  RESOURCE_FILES,
  RESOURCE_THREADS,
  RESOURCE_SEMAPHORES,
  RESOURCE_MUTEXES,
  RESOURCE_TOPOLOGIES,
  RESOURCE_BITMAPS,
  RESOURCE_DEVICE_MEMORY,
  RESOURCE_STREAMS,
  RESOURCE_EVENTS,
  RESOURCE_GRAPHS,
  RESOURCE_EXECUTABLES,
  RESOURCE_MODULES,
  RESOURCE_CONTEXTS,        /* retained */
  RESOURCE_CURRENT_CONTEXT, /* pushed and not popped */
  RESOURCES
} fault_resource_t;

typedef struct held {
  int64_t count[RESOURCES];
} held_t;

/* No call fails. */
#define FAULT_NEVER UINT64_MAX

/* Before the library's first call: have its calls come through here. 0: they cannot. */
int faults_install(void);

/* From now on calls are counted from 0, and call `number` fails; is_lasting: so do all later ones of its kind. */
void faults_begin(uint64_t number, int is_lasting);
/* The end of it; returns how many calls there were. */
uint64_t faults_end(void);

/* The function that has failed since faults_begin(), and its kind; NULL: none has. */
const char *faults_function(void);
fault_kind_t faults_kind(void);

held_t faults_held(void);
const char *fault_resource_name(fault_resource_t resource);

/* The next launch through the driver ends the GPU: it does nothing, tells no error, and every later call of the driver does. */
void faults_lose_at_next_launch(void);
/* The same of one of several: calls of others, and those that need no GPU, go on. */
void faults_lose_gpu_at_next_launch(int gpu);
int faults_is_lost(void);

/* ---- for what stands in between ---- */

int faults_fail(fault_kind_t kind, const char *function);
void faults_hold(fault_resource_t resource, int change);
/* The driver's function behind this one, or NULL: it is none. */
void *faults_driver_function(const char *name, void *function);

#endif
