/* An input of a fuzzer as a string of decisions: bytes are taken from its start, and are 0 behind its end. Each
 * fuzz_*.c is called by libFuzzer with coverage (fuzz.py), and some by a loop over bytes by chance as well
 * (chance.c), where there is no libFuzzer: on devices. */
#ifndef USW_FUZZ_INPUT_H
#define USW_FUZZ_INPUT_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One execution; 0, or -1: the input is too short to stay in the corpus. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

typedef struct {
  const uint8_t *at, *end;
} input_t;

static inline input_t input_of(const uint8_t *data, size_t bytes) { return (input_t){data, data + bytes}; }

static inline size_t input_left(const input_t *input) { return (size_t)(input->end - input->at); }

/* The next `bytes` bytes, at most 8, as a number. */
static inline uint64_t take_bytes(input_t *input, size_t bytes) {
  uint64_t number = 0;
  for (size_t k = 0; k < bytes && input->at < input->end; k++)
    number |= (uint64_t)*input->at++ << 8 * k;
  return number;
}

/* A number below `count`, which is 1 at least. */
static inline uint64_t take_below(input_t *input, uint64_t count) {
  return take_bytes(input, count <= 0x100 ? 1 : count <= 0x10000 ? 2 : 8) % count;
}

/* True once in `rate` times; false at the input's end. */
static inline int take_rarely(input_t *input, uint64_t rate) { return take_below(input, rate) == rate - 1; }

/* Any 64 bits, mostly close to a power of 2 or to 0, where limits are. */
static inline uint64_t take_any(input_t *input) {
  const uint64_t kind = take_bytes(input, 1);
  if (kind < 64)
    return take_bytes(input, 8);
  if (kind < 128)
    return take_bytes(input, 1);
  return (UINT64_C(1) << kind % 64) + take_bytes(input, 1) - 128;
}

/* Fill memory with the next bytes, or with zeros. */
static inline void take_into(input_t *input, void *out, size_t bytes) {
  const size_t there = input_left(input) < bytes ? input_left(input) : bytes;
  memcpy(out, input->at, there);
  memset((char *)out + there, 0, bytes - there);
  input->at += there;
}

/* End the process, as a fault that was found, with what is wrong. */
__attribute__((format(printf, 2, 3))) static inline void require(int holds, const char *format, ...) {
  va_list arguments;
  if (holds)
    return;
  va_start(arguments, format);
  fputs("found: ", stdout);
  vfprintf(stdout, format, arguments);
  fputs("\n", stdout);
  fflush(stdout);
  va_end(arguments);
  abort();
}

/* Whether a text is one line that says something. */
static inline int is_one_line(const char *text) { return *text && !strpbrk(text, "\n\r"); }

#endif
