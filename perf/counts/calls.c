/* Runs calls of the library for valgrind to count their instructions: counts.py says how, and what becomes of the counts.
 *
 *   calls [--place NAME] FORM.FUNCTION.TYPE.N[.STRATEGY] ...
 *   calls --list      functions and their types
 *   calls --context   what built the library and this program
 */
#include "calls.h"
#include "measure/number.h"

#include <stdio.h>
#include <string.h>
#include <upsweep/info.h>

enum { ROUNDS = 2, MOST_ITEMS = 1 << 20, MOST_NAME_BYTES = 128, WORDS = 5 };

#ifdef __clang__
#define COMPILER "clang " __clang_version__
#else
#define COMPILER "gcc " __VERSION__
#endif

static int fail(const char *name, const char *text) {
  fprintf(stderr, "calls: %s: %s\n", name, text);
  return 2;
}

static void print_list(void) {
  for (const bench_kernel_t *kernel = bench_kernels; kernel->name; kernel++)
    for (const bench_type_t *type = bench_types; type->name; type++)
      if (bench_has(kernel, type))
        printf("%s.%s\n", kernel->name, type->name);
}

static int print_context(void) {
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  if (usw_info(&info) != USW_OK)
    return fail("usw_info", usw_error_text());
  printf("compiler: %s\n", COMPILER);
  printf("flags: %s\n", COUNTS_FLAGS);
  printf("level: %s\n", info.host_variant);
  printf("places: host");
  for (int number = 0; number < info.device_count; number++)
    if (usw_device_target(number) && (number == 0 || strcmp(usw_device_target(number), usw_device_target(number - 1))))
      printf(" %s", usw_device_target(number));
  printf("\n");
  return 0;
}

static const counts_form_t *find_form(const char *name) {
  const counts_form_t *form = counts_forms;
  while (form->name && strcmp(form->name, name) != 0)
    form++;
  return form->name ? form : NULL;
}

static const bench_kernel_t *find_kernel(const char *name) {
  const bench_kernel_t *kernel = bench_kernels;
  while (kernel->name && strcmp(kernel->name, name) != 0)
    kernel++;
  return kernel->name ? kernel : NULL;
}

static const bench_type_t *find_type(const char *name) {
  const bench_type_t *type = bench_types;
  while (type->name && strcmp(type->name, name) != 0)
    type++;
  return type->name ? type : NULL;
}

static int find_strategy(const char *name, usw_strategy_t *strategy_out) {
  static const struct {
    const char *name;
    usw_strategy_t strategy;
  } strategies[] = {{"tree", USW_STRATEGY_TREE},           {"host_finish", USW_STRATEGY_HOST_FINISH},
                    {"multipass", USW_STRATEGY_MULTIPASS}, {"tree_atomic", USW_STRATEGY_TREE_ATOMIC},
                    {"atomic", USW_STRATEGY_ATOMIC},       {"clause", USW_STRATEGY_CLAUSE}};
  for (size_t k = 0; k < sizeof strategies / sizeof *strategies; k++)
    if (strcmp(strategies[k].name, name) == 0) {
      *strategy_out = strategies[k].strategy;
      return 1;
    }
  return 0;
}

/* Options that name the place, and on a device how to run there: not by a table that depends on the machine. */
static int fill_options(const char *strategy, const bench_place_t *place, usw_options_t *options_out) {
  *options_out = (usw_options_t){.size = USW_INIT(usw_options_t)};
  options_out->place = USW_HOST;
  if (place->device < 0)
    return !strategy;
  options_out->place = USW_DEVICE;
  options_out->device = place->device;
  options_out->teams = COUNTS_TEAMS;
  if (!strategy || !find_strategy(strategy, &options_out->strategy))
    return 0;
  options_out->accuracy = bench_accuracy(options_out->strategy);
  return 1;
}

/* Whether a form, a function and a type go together. */
static int can_call(const counts_form_t *form, const bench_kernel_t *kernel, const bench_type_t *type) {
  if (!form || !kernel || !type || !bench_has(kernel, type))
    return 0;
  return !form->only || (strcmp(form->only, kernel->name) == 0 && type->type == USW_F64);
}

/* A case from its name; returns 0 where it is none. */
static int read_case(const char *name, const bench_place_t *place, counts_case_t *counted_out) {
  char copy[MOST_NAME_BYTES], *rest = NULL;
  const char *words[WORDS] = {NULL};
  int count = 0;
  snprintf(copy, sizeof copy, "%s", name);
  for (char *word = strtok_r(copy, ".", &rest); word && count < WORDS; word = strtok_r(NULL, ".", &rest))
    words[count++] = word;
  if (count < WORDS - 1)
    return 0;
  uint64_t n;
  if (number_parse(words[3], 1, MOST_ITEMS, &n))
    return 0;
  *counted_out = (counts_case_t){
      .form = find_form(words[0]),
      .call = {.kernel = find_kernel(words[1]), .type = find_type(words[2]), .n = (size_t)n, .device = place->device}};
  return can_call(counted_out->form, counted_out->call.kernel, counted_out->call.type) &&
         fill_options(words[4], place, &counted_out->options);
}

/* Everything around the calls, so that only they are collected. */
static int run_case(const char *name, const bench_place_t *place) {
  counts_case_t counted;
  void *streams[COUNTS_MOST_STREAMS] = {NULL};
  if (!read_case(name, place, &counted))
    return fail(name, "not FORM.FUNCTION.TYPE.N[.STRATEGY] of anything that can be called");
  const bench_kernel_t *kernel = counted.call.kernel;
  const size_t elements = counted.call.n * (size_t)counted.form->stride;
  if (bench_make_data(place, counted.call.type, kernel->data, elements, kernel->inputs, streams) != 0)
    return fail(name, "no memory for its data");
  counted.call.x = streams[0];
  counted.call.y = streams[1];
  usw_status_t status = counted.form->prepare ? counted.form->prepare(&counted) : USW_OK;
  for (int k = 0; k < ROUNDS && status == USW_OK; k++) /* the first one warms up */
    status = counted_calls(&counted);
  const int failed = status == USW_OK ? 0 : fail(name, usw_error_text());
  if (counted.form->clear)
    counted.form->clear(&counted);
  bench_free_data(place, streams);
  return failed;
}

int main(int argc, char **argv) {
  const char *place_name = "host";
  bench_place_t place;
  int first = 1;
  if (argc == 2 && strcmp(argv[1], "--list") == 0)
    return print_list(), 0;
  if (argc == 2 && strcmp(argv[1], "--context") == 0)
    return print_context();
  if (argc > 2 && strcmp(argv[1], "--place") == 0) {
    place_name = argv[2];
    first = 3;
  }
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  if (usw_info(&info) != USW_OK)
    return fail("usw_info", usw_error_text());
  printf("%s\n", info.host_variant); /* the processor may have less than what the environment asks for */
  if (bench_find_place(place_name, &place) != 0)
    return fail(place_name, "there is no such place here");
  for (int k = first; k < argc; k++) {
    const int failed = run_case(argv[k], &place);
    if (failed)
      return failed;
  }
  return 0;
}
