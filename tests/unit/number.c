/* Numbers of command lines: the forms, their edges, and what is no number. */
#include "measure/number.h"

#include <stddef.h>

#include "support/check.h"

static void check_number(const char *text, uint64_t expected) {
  uint64_t number = ~expected;
  CHECK_AT(number_parse(text, 0, UINT64_MAX, &number) == 0, text);
  CHECK_AT(number == expected, text);
}

static void numbers(void) {
  static const struct {
    const char *text;
    uint64_t number;
  } cases[] = {
      {"0", 0},
      {"1000", 1000},
      {"007", 7},
      {"18446744073709551615", UINT64_MAX},
      {"1e6", 1000000},
      {"1e0", 1},
      {"0e20", 0},
      {"0e99999", 0},
      {"1e19", UINT64_C(10000000000000000000)},
      {"1.5e3", 1500},
      {"1.50e1", 15},
      {"3.0", 3},
      {"0.000000000000000000001e21", 1},
      {"2^0", 1},
      {"2^20", 1 << 20},
      {"2^63", UINT64_C(1) << 63},
      {"2", 2},
      {"64k", 64 << 10},
      {"64K", 64 << 10},
      {"64M", 64 << 20},
      {"64G", UINT64_C(64) << 30},
      {"1T", UINT64_C(1) << 40},
      {"0k", 0},
      {"16777215T", UINT64_C(16777215) << 40},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    check_number(cases[k].text, cases[k].number);
}

static void refusals(void) {
  static const char *const texts[] = {"18446744073709551616",
                                      "99999999999999999999",
                                      "1e20",
                                      "1e99999999999999999999",
                                      "2^64",
                                      "2^99999999999999999999",
                                      "16777216T",
                                      "17179869184G", /* too large */
                                      "1.5",
                                      "12.5e0",
                                      "1.25e1",
                                      "1e-1",
                                      "1e+6",
                                      ".5e1",
                                      "1.",
                                      "1.e3",
                                      "1e",
                                      "1.5k",
                                      "1e3k", /* no whole number */
                                      "",
                                      " ",
                                      " 1",
                                      "1 ",
                                      "+1",
                                      "-1",
                                      "-0",
                                      "k",
                                      "M",
                                      "e6",
                                      "^20",
                                      "2^",
                                      "2^-1",
                                      "2^2^2",
                                      "2^20k",
                                      "2 ^20",
                                      "3^2",
                                      "02^2",
                                      "64kk",
                                      "64kB",
                                      "64m",
                                      "64g",
                                      "64x",
                                      "0x10",
                                      "1,000",
                                      "one",
                                      "nan",
                                      "inf"};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    uint64_t number = 77;
    CHECK_AT(number_parse(texts[k], 0, UINT64_MAX, &number) == -1, texts[k]);
    CHECK_AT(number == 77, texts[k]);
  }
}

static void limits(void) {
  uint64_t number = 0;
  CHECK(number_parse("3", 3, 5, &number) == 0 && number == 3);
  CHECK(number_parse("5", 3, 5, &number) == 0 && number == 5);
  CHECK(number_parse("2", 3, 5, &number) == -1);
  CHECK(number_parse("6", 3, 5, &number) == -1);
  CHECK(number_parse("0", 1, UINT64_MAX, &number) == -1);
}

static void positive_numbers(void) {
  static const char *const refused[] = {"", "0", "-1", "1s", "soon", "nan", "inf", "1e999"};
  double number = 7;
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++)
    CHECK_AT(number_parse_positive(refused[k], &number) == -1, refused[k]);
  CHECK_F64(7.0, number);
  CHECK(number_parse_positive("0.25", &number) == 0);
  CHECK_F64(0.25, number);
}

int main(void) {
  numbers();
  refusals();
  limits();
  positive_numbers();
  return check_report();
}
