/* The sum of doubles as we first wrote it, before there was an engine: eight forms of one kernel,
 * tuned for every length. What the engine makes from its templates has to keep up with it. */
#include "measure/statistics.h"
#include "peers.h"

#if defined(USW_IMAGES) && defined(__clang__)

#include <omp.h>
#include <stdio.h>
#include <string.h>

/* Host memory that the device can write: an extension of LLVM's runtime, absent elsewhere. */
extern void *llvm_omp_target_alloc_host(size_t bytes, int device) __attribute__((weak));

typedef double pair_t __attribute__((ext_vector_type(2)));

#pragma omp begin declare target
#ifdef __NVPTX__
#define TEAM_MEMORY static __attribute__((address_space(3), loader_uninitialized))
TEAM_MEMORY double warp_sums[32];
TEAM_MEMORY unsigned is_last;

static inline unsigned thread_number(void) { return __nvvm_read_ptx_sreg_tid_x(); }
static inline unsigned team_number(void) { return __nvvm_read_ptx_sreg_ctaid_x(); }
static inline unsigned team_count(void) { return __nvvm_read_ptx_sreg_nctaid_x(); }

/* The sum over a warp, in its first thread. */
static inline double sum_of_warp(double value) {
  union {
    double value;
    int words[2];
  } mine = {value}, other;
#pragma unroll
  for (int distance = 16; distance > 0; distance /= 2) {
    other.words[0] = __nvvm_shfl_sync_down_i32(0xffffffff, mine.words[0], distance, 31);
    other.words[1] = __nvvm_shfl_sync_down_i32(0xffffffff, mine.words[1], distance, 31);
    mine.value += other.value;
  }
  return mine.value;
}

/* The sum over a team, in its first thread. */
static inline double sum_of_team(double value, unsigned threads) {
  const unsigned thread = thread_number();
  value = sum_of_warp(value);
  if (thread % 32 == 0)
    warp_sums[thread / 32] = value;
  __syncthreads();
  if (thread < 32)
    value = sum_of_warp(thread < threads / 32 ? warp_sums[thread] : 0);
  return value;
}

/* Teams publish their sums; the one that takes the last ticket adds them up. */
static inline void finish(double value, unsigned threads, double *partials, unsigned *ticket, double *result) {
  const unsigned thread = thread_number(), team = team_number(), teams = team_count();
  value = sum_of_team(value, threads);
  if (teams == 1) {
    if (thread == 0)
      *result = value;
    return;
  }
  if (thread == 0) {
    partials[team] = value;
    __nvvm_membar_gl();
    is_last = (unsigned)__nvvm_atom_add_gen_i((int *)ticket, 1) == teams - 1;
  }
  __syncthreads();
  if (!is_last)
    return;
  value = 0;
  for (unsigned k = thread; k < teams; k += threads)
    value += ((volatile double *)partials)[k];
  value = sum_of_team(value, threads);
  if (thread == 0) {
    *result = value;
    *ticket = 0;
  }
}
#endif
#pragma omp end declare target

#define LOADS 2
#define THREADS 512
#include "tree_prototype.inc"
#define LOADS 2
#define THREADS 1024
#include "tree_prototype.inc"
#define LOADS 4
#define THREADS 256
#include "tree_prototype.inc"
#define LOADS 4
#define THREADS 512
#include "tree_prototype.inc"
#define LOADS 4
#define THREADS 1024
#include "tree_prototype.inc"
#define LOADS 8
#define THREADS 128
#include "tree_prototype.inc"
#define LOADS 8
#define THREADS 256
#include "tree_prototype.inc"
#define LOADS 8
#define THREADS 512
#include "tree_prototype.inc"

typedef void (*launch_t)(int device, int teams, const double *x, size_t n, double *partials, unsigned *ticket,
                         double *result, int dealt);

typedef struct form {
  launch_t launch;
  int loads, threads;
} form_t;

static const form_t forms[] = {
    {launch_2_512, 2, 512},   {launch_2_1024, 2, 1024}, {launch_4_256, 4, 256}, {launch_4_512, 4, 512},
    {launch_4_1024, 4, 1024}, {launch_8_128, 8, 128},   {launch_8_256, 8, 256}, {launch_8_512, 8, 512},
};

/* A form with its grid. */
typedef struct choice {
  const form_t *form;
  int teams, dealt;
} choice_t;

enum { MAX_TEAMS = 132 * 32, TUNING_CALLS = 9 };

static double *partials, *result;
static unsigned *ticket;
static choice_t chosen;

/* Memory for all later calls; the program's end gives it back. */
static int prepare(int device) {
  const unsigned zero = 0;
  const char *target = device < 0 ? NULL : usw_device_target(device);
  if (!target || strcmp(target, "nvptx") != 0 || !llvm_omp_target_alloc_host)
    return -1;
  if (result)
    return 0;
  partials = omp_target_alloc(MAX_TEAMS * sizeof *partials, device);
  ticket = omp_target_alloc(sizeof *ticket, device);
  if (!partials || !ticket)
    return -1;
  if (omp_target_memcpy(ticket, &zero, sizeof zero, 0, 0, device, omp_get_initial_device()))
    return -1;
  result = llvm_omp_target_alloc_host(sizeof *result, device);
  return result ? 0 : -1;
}

static double run(const choice_t *choice, const bench_call_t *call) {
  choice->form->launch(call->device, choice->teams, call->x, call->n, partials, ticket, result, choice->dealt);
  return *(volatile double *)result;
}

static double time_of(const choice_t *choice, const bench_call_t *call) {
  double seconds[TUNING_CALLS];
  run(choice, call);
  for (int k = 0; k < TUNING_CALLS; k++) {
    const double start = bench_now();
    run(choice, call);
    seconds[k] = bench_now() - start;
  }
  return bench_describe_times(seconds, TUNING_CALLS).median;
}

const char *peer_prototype_tune(const bench_call_t *call) {
  static char text[64];
  if (call->kernel->operation != USW_PLUS || call->type->type != USW_F64 || prepare(call->device))
    return NULL;
  double best = 0;
  chosen.form = NULL;
  for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
    const size_t tile = (size_t)forms[f].loads * (size_t)forms[f].threads * 2;
    const size_t useful = call->n / tile + 1; /* more teams than this have nothing to do */
    for (int teams = 132; teams <= MAX_TEAMS; teams *= 2) {
      const int enough = (size_t)teams >= useful;
      for (int dealt = 0; dealt < 2; dealt++) {
        const choice_t choice = {&forms[f], enough ? (int)useful : teams, dealt};
        const double seconds = time_of(&choice, call);
        if (chosen.form && seconds >= best)
          continue;
        best = seconds;
        chosen = choice;
      }
      if (enough)
        break;
    }
  }
  snprintf(text, sizeof text, "%d loads, %d x %d%s", chosen.form->loads, chosen.teams, chosen.form->threads,
           chosen.dealt ? ", dealt" : "");
  return text;
}

int peer_prototype(const bench_call_t *call, bench_value_t *result_out) {
  result_out->f64 = run(&chosen, call);
  return 0;
}

#else /* built without device images */

const char *peer_prototype_tune(const bench_call_t *call) {
  (void)call;
  return NULL;
}

int peer_prototype(const bench_call_t *call, bench_value_t *result_out) {
  (void)call, (void)result_out;
  return -1;
}
#endif
