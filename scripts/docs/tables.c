/* Prints tables of the documentation, as Markdown, by asking the library:   usw_doc_tables TABLE
 *
 * TABLE: functions, empty, types, identities, statuses, chains, families; environment prints usw_environment_help(). */
#include <complex.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/half.h>
#include <upsweep/upsweep.h>

#include "support/families.h"

/* ---- numbers as text ---- */

static void show_signed(int64_t value) { printf("%lld", (long long)value); }
static void show_unsigned(uint64_t value) { printf("%llu", (unsigned long long)value); }
static void show_bool(bool value) { printf(value ? "true" : "false"); }
static void show_double(double value) {
  if (isnan(value))
    printf("NaN");
  else if (isinf(value))
    printf(value < 0 ? "-infinity" : "+infinity");
  else
    printf("%g", value);
}
static void show_float(float value) { show_double((double)value); }
static void show_f16(usw_f16_t value) { show_float(usw_f16_to_float(value)); }
static void show_bf16(usw_bf16_t value) { show_float(usw_bf16_to_float(value)); }
static void show_complex(double _Complex value) {
  show_double(creal(value));
  if (cimag(value) != 0)
    printf("%+gi", cimag(value));
}

#define SHOW(value)                                                                                                    \
  _Generic((value),                                                                                                    \
      int8_t: show_signed,                                                                                             \
      int16_t: show_signed,                                                                                            \
      int32_t: show_signed,                                                                                            \
      int64_t: show_signed,                                                                                            \
      uint8_t: show_unsigned,                                                                                          \
      uint16_t: show_unsigned,                                                                                         \
      uint32_t: show_unsigned,                                                                                         \
      uint64_t: show_unsigned,                                                                                         \
      bool: show_bool,                                                                                                 \
      float: show_float,                                                                                               \
      double: show_double,                                                                                             \
      usw_f16_t: show_f16,                                                                                             \
      usw_bf16_t: show_bf16,                                                                                           \
      float _Complex: show_complex,                                                                                    \
      double _Complex: show_complex)(value)

/* ---- functions: what they return ---- */

#define RESULT_TEXT_SUM(tag, type, sum, real) #sum
#define RESULT_TEXT_ELEMENT(tag, type, sum, real) #type
#define RESULT_TEXT_REAL(tag, type, sum, real) #real
#define RESULT_TEXT_BOOL(tag, type, sum, real) "bool"
#define RESULT_TEXT_COUNT(tag, type, sum, real) "uint64_t"
#define RESULT_TEXT_LOCATED(tag, type, sum, real) "located"
#define RESULT_TEXT_EXTREMES(tag, type, sum, real) "extremes"
#define RESULT_TEXT_DESCRIBE(tag, type, sum, real) "describe"

/* One column a type: the text if the type is of the group, else nothing. */
#define RESULT_CELL(tag, CODE, code, type, value, sum, real, key, class, RESULT, GROUP)                                \
  printf(" %s |", "" USW_HAS_##GROUP##_##class(RESULT_TEXT_##RESULT(tag, type, sum, real)));
#define FUNCTION_ROW(name, OPERATION, streams, RESULT, GROUP, what, ...)                                               \
  printf("| `usw_" #name "` | `USW_" #OPERATION "` | " what " |");                                                     \
  USW_TYPES(RESULT_CELL, RESULT, GROUP)                                                                                \
  printf("\n");

#define TAG_CELL(tag, ...) printf(" " #tag " |");
#define RULE_CELL(...) printf("---|");

static void print_functions(void) {
  printf("| function | operation | gives |");
  USW_TYPES(TAG_CELL, )
  printf("\n|---|---|---|");
  USW_TYPES(RULE_CELL, )
  printf("\n");
  USW_FUNCTIONS(FUNCTION_ROW, )
}

/* ---- functions: what they give for n = 0 ---- */

static void failed(usw_status_t status) {
  if (status != USW_OK)
    printf("%s", usw_status_name(status));
}

#define SHOW_PLAIN(tag, v) SHOW(v)
#define SHOW_LOCATED(tag, v) (SHOW(v.value), printf(", %lld", (long long)v.index))
#define SHOW_EXTREMES(tag, v) (SHOW(v.minimum), printf(", "), SHOW(v.maximum))
#define SHOW_DESCRIBE(tag, v)                                                                                          \
  (SHOW(v.count), printf(", "), SHOW(v.mean), printf(", "), SHOW(v.variance), printf(", "), SHOW_EXTREMES(tag, v),     \
   printf(", %lld, %lld", (long long)v.minimum_index, (long long)v.maximum_index))
#define SHOW_SUM(tag, v) SHOW_PLAIN(tag, v)
#define SHOW_ELEMENT(tag, v) SHOW_PLAIN(tag, v)
#define SHOW_REAL(tag, v) SHOW_PLAIN(tag, v)
#define SHOW_BOOL(tag, v) SHOW_PLAIN(tag, v)
#define SHOW_COUNT(tag, v) SHOW_PLAIN(tag, v)
#define CALL_1(operation, type, result) usw_reduce(operation, type, NULL, 0, result, NULL)
#define CALL_2(operation, type, result) usw_reduce_pair(operation, type, NULL, NULL, 0, result, NULL)

#define EMPTY_CELL(tag, CODE, code, type, value, sum, real, key, class, OPERATION, streams, RESULT, GROUP)             \
  printf(" ");                                                                                                         \
  USW_HAS_##GROUP##_##class({                                                                                          \
    USW_RESULT_##RESULT(tag) v;                                                                                        \
    memset(&v, 0, sizeof v);                                                                                           \
    failed(CALL_##streams(USW_##OPERATION, USW_##CODE, &v));                                                           \
    SHOW_##RESULT(tag, v);                                                                                             \
  }) printf(" |");
#define EMPTY_ROW(name, OPERATION, streams, RESULT, GROUP, what, ...)                                                  \
  printf("| `usw_" #name "` |");                                                                                       \
  USW_TYPES(EMPTY_CELL, OPERATION, streams, RESULT, GROUP)                                                             \
  printf("\n");

static void print_empty(void) {
  printf("| function |");
  USW_TYPES(TAG_CELL, )
  printf("\n|---|");
  USW_TYPES(RULE_CELL, )
  printf("\n");
  USW_FUNCTIONS(EMPTY_ROW, )
}

/* ---- types, operators, statuses ---- */

#define TYPE_ROW(tag, CODE, code, type, value, sum, real, key, class, ...)                                             \
  printf("| " #tag " | `USW_" #CODE "` | %d | `" #type "` | %zu | %s | %s |\n", code, sizeof(usw_##tag##_t),           \
         "" USW_HAS_ARITHMETIC_##class("`" #sum "`"), "" USW_HAS_CONTINUOUS_##class("`" #real "`"));

static void print_types(void) {
  printf("| tag | code | value | element | bytes | a sum, product, dot | a norm |\n|---|---|---|---|---|---|---|\n");
  USW_TYPES(TYPE_ROW, )
}

#define IDENTITY_CELL(tag, CODE, code, type, value, sum, real, key, class, operation)                                  \
  {                                                                                                                    \
    usw_##tag##_t identity;                                                                                            \
    printf(" ");                                                                                                       \
    if (usw_identity(operation, USW_##CODE, &identity) == USW_OK)                                                      \
      SHOW(identity);                                                                                                  \
    printf(" |");                                                                                                      \
  }
#define IDENTITY_ROW(NAME, name, code, ...)                                                                            \
  printf("| `USW_" #NAME "` |");                                                                                       \
  USW_TYPES(IDENTITY_CELL, USW_##NAME)                                                                                 \
  printf("\n");

static void print_identities(void) {
  printf("| operator |");
  USW_TYPES(TAG_CELL, )
  printf("\n|---|");
  USW_TYPES(RULE_CELL, )
  printf("\n");
  USW_OPERATORS(IDENTITY_ROW, )
}

#define STATUS_ROW(name, value, text) printf("| `USW_" #name "` | %d | " text " |\n", value);

static void print_statuses(void) {
  printf("| status | value | meaning |\n|---|---|---|\n");
  USW_STATUSES(STATUS_ROW)
}

/* ---- accuracy: chains of additions on the host ---- */

static void print_chains(void) {
  static const size_t lengths[] = {1u << 10, 1u << 20, 1u << 28};
  static const struct {
    const char *name;
    usw_type_t type;
  } types[] = {{"f32", USW_F32}, {"f64", USW_F64}};
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  printf("| sum of | n | longest chain | error, as a share of the sum of \\|x[i]\\| |\n|---|---|---|---|\n");
  for (size_t t = 0; t < 2; t++) {
    for (size_t k = 0; k < 3; k++) {
      usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
      failed(usw_explain(USW_PLUS, types[t].type, lengths[k], &options, &e));
      printf("| %s | %zu | %llu | %.2g |\n", types[t].name, lengths[k], (unsigned long long)e.chain_length,
             e.error_bound);
    }
  }
}

/* ---- families of many results: which types they take, by operation and level ---- */

enum { LEVELS = 5, OPERATED = FAMILY_SELECT /* families with an operation */ };
static const usw_accuracy_t levels[LEVELS] = {USW_FAST, USW_REPEATABLE, USW_COMPENSATED, USW_REPRODUCIBLE, USW_EXACT};
static const char *const level_names[LEVELS] = {"FAST", "REPEATABLE", "COMPENSATED", "REPRODUCIBLE", "EXACT"};

typedef uint32_t types_t; /* bits: numbers of family_types */

static types_t types_of_family(family_t family, size_t operation, usw_accuracy_t accuracy) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_HOST, .accuracy = accuracy};
  char elements[FAMILY_ITEMS * 16];
  static _Alignas(64) char results[FAMILY_RESULT_BYTES];
  int32_t unique[FAMILY_ITEMS];
  static const int32_t keys[FAMILY_ITEMS];
  static const uint8_t flags[FAMILY_ITEMS];
  types_t types = 0;
  for (size_t t = 0; t < FAMILY_TYPES; t++) {
    family_elements(family_types[t].code, elements);
    family_data_t data = {elements, family_offsets, keys, flags, results, unique, 0};
    const usw_status_t status = family_run(family, operation, family_types[t].code, &data, &options);
    types |= (types_t)(status == USW_OK) << t;
    if (status != USW_ERROR_UNSUPPORTED)
      failed(status);
  }
  return types;
}

static types_t types_of_operation(size_t operation) {
  types_t types = 0;
  for (size_t t = 0; t < FAMILY_TYPES; t++)
    types |= (types_t)(usw_result_bytes(family_operations[operation].code, family_types[t].code) > 0) << t;
  return types;
}

static void print_types_of_cell(types_t types, types_t all) {
  const char *before = " ";
  types_t integers = 0;
  for (size_t t = 0; t < FAMILY_TYPES; t++)
    integers |= (types_t)(family_types[t].code <= USW_U64) << t;
  if (types == all || types == 0 || types == integers) {
    printf(types == 0 ? " no |" : types == all ? " yes |" : " integers |");
    return;
  }
  for (size_t t = 0; t < FAMILY_TYPES; t++)
    if (types >> t & 1) {
      printf("%s%s", before, family_types[t].name);
      before = ", ";
    }
  printf(" |");
}

static void print_families(void) {
  printf("| operation | accuracy: USW_ |");
  for (int family = 0; family < OPERATED; family++)
    printf(" `%s` |", family_names[family]);
  printf("\n|---|---|---|---|---|---|---|---|\n");
  for (size_t operation = 0; operation < FAMILY_OPERATIONS; operation++) {
    types_t cells[LEVELS][OPERATED];
    for (int l = 0; l < LEVELS; l++)
      for (int family = 0; family < OPERATED; family++)
        cells[l][family] = types_of_family((family_t)family, operation, levels[l]);
    for (int l = 0, next; l < LEVELS; l = next) {
      printf("| %s | %s", family_operations[operation].name, level_names[l]);
      for (next = l + 1; next < LEVELS && memcmp(cells[l], cells[next], sizeof cells[l]) == 0; next++)
        printf(", %s", level_names[next]);
      printf(" |");
      for (int family = 0; family < OPERATED; family++)
        print_types_of_cell(cells[l][family], types_of_operation(operation));
      printf("\n");
    }
  }
}

static void print_environment(void) {
  char text[8192];
  usw_environment_help(text, sizeof text);
  fputs(text, stdout);
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    void (*print)(void);
  } tables[] = {{"functions", print_functions}, {"empty", print_empty},
                {"types", print_types},         {"statuses", print_statuses},
                {"chains", print_chains},       {"identities", print_identities},
                {"families", print_families},   {"environment", print_environment}};
  for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
    if (argc == 2 && strcmp(argv[1], tables[t].name) == 0) {
      tables[t].print();
      return 0;
    }
  fprintf(stderr, "usw_doc_tables: %s is no table\n", argc > 1 ? argv[1] : "nothing");
  return 2;
}
