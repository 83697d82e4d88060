/* OpenMP's reduction clause: structures and operators of one's own by declare reduction.
 * By hand: cc -O2 -fopenmp structures.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run structure %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell structure %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { N = 4000 };

typedef struct {
  double value;
  int index;
} place_t;
static place_t first_of(place_t a, place_t b) {
  return b.value < a.value || (b.value == a.value && b.index < a.index) ? b : a;
}
#pragma omp declare reduction(first_least:place_t : omp_out = first_of(omp_out, omp_in))                               \
    initializer(omp_priv = (place_t){INFINITY, 0x7fffffff})

typedef struct {
  double sum, squares, least, largest;
  long count;
} summary_t;
static summary_t together(summary_t a, summary_t b) {
  return (summary_t){a.sum + b.sum, a.squares + b.squares, a.least < b.least ? a.least : b.least,
                     a.largest > b.largest ? a.largest : b.largest, a.count + b.count};
}
#pragma omp declare reduction(summary:summary_t : omp_out = together(omp_out, omp_in))                                 \
    initializer(omp_priv = (summary_t){0, 0, INFINITY, -INFINITY, 0})

typedef struct {
  int cells[64];
} cells_t;
static void add_cells(cells_t *into, const cells_t *from) {
  for (int k = 0; k < 64; k++)
    into->cells[k] += from->cells[k];
}
#pragma omp declare reduction(cells:cells_t : add_cells(&omp_out, &omp_in)) initializer(omp_priv = (cells_t){{0}})

static double first_least(void) {
  place_t r = {1e9, -1};
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(first_least : r)
#else
#pragma omp parallel for reduction(first_least : r)
#endif
  for (int i = 0; i < N; i++)
    r = first_of(r, (place_t){(i * 37) % 1000, i});
  return r.value * 1e6 + r.index;
}

static double summary(void) {
  summary_t r = {1, 2, 3, 4, 5};
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(summary : r)
#else
#pragma omp parallel for reduction(summary : r)
#endif
  for (int i = 0; i < N; i++)
    r = together(r, (summary_t){i, i % 3, i - 9, i + 9, 1});
  return r.sum + r.squares + r.least + r.largest + r.count;
}

static double cells(void) {
  cells_t r = {{3}};
  int weighted = 0;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(cells : r)
#else
#pragma omp parallel for reduction(cells : r)
#endif
  for (int i = 0; i < N; i++)
    r.cells[i % 64]++;
  for (int k = 0; k < 64; k++)
    weighted += r.cells[k] * (k + 1);
  return weighted;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  CASE(argmin_16_bytes, first_least(), 0);
  CASE(summary_40_bytes, summary(), 1 + N * (N - 1) / 2 + 2 + N - 1 - 9 + N - 1 + 9 + 5 + N);
  CASE(cells_256_bytes, cells(), 3 + 62 * 2080 + 528);
  return 0;
}
