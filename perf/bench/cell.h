/* One cell of a measurement: a case, and competitors that run it in turns, one call each, round after round, so that no
 * one of them meets a warmer or a colder machine than the others. A time is wall clock from the call to a value that the
 * host can read; every single result is checked. */
#ifndef BENCH_CELL_H
#define BENCH_CELL_H

#include "measure/statistics.h"

#include <cjson/cJSON.h>
#include <stddef.h>
#include <stdint.h>
#include <upsweep/upsweep.h>

struct peer_case;
struct peer_plugin;
struct bench_call;
struct bench_session;

enum { BENCH_MAX_STREAMS = 6, BENCH_MAX_NUMBERS = 32 };

/* A result of any kernel. */
typedef union bench_value {
  unsigned char bytes[sizeof(double) * BENCH_MAX_NUMBERS];
  double numbers[BENCH_MAX_NUMBERS]; /* of applications */
  double f64;
  float f32;
  int64_t i64;
  int32_t i32;
  uint64_t u64;
  uint8_t u8;
  usw_describe_f64_t described;
} bench_value_t;

typedef struct bench_case bench_case_t;
typedef struct bench_competitor bench_competitor_t;

/* What a peer does with a call of a function: 0, or -1 where it has no such case. */
typedef int (*bench_peer_t)(const struct bench_call *call, bench_value_t *result_out);

/* One call of a competitor; USW_ERROR_UNSUPPORTED where it has no such case. */
typedef usw_status_t (*bench_run_t)(const bench_competitor_t *competitor, const bench_case_t *what,
                                    usw_report_t *report, bench_value_t *value_out);

/* What is computed, over what, and what has to come out. */
struct bench_case {
  const char *suite, *kernel, *type; /* "functions", or the suite of an application, which has no type (NULL) */
  size_t n;
  double bytes; /* that one call reads; 0 where it reads nothing */
  int device;   /* OpenMP number, -1: the host */
  int stream_count;
  const void *streams[BENCH_MAX_STREAMS];
  size_t stream_bytes[BENCH_MAX_STREAMS];
  const void *self; /* of those who made the case */
  /* Whether a result is right; if not, `why` is what came and what was expected. */
  int (*is_right)(const bench_case_t *what, const bench_competitor_t *competitor, const bench_value_t *value,
                  char *why_out, size_t why_bytes);
  /* Peers come second, when Upsweep has set the driver's wait mode, which is the whole process's. Returns how many. */
  int (*enlist_peers)(const struct bench_session *session, const bench_case_t *what, bench_competitor_t *competitors);
};

/* Somebody who runs cases, and how it went with the present one. */
struct bench_competitor {
  const char *name, *form; /* form: how a peer is called, or NULL */
  bench_run_t run;
  int is_peer;      /* not Upsweep */
  int is_reference; /* moves the same bytes and finds nothing */
  unsigned special; /* bits of peers/plugin.h */
  usw_strategy_t strategy;
  usw_accuracy_t accuracy;
  usw_nan_t nan;
  uint32_t teams; /* 0: as the library chooses */
  bench_peer_t peer;
  const struct peer_plugin *plugin;
  const struct peer_case *plugin_case;
  int plugin_form;
  const void *self; /* of those who made it */
  usw_strategy_t strategy_used;
  uint32_t teams_used, team_size_used;
  int calls; /* in a round: more than one where a call is too short for the clock */
  int wrong; /* results that were not the expected one */
  char first_wrong[320];
  double *seconds; /* of a call, by round */
  bench_statistics_t times;
};

/* Warms up, runs the rounds, prints and adds the entries. Returns how many results of Upsweep's were wrong, or -1
 * if it could not run the case at all. A case that the session has met already is passed over. */
int bench_measure(struct bench_session *session, const bench_case_t *what, bench_competitor_t *competitors, int count);

#endif
