/* OpenMP's reduction clause: _Float16 by every operator it has.
 * By hand: cc -O2 -fopenmp half.c && ./a.out; for a device with -DON_DEVICE and the compiler's flags of offload.
 * The file includes itself for each type, and there for each operator: the pragma at its end is every region's. */
#ifndef ELEMENT
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 10007 };
static int first; /* cases before it are left out: argv[1] */
static int start(const char *type, const char *word) {
  return first-- <= 0 && printf("run %s %s\n", type, word) && !fflush(stdout);
}
static void end(const char *type, const char *word, long double got, long double expected) {
  printf("cell %s %s %s got %.21Lg, expected %.21Lg\n", type, word, got == expected ? "ok" : "wrong", got, expected);
}
#define TEXT_(word) #word
#define TEXT(word) TEXT_(word)
#define NAME_(type) all_##type
#define NAME(type) NAME_(type)
#define OPERATOR(operator, word, operation, original, item) operator
#define WORD(operator, word, operation, original, item) #word
#define OPERATION(operator, word, operation, original, item) operation
#define ORIGINAL(operator, word, operation, original, item) original
#define ITEM(operator, word, operation, original, item) item

#define ELEMENT _Float16
#include __FILE__

int main(int count, char **words) {
  int host = 1;
#pragma omp target map(from : host)
  host = omp_is_initial_device();
  printf("place %s\n", host ? "host" : "device");
  first = count > 1 ? atoi(words[1]) : 0;
  all__Float16();
  return 0;
}
#elif !defined ROW /* one type; ROW is an operator, its name, the operation, the original value, item i */
static void NAME(ELEMENT)(void) {
#define ROW(PART) PART(+, sum, r += x, 5, i % 1000 == 7 ? 3 : 0)
#include __FILE__
#define ROW(PART) PART(-, minus, r -= x, 5, i % 1000 == 7 ? 3 : 0)
#include __FILE__
#define ROW(PART) PART(*, product, r *= x, 5, i % 1000 == 7 ? 3 : 1)
#include __FILE__
#define ROW(PART) PART(min, min, r = x < r ? x : r, 90, 10 + i * 37 % 101)
#include __FILE__
#define ROW(PART) PART(max, max, r = x > r ? x : r, 1, i * 37 % 101)
#include __FILE__
#define ROW(PART) PART(&&, all, r = r && x, 2, i != 4321)
#include __FILE__
#define ROW(PART) PART(||, any, r = r || x, 0, i == 4321)
#include __FILE__
}
#undef ELEMENT
#else /* one operator */
if (start(TEXT(ELEMENT), ROW(WORD))) {
  ELEMENT r = ROW(ORIGINAL), expected;
  for (int i = 0; i < N; i++) {
    const ELEMENT x = ROW(ITEM);
    ROW(OPERATION);
  }
  expected = r, r = ROW(ORIGINAL);
#ifdef ON_DEVICE
#pragma omp target teams distribute parallel for map(tofrom : r) reduction(ROW(OPERATOR) : r)
#else
#pragma omp parallel for reduction(ROW(OPERATOR) : r)
#endif
  for (int i = 0; i < N; i++) {
    const ELEMENT x = ROW(ITEM);
    ROW(OPERATION);
  }
  end(TEXT(ELEMENT), ROW(WORD), r, expected);
}
#undef ROW
#endif
