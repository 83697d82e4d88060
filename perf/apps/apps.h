/* The kernels of other benchmark suites, written for Upsweep from what the suites say that they compute: what these
 * files share.
 *
 * An application is a kernel (or two), the same loop by OpenMP's reduction clause, its data and the numbers that have to
 * come out. All of it stands in one file, kernels_<theme>.c; apps.c makes a case of the benchmark of it. */
#ifndef APPS_H
#define APPS_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/upsweep.h>

enum { APPS_MAX_STREAMS = 6, APPS_MAX_NUMBERS = 32 };

/* One array that an application reads. */
typedef struct apps_stream {
  size_t element_bytes;
  /* Elements first to first + count - 1 of an application with n items. */
  void (*fill)(size_t n, size_t first, size_t count, void *elements_out);
  size_t (*elements)(size_t n); /* how many an application with n items has; NULL: n */
} apps_stream_t;

/* One call: the length, and the streams at the place of the call. */
typedef struct apps_call {
  size_t n;
  const void *streams[APPS_MAX_STREAMS];
  int device; /* OpenMP number, -1: the host */
} apps_call_t;

/* What has to come out: each number within its tolerance, which is 0 where the result is exact. */
typedef struct apps_expected {
  int count;
  double number[APPS_MAX_NUMBERS], tolerance[APPS_MAX_NUMBERS];
} apps_expected_t;

typedef struct apps_case {
  const char *suite, *name;
  apps_stream_t streams[APPS_MAX_STREAMS]; /* ends where element_bytes is 0 */
  int without_clause;                      /* 1: its spans are too large for USW_STRATEGY_CLAUSE */
  int passes;                              /* over the streams in one run; 0: 1 */
  size_t (*items)(size_t wanted);          /* the nearest length that the application has; NULL: any */
  usw_status_t (*run)(const apps_call_t *call, const usw_options_t *options, double *numbers_out);
  void (*clause)(const apps_call_t *call, double *numbers_out); /* NULL: none */
  /* The library's own kernel for the same; NULL: none. */
  usw_status_t (*library)(const apps_call_t *call, const usw_options_t *options, double *numbers_out);
  apps_expected_t (*expect)(size_t n);
} apps_case_t;

extern const apps_case_t apps_everythingsreduced_dot, apps_complex_sum, apps_complex_sum_soa, apps_complex_min,
    apps_field_summary, apps_describe, apps_red_comb, apps_red_sum_struct, apps_red_indirect, apps_red_kernel_part,
    apps_red_pi, apps_reduce3_int, apps_reduce_struct, apps_pi_reduce, apps_trap_int, apps_first_min, apps_sum_f64,
    apps_sum_f32, apps_sum_i32, apps_max_f64, apps_dot_f32, apps_sum_u8, apps_max_i16, apps_babelstream_dot,
    apps_histogram, apps_multi_reduce, apps_red_sum_arr_32;

/* Of kernels_spans.c, for each extent. */
#define APPS_SPANS(ENTRY) ENTRY(16) ENTRY(64) ENTRY(256) ENTRY(1024) ENTRY(4096)
#define APPS_SPAN_CASES(extent)                                                                                        \
  extern const apps_case_t apps_counts_##extent, apps_equal_counts_##extent, apps_sums_##extent,                       \
      apps_equal_sums_##extent;
APPS_SPANS(APPS_SPAN_CASES)

/* list.c: all of them, with a NULL behind. apps.c: the cases of a row; apps_run() returns how many failed; lengths that no
 * application has (below 64, above 2^33) are passed over. */
struct bench_session;
extern const apps_case_t *const apps_cases[];
int apps_run(struct bench_session *session);

/* apps_data.c: the streams of an application at an OpenMP device or, for -1, on the host. Returns 0, or -1 after a line
 * on stderr. */
int apps_make_data(const apps_case_t *app, size_t n, int device, const void *streams_out[APPS_MAX_STREAMS]);
void apps_free_data(int device, const void *streams[APPS_MAX_STREAMS]);
size_t apps_stream_bytes(const apps_case_t *app, int stream, size_t n);
double apps_bytes(const apps_case_t *app, size_t n); /* that one run reads */

/* Puts one more number into what is expected. */
void apps_expect(apps_expected_t *expected, double number, double tolerance);

/* The bound of every order of adding n numbers whose absolute values add up to `sum`; 0 where n is a power of two up to
 * `exact_up_to`: there the data of several suites are such that no sum is rounded. */
double apps_sum_tolerance(size_t n, double sum, size_t exact_up_to);
/* Where rounding errors have no preferred sign they add up like a random walk; 16 times that. */
double apps_walk_tolerance(size_t n, double sum);

/* Data without a suite's definition: multiples of 1/128 below 1, which repeat. Their sums are exact in any order. */
enum { APPS_PERIOD = 101 };
double apps_element(size_t i);
double apps_sum_of_elements(size_t first, size_t n);
double apps_largest_element(size_t n);
void apps_fill_elements(size_t n, size_t first, size_t count, void *elements_out);

#endif
