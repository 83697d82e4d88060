/* Mean and variance of numbers that are nearly the same, at the upper levels: the exact ones, rounded once, wherever the
 * items lie. No double is nearer, so that they are never worse than what the other levels give.
 *
 *   nearly_constant [--place NAME] */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "oracle/items.h"
#include "support/check.h"
#include "support/place.h"

enum { MOST = 100000 };

/* Items are base + k * step, 0 <= k <= spread. */
typedef struct {
  usw_type_t type;
  long double base, step;
} near_t;

static const near_t nears[] = {
    {USW_F64, 1, 0x1p-52L},
    {USW_F64, -1, 0x1p-53L},
    {USW_F64, 1e8L, 0x1p-26L},
    {USW_F64, 0x1p-300L, 0x1p-352L},
    {USW_F64, 0x1.8p-480L, 0x1p-532L},
    {USW_F64, 0x1.4p-7L, 0x1p-30L},
    {USW_F64, 0x1p500L, 0x1p448L},
    {USW_F64, -0x1.ffp1023L, 0x1p971L},
    {USW_F32, 0x1p60L, 0x1p37L},
    {USW_I64, 0x1p62L + 12345, 1},
    {USW_I64, -0x1p63L, 1},
    {USW_I64, -5, 1},
    {USW_U64, 0x1p63L + 0x1p62L + 1, 1},
    {USW_I32, 0x1p30L, 1},
};

static test_place_t place;
static union {
  double f64[MOST];
  float f32[MOST];
  int64_t i64[MOST];
  uint64_t u64[MOST];
  int32_t i32[MOST];
} elements;

/* Exact, but for a last bit of a long double. */
typedef struct {
  long double mean, variance;
} moments_t;

static void put(usw_type_t type, size_t i, long double x) {
  if (type == USW_F64)
    elements.f64[i] = (double)x;
  else if (type == USW_F32)
    elements.f32[i] = (float)x;
  else if (type == USW_U64)
    elements.u64[i] = (uint64_t)x;
  else if (type == USW_I64)
    elements.i64[i] = (int64_t)x;
  else
    elements.i32[i] = (int32_t)x;
}

/* Make n items, both ends of the spread among them. Sums of k and of its squares are exact. */
static moments_t make_items(const near_t *near, size_t n, uint64_t spread) {
  const long double count = (long double)n;
  uint64_t random = n + spread, sum = 0, squares = 0;
  for (size_t i = 0; i < n; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    const uint64_t k = i == 0 ? 0 : i == n - 1 ? spread : (random >> 33) % (spread + 1);
    put(near->type, i, near->base + (long double)k * near->step);
    sum += k;
    squares += k * k;
  }
  return (moments_t){near->base + near->step * (long double)sum / count,
                     near->step * near->step * ((long double)(n * squares - sum * sum) / (count * count))};
}

/* Half a unit in the last place of a double, and what the exact value may lack. */
static void check_number(const char *which, const char *what, long double exact, double got, const char *case_text) {
  const int last = fabsl(exact) < 0x1p-1022L ? -1074 : ilogbl(exact) - 52;
  const long double error = fabsl(got - exact), half = ldexpl(1, last - 1);
  const int is_infinite = isinf((double)exact) && (long double)got == (double)exact;
  check_count(is_infinite || error <= half * (1 + 0x1p-9L), __FILE__, __LINE__,
              "%s: %s %s is %.17g, %.3Lg units from %.20Lg", case_text, which, what, got, error / (2 * half), exact);
}

static void check_level(const laid_out_t *items, usw_accuracy_t accuracy, const row_t *row, const moments_t *exact,
                        const char *case_text) {
  const char *const which = accuracy == USW_COMPENSATED ? "compensated" : "reproducible";
  usw_options_t options = place_options(&place);
  result_t result;
  long double parts[MOST_PARTS];
  options.accuracy = accuracy;
  memset(&result, 0, sizeof result);
  CHECK_STATUS(USW_OK, laid_out_reduce(items, row, &options, &result));
  const int count = result_parts(row, &result, parts);
  check_count(parts[count - 3] == (long double)items->n, __FILE__, __LINE__, "%s: %s count is %Lg", case_text, which,
              parts[count - 3]);
  check_number(which, "mean", exact->mean, (double)parts[count - 2], case_text);
  check_number(which, "variance", exact->variance, (double)parts[count - 1], case_text);
}

static void run_case(const near_t *near, size_t n, uint64_t spread, layout_t layout) {
  const moments_t exact = make_items(near, n, spread);
  const items_t items = {.type = near->type, .n = n, .x = &elements, .y = &elements};
  const row_t *row = row_find(USW_DESCRIBE, near->type);
  laid_out_t laid_out = items_lay_out(&items, &place, layout);
  char text[128];
  snprintf(text, sizeof text, "describe_%s of %zu items from %Lg on, %llu steps apart, offset %zu, stride %td",
           type_name(near->type), n, near->base, (unsigned long long)spread, layout.offset, layout.stride);
  check_level(&laid_out, USW_REPRODUCIBLE, row, &exact, text);
  check_level(&laid_out, USW_COMPENSATED, row, &exact, text);
  laid_out_free(&laid_out);
}

int main(int argc, char **argv) {
  static const size_t sizes[] = {1, 2, 3, 7, 1000, 5000, MOST};
  static const uint64_t spreads[] = {0, 1, 3, 1000};
  static const layout_t layouts[] = {{0, 1}, {1, 1}, {0, 2}, {3, -1}};
  place = place_of_arguments(argc, argv);
  const size_t size_count = sizeof sizes / sizeof *sizes - (strcmp(place.target, "simt") == 0);
  for (size_t k = 0; k < sizeof nears / sizeof *nears; k++)
    for (size_t s = 0; s < size_count; s++)
      for (size_t d = 0; d < sizeof spreads / sizeof *spreads; d++)
        if (sizes[s] > 1 || spreads[d] == 0)
          run_case(&nears[k], sizes[s], spreads[d], layouts[(k + d + s) % (sizeof layouts / sizeof *layouts)]);
  return check_report();
}
