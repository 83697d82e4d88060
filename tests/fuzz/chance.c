/* A fuzzer's function over inputs by chance, where there is no libFuzzer: on devices, and with the library as it is
 * built for users.   fuzz_X_by_chance [--place NAME[,NAME]] [--runs N] [--seed S] [FILE ...]   FILEs: these inputs
 * instead */
#include <signal.h>
#include <unistd.h>

#include "input.h"
#include "support/check.h"
#include "support/place.h"

enum { MOST_BYTES = 2000, MOST_FILE_BYTES = 1 << 16 };

static uint64_t seed = 1, run;

static uint64_t next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (*state ^ *state >> 29) * 0x9e3779b97f4a7c15u >> 16;
}

/* The state of a run is a function of the seed and its number, so that one alone can be made again. */
static size_t make_input(uint8_t bytes[MOST_BYTES]) {
  uint64_t state = seed * 0x9e3779b97f4a7c15u + run * 0xd1b54a32d192ed03u;
  const size_t count = next(&state) % (next(&state) % 4 ? 120 : MOST_BYTES);
  for (size_t k = 0; k < count; k++)
    bytes[k] = (uint8_t)next(&state);
  return count;
}

/* Which input it was; where a fault is found the process ends here. */
static void tell(int number) {
  char text[100];
  const int length = snprintf(text, sizeof text, "signal %d in run %llu of --seed %llu\n", number,
                              (unsigned long long)run, (unsigned long long)seed);
  _exit(write(STDERR_FILENO, text, (size_t)length) < 0 ? 2 : 1);
}

static int run_file(const char *name) {
  static uint8_t bytes[MOST_FILE_BYTES];
  FILE *file = fopen(name, "rb");
  const size_t count = file ? fread(bytes, 1, sizeof bytes, file) : 0;
  if (file)
    fclose(file);
  printf("%s: %zu bytes\n", name, count);
  return LLVMFuzzerTestOneInput(bytes, count);
}

int main(int argc, char **argv) {
  uint64_t first = 0, runs = 1000;
  int files = 0;
  const char *place = "host";
  for (int k = 1; k < argc; k++) {
    const char *value = k + 1 < argc ? argv[k + 1] : "";
    if (strncmp(argv[k], "--", 2) != 0) {
      setenv("USW_FUZZ_PLACES", place, 1);
      files += run_file(argv[k]) + 1;
      continue;
    }
    if (strcmp(argv[k], "--place") == 0)
      place = value;
    else if (strcmp(argv[k], "--runs") == 0)
      runs = strtoull(value, NULL, 10);
    else if (strcmp(argv[k], "--seed") == 0)
      seed = strtoull(value, NULL, 10);
    else if (strcmp(argv[k], "--first") == 0)
      first = strtoull(value, NULL, 10);
    k++;
  }
  if (files)
    return 0;
  place_of_arguments(argc, argv); /* which ends the program where there is no such place */
  setenv("USW_FUZZ_PLACES", place, 1);
  signal(SIGABRT, tell);
  signal(SIGSEGV, tell);
  signal(SIGFPE, tell);
  for (run = first; run < first + runs; run++) {
    static uint8_t bytes[MOST_BYTES];
    LLVMFuzzerTestOneInput(bytes, make_input(bytes));
  }
  printf("%llu executions by chance on %s\n", (unsigned long long)runs, place);
  return 0;
}
