#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

enum { PRINTED_AT_MOST = 40 };
static atomic_long checks, failures;

static int count_text(int ok, const char *file, int line, const char *text) {
  checks++;
  if (!ok && ++failures <= PRINTED_AT_MOST) {
    fprintf(stderr, "%s:%d: %s\n", file, line, text);
    if (failures == PRINTED_AT_MOST)
      fprintf(stderr, "(further failures are only counted)\n");
  }
  return ok;
}

int check_count(int ok, const char *file, int line, const char *format, ...) {
  char text[1024] = "";
  if (!ok) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
  }
  return count_text(ok, file, line, text);
}

int check_true(int ok, const char *what, const char *file, int line) {
  return check_count(ok, file, line, "not true: %s", what);
}

int check_true_at(int ok, const char *what, const char *note, const char *file, int line) {
  return check_count(ok, file, line, "%s: not true: %s", note, what);
}

int check_u64(uint64_t expected, uint64_t got, const char *what, const char *file, int line) {
  return check_count(expected == got, file, line, "%s: expected %llu, got %llu", what, (unsigned long long)expected,
                     (unsigned long long)got);
}

int check_i64(int64_t expected, int64_t got, const char *what, const char *file, int line) {
  return check_count(expected == got, file, line, "%s: expected %lld, got %lld", what, (long long)expected,
                     (long long)got);
}

int check_f64(double expected, double got, const char *what, const char *file, int line) {
  const int same = isnan(expected) ? isnan(got) : expected == got && !signbit(expected) == !signbit(got);
  return check_count(same, file, line, "%s: expected %.17g (%a), got %.17g (%a)", what, expected, expected, got, got);
}

int check_status(usw_status_t expected, usw_status_t got, const char *what, const char *file, int line) {
  return check_count(expected == got, file, line, "%s: expected %s, got %s: %s", what, usw_status_name(expected),
                     usw_status_name(got), usw_error_text());
}

int check_text_has(const char *text, const char *part, const char *file, int line) {
  return check_count(text && strstr(text, part), file, line, "expected '%s' in '%s'", part, text ? text : "(null)");
}

int check_report(void) {
  printf("%ld checks, %ld failed\n", (long)checks, (long)failures);
  return failures || !checks ? 1 : 0;
}

int check_skip(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("skipped: ");
  vprintf(format, arguments);
  va_end(arguments);
  printf("\n");
  return CHECK_SKIPPED;
}
