/* OpenMP's reduction clause: regions launched by four host threads at once (LLVM issue 70249).
 * By hand: cc -O2 -fopenmp host_threads.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int first; /* cases before it are left out: argv[1] */
static int start(const char *word) { return first-- <= 0 && printf("run host_threads %s\n", word) && !fflush(stdout); }
static void end(const char *word, double got, double expected) {
  const int same = got == expected || (got != got && expected != expected);
  printf("cell host_threads %s %s got %.17g, expected %.17g\n", word, same ? "ok" : "wrong", got, expected);
}
#define CASE(word, got, expected) (start(#word) ? end(#word, got, expected) : (void)0)

enum { N = 20011, THREADS = 4, TURNS = 50 };
static const double sum_of_all = N * (N - 1.0) / 2;

static double one_sum(double begin) {
  double r = begin;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(+ : r)
#else
#pragma omp parallel for reduction(+ : r)
#endif
  for (int i = 0; i < N; i++)
    r += i;
  return r;
}

static double sum_and_largest(double begin) {
  double r = begin;
  int largest = -1;
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r, largest) reduction(+ : r) reduction(max : largest)
#else
#pragma omp parallel for reduction(+ : r) reduction(max : largest)
#endif
  for (int i = 0; i < N; i++) {
    r += i;
    largest = i > largest ? i : largest;
  }
  return largest == N - 1 ? r : -1;
}

/* Calls from several host threads whose results are not their own thread's. */
static double wrong_calls(double (*region)(double)) {
  int wrong = 0;
#pragma omp parallel num_threads(THREADS) shared(wrong)
  for (int turn = 0; turn < TURNS; turn++) {
    const double begin = omp_get_thread_num() * 1000 + turn;
    if (region(begin) != begin + sum_of_all) {
#pragma omp atomic
      wrong++;
    }
  }
  return wrong;
}

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  CASE(wrong_sums_of_200, wrong_calls(one_sum), 0);
  CASE(wrong_pairs_of_200, wrong_calls(sum_and_largest), 0);
  return 0;
}
