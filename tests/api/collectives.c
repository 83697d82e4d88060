/* Every collective of <upsweep/team.h> against a serial reference: teams of 1 to 1024 threads, partial sub-groups among
 * them, for the types and operators of the library and for operators of the user's, in bare regions, in parallel regions of
 * `target teams`, on the host and on the emulated GPU.
 *   collectives [--place NAME] [--quick] */
#include <stdlib.h>
#include <string.h>
#include <upsweep/team.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

/* ---- operators of the user's ---- */

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* Maps x -> a x + b: not commutative. */
typedef struct {
  uint64_t a, b;
} map_t;
static inline map_t compose(map_t f, map_t g) {
  const map_t both = {f.a * g.a, f.a * g.b + f.b};
  return both;
}
static inline map_t unit_map(void) {
  const map_t one = {1, 0};
  return one;
}
/* The first and the last of a run of numbers, and the gaps between: no identity, not commutative. */
typedef struct {
  uint16_t first, last, gaps;
} run_t;
static inline run_t follow(run_t x, run_t y) {
  const run_t both = {x.first, y.last, (uint16_t)(x.gaps + y.gaps + (uint16_t)((uint16_t)(x.last + 1) != y.first))};
  return both;
}
/* Of many words. */
typedef struct {
  uint64_t at[12];
} wide_t;
static inline wide_t join(wide_t x, wide_t y) {
  for (int k = 0; k < 12; k++)
    x.at[k] = k % 2 ? x.at[k] + y.at[k] : x.at[k] > y.at[k] ? x.at[k] : y.at[k];
  return x;
}
static inline wide_t wide_zero(void) {
  wide_t zero;
  for (int k = 0; k < 12; k++)
    zero.at[k] = 0;
  return zero;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_OPERATOR compose
#define USW_OPERATOR_TYPE map_t
#define USW_OPERATOR_IDENTITY unit_map()
#include <upsweep/team_operator.h>
#define USW_OPERATOR follow
#define USW_OPERATOR_TYPE run_t
#include <upsweep/team_operator.h>
#define USW_OPERATOR join
#define USW_OPERATOR_TYPE wide_t
#define USW_OPERATOR_IDENTITY wide_zero()
#include <upsweep/team_operator.h>

/* ---- the test of one type and operator ---- */

enum { TEAMS = 2, BROADCASTER = 1000003 /* modulo the number of threads */ };

/* Forms of a team's and of a sub-group's collectives. */
enum {
  BROADCAST,
  REDUCE,
  REDUCE_INIT,
  TO_FIRST,
  TO_FIRST_INIT,
  INCLUSIVE,
  INCLUSIVE_INIT,
  EXCLUSIVE,
  EXCLUSIVE_INIT,
  TEAM_FORMS
}; /* scans last */
static const char *const form_names[] = {"broadcast",
                                         "reduction",
                                         "reduction with init",
                                         "reduction to one",
                                         "reduction with init to one",
                                         "inclusive scan",
                                         "inclusive scan with init",
                                         "exclusive scan",
                                         "exclusive scan with init"};

static test_place_t place;
#if defined(USW_IMAGES) && !defined(USW_PORT_SIMT)
static int place_is_gpu(void) { return strcmp(place.target, "nvptx") == 0 || strcmp(place.target, "amdgcn") == 0; }
static size_t lanes_of_place(void) {
  return strcmp(place.target, "nvptx") == 0 ? 32 : strcmp(place.target, "amdgcn") == 0 ? 64 : 1;
}
#endif

static map_t make_map(size_t i) {
  const map_t map = {2 * i + 3, i * i};
  return map;
}
static run_t make_run(size_t i) {
  const run_t run = {(uint16_t)i, (uint16_t)(i + i % 7 / 6), 0};
  return run;
}
static wide_t make_wide(size_t i) {
  wide_t wide;
  for (size_t k = 0; k < 12; k++)
    wide.at[k] = i * 2654435761u % (1000 + k);
  return wide;
}
/* Sums and products of any run of these are exact in every type: they stay small. */
static double small(size_t i) {
  static const double values[] = {1, -1, 2, -2, 0, 1, -1};
  return values[i % 7];
}
static double factor(size_t i) {
  static const double values[] = {2, 0.5, -1, 1, 4, 0.25, -1};
  return values[i % 7];
}
static uint32_t scattered(size_t i) { return (uint32_t)(i * 2654435761u); }
static usw_f16_t half_of(double x) { return usw_float_to_f16((float)x); }
static usw_bf16_t brain_of(double x) { return usw_float_to_bf16((float)x); }

/* Values as functions of the thread. */
#define TRUTH(i) ((i) % 5 != 3)
#define SPARSE(i) ((i) % 50 == 3)
#define ODD(i) (scattered(i) | 1)
#define HALF_SMALL(i) half_of(small(i))
#define BRAIN_FACTOR(i) brain_of(factor(i))

/* ---- the types and operators: all forms of some, the main ones of every other ---- */

#define SET_NAME compose
#define SET_TYPE map_t
#define SET_OPERATION compose
#define SET_COMBINE(a, b) compose(a, b)
#define SET_MAKE(i) make_map(i)
#define SET_IDENTITY unit_map()
#define SET_ALL 1
#define SET_SAYS_TYPE
#include "collective_set.h"
#define SET_NAME follow
#define SET_TYPE run_t
#define SET_OPERATION follow
#define SET_COMBINE(a, b) follow(a, b)
#define SET_MAKE(i) make_run(i)
#define SET_ALL 1
#define SET_SAYS_TYPE
#include "collective_set.h"
#define SET_NAME join
#define SET_TYPE wide_t
#define SET_OPERATION join
#define SET_COMBINE(a, b) join(a, b)
#define SET_MAKE(i) make_wide(i)
#define SET_IDENTITY wide_zero()
#define SET_ALL 1
#define SET_MOST_THREADS 256
#define SET_SAYS_TYPE
#include "collective_set.h"
#define SET_TYPE double
#define SET_TAG d
#define SET_OPERATOR PLUS
#define SET_VALUE(i) small(i)
#define SET_ALL 1
#include "collective_scalar_set.h"
#define SET_TYPE int
#define SET_TAG i
#define SET_OPERATOR MAXIMUM
#define SET_VALUE(i) (int)scattered(i)
#define SET_ALL 1
#include "collective_scalar_set.h"
#define SET_TYPE unsigned
#define SET_TAG ui
#define SET_OPERATOR BIT_XOR
#define SET_VALUE(i) scattered(i)
#define SET_ALL 1
#include "collective_scalar_set.h"
#define SET_TYPE unsigned char
#define SET_TAG uc
#define SET_OPERATOR PLUS
#define SET_VALUE(i) (unsigned char)scattered(i)
#define SET_ALL 1
#include "collective_scalar_set.h"
#define SET_TYPE usw_cf64_t
#define SET_TAG cd
#define SET_OPERATOR PLUS
#define SET_VALUE(i) small(i)
#define SET_ALL 1
#include "collective_scalar_set.h"
#define SET_TYPE usw_f16_t
#define SET_TAG f16
#define SET_OPERATOR MINIMUM
#define SET_VALUE(i) HALF_SMALL(i)
#define SET_ALL 1
#include "collective_scalar_set.h"
#define SET_TYPE int
#define SET_TAG i
#define SET_OPERATOR MINIMUM
#define SET_VALUE(i) (int)scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE int
#define SET_TAG i
#define SET_OPERATOR PLUS
#define SET_VALUE(i) (int)scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE int
#define SET_TAG i
#define SET_OPERATOR LOGICAL_AND
#define SET_VALUE(i) TRUTH(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE unsigned
#define SET_TAG ui
#define SET_OPERATOR MINIMUM
#define SET_VALUE(i) scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE unsigned
#define SET_TAG ui
#define SET_OPERATOR MAXIMUM
#define SET_VALUE(i) scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE unsigned
#define SET_TAG ui
#define SET_OPERATOR BIT_AND
#define SET_VALUE(i) ODD(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE unsigned
#define SET_TAG ui
#define SET_OPERATOR BIT_OR
#define SET_VALUE(i) scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE unsigned
#define SET_TAG ui
#define SET_OPERATOR MULTIPLIES
#define SET_VALUE(i) ODD(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE char
#define SET_TAG c
#define SET_OPERATOR BIT_OR
#define SET_VALUE(i) (char)scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE signed char
#define SET_TAG sc
#define SET_OPERATOR MINIMUM
#define SET_VALUE(i) (signed char)scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE short
#define SET_TAG s
#define SET_OPERATOR MAXIMUM
#define SET_VALUE(i) (short)scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE unsigned short
#define SET_TAG us
#define SET_OPERATOR PLUS
#define SET_VALUE(i) (unsigned short)scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE long
#define SET_TAG l
#define SET_OPERATOR PLUS
#define SET_VALUE(i) (long)scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE unsigned long
#define SET_TAG ul
#define SET_OPERATOR BIT_XOR
#define SET_VALUE(i) scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE long long
#define SET_TAG ll
#define SET_OPERATOR MAXIMUM
#define SET_VALUE(i) (long long)scattered(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE unsigned long long
#define SET_TAG ull
#define SET_OPERATOR MULTIPLIES
#define SET_VALUE(i) ODD(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE float
#define SET_TAG f
#define SET_OPERATOR PLUS
#define SET_VALUE(i) (float)small(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE double
#define SET_TAG d
#define SET_OPERATOR MAXIMUM
#define SET_VALUE(i) small(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE usw_cf32_t
#define SET_TAG cf
#define SET_OPERATOR PLUS
#define SET_VALUE(i) (float)small(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE usw_b8_t
#define SET_TAG b
#define SET_OPERATOR LOGICAL_OR
#define SET_VALUE(i) SPARSE(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE usw_f16_t
#define SET_TAG f16
#define SET_OPERATOR PLUS
#define SET_VALUE(i) HALF_SMALL(i)
#define SET_ALL 0
#include "collective_scalar_set.h"
#define SET_TYPE usw_bf16_t
#define SET_TAG bf16
#define SET_OPERATOR MULTIPLIES
#define SET_VALUE(i) BRAIN_FACTOR(i)
#define SET_ALL 0
#include "collective_scalar_set.h"

static void (*const tests[])(size_t threads) = {
    compose_test,        follow_test,     join_test,        d_PLUS_test,    i_MAXIMUM_test,     ui_BIT_XOR_test,
    uc_PLUS_test,        cd_PLUS_test,    f16_MINIMUM_test, i_MINIMUM_test, i_PLUS_test,        i_LOGICAL_AND_test,
    ui_MINIMUM_test,     ui_MAXIMUM_test, ui_BIT_AND_test,  ui_BIT_OR_test, ui_MULTIPLIES_test, c_BIT_OR_test,
    sc_MINIMUM_test,     s_MAXIMUM_test,  us_PLUS_test,     l_PLUS_test,    ul_BIT_XOR_test,    ll_MAXIMUM_test,
    ull_MULTIPLIES_test, f_PLUS_test,     d_MAXIMUM_test,   cf_PLUS_test,   b_LOGICAL_OR_test,  f16_PLUS_test,
    bf16_MULTIPLIES_test};

/* ---- truth values ---- */

enum { COUNT, ANY, ALL, COUNTS };
typedef struct {
  uint32_t of_team[COUNTS], of_group[COUNTS], lane, lanes, thread, threads, number, teams;
} counts_t;

#if defined(_OPENMP) && defined(__clang__) && !defined(USW_PORT_SIMT)
#pragma omp begin declare target
#endif
/* x is not zero in every step-th thread of all; step 0: in none. */
USW_INLINE void count_forms(usw_team_t team, size_t first, size_t step, counts_t *out) {
  const usw_sub_group_t group = usw_sub_group_of(team);
  const size_t me = first + team.thread;
  const int x = step != 0 && me % step == 0 ? -5 : 0;
  counts_t *c = &out[me];
  c->of_team[COUNT] = usw_team_count(team, x);
  c->of_team[ANY] = (uint32_t)usw_team_any(team, x);
  c->of_team[ALL] = (uint32_t)usw_team_all(team, x);
  c->of_group[COUNT] = usw_sub_group_count(group, x);
  c->of_group[ANY] = (uint32_t)usw_sub_group_any(group, x);
  c->of_group[ALL] = (uint32_t)usw_sub_group_all(group, x);
  c->lane = group.lane;
  c->lanes = group.lanes;
  c->thread = team.thread;
  c->threads = team.threads;
  c->number = team.number;
  c->teams = team.teams;
}
#if defined(_OPENMP) && defined(__clang__) && !defined(USW_PORT_SIMT)
#pragma omp end declare target
#endif

static void check_truth(size_t threads, size_t lanes, size_t step, const counts_t *out, const char *region) {
  size_t wrong = 0;
  for (size_t me = 0; me < threads * TEAMS; me++) {
    const size_t team = me / threads * threads, group = team + (me - team) / lanes * lanes;
    const size_t end = group + lanes < team + threads ? group + lanes : team + threads;
    uint32_t in_team = 0, in_group = 0;
    for (size_t k = team; k < team + threads; k++) {
      const uint32_t is = step != 0 && k % step == 0;
      in_team += is;
      in_group += k >= group && k < end ? is : 0;
    }
    const counts_t *c = &out[me];
    wrong +=
        c->of_team[COUNT] != in_team || c->of_team[ANY] != (in_team > 0) || c->of_team[ALL] != (in_team == threads);
    wrong += c->of_group[COUNT] != in_group || c->of_group[ANY] != (in_group > 0) ||
             c->of_group[ALL] != (in_group == end - group);
    wrong += c->lane != me - group || c->lanes != end - group || c->thread != me - team || c->threads != threads;
    wrong += place.place == USW_HOST ? c->teams != 1 : c->number != me / threads || c->teams != TEAMS;
  }
  check_count(wrong == 0, __FILE__, __LINE__, "truth: %zu threads, every %zu-th, %s: %zu wrong", threads, step, region,
              wrong);
}

#ifdef USW_PORT_SIMT
typedef struct {
  size_t step;
  counts_t *out;
} count_context_t;
static void count_fiber(void *context) {
  const count_context_t *c = (const count_context_t *)context;
  const usw_team_t team = usw_bare_team();
  count_forms(team, (size_t)team.number * team.threads, c->step, c->out);
}
static void count_in_bare(int device, int threads, size_t step, counts_t *out) {
  count_context_t context = {step, out};
  (void)device;
  usw_simt_launch(TEAMS, (uint32_t)threads, count_fiber, &context);
}
#elif defined(USW_IMAGES)
static void count_in_bare(int device, int threads, size_t step, counts_t *out) {
  const size_t each = (size_t)threads;
#pragma omp target teams ompx_bare num_teams(TEAMS) thread_limit(threads) device(device) is_device_ptr(out)
  {
    const usw_team_t team = usw_bare_team();
    count_forms(team, team.number * each, step, out);
  }
}
static void count_in_target(int device, int threads, size_t step, counts_t *out) {
  const size_t each = (size_t)threads;
#pragma omp target teams num_teams(TEAMS) thread_limit(threads) device(device) is_device_ptr(out)
#pragma omp parallel num_threads(threads)
  {
    const usw_team_t team = usw_openmp_team();
    count_forms(team, team.number * each, step, out);
  }
}
#endif
#ifndef USW_PORT_SIMT
static void count_on_host(int device, int threads, size_t step, counts_t *out) {
  const size_t each = (size_t)threads;
  (void)device;
  for (size_t k = 0; k < TEAMS; k++) {
#pragma omp parallel num_threads(threads)
    count_forms(usw_openmp_team(), k * each, step, out);
  }
}
#endif

static void run_truth(const char *region, void (*run)(int, int, size_t, counts_t *), size_t threads, size_t lanes) {
  static const size_t steps[] = {0, 1, 2, 40, 1 << 20};
  const size_t bytes = threads * TEAMS * sizeof(counts_t);
  counts_t *out = (counts_t *)malloc(bytes);
  for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
    place_memory_t results = memory_get(&place, NULL, bytes, 0);
    run(place.device, (int)threads, steps[s], (counts_t *)results.data);
    memory_read(&results, out, bytes);
    check_truth(threads, lanes, steps[s], out, region);
    memory_free(&results);
  }
  free(out);
}

static void test_truth(size_t threads) {
#ifdef USW_PORT_SIMT
  run_truth("emulated", count_in_bare, threads, USW_SUB_GROUP);
#else
  if (place.place == USW_HOST)
    run_truth("parallel", count_on_host, threads, 1);
#ifdef USW_IMAGES
  if (place.place == USW_DEVICE && place_is_gpu())
    run_truth("bare", count_in_bare, threads, lanes_of_place());
  if (place.place == USW_DEVICE)
    run_truth("teams and parallel", count_in_target, threads, lanes_of_place());
#endif
#endif
}

/* ---- team sizes ---- */

/* All of them on a GPU, unless told --quick; elsewhere those around whole sub-groups, and few where a processor's threads wait
 * for each other: in the quick tier hundreds on devices only. */
static int is_tested(size_t threads, int is_quick) {
  if (is_quick_tier() && threads > (place.place == USW_HOST ? 100 : 600) && strcmp(place.target, "nvptx") != 0)
    return 0;
  if (place.place == USW_HOST || strcmp(place.target, "x86_64") == 0)
    return threads <= 9 || threads == 31 || threads == 33 || threads == 100 || threads == 257 || threads == 1024;
  return (!is_quick && strcmp(place.target, "simt") != 0) || threads <= 70 || (threads + 1) % 128 <= 2;
}

int main(int argc, char **argv) {
  int is_quick = 0;
  for (int a = 1; a < argc; a++)
    is_quick |= strcmp(argv[a], "--quick") == 0;
  place = place_of_arguments(argc, argv);
  for (size_t threads = 1; threads <= USW_TEAM_LIMIT; threads++) {
    if (!is_tested(threads, is_quick))
      continue;
    test_truth(threads);
    for (size_t t = 0; t < sizeof tests / sizeof *tests; t++)
      tests[t](threads);
  }
  return check_report();
}
