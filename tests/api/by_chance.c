#include "by_chance.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/half.h>

#include "support/check.h"
#include "support/place.h"
#ifdef USW_PORT_SIMT
#include "fibers.h"
#endif

static uint64_t state = 1;

void chance_begin(uint64_t seed) {
  state = seed * 0x9e3779b97f4a7c15u + 1;
#ifdef USW_PORT_SIMT
  simt_set_order((uint32_t)seed);
#endif
}

uint64_t chance(uint64_t below) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return (state >> 11) % below;
}

void shares_by_chance(usw_options_t *options, uint32_t most_teams) {
  enum { MOST_LOAD = 600 };
  options->teams = chance(4) == 0 ? 1 + (uint32_t)chance(most_teams) : 0;
  options->work_group_load = chance(2) == 0 ? 1 + (uint32_t)chance(MOST_LOAD) : 0;
}

/* ---- operations and types ---- */

static const operation_t operations[] = {
#define OPERATION(name, OPERATION, streams, ...) {USW_##OPERATION, streams, #name},
    USW_FUNCTIONS(OPERATION, )
#undef OPERATION
};
enum { OPERATIONS = sizeof operations / sizeof *operations };

static const type_t types[] = {
#define TYPE(tag, CODE, code, ctype, ...) {USW_##CODE, sizeof(ctype), #tag},
    USW_TYPES(TYPE, )
#undef TYPE
};
enum { TYPES = sizeof types / sizeof *types };

static int is_unsigned(usw_type_t type) {
  return type == USW_U8 || type == USW_U16 || type == USW_U32 || type == USW_U64 || type == USW_BOOL;
}

/* An element of a type from a small number; of a complex one with that in its real part, or, if it is odd, in the other. */
static void put(usw_type_t type, double number, void *to) {
  const int64_t integer = isnan(number) ? 0 : (int64_t)number;
  const int is_imaginary = fmod(number, 2) != 0;
  const double pair[] = {is_imaginary ? 0 : number, is_imaginary ? number : 0};
  const float number32 = (float)number, pair32[] = {(float)pair[0], (float)pair[1]};
  const usw_f16_t half = usw_float_to_f16(number32);
  const usw_bf16_t bhalf = usw_float_to_bf16(number32);
  switch (type) {
  case USW_F64:
    memcpy(to, &number, sizeof number);
    break;
  case USW_F32:
    memcpy(to, &number32, sizeof number32);
    break;
  case USW_F16:
    memcpy(to, &half, sizeof half);
    break;
  case USW_BF16:
    memcpy(to, &bhalf, sizeof bhalf);
    break;
  case USW_CF64:
    memcpy(to, pair, sizeof pair);
    break;
  case USW_CF32:
    memcpy(to, pair32, sizeof pair32);
    break;
  default: /* little-endian */
    for (uint32_t k = 0; k < sizeof types / sizeof *types; k++)
      if (types[k].type == type)
        memcpy(to, &integer, types[k].bytes);
  }
}

/* Whether this library has the kernel: the quick tier builds it once without those along axes of some types. */
static int has_kernel(const operation_t *operation, const type_t *type) {
  double element[2] = {0}, result[8];
  const usw_options_t host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  const usw_array_t array = usw_array_2d(type->type, element, 1, 1);
  if (!is_quick_tier())
    return 1;
  return (operation->streams == 1 ? usw_reduce_axes(operation->operation, &array, USW_AXIS(0), result, &host)
                                  : usw_reduce_axes_pair(operation->operation, &array, &array, USW_AXIS(0), result,
                                                         &host)) != USW_ERROR_UNSUPPORTED;
}

void choose_operation(const test_place_t *place, const operation_t **operation_out, const type_t **type_out) {
  do {
    *operation_out = &operations[chance(OPERATIONS)];
    *type_out = &types[chance(TYPES)];
  } while (usw_result_bytes((*operation_out)->operation, (*type_out)->type) == 0 ||
           !place_has_families(place, (*type_out)->type) || !has_kernel(*operation_out, *type_out));
}

char *elements_by_chance(const operation_t *operation, const type_t *type, size_t count, int has_nans) {
  char *elements = (char *)malloc(count * type->bytes + 1);
  const int is_product = operation->operation == USW_MULTIPLIES, low = is_unsigned(type->type) ? 0 : -8;
  for (size_t k = 0; k < count; k++) {
    double number = is_product ? (chance(2) && low ? -1 : 1) : (double)((int64_t)chance(17) + low);
    if (type->type == USW_BOOL)
      number = (double)chance(2);
    if (has_nans && chance(5) == 0)
      number = NAN;
    put(type->type, number, elements + k * type->bytes);
  }
  return elements;
}

/* A real number of 4 or 8 bytes. */
static double number_at(const char *at, size_t bytes) {
  double number;
  float number32;
  if (bytes == sizeof number) {
    memcpy(&number, at, sizeof number);
    return number;
  }
  memcpy(&number32, at, sizeof number32);
  return number32;
}

/* Whether two complex numbers are equal; zeros may differ in their signs. */
static int are_equal(const char *a, const char *b, size_t bytes) {
  const size_t part = bytes / 2;
  return number_at(a, part) == number_at(b, part) && number_at(a + part, part) == number_at(b + part, part);
}

/* Mean and variance are rounded in another order, and complex products have zeros of either sign. */
int results_are_alike(const operation_t *operation, const type_t *type, const char *expected, const char *found) {
  const size_t bytes = usw_result_bytes(operation->operation, type->type);
  double of_expected[2], of_found[2];
  if (operation->operation == USW_MULTIPLIES && (type->type == USW_CF64 || type->type == USW_CF32))
    return are_equal(expected, found, bytes);
  if (operation->operation != USW_DESCRIBE)
    return memcmp(expected, found, bytes) == 0;
  memcpy(of_expected, expected + 8, sizeof of_expected);
  memcpy(of_found, found + 8, sizeof of_found);
  for (int k = 0; k < 2; k++)
    if (of_expected[k] != of_found[k] && !(fabs(of_expected[k] - of_found[k]) <= 1e-11 * (1 + fabs(of_expected[k]))) &&
        !(isnan(of_expected[k]) && isnan(of_found[k])))
      return 0;
  return memcmp(expected, found, 8) == 0 && memcmp(expected + 24, found + 24, bytes - 24) == 0;
}

void check_many_results(const operation_t *operation, const type_t *type, const char *note, size_t count,
                        const char *expected, const char *found) {
  const size_t bytes = usw_result_bytes(operation->operation, type->type);
  size_t wrong = 0, first = 0;
  uint64_t words[2] = {0, 0};
  char text[512];
  for (size_t r = count; r-- > 0;)
    if (!results_are_alike(operation, type, expected + r * bytes, found + r * bytes)) {
      wrong++;
      first = r;
    }
  if (wrong > 0) {
    const size_t some = bytes < sizeof *words ? bytes : sizeof *words;
    memcpy(&words[0], expected + first * bytes, some);
    memcpy(&words[1], found + first * bytes, some);
  }
  snprintf(text, sizeof text, "%s: %zu of %zu results are wrong, the first is %zu: 0x%llx, not 0x%llx", note, wrong,
           count, first, (unsigned long long)words[1], (unsigned long long)words[0]);
  CHECK_AT(wrong == 0, text);
}

/* A number in a program's arguments, behind its name. */
static uint64_t number_of(int argc, char **argv, const char *name, uint64_t otherwise) {
  for (int k = 1; k + 1 < argc; k++)
    if (strcmp(argv[k], name) == 0)
      return strtoull(argv[k + 1], NULL, 10);
  return otherwise;
}

static uint64_t repeats_said = UINT64_MAX;

uint64_t repeats_by_chance(void) {
  enum { CASES = 4, FEW = 3 };
  const uint64_t by_itself = chance(CASES) == 0 ? FEW : 0;
  return repeats_said == UINT64_MAX ? by_itself : repeats_said;
}

void check_explained(const char *note, usw_status_t status, const usw_shares_explanation_t *explanation,
                     const usw_report_t *report) {
  const usw_shares_explanation_t *e = explanation;
  CHECK_AT(status == USW_OK, note);
  if (status != USW_OK)
    return;
  CHECK_AT(e->place == report->place && e->device == report->device && e->strategy == report->strategy, note);
  CHECK_AT(strcmp(e->target, report->target) == 0, note);
  CHECK_AT(e->share_items == 0 || e->shares * e->share_items >= e->items, note);
  CHECK_AT((e->shares == 0) == (*e->share == 0), note);
  CHECK_AT(e->balance <= 1 && (e->balance > 0 || e->share_items == 0), note);
  if (report->place == USW_DEVICE && e->items > 0 && e->results > 0)
    CHECK_AT(e->teams == report->teams && e->team_size == report->team_size, note);
}

void run_by_chance(int argc, char **argv, const test_place_t *place, case_counts_t counts, void (*run)(uint64_t seed)) {
  const int is_slow = strcmp(place->target, "simt") == 0 || (is_quick_tier() && is_sanitized());
  const uint64_t by_itself = is_slow ? counts.emulated : is_quick_tier() ? counts.quick : counts.full;
  const uint64_t first = number_of(argc, argv, "--seed", 1), runs = number_of(argc, argv, "--runs", by_itself);
  repeats_said = number_of(argc, argv, "--repeats", UINT64_MAX);
  for (uint64_t seed = first; seed < first + runs; seed++)
    run(seed);
}
