/* Numbers in text: environment variables and tuning files. */
#ifndef USWI_BASE_NUMBER_H
#define USWI_BASE_NUMBER_H

#include <stddef.h>
#include <stdint.h>

/* Read a word of decimal digits alone; 0: it is none, or above `most`. */
static inline int uswi_read_number(const char *word, size_t length, uint64_t most, uint64_t *number_out) {
  uint64_t number = 0;
  for (size_t k = 0; k < length; k++) {
    const uint64_t digit = (uint64_t)(word[k] - '0');
    if (word[k] < '0' || word[k] > '9' || number > (most - digit) / 10 || digit > most)
      return 0;
    number = number * 10 + digit;
  }
  *number_out = number;
  return length > 0;
}

#endif
