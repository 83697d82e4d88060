/* What the tests of messages share: items in parts whose messages are merged by chance. */
#ifndef USW_TESTS_MESSAGE_H
#define USW_TESTS_MESSAGE_H

#include <upsweep/upsweep.h>

#include "support/place.h"

enum { MOST_PROCESSES = 16, MOST_BYTES = 4096, FEW_ITEMS = 500 };

/* Below `most`, the same numbers in every run. */
uint64_t random_below(uint64_t most);

/* Items of a kernel; the arguments of those from `first` on. */
typedef struct job {
  const usw_kernel_t *kernel;
  usw_options_t options;
  const usw_variable_t *variables;
  size_t n, bytes;
  uint64_t (*at)(const struct job *job, int argument, size_t first);
  const char *x, *y; /* streams */
  size_t item_bytes;
} job_t;

/* The address of a stream's item, for jobs whose arguments are streams. */
uint64_t stream_at(const job_t *job, int argument, size_t first);

/* The message of all items, of so many parts of random lengths, merged in a random tree. */
void *exchange(const job_t *job, int parts);

/* message_kernels.c */
void user_kernels(const test_place_t *place);
int refuses_spans_without_variables(void);
int refuses_parts_of_library(void);
void other_extents(void);

#endif
