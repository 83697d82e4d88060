/* The measuring of one cell. See cell.h for how. */
#include "bench.h"
#include "measure/rounds.h"
#include "peers/peers.h"
#include "peers/plugin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WARM_UP_CALLS = 3 };

static void settle(const bench_competitor_t *competitor) {
  if (competitor->plugin)
    competitor->plugin->settle();
}

/* Seconds of one call by the clock that counts for the competitor. */
static usw_status_t timed_calls(const bench_competitor_t *competitor, const bench_case_t *what,
                                bench_value_t *value_out, double *seconds_out) {
  usw_status_t status = USW_OK;
  const double start = bench_now();
  for (int call = 0; call < competitor->calls && status == USW_OK; call++)
    status = competitor->run(competitor, what, NULL, value_out);
  *seconds_out = (bench_now() - start) / competitor->calls;
  if (competitor->special & PEER_OWN_CLOCK)
    *seconds_out = competitor->plugin->seconds();
  return status;
}

/* A call may be so short that the first one, which is the slowest, is no measure: the last one counts. */
static int calls_in_round(bench_competitor_t *competitor, const bench_case_t *what) {
  bench_value_t value;
  double seconds;
  competitor->calls = 1;
  if (competitor->special & PEER_OWN_CLOCK || what->device >= 0)
    return 1;
  if (timed_calls(competitor, what, &value, &seconds) != USW_OK)
    return 1;
  return bench_calls_in_round(seconds);
}

/* Calls that are not timed: they fill caches, and tell what was launched. Removes who cannot run the case. */
static int warm_up(const bench_case_t *what, bench_competitor_t *competitors, int count) {
  int kept = 0;
  for (int k = 0; k < count; k++) {
    usw_report_t report = {.size = USW_INIT(usw_report_t)};
    bench_value_t value;
    usw_status_t status = USW_OK;
    for (int r = 0; r < WARM_UP_CALLS && status == USW_OK; r++) {
      status = competitors[k].run(&competitors[k], what, &report, &value);
      settle(&competitors[k]);
    }
    if (status != USW_OK) {
      fprintf(stderr, "usw-bench: %s%s%s, n = %zu, %s with %u teams: %s (%s)\n", what->kernel, what->type ? " of " : "",
              what->type ? what->type : "", what->n, competitors[k].name, competitors[k].teams, usw_status_text(status),
              competitors[k].is_peer ? "a peer" : usw_error_text());
      continue;
    }
    competitors[kept] = competitors[k];
    competitors[kept].strategy_used = report.strategy;
    competitors[kept].teams_used = report.teams;
    competitors[kept].team_size_used = report.team_size;
    competitors[kept].calls = calls_in_round(&competitors[kept], what);
    kept++;
  }
  return kept;
}

/* One round of one competitor. Keeps the first wrong result of each. */
static void run_turn(const bench_case_t *what, bench_competitor_t *competitor, int round) {
  char why[256];
  bench_value_t value;
  memset(&value, 0xa5, sizeof value);
  const usw_status_t status = timed_calls(competitor, what, &value, &competitor->seconds[round]);
  settle(competitor);
  if (status == USW_OK && (competitor->is_reference || what->is_right(what, competitor, &value, why, sizeof why)))
    return;
  if (status != USW_OK)
    snprintf(why, sizeof why, "%s (%s)", usw_status_text(status), competitor->is_peer ? "a peer" : usw_error_text());
  if (competitor->wrong++ == 0)
    snprintf(competitor->first_wrong, sizeof competitor->first_wrong, "%s%s%s, n = %zu, %s: %s", what->kernel,
             what->type ? " of " : "", what->type ? what->type : "", what->n, competitor->name, why);
}

static int has_own_threads(const bench_competitor_t *competitor) {
  return (competitor->special & (PEER_OTHER_PROCESS | PEER_OTHER_THREADS)) != 0;
}

/* Competitors with threads of their own come after all others, and one after the other. */
static void run_bursts(const bench_case_t *what, bench_competitor_t *competitors, int count, int rounds) {
  for (int k = 0; k < count; k++) {
    if (!has_own_threads(&competitors[k]))
      continue;
    peer_quiet_host();
    warm_up(what, &competitors[k], 1);
    for (int round = 0; round < rounds; round++)
      run_turn(what, &competitors[k], round);
    usleep((useconds_t)(competitors[k].plugin->spin_seconds * 1e6));
  }
}

typedef struct rounds {
  const bench_case_t *what;
  bench_competitor_t *competitors;
} rounds_t;

static void take_turn(void *self, int k, int round) {
  const rounds_t *rounds = self;
  if (!has_own_threads(&rounds->competitors[k]))
    run_turn(rounds->what, &rounds->competitors[k], round);
}

/* How often a case is timed where nobody said it: short calls are noisy, long ones take their time. */
static int repetitions_of(const bench_options_t *options, const bench_case_t *what) {
  enum { OFTEN = 100, SELDOM = 30 };
  if (options->repetitions)
    return options->repetitions;
  return what->n <= 1 << 20 ? OFTEN : SELDOM;
}

/* Entries and lines. A peer that was wrong gets none, since its times mean nothing; the context tells it. Returns how many
 * of Upsweep's results were wrong. */
static int report(const bench_session_t *session, const bench_case_t *what, bench_competitor_t *competitors, int count,
                  int repetitions) {
  int wrong = 0;
  for (int k = 0; k < count; k++) {
    bench_competitor_t *competitor = &competitors[k];
    competitor->times = bench_describe_times(competitor->seconds, (size_t)repetitions);
    if (competitor->wrong)
      fprintf(stderr, "usw-bench: wrong: %s\n", competitor->first_wrong);
    if (competitor->wrong && competitor->is_peer) {
      cJSON_AddItemToArray(session->wrong_peers, cJSON_CreateString(competitor->first_wrong));
      continue;
    }
    wrong += competitor->wrong;
    bench_add_entry(session, what, competitor, repetitions);
    if (!session->options->sweep)
      bench_print_line(what, competitor);
  }
  if (session->options->sweep)
    bench_print_best(what, competitors, count);
  fflush(stdout);
  return wrong;
}

/* Rows of a suite may overlap. */
static int has_been_measured(const bench_session_t *session, const bench_case_t *what,
                             const bench_competitor_t *competitors, int count) {
  for (int k = 0; k < count; k++)
    if (!bench_find_entry(session->results, what, session->place.name, &competitors[k]))
      return 0;
  return count > 0;
}

/* Upsweep comes first: it sets the driver's wait mode, which is the whole process's. Returns how many can run the case;
 * 0 if nobody of Upsweep's can. */
static int gather(const bench_session_t *session, const bench_case_t *what, bench_competitor_t *competitors,
                  int count) {
  const int own = warm_up(what, competitors, count);
  if (own == 0)
    return 0;
  count = own + bench_enlist_references(session, what, competitors + own);
  count += what->enlist_peers(session, what, competitors + count);
  return own + warm_up(what, competitors + own, count - own);
}

int bench_measure(bench_session_t *session, const bench_case_t *what, bench_competitor_t *competitors, int count) {
  const int repetitions = repetitions_of(session->options, what);
  if (!session->is_timing_kernels && has_been_measured(session, what, competitors, count))
    return 0;
  count = gather(session, what, competitors, count);
  if (count == 0)
    return -1;
  if (session->is_timing_kernels) {
    bench_time_kernels(session, what, competitors, count);
    return 0;
  }
  double *seconds = calloc((size_t)count * (size_t)repetitions, sizeof *seconds);
  if (!seconds)
    return -1;
  for (int k = 0; k < count; k++)
    competitors[k].seconds = seconds + (size_t)k * (size_t)repetitions;
  rounds_t rounds = {what, competitors};
  int wrong = bench_run_rounds(count, repetitions, take_turn, &rounds);
  if (!wrong) {
    run_bursts(what, competitors, count, repetitions);
    wrong = report(session, what, competitors, count, repetitions);
  }
  free(seconds);
  return wrong;
}
