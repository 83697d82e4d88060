/* Checks: counted, and printed with file, line, what was expected and what came when they fail. */
#ifndef USW_TESTS_CHECK_H
#define USW_TESTS_CHECK_H

#include <stdint.h>
#include <upsweep/status.h>

USW_BEGIN_C

enum { CHECK_SKIPPED = 77 };

#define CHECK(condition) check_true((condition) != 0, #condition, __FILE__, __LINE__)
/* CHECK with a note that says which of many cases it is. */
#define CHECK_AT(condition, note) check_true_at((condition) != 0, #condition, (note), __FILE__, __LINE__)
#define CHECK_U64(expected, got) check_u64((expected), (got), #got, __FILE__, __LINE__)
#define CHECK_I64(expected, got) check_i64((expected), (got), #got, __FILE__, __LINE__)
/* The same value in the same bits; every NaN counts as the same. */
#define CHECK_F64(expected, got) check_f64((expected), (got), #got, __FILE__, __LINE__)
#define CHECK_STATUS(expected, got) check_status((expected), (got), #got, __FILE__, __LINE__)
#define CHECK_TEXT_HAS(text, part) check_text_has((text), (part), __FILE__, __LINE__)

int check_true(int ok, const char *what, const char *file, int line);
int check_true_at(int ok, const char *what, const char *note, const char *file, int line);
int check_u64(uint64_t expected, uint64_t got, const char *what, const char *file, int line);
int check_i64(int64_t expected, int64_t got, const char *what, const char *file, int line);
int check_f64(double expected, double got, const char *what, const char *file, int line);
int check_status(usw_status_t expected, usw_status_t got, const char *what, const char *file, int line);
int check_text_has(const char *text, const char *part, const char *file, int line);

/* Count one check; a failing one prints the text. For checks that need more than the macros. */
int check_count(int ok, const char *file, int line, const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Print "N checks, M failed"; the program's exit code. */
int check_report(void);

/* Print why nothing can be tested here; the program's exit code. */
int check_skip(const char *format, ...) __attribute__((format(printf, 1, 2)));

USW_END_C

#endif
