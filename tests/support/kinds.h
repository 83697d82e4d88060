/* The kinds of kernels that the support table tells apart, each with one variable, and the strategies and accuracies: what
 * the documentation's table is made of (scripts/docs/support.c) and what tests/api/support_table.c runs. */
#ifndef USW_TESTS_KINDS_H
#define USW_TESTS_KINDS_H

#include <upsweep/descriptor.h>
#include <upsweep/options.h>
#include <upsweep/segments.h>

enum { KIND_VARIABLE_DOUBLES = 100 /* the largest variable of a kind */ };

typedef struct {
  double sum, weight;
} weighted_t;

static inline weighted_t weighted_add(weighted_t a, weighted_t b) {
  const weighted_t both = {a.sum + b.sum, a.weight + b.weight};
  return both;
}

static inline weighted_t weighted_zero(void) {
  const weighted_t zero = {0, 0};
  return zero;
}

/* The same in 8 bytes. */
typedef struct {
  float sum, weight;
} pair_t;

static inline pair_t pair_add(pair_t a, pair_t b) {
  const pair_t both = {a.sum + b.sum, a.weight + b.weight};
  return both;
}

static inline pair_t pair_zero(void) {
  const pair_t zero = {0, 0};
  return zero;
}

static inline double nearer_to_one(double a, double b) {
  const double from_a = a < 1 ? 1 - a : a - 1, from_b = b < 1 ? 1 - b : b - 1;
  return from_b < from_a ? b : a;
}

static inline float nearer_to_one_f32(float a, float b) { return (float)nearer_to_one((double)a, (double)b); }

#define USW_KERNEL kind_rounding
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_exact
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, least, USW_MINIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(least, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_user_struct
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(weighted_t, mean, weighted_add, weighted_zero())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const weighted_t item = {x, 1};
  usw_combine(mean, item);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_small_struct
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(pair_t, pair, pair_add, pair_zero())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const pair_t item = {(float)x, 1};
  usw_combine(pair, item);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_no_identity
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, nearest, nearer_to_one)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(nearest, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_small_no_identity
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(float, nearest, nearer_to_one_f32)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(nearest, (float)x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_with_span
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, totals, 4, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(totals, i % 4, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_with_large_span
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) S(double, totals, KIND_VARIABLE_DOUBLES, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add_at(totals, i % KIND_VARIABLE_DOUBLES, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_in_order
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_compensated
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS_COMPENSATED)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_reproducible
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS_REPRODUCIBLE)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_of_segments
#define USW_SEGMENTS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL kind_scan
#define USW_SCAN 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(total, x); }
#include <upsweep/kernel_end.h>

enum {
  KIND_ROUNDING,
  KIND_EXACT,
  KIND_COMPENSATED,
  KIND_REPRODUCIBLE,
  KIND_LARGE_STRUCT,
  KIND_SMALL_STRUCT,
  KIND_LARGE_NO_IDENTITY,
  KIND_SMALL_NO_IDENTITY,
  KIND_TOLD,
  KIND_SPAN,
  KIND_LARGE_SPAN,
  KIND_ORDERED,
  KIND_SEGMENTS,
  KIND_SCAN,
  KINDS
};

typedef struct {
  const char *title;
  const usw_kernel_t *kernel;
  uint64_t initialize_to_identity;
} kind_t;

static const kind_t kinds[KINDS] = {
    [KIND_ROUNDING] = {"rounded sums", &kind_rounding_kernel, 0},
    [KIND_EXACT] = {"exact results", &kind_exact_kernel, 0},
    [KIND_COMPENSATED] = {"compensated sums", &kind_compensated_kernel, 0},
    [KIND_REPRODUCIBLE] = {"reproducible sums", &kind_reproducible_kernel, 0},
    [KIND_LARGE_STRUCT] = {"user struct", &kind_user_struct_kernel, 0},
    [KIND_SMALL_STRUCT] = {"user struct of up to 8 bytes", &kind_small_struct_kernel, 0},
    [KIND_LARGE_NO_IDENTITY] = {"no identity", &kind_no_identity_kernel, 0},
    [KIND_SMALL_NO_IDENTITY] = {"no identity, up to 4 bytes", &kind_small_no_identity_kernel, 0},
    [KIND_TOLD] = {"no identity, told to start from it", &kind_no_identity_kernel, 1},
    [KIND_SPAN] = {"span of up to 256 bytes", &kind_with_span_kernel, 0},
    [KIND_LARGE_SPAN] = {"larger span, or extent at run time", &kind_with_large_span_kernel, 0},
    [KIND_ORDERED] = {"ordered", &kind_in_order_kernel, 0},
    [KIND_SEGMENTS] = {"many results", &kind_of_segments_kernel, 0},
    [KIND_SCAN] = {"scans", &kind_scan_kernel, 0},
};

/* A call of a kind, with its items' address; of segments: one of all items. Behind its own argument a kernel has words of the library's. */
enum { KIND_WORDS = 64 };
static inline usw_status_t kind_run(const kind_t *kind, size_t n, const void *items, const usw_variable_t *variables,
                                    const usw_options_t *options) {
  const usw_segments_t all = usw_segments_of_length(n, 1);
  const uint64_t arguments[KIND_WORDS] = {(uint64_t)(uintptr_t)items};
  return kind->kernel->facts & USW_FACT_SEGMENTS
             ? usw_kernel_run_segments(kind->kernel, n, &all, arguments, variables, options)
             : usw_kernel_run(kind->kernel, n, arguments, variables, options);
}

#define KIND_NAMED(code) {#code, code}
static const struct {
  const char *name;
  usw_strategy_t code;
} kind_strategies[] = {KIND_NAMED(USW_AUTO_STRATEGY),   KIND_NAMED(USW_STRATEGY_HOST),
                       KIND_NAMED(USW_STRATEGY_TREE),   KIND_NAMED(USW_STRATEGY_HOST_FINISH),
                       KIND_NAMED(USW_STRATEGY_CLAUSE), KIND_NAMED(USW_STRATEGY_TREE_ATOMIC),
                       KIND_NAMED(USW_STRATEGY_ATOMIC), KIND_NAMED(USW_STRATEGY_MULTIPASS)};
static const struct {
  const char *name;
  usw_accuracy_t code;
} kind_accuracies[] = {KIND_NAMED(USW_FAST), KIND_NAMED(USW_REPEATABLE), KIND_NAMED(USW_COMPENSATED),
                       KIND_NAMED(USW_REPRODUCIBLE), KIND_NAMED(USW_EXACT)};

#endif
