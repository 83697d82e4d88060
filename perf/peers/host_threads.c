#include "host_threads.h"

#include <dlfcn.h>

/* A function of the OpenMP runtime that the program runs on, or NULL. */
static void *openmp(const char *name) { return dlsym(RTLD_DEFAULT, name); }

int peer_host_threads(void) {
  int (*const get_max_threads)(void) = (int (*)(void))openmp("omp_get_max_threads");
  cpu_set_t processors;
  if (get_max_threads)
    return get_max_threads();
  return sched_getaffinity(0, sizeof processors, &processors) ? 1 : CPU_COUNT(&processors);
}

/* Adds the processors of all places. */
static void add_places(cpu_set_t *processors) {
  int (*const get_num_places)(void) = (int (*)(void))openmp("omp_get_num_places");
  int (*const get_place_num_procs)(int) = (int (*)(int))openmp("omp_get_place_num_procs");
  void (*const get_place_proc_ids)(int, int *) = (void (*)(int, int *))openmp("omp_get_place_proc_ids");
  int numbers[CPU_SETSIZE];
  if (!get_num_places || !get_place_num_procs || !get_place_proc_ids)
    return;
  for (int place = 0; place < get_num_places(); place++) {
    const int count = get_place_num_procs(place);
    if (count > CPU_SETSIZE)
      continue;
    get_place_proc_ids(place, numbers);
    for (int k = 0; k < count; k++)
      CPU_SET(numbers[k], processors);
  }
}

void peer_host_unbind(cpu_set_t *bound_out) {
  CPU_ZERO(bound_out);
  if (sched_getaffinity(0, sizeof *bound_out, bound_out))
    return;
  cpu_set_t all = *bound_out;
  add_places(&all);
  sched_setaffinity(0, sizeof all, &all);
}

void peer_host_bind(const cpu_set_t *bound) {
  if (CPU_COUNT(bound))
    sched_setaffinity(0, sizeof *bound, bound);
}
