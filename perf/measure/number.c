#include "number.h"

#include <errno.h>
#include <stdlib.h>

int bench_parse_number(const char *text, uint64_t most, uint64_t *number_out) {
  char *end;
  errno = 0;
  if (text[0] < '0' || text[0] > '9')
    return -1;
  unsigned long long number = strtoull(text, &end, 10);
  if (*end == '^') {
    const char *power = end + 1;
    if (power[0] < '0' || power[0] > '9')
      return -1;
    const unsigned long exponent = strtoul(power, &end, 10);
    if (number != 2 || exponent > 62)
      return -1;
    number = 1ull << exponent;
  }
  if (errno || *end || number == 0 || number > most)
    return -1;
  *number_out = number;
  return 0;
}
