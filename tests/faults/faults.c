#include "faults.h"

#include <stdatomic.h>
#include <stddef.h>

static atomic_ullong calls, failing;
static atomic_int is_counting, is_lasting_now, failed_kind;
static _Atomic(const char *) failed;
static atomic_llong held[RESOURCES];

void faults_begin(uint64_t number, int is_lasting) {
  atomic_store(&failed, NULL);
  atomic_store(&failing, number);
  atomic_store(&is_lasting_now, is_lasting);
  atomic_store(&calls, 0);
  atomic_store(&is_counting, 1);
}

uint64_t faults_end(void) {
  atomic_store(&is_counting, 0);
  return atomic_load(&calls);
}

const char *faults_function(void) { return atomic_load(&failed); }

fault_kind_t faults_kind(void) { return (fault_kind_t)atomic_load(&failed_kind); }

int faults_fail(fault_kind_t kind, const char *function) {
  if (!atomic_load(&is_counting))
    return 0;
  if (atomic_fetch_add(&calls, 1) != atomic_load(&failing))
    return atomic_load(&is_lasting_now) && atomic_load(&failed) && atomic_load(&failed_kind) == (int)kind;
  atomic_store(&failed_kind, (int)kind);
  atomic_store(&failed, function);
  return 1;
}

void faults_hold(fault_resource_t resource, int change) {
  if (resource != RESOURCE_NONE)
    atomic_fetch_add(&held[resource], change);
}

held_t faults_held(void) {
  held_t now;
  for (int r = 0; r < RESOURCES; r++)
    now.count[r] = atomic_load(&held[r]);
  return now;
}

const char *fault_resource_name(fault_resource_t resource) {
  static const char *const names[RESOURCES] = {"nothing",           "allocations", "files",      "threads",
                                               "semaphores",        "mutexes",     "topologies", "bitmaps",
                                               "device memory",     "streams",     "events",     "graphs",
                                               "executable graphs", "modules",     "contexts",   "current contexts"};
  return names[resource];
}
