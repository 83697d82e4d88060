/* What collectives.c does not reach: arguments with side effects, truth values that are no int, a value to begin with of
 * another type, more threads than a list has room for, regions within regions, parallel regions of a team that has done
 * something else before.
 *   team_edges [--place NAME] */
#include <stdint.h>
#include <stdlib.h>
#include <upsweep/team.h>
#include <upsweep/upsweep.h>

#include "oracle/memory.h"
#include "support/check.h"
#include "support/place.h"

enum { TEAMS = 3, MANY = USW_TEAM_LIMIT + 76, ANSWERS = 16 };

#if defined(_OPENMP) && defined(__clang__) && !defined(USW_PORT_SIMT)
#pragma omp begin declare target
#endif
/* Each answer is 1 where it is right. */
USW_INLINE void ask(usw_team_t team, uint32_t *answers) {
  const usw_sub_group_t group = usw_sub_group_of(team);
  const uint32_t threads = team.threads;
  double values[4] = {1, 2, 3, 4};
  volatile float kept = 2;
  int i = 0, right = 0;
  right = usw_team_exclusive_scan(team, values[i++], USW_PLUS) == (double)team.thread;
  answers[0] = right && i == 1;
  right = usw_sub_group_exclusive_scan(group, values[i++], USW_PLUS) == 2.0 * group.lane;
  answers[1] = right && i == 2;
  right = usw_team_reduce(team, values[i++], USW_PLUS) == 3.0 * threads;
  answers[2] = right && i == 3;
  right = usw_team_inclusive_scan(team, values[i++], USW_MAXIMUM, -1) == 4;
  answers[3] = right && i == 4;
  answers[4] = usw_team_any(team, (uint64_t)1 << 40) && usw_team_count(team, values[0] / 2) == threads;
  answers[5] = usw_sub_group_all(group, (uint64_t)1 << 63) && usw_sub_group_count(group, kept / 8) == group.lanes;
  answers[6] = !usw_team_any(team, -values[0] * 0) && !usw_sub_group_any(group, 0u);
  answers[7] = usw_team_reduce(team, 0.5, 1, USW_PLUS) == 1 + 0.5 * threads;
  answers[8] = usw_team_exclusive_scan(team, (short)2, 7L, USW_PLUS) == (short)(7 + 2 * team.thread);
  answers[9] = usw_sub_group_reduce(group, kept, 0.5, USW_MAXIMUM) == 2;
  answers[10] = usw_team_broadcast(team, team.thread, threads - 1) == threads - 1;
  usw_team_barrier(team);
  answers[11] = 1;
}
#if defined(_OPENMP) && defined(__clang__) && !defined(USW_PORT_SIMT)
#pragma omp end declare target
#endif

static test_place_t place;

static void check_answers(const uint32_t *answers, size_t threads, const char *region) {
  for (int a = 0; a < 12; a++) {
    size_t wrong = 0;
    for (size_t t = 0; t < threads; t++)
      wrong += answers[t * ANSWERS + (size_t)a] != 1;
    check_count(wrong == 0, __FILE__, __LINE__, "%s, %zu threads: answer %d is wrong in %zu", region, threads, a,
                wrong);
  }
}

#ifdef USW_PORT_SIMT
static void fiber(void *context) { ask(usw_bare_team(), (uint32_t *)context + (size_t)usw_port_thread() * ANSWERS); }

static void test_place(size_t threads) {
  uint32_t *answers = (uint32_t *)calloc(threads * ANSWERS, sizeof *answers);
  usw_simt_launch(1, (uint32_t)threads, fiber, answers);
  check_answers(answers, threads, "emulated");
  free(answers);
}
#else
/* On the host, and within another parallel region, whose threads are teams of one there. */
static void test_host(int threads) {
  uint32_t *answers = (uint32_t *)calloc((size_t)threads * ANSWERS, sizeof *answers);
  uint32_t *inner = (uint32_t *)calloc((size_t)threads * ANSWERS, sizeof *inner);
#pragma omp parallel num_threads(threads)
  {
    ask(usw_openmp_team(), answers + (size_t)omp_get_thread_num() * ANSWERS);
    uint32_t *const own = inner + (size_t)omp_get_thread_num() * ANSWERS;
#pragma omp parallel num_threads(1)
    ask(usw_openmp_team(), own);
  }
  check_answers(answers, (size_t)threads, "parallel");
  check_answers(inner, (size_t)threads, "parallel in parallel");
  free(answers);
  free(inner);
}

#ifdef USW_IMAGES
/* Teams that do something by themselves before and between their parallel regions, and a region within one. */
static void in_target(int device, int threads, uint32_t *answers, uint32_t *own, uint32_t *inner) {
#pragma omp target teams num_teams(TEAMS) thread_limit(threads) device(device) is_device_ptr(answers, own, inner)
  {
    const size_t team = (size_t)omp_get_team_num();
    own[team] = (uint32_t)team + 1;
#pragma omp parallel num_threads(threads)
    {
      const size_t me = team * (size_t)threads + (size_t)omp_get_thread_num();
      ask(usw_openmp_team(), answers + me * ANSWERS);
    }
    own[team] *= 2;
#pragma omp parallel num_threads(threads)
    {
      const size_t me = team * (size_t)threads + (size_t)omp_get_thread_num();
#pragma omp parallel num_threads(1)
      ask(usw_openmp_team(), inner + me * ANSWERS);
    }
    own[team] += 5;
  }
}

static void test_device(int threads) {
  const size_t all = (size_t)threads * TEAMS, bytes = all * ANSWERS * sizeof(uint32_t);
  uint32_t *answers = (uint32_t *)malloc(bytes), own[TEAMS];
  place_memory_t there = memory_get(&place, NULL, bytes, 0), inside = memory_get(&place, NULL, bytes, 0);
  place_memory_t words = memory_get(&place, NULL, sizeof own, 0);
  in_target(place.device, threads, (uint32_t *)there.data, (uint32_t *)words.data, (uint32_t *)inside.data);
  memory_read(&there, answers, bytes);
  check_answers(answers, all, "teams, then parallel");
  memory_read(&inside, answers, bytes);
  check_answers(answers, all, "parallel within");
  memory_read(&words, own, sizeof own);
  for (uint32_t team = 0; team < TEAMS; team++)
    CHECK_U64(2 * (team + 1) + 5, own[team]);
  memory_free(&there);
  memory_free(&inside);
  memory_free(&words);
  free(answers);
}
#endif

static void test_place(size_t threads) {
  if (place.place == USW_HOST)
    test_host((int)threads);
#ifdef USW_IMAGES
  else if (threads % 32 == 0) /* parallel regions of a team that does something else have whole sub-groups */
    test_device((int)threads);
#endif
}
#endif

int main(int argc, char **argv) {
  static const size_t sizes[] = {1, 2, 5, 32, 64, 96, 256};
  place = place_of_arguments(argc, argv);
  for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
    test_place(sizes[s]);
  if (place.place == USW_HOST)
    test_place(MANY);
  return check_report();
}
