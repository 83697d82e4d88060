/* The options of a call to the library that `usw reduce` and `usw explain` take, and what both say about wrong ones. */
#ifndef USW_TOOL_CALL_OPTIONS_H
#define USW_TOOL_CALL_OPTIONS_H

#include "words.h"

#include <argp.h>

enum {
  TOOL_KEY_PLACE = 'p',
  TOOL_KEY_STRATEGY = 512,
  TOOL_KEY_ACCURACY,
  TOOL_KEY_FOLD,
  TOOL_KEY_NAN,
  TOOL_KEY_WORK_GROUP_LOAD,
  TOOL_KEY_RECHECK
};

/* Rows of a list of struct argp_option. */
#define TOOL_CALL_OPTIONS                                                                                              \
  {"place",                                                                                                            \
   TOOL_KEY_PLACE,                                                                                                     \
   "PLACE",                                                                                                            \
   0,                                                                                                                  \
   TOOL_PLACES "; host by default; gpu is the first GPU, device the first GPU or else device 0",                       \
   0},                                                                                                                 \
      {"strategy", TOOL_KEY_STRATEGY, "NAME", 0, TOOL_STRATEGIES "; auto by default", 0},                              \
      {"work-group-load",                                                                                              \
       TOOL_KEY_WORK_GROUP_LOAD,                                                                                       \
       "COUNT",                                                                                                        \
       0,                                                                                                              \
       "most partials that multipass leaves for the host; 256 by default",                                             \
       0},                                                                                                             \
      {"accuracy", TOOL_KEY_ACCURACY, "LEVEL", 0, TOOL_ACCURACIES "; repeatable by default", 0},                       \
      {"fold",                                                                                                         \
       TOOL_KEY_FOLD,                                                                                                  \
       "BINS",                                                                                                         \
       0,                                                                                                              \
       "bins of 40 binary digits that --accuracy=reproducible keeps, at most 60; by default 3 of doubles and 2 of "    \
       "floats",                                                                                                       \
       0},                                                                                                             \
      {"nan",                                                                                                          \
       TOOL_KEY_NAN,                                                                                                   \
       "POLICY",                                                                                                       \
       0,                                                                                                              \
       TOOL_NANS ": what a NaN does to sums, products, norms, means, minima, maxima, their indices and descriptions; " \
                 "ignore passes it over; propagate by default",                                                        \
       0},                                                                                                             \
      {"recheck",                                                                                                      \
       TOOL_KEY_RECHECK,                                                                                               \
       "COUNT",                                                                                                        \
       0,                                                                                                              \
       "run one call in COUNT twice, and fail if the results differ; 1 is every call",                                 \
       0}

/* One line: `value` is not what --option takes. Returns EINVAL. */
error_t tool_refuse(const char *command, const char *option, const char *value, const char *wanted);

/* Read one of TOOL_CALL_OPTIONS; ARGP_ERR_UNKNOWN: the key is another's. */
error_t tool_read_call_option(const char *command, int key, const char *text, usw_options_t *options);

/* Read --type. */
error_t tool_read_type(const char *command, const char *text, const tool_type_t **type_out);

#endif
