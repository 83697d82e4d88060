#include "number.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Appends digits to a number. Returns what follows them, or NULL where there is none or the number is too large. */
static const char *read_digits(const char *text, uint64_t *number) {
  const char *at = text;
  for (; *at >= '0' && *at <= '9'; at++) {
    const uint64_t digit = (uint64_t)(*at - '0');
    if (*number > (UINT64_MAX - digit) / 10)
      return NULL;
    *number = *number * 10 + digit;
  }
  return at > text ? at : NULL;
}

/* Multiplies by a power. Returns 0, or -1 where the product is too large. */
static int scale(uint64_t *number, uint64_t base, uint64_t exponent) {
  for (; exponent > 0 && *number > 0; exponent--) {
    if (*number > UINT64_MAX / base)
      return -1;
    *number *= base;
  }
  return 0;
}

/* What follows the first digits of 1.5e3. Returns what follows all of it, or NULL. */
static const char *read_decimal(const char *at, uint64_t *number) {
  uint64_t decimals = 0, exponent = 0;
  if (*at == '.') {
    const char *const fraction = at + 1;
    at = read_digits(fraction, number);
    decimals = at ? (uint64_t)(at - fraction) : 0;
  }
  if (at && *at == 'e')
    at = read_digits(at + 1, &exponent);
  if (!at)
    return NULL;
  for (; decimals > exponent; decimals--) {
    if (*number % 10 != 0)
      return NULL;
    *number /= 10;
  }
  return scale(number, 10, exponent - decimals) ? NULL : at;
}

static const char *read_power_of_two(const char *text, uint64_t *number) {
  uint64_t exponent = 0;
  const char *const at = read_digits(text, &exponent);
  *number = 1;
  return at && scale(number, 2, exponent) == 0 ? at : NULL;
}

/* The unit behind a number. Returns what follows it, or NULL. */
static const char *read_unit(const char *at, uint64_t *number) {
  static const char units[] = "KMGT";
  const char *const unit = strchr(units, *at == 'k' ? 'K' : *at);
  return unit && scale(number, 1024, (uint64_t)(unit - units) + 1) == 0 ? at + 1 : NULL;
}

int number_parse(const char *text, uint64_t least, uint64_t most, uint64_t *number_out) {
  uint64_t number = 0;
  const char *at;
  if (strncmp(text, "2^", 2) == 0) {
    at = read_power_of_two(text + 2, &number);
  } else {
    at = read_digits(text, &number);
    if (at && (*at == '.' || *at == 'e'))
      at = read_decimal(at, &number);
    else if (at && *at)
      at = read_unit(at, &number);
  }
  if (!at || *at || number < least || number > most)
    return -1;
  *number_out = number;
  return 0;
}

int number_parse_positive(const char *text, double *number_out) {
  char *end;
  const double number = strtod(text, &end);
  if (end == text || *end || !(number > 0) || !isfinite(number))
    return -1;
  *number_out = number;
  return 0;
}
