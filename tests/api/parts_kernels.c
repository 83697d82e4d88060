/* Kernels of users over parts: however the items are dealt, they give what the kernel's function gives of all items, also where
 * operators do not commute, bodies look at their index, and results are spans; plans the same, run after run. */
#include "parts_kernels.h"

#include <string.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"
#include "user_types.h"

enum { MOST_ITEMS = 5003, PARTS = 6, BINS = 5, MOST_BINS = 300, LARGE_BINS = 9001 };

#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
/* The lowest index of the largest value. */
typedef struct {
  uint32_t value;
  uint64_t index;
} highest_t;
static inline highest_t higher(highest_t x, highest_t y) {
  return y.value > x.value || (y.value == x.value && y.index < x.index) ? y : x;
}
static inline highest_t highest_of_none(void) {
  const highest_t z = {0, UINT64_MAX};
  return z;
}
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

#define USW_KERNEL many_kinds
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) ARRAY(uint64_t, weights) VALUE(uint8_t, limit) IN(double, y)
#define USW_REDUCERS(R, S)                                                                                             \
  R(uint64_t, weighted, USW_PLUS)                                                                                      \
  R(highest_t, highest, higher, highest_of_none())                                                                     \
  R(double, most, USW_MAXIMUM)                                                                                         \
  S(uint32_t, few, BINS, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_add(weighted, weights[x % BINS] * (i + 1));
  const highest_t here = {x, i};
  usw_combine(highest, here);
  if (x > limit)
    usw_combine(most, y);
  usw_inc_at(few, (i + x) % BINS);
}
#include <upsweep/kernel_end.h>

#define USW_PARTS 1
#include "chained_kernel.h"

/* Its record is too large for the room of a part. */
#define USW_KERNEL many_bins
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint64_t, used)
#define USW_OUTPUTS(OUT) OUT(uint64_t, seen)
#define USW_REDUCERS(R, S) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS) R(uint64_t, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine_at(counts, x % used, i);
  usw_inc(total);
  usw_write(seen, i * used + x);
}
#include <upsweep/kernel_end.h>

/* A span alone, whose cells are the result. */
#define USW_KERNEL only_bins
#define USW_PARTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x) VALUE(uint64_t, used)
#define USW_REDUCERS(R, S) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine_at(counts, x % used, i); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL indexless
#define USW_PARTS 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT() { usw_add(sum, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL of_segments
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL without_parts
#define USW_ARGS(IN, ARRAY, VALUE)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, (double)i); }
#include <upsweep/kernel_end.h>

static uint32_t x[MOST_ITEMS];
static double y[MOST_ITEMS];
static const uint64_t weights[BINS] = {3, 1, 4, 1, 5};
static const test_place_t *places;
static int place_count;

static uint64_t next(uint64_t *seed) {
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return *seed >> 33;
}

/* ---- a deal of the items ---- */

typedef struct {
  const test_place_t *place;
  size_t first, n;
  place_memory_t x, y, weights, seen;
} piece_t;

static void deal(piece_t *pieces, size_t n, uint64_t seed) {
  size_t first = 0;
  for (int k = 0; k < PARTS; k++) {
    const size_t left = n - first, wish = next(&seed) % 3 == 0 ? 0 : next(&seed) % (1 + 2 * n / PARTS);
    piece_t *piece = &pieces[k];
    *piece = (piece_t){.place = &places[next(&seed) % (uint64_t)place_count], .first = first};
    piece->n = k + 1 == PARTS || wish > left ? left : wish;
    piece->x = memory_get(piece->place, x + first, piece->n * sizeof *x, 0);
    piece->y = memory_get(piece->place, y + first, piece->n * sizeof *y, 0);
    piece->weights = memory_get(piece->place, weights, sizeof weights, 0);
    piece->seen = memory_get(piece->place, NULL, piece->n * sizeof(uint64_t), 0);
    first += piece->n;
  }
}

static void free_deal(piece_t *pieces) {
  for (int k = 0; k < PARTS; k++) {
    memory_free(&pieces[k].x);
    memory_free(&pieces[k].y);
    memory_free(&pieces[k].weights);
    memory_free(&pieces[k].seen);
  }
}

static usw_kernel_part_t at(usw_kernel_part_t part, const piece_t *piece) {
  part.place = piece->place->place;
  part.device = piece->place->device;
  return part;
}

/* ---- results ---- */

typedef struct {
  uint64_t weighted, counts[MOST_BINS], total;
  highest_t highest;
  double most, sum;
  uint32_t few[BINS];
  chain_t chain;
  affine_t map;
} results_t;

/* What variables hold before is part of the results. */
static results_t before(void) {
  results_t r;
  memset(&r, 0, sizeof r);
  r.weighted = 1000;
  r.highest.index = UINT64_MAX;
  r.most = -3;
  r.sum = 0.125;
  for (int k = 0; k < BINS; k++)
    r.few[k] = (uint32_t)k;
  for (int k = 0; k < MOST_BINS; k++)
    r.counts[k] = (uint64_t)k;
  r.chain = link_of(UINT64_MAX); /* which item 0 follows */
  r.map = affine_of(17);
  return r;
}

static void check_same(const results_t *expected, const results_t *got, const char *what, size_t n) {
  const int same = expected->weighted == got->weighted && expected->highest.index == got->highest.index &&
                   expected->highest.value == got->highest.value && expected->most == got->most &&
                   memcmp(expected->few, got->few, sizeof got->few) == 0 &&
                   memcmp(expected->counts, got->counts, sizeof got->counts) == 0 && expected->total == got->total &&
                   expected->sum == got->sum && expected->chain.first == got->chain.first &&
                   expected->chain.last == got->chain.last && expected->chain.broken == got->chain.broken &&
                   memcmp(&expected->map, &got->map, sizeof got->map) == 0;
  check_count(same, __FILE__, __LINE__, "%s of n=%zu: other results", what, n);
}

static void run_whole(size_t n, size_t bins, uint64_t *seen, results_t *r) {
  const usw_options_t host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  CHECK_STATUS(USW_OK, many_kinds(n, x, weights, 7, y, &r->weighted, &r->highest, &r->most, r->few, &host));
  CHECK_STATUS(USW_OK, chained(n, x, &r->chain, &r->map, &host));
  CHECK_STATUS(USW_OK, many_bins(n, x, bins, seen, r->counts, bins, &r->total, &host));
  CHECK_STATUS(USW_OK, indexless(n, y, &r->sum, &host));
}

typedef struct {
  usw_kernel_part_t kinds[PARTS], chain[PARTS], bins[PARTS], sum[PARTS];
} dealt_t;

static void describe(const piece_t *pieces, size_t bins, dealt_t *dealt) {
  for (int k = 0; k < PARTS; k++) {
    const piece_t *p = &pieces[k];
    dealt->kinds[k] = at(many_kinds_part(p->n, p->x.data, p->weights.data, 7, p->y.data), p);
    dealt->chain[k] = at(chained_part(p->n, p->x.data), p);
    dealt->bins[k] = at(many_bins_part(p->n, p->x.data, bins, p->seen.data), p);
    dealt->sum[k] = at(indexless_part(p->n, p->y.data), p);
  }
}

static void run_parts(const dealt_t *d, size_t bins, const usw_options_t *options, results_t *r) {
  CHECK_STATUS(USW_OK, many_kinds_parts(d->kinds, PARTS, &r->weighted, &r->highest, &r->most, r->few, options));
  CHECK_STATUS(USW_OK, chained_parts(d->chain, PARTS, &r->chain, &r->map, options));
  CHECK_STATUS(USW_OK, many_bins_parts(d->bins, PARTS, r->counts, bins, &r->total, options));
  CHECK_STATUS(USW_OK, indexless_parts(d->sum, PARTS, &r->sum, options));
}

static void check_outputs(const piece_t *pieces, const uint64_t *expected, size_t n) {
  static uint64_t seen[MOST_ITEMS];
  for (int k = 0; k < PARTS; k++)
    memory_read(&pieces[k].seen, seen + pieces[k].first, pieces[k].n * sizeof *seen);
  check_count(memcmp(expected, seen, n * sizeof *seen) == 0, __FILE__, __LINE__, "outputs of n=%zu", n);
}

/* ---- plans ---- */

typedef struct {
  usw_plan_t *kinds, *chain, *bins, *sum;
} plans_t;

static plans_t make_plans(dealt_t *d) {
  plans_t plans = {NULL, NULL, NULL, NULL};
  CHECK_STATUS(USW_OK, many_kinds_plan_create_parts(&plans.kinds, d->kinds, PARTS, NULL));
  CHECK_STATUS(USW_OK, chained_plan_create_parts(&plans.chain, d->chain, PARTS, NULL));
  CHECK_STATUS(USW_OK, many_bins_plan_create_parts(&plans.bins, d->bins, PARTS, NULL));
  CHECK_STATUS(USW_OK, indexless_plan_create_parts(&plans.sum, d->sum, PARTS, NULL));
  memset(d, 0xa5, sizeof *d); /* they are copied */
  return plans;
}

static void destroy_plans(plans_t *plans) {
  usw_plan_destroy(plans->kinds);
  usw_plan_destroy(plans->chain);
  usw_plan_destroy(plans->bins);
  usw_plan_destroy(plans->sum);
}

static void run_plans(const plans_t *plans, size_t bins, results_t *r) {
  CHECK_STATUS(USW_OK, many_kinds_plan_run_parts(&r->weighted, &r->highest, &r->most, r->few, plans->kinds));
  CHECK_STATUS(USW_OK, chained_plan_run_parts(&r->chain, &r->map, plans->chain));
  CHECK_STATUS(USW_OK, many_bins_plan_run_parts(r->counts, bins, &r->total, plans->bins));
  CHECK_STATUS(USW_OK, indexless_plan_run_parts(&r->sum, plans->sum));
}

enum { KINDS = 4 };
static void start_plans(const plans_t *plans, size_t bins, results_t *r, usw_request_t *requests) {
  CHECK_STATUS(USW_OK,
               many_kinds_plan_start_parts(&r->weighted, &r->highest, &r->most, r->few, plans->kinds, &requests[0]));
  CHECK_STATUS(USW_OK, chained_plan_start_parts(&r->chain, &r->map, plans->chain, &requests[1]));
  CHECK_STATUS(USW_OK, many_bins_plan_start_parts(r->counts, bins, &r->total, plans->bins, &requests[2]));
  CHECK_STATUS(USW_OK, indexless_plan_start_parts(&r->sum, plans->sum, &requests[3]));
}

/* Two requests of each plan at once, the later one waited for first. */
static void run_requests(const plans_t *plans, size_t bins, const results_t *expected, size_t n) {
  results_t first = before(), second = before();
  usw_request_t of_first[KINDS], of_second[KINDS];
  int done = 0;
  start_plans(plans, bins, &first, of_first);
  start_plans(plans, bins, &second, of_second);
  for (int k = 0; k < KINDS; k++) {
    while (!done)
      CHECK_STATUS(USW_OK, usw_request_test(&of_second[k], &done));
    CHECK_STATUS(USW_OK, usw_request_wait(&of_second[k]));
    CHECK_STATUS(USW_OK, usw_request_wait(&of_first[k]));
    done = 0;
  }
  check_same(expected, &first, "a request of a plan", n);
  check_same(expected, &second, "the second request of a plan", n);
}

/* ---- all of it ---- */

static void deal_and_run(size_t n, size_t bins, uint64_t seed) {
  static uint64_t seen[MOST_ITEMS];
  piece_t pieces[PARTS];
  dealt_t dealt;
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = {.size = USW_INIT(usw_options_t), .report = &report};
  results_t expected = before(), got = before();
  run_whole(n, bins, seen, &expected);
  deal(pieces, n, seed);
  describe(pieces, bins, &dealt);
  run_parts(&dealt, bins, NULL, &got);
  check_same(&expected, &got, "parts", n);
  check_outputs(pieces, seen, n);
  got = before();
  options.recheck = 1;
  run_parts(&dealt, bins, &options, &got);
  check_same(&expected, &got, "rechecked parts", n);
  CHECK_U64(n * sizeof(double), report.bytes);
  plans_t plans = make_plans(&dealt);
  for (int k = 0; k < 3; k++) {
    got = before();
    run_plans(&plans, bins, &got);
    check_same(&expected, &got, "a plan", n);
  }
  check_outputs(pieces, seen, n);
  run_requests(&plans, bins, &expected, n);
  destroy_plans(&plans);
  free_deal(pieces);
}

/* Spans of a plan may have another extent in each run; what variables hold is left out where that is asked for. */
static void extents_and_fresh(void) {
  static uint64_t few[BINS], many[MOST_BINS], seen[MOST_ITEMS];
  usw_kernel_part_t parts[] = {many_bins_part(100, x, BINS, seen), many_bins_part(200, x + 100, BINS, seen + 100)};
  usw_plan_t *plan = NULL;
  uint64_t total = 0;
  parts[0].place = parts[1].place = USW_HOST;
  CHECK_STATUS(USW_OK, many_bins_plan_create_parts(&plan, parts, 2, NULL));
  CHECK_STATUS(USW_OK, many_bins_plan_run_parts(few, BINS, &total, plan));
  CHECK_STATUS(USW_OK, many_bins_plan_run_parts(many, MOST_BINS, &total, plan));
  CHECK_STATUS(USW_OK, many_bins_plan_run_parts(few, BINS, &total, plan));
  CHECK_U64(900, total);
  for (int k = 0; k < BINS; k++)
    CHECK_U64(2 * many[k], few[k]);
  usw_plan_destroy(plan);
  CHECK_STATUS(USW_OK, many_bins_parts_fresh(parts, 2, few, BINS, &total, NULL));
  CHECK_U64(300, total);
  CHECK_U64(many[0], few[0]);
  CHECK_STATUS(USW_OK, many_bins_parts_fresh(NULL, 0, few, BINS, &total, NULL));
  CHECK_U64(0, total);
  CHECK_U64(0, few[0]);
}

/* The same parts, by the kernel that has a span alone: from identities, and from what the variables hold. */
static void only_spans(const dealt_t *dealt, void *const (*results)[2], const place_memory_t *copies) {
  static uint64_t expected[LARGE_BINS], got[LARGE_BINS], there[LARGE_BINS];
  usw_kernel_part_t parts[PARTS];
  for (int k = 0; k < PARTS; k++) {
    parts[k] = dealt->bins[k];
    parts[k].kernel = &only_bins_kernel;
    parts[k].results = results[k];
  }
  memset(got, 0x55, sizeof got);
  for (int k = 0; k < 2; k++) {
    const usw_options_t host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
    CHECK_STATUS(USW_OK,
                 (k == 0 ? only_bins_fresh : only_bins)(MOST_ITEMS, x, LARGE_BINS, expected, LARGE_BINS, &host));
    CHECK_STATUS(USW_OK, (k == 0 ? only_bins_parts_fresh : only_bins_parts)(parts, PARTS, got, LARGE_BINS, NULL));
    check_count(memcmp(expected, got, sizeof got) == 0, __FILE__, __LINE__, "cells of a span alone, run %d", k);
    for (int p = 0; p < PARTS; p++) {
      memory_read(&copies[p], there, sizeof there);
      check_count(memcmp(got, there, sizeof got) == 0, __FILE__, __LINE__, "cells alone at part %d, run %d", p, k);
    }
  }
}

/* Blocks of cells that devices fold by themselves and gather from each other, three teams of each part have some; the results go to memory of
 * all of them. */
static void large_spans(uint64_t seed) {
  static uint64_t expected[LARGE_BINS], got[LARGE_BINS], there[LARGE_BINS], seen[MOST_ITEMS];
  const usw_options_t host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .teams = 3};
  usw_plan_t *plan = NULL;
  uint64_t total = 0, total_of_parts = 0;
  piece_t pieces[PARTS];
  place_memory_t copies[PARTS];
  void *results[PARTS][2];
  dealt_t dealt;
  memset(expected, 0, sizeof expected);
  memset(got, 0, sizeof got);
  deal(pieces, MOST_ITEMS, seed);
  describe(pieces, LARGE_BINS, &dealt);
  for (int k = 0; k < PARTS; k++) {
    copies[k] = memory_get(pieces[k].place, NULL, sizeof got, 0);
    results[k][0] = copies[k].data;
    results[k][1] = NULL;
    dealt.bins[k].results = results[k];
  }
  CHECK_STATUS(USW_OK, many_bins_plan_create_parts(&plan, dealt.bins, PARTS, &options));
  for (int k = 0; k < 3; k++) { /* variables go on from what they hold */
    CHECK_STATUS(USW_OK, many_bins(MOST_ITEMS, x, LARGE_BINS, seen, expected, LARGE_BINS, &total, &host));
    CHECK_STATUS(USW_OK, k == 0 ? many_bins_parts(dealt.bins, PARTS, got, LARGE_BINS, &total_of_parts, &options)
                                : many_bins_plan_run_parts(got, LARGE_BINS, &total_of_parts, plan));
    check_count(memcmp(expected, got, sizeof got) == 0, __FILE__, __LINE__, "cells of a large span, run %d", k);
    CHECK_U64(total, total_of_parts);
    for (int p = 0; p < PARTS; p++) {
      memory_read(&copies[p], there, sizeof there);
      check_count(memcmp(got, there, sizeof got) == 0, __FILE__, __LINE__, "cells at part %d, run %d", p, k);
    }
  }
  usw_plan_destroy(plan);
  only_spans(&dealt, results, copies);
  for (int k = 0; k < PARTS; k++)
    memory_free(&copies[k]);
  free_deal(pieces);
}

static void strides(void) {
  const double sums[] = {1, 9, 2, 9, 4, 9};
  usw_kernel_part_t part[] = {indexless_part(3, sums), indexless_part(2, sums)};
  double sum = 0;
  part[0].place = part[1].place = USW_HOST;
  part[0].stride[0] = 2;
  part[1].stride[0] = USW_STRIDE_NONE;
  CHECK_STATUS(USW_OK, indexless_parts(part, 2, &sum, NULL));
  CHECK_F64(9, sum);
}

static void refused(usw_status_t expected, const char *text, usw_status_t status) {
  CHECK_STATUS(expected, status);
  check_count(strstr(usw_error_text(), text) != NULL, __FILE__, __LINE__, "'%s' has '%s'", usw_error_text(), text);
}

static void refusals(void) {
  usw_kernel_part_t parts[] = {indexless_part(2, y), indexless_part(3, y + 2)};
  usw_options_t options = {.size = USW_INIT(usw_options_t)};
  chain_t chain = link_of(4);
  affine_t map = affine_one();
  double sum = 77;
  usw_plan_t *plan = NULL, *whole = NULL;
  usw_request_t request;
  const usw_variable_t variable = {&sum, 1};
  parts[0].place = parts[1].place = USW_HOST;
  refused(USW_ERROR_INVALID, "another kernel than chained", chained_parts(parts, 2, &chain, &map, NULL));
  refused(USW_ERROR_INVALID, "'sum' is NULL", indexless_parts(parts, 2, NULL, NULL));
  refused(USW_ERROR_INVALID, "parts are NULL", indexless_parts(NULL, 2, &sum, NULL));
  refused(USW_ERROR_UNSUPPORTED, "have no parts", usw_kernel_run_parts(&of_segments_kernel, NULL, 0, &variable, NULL));
  refused(USW_ERROR_UNSUPPORTED, "define USW_PARTS",
          usw_kernel_run_parts(&without_parts_kernel, NULL, 0, &variable, NULL));
  options.place = USW_HOST;
  refused(USW_ERROR_INVALID, "options.place", indexless_parts(parts, 2, &sum, &options));
  parts[1].arguments[0] = 0;
  refused(USW_ERROR_INVALID, "part 2 of 2: indexless", indexless_parts(parts, 2, &sum, NULL));
  refused(USW_ERROR_INVALID, "part 2 of 2: indexless", indexless_plan_create_parts(&plan, parts, 2, NULL));
  parts[1].size--;
  refused(USW_ERROR_VERSION, "part 2 of 2", indexless_parts(parts, 2, &sum, NULL));
  CHECK(plan == NULL);
  CHECK_STATUS(USW_OK, indexless_plan_create_parts(&plan, parts, 1, NULL));
  CHECK_STATUS(USW_OK, usw_plan_create(&whole, USW_PLUS, USW_F64, NULL));
  refused(USW_ERROR_UNSUPPORTED, "usw_plan_run_parts()", indexless_plan_run(2, y, &sum, plan));
  refused(USW_ERROR_UNSUPPORTED, "usw_plan_run_parts()", usw_plan_bind(plan, y, 2, &sum));
  refused(USW_ERROR_UNSUPPORTED, "usw_plan_create_parts()", usw_plan_run_parts(whole, &sum));
  refused(USW_ERROR_INVALID, "cannot run", usw_plan_run_parts(plan, &sum));
  refused(USW_ERROR_INVALID, "cannot run", chained_plan_run_parts(&chain, &map, plan));
  refused(USW_ERROR_INVALID, "request_out", indexless_plan_start_parts(&sum, plan, NULL));
  refused(USW_ERROR_INVALID, "'sum' is NULL", indexless_plan_run_parts(NULL, plan));
  refused(USW_ERROR_INVALID, "'sum' is NULL", indexless_plan_start_parts(NULL, plan, &request));
  refused(USW_ERROR_INVALID, "plan is NULL", indexless_plan_run_parts(&sum, NULL));
  CHECK_F64(77, sum);
  usw_plan_destroy(plan);
  usw_plan_destroy(whole);
}

void parts_of_kernels(const test_place_t *all, int count) {
  static const size_t sizes[] = {0, 1, 300, MOST_ITEMS};
  places = all;
  place_count = count;
  uint64_t seed = 3;
  for (size_t k = 0; k < MOST_ITEMS; k++) {
    x[k] = (uint32_t)(next(&seed) % 1000);
    y[k] = (double)(next(&seed) % 100000) / 16;
  }
  refusals();
  strides();
  extents_and_fresh();
  for (uint64_t k = 0; k < 4; k++)
    large_spans(seed += k);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    for (uint64_t k = 0; k < 6; k++)
      if (place_takes_next(&places[0], 3))
        deal_and_run(sizes[s], k & 1 ? MOST_BINS : BINS, seed += k);
}
