/* The emulated GPU itself: shuffles, barriers, every team size, several CPU threads at once, resident teams that wait for each
 * other, and that it notices threads which do not come to where the others wait. */
#include "fibers.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/check.h"

typedef struct {
  uint32_t threads, teams;
  uint32_t shared[SIMT_MAX_TEAM_SIZE];
  uint32_t wrong, runs, ticket, ascending, last_team;
} scene_t;

/* Every lane passes numbers up and down its sub-group, then across the team. */
static void exchange(void *context) {
  scene_t *scene = context;
  const uint32_t thread = usw_port_thread(), lane = thread % 32;
  const uint32_t group_end = scene->threads - (thread - lane) < 32 ? scene->threads - (thread - lane) : 32;
  for (uint32_t delta = 16; delta > 0; delta /= 2) {
    const uint32_t word = usw_port_shuffle_down(thread * 1000 + delta, delta, group_end);
    if (lane + delta < group_end)
      scene->wrong += word != (thread + delta) * 1000 + delta;
  }
  for (uint32_t round = 0; round < 3; round++) {
    scene->shared[thread] = usw_port_team() * 10000 + thread + round;
    usw_port_barrier();
    const uint32_t other = scene->threads - 1 - thread;
    scene->wrong += scene->shared[other] != usw_port_team() * 10000 + other + round;
    usw_port_barrier();
  }
  scene->runs++;
  if (thread == 0) {
    const uint32_t before = usw_port_take_ticket(&scene->ticket);
    scene->ascending += before > 0 && usw_port_team() == scene->last_team + 1;
    scene->last_team = usw_port_team();
    scene->wrong += usw_port_teams() != scene->teams;
  }
}

static void *exchange_often(void *wrong) {
  static const uint32_t sizes[] = {1, 31, 32, 33, 64, 100, 256, 512, 1023, 1024};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    scene_t scene = {.threads = sizes[k], .teams = 13};
    usw_simt_launch(scene.teams, scene.threads, exchange, &scene);
    *(uint32_t *)wrong += scene.wrong + (scene.runs != scene.threads * scene.teams) + (scene.ticket != scene.teams) +
                          (scene.ascending >= scene.teams - 1);
  }
  return NULL;
}

static void miss_barrier(void *context) {
  (void)context;
  if (usw_port_thread() != 77)
    usw_port_barrier();
}

static void miss_shuffle(void *context) {
  (void)context;
  if (usw_port_thread() % 32 < 16)
    (void)usw_port_shuffle_down(1, 1, USW_SUB_GROUP);
}

static void mix_waits(void *context) {
  (void)context;
  if (usw_port_thread() == 5)
    usw_port_barrier();
  else
    (void)usw_port_shuffle_down(1, 1, USW_SUB_GROUP);
}

/* The body must end its program by SIGABRT, and say why. */
static void expect_stuck(const char *name, void (*body)(void *)) {
  int ends[2];
  char text[512] = "";
  CHECK_AT(pipe(ends) == 0, name);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    signal(SIGABRT, SIG_DFL);
    usw_simt_launch(2, 128, body, NULL);
    _exit(0);
  }
  close(ends[1]);
  for (size_t used = 0; used < sizeof text - 1;) {
    const ssize_t got = read(ends[0], text + used, sizeof text - 1 - used);
    if (got <= 0)
      break;
    used += (size_t)got;
  }
  close(ends[0]);
  int how = 0;
  waitpid(child, &how, 0);
  CHECK_AT(WIFSIGNALED(how) && WTERMSIG(how) == SIGABRT, name);
  CHECK_TEXT_HAS(text, "is stuck");
}

/* ---- resident teams ---- */

enum { RESIDENT_TEAMS = 50, IN_VAIN = 1 << 20 };

typedef struct {
  uint64_t told[RESIDENT_TEAMS][2];
  uint32_t turns[2 * RESIDENT_TEAMS]; /* the teams as they come to their begin and to their end */
  uint32_t count, wrong, in_vain;
} residents_t;

USW_TEAM_MEMORY uint32_t mine[2];

/* Each team waits for its neighbor: teams 2 k and 2 k + 1 for each other. */
static void wait_for_neighbor(void *context) {
  residents_t *scene = context;
  const uint32_t team = usw_port_team();
  uint64_t first, second;
  if (usw_port_thread() == 0) {
    mine[0] = mine[1] = team;
    scene->turns[scene->count++] = team;
    usw_port_put_pair(scene->told[team], team + 1, team + 1);
  }
  usw_port_barrier();
  for (uint32_t asked = 0; usw_port_thread() == 0; asked++) {
    usw_port_get_pair(scene->told[team ^ 1], &first, &second);
    if (first == (team ^ 1) + 1 && second == first)
      break;
    if (asked == IN_VAIN) {
      scene->in_vain++;
      break;
    }
  }
  usw_port_barrier();
  scene->wrong += mine[0] != team || mine[1] != team;
  if (usw_port_thread() == 0)
    scene->turns[scene->count++] = team;
}

static residents_t run_residents(uint32_t seed) {
  const usw_simt_object_t objects[] = {{&mine[0], sizeof mine[0]}, {&mine[1], sizeof mine[1]}};
  residents_t scene;
  memset(&scene, 0, sizeof scene);
  simt_set_order(seed);
  usw_simt_launch_resident(RESIDENT_TEAMS, 64, 1, objects, 2, wait_for_neighbor, &scene);
  CHECK_U64(0, scene.wrong);
  CHECK_U64(0, scene.in_vain);
  CHECK_U64(2 * RESIDENT_TEAMS, scene.count);
  return scene;
}

/* The same seed gives the same turns, another one others. */
static void residents(void) {
  uint32_t differ = 0;
  for (uint32_t seed = 0; seed < 20; seed++) {
    const residents_t first = run_residents(seed), again = run_residents(seed), other = run_residents(seed + 1);
    CHECK(memcmp(&first, &again, sizeof first) == 0);
    differ += memcmp(&first, &other, sizeof first) != 0;
  }
  CHECK_U64(20, differ);
  simt_set_order(0);
}

static void one(void *context) {
  scene_t *scene = context;
  const uint32_t word = usw_port_shuffle_down(usw_port_thread(), 1, USW_SUB_GROUP);
  scene->wrong += usw_port_thread() % 32 < 31 && word != usw_port_thread() + 1;
  usw_port_barrier();
}

int main(void) {
  uint32_t wrong[4] = {0};
  pthread_t threads[4];
  for (int k = 0; k < 4; k++)
    pthread_create(&threads[k], NULL, exchange_often, &wrong[k]);
  for (int k = 0; k < 4; k++) {
    pthread_join(threads[k], NULL);
    CHECK_U64(0, wrong[k]);
  }
  for (uint32_t seed = 0; seed < 5; seed++) {
    uint32_t seeded = 0;
    simt_set_order(seed);
    exchange_often(&seeded);
    CHECK_U64(0, seeded);
  }
  scene_t many = {.threads = 256, .teams = 10000};
  usw_simt_launch(many.teams, many.threads, one, &many);
  CHECK_U64(0, many.wrong);
  expect_stuck("one thread misses a barrier", miss_barrier);
  expect_stuck("half a sub-group misses a shuffle", miss_shuffle);
  expect_stuck("a shuffle and a barrier at once", mix_waits);
  residents();
  return check_report();
}
