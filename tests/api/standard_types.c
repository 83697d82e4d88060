/* The one-word names over C's own types: long long, long, char, _Float16, const and not. */
#include <limits.h>
#include <upsweep/half.h>
#include <upsweep/upsweep.h>

#include "support/check.h"

enum { ITEMS = 100 };

#define INTEGERS(T, sum_t)                                                                                             \
  do {                                                                                                                 \
    T x[ITEMS], most = 0;                                                                                              \
    const T *constant = x;                                                                                             \
    sum_t sum = 0, dot = 0;                                                                                            \
    bool all = false;                                                                                                  \
    for (int i = 0; i < ITEMS; i++)                                                                                    \
      x[i] = (T)(i % 7 + 1);                                                                                           \
    CHECK_STATUS(USW_OK, usw_sum(x, ITEMS, &sum));                                                                     \
    CHECK(sum == 395);                                                                                                 \
    CHECK_STATUS(USW_OK, usw_dot(x, constant, ITEMS, &dot));                                                           \
    CHECK(dot == 1965);                                                                                                \
    CHECK_STATUS(USW_OK, usw_max(constant, ITEMS, &most));                                                             \
    CHECK(most == 7);                                                                                                  \
    CHECK_STATUS(USW_OK, usw_all(constant, ITEMS, &all));                                                              \
    CHECK(all);                                                                                                        \
  } while (0)

#if CHAR_MIN < 0
typedef int64_t sum_of_char_t;
#else
typedef uint64_t sum_of_char_t;
#endif

/* The sign of char decides what its largest value is. */
static void characters(void) {
  const char x[2] = {(char)-1, 1};
  char most = 0;
  CHECK_STATUS(USW_OK, usw_max(x, 2, &most));
  CHECK(most == (CHAR_MIN < 0 ? 1 : (char)-1));
}

static void halves(void) {
#ifdef USW_HAS_NATIVE_HALF
  usw_native_f16_t x[ITEMS], most = 0;
  const usw_native_f16_t *constant = x;
  float sum = 0;
  for (int i = 0; i < ITEMS; i++)
    x[i] = (usw_native_f16_t)((float)i * 0.5f);
  CHECK_STATUS(USW_OK, usw_sum(x, ITEMS, &sum));
  CHECK(sum == 2475);
  CHECK_STATUS(USW_OK, usw_max(constant, ITEMS, &most));
  CHECK((float)most == 49.5f);
#endif
}

int main(void) {
  INTEGERS(long long, long long);
  INTEGERS(unsigned long long, unsigned long long);
  INTEGERS(long, long);
  INTEGERS(unsigned long, unsigned long);
  INTEGERS(char, sum_of_char_t);
  INTEGERS(signed char, long long);
  INTEGERS(unsigned char, unsigned long long);
  INTEGERS(int, int64_t);
  INTEGERS(short, long);
  characters();
  halves();
  return check_report();
}
