/* Programs with a limit of time. Each is a process group, so that a compiler's own children end with it. */
#include "selfcheck/clause_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <time.h>

enum { GROUPS = 256 };
static volatile pid_t groups[GROUPS]; /* 0: none */
static const int ending[] = {SIGHUP, SIGINT, SIGTERM};
static struct sigaction before[sizeof ending / sizeof *ending];

static double now_s(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void end_all(int number) {
  for (int g = 0; g < GROUPS; g++)
    if (groups[g])
      kill(-groups[g], SIGKILL);
  signal(number, SIG_DFL);
  raise(number);
}

void clause_catch_signals(void) {
  struct sigaction action = {.sa_handler = end_all};
  sigemptyset(&action.sa_mask);
  for (size_t s = 0; s < sizeof ending / sizeof *ending; s++)
    sigaction(ending[s], &action, &before[s]);
}

void clause_release_signals(void) {
  for (size_t s = 0; s < sizeof ending / sizeof *ending; s++)
    sigaction(ending[s], &before[s], NULL);
}

static void replace_group(pid_t old, pid_t now) {
  for (int g = 0; g < GROUPS; g++)
    if (groups[g] == old) {
      groups[g] = now;
      return;
    }
}

int clause_start(const clause_launch_t *launch, clause_process_t *process_out) {
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  int error = posix_spawn_file_actions_init(&files);
  if (error)
    return error;
  error = posix_spawnattr_init(&attributes);
  if (error) {
    posix_spawn_file_actions_destroy(&files);
    return error;
  }
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  error = posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  if (!error)
    error = posix_spawn_file_actions_addopen(&files, 1, launch->output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (!error && launch->errors != launch->output)
    error = posix_spawn_file_actions_addopen(&files, 2, launch->errors, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  else if (!error)
    error = posix_spawn_file_actions_adddup2(&files, 1, 2);
  if (!error && launch->folder)
    error = posix_spawn_file_actions_addchdir_np(&files, launch->folder);
  if (!error)
    error = posix_spawnp(&process_out->pid, launch->words[0], &files, &attributes, launch->words, launch->environment);
  if (!error) {
    replace_group(0, process_out->pid);
    process_out->deadline_s = now_s() + launch->limit_s;
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return error;
}

clause_end_t clause_poll(clause_process_t *process, int *code_out) {
  int status = 0, late = 0;
  pid_t ended = waitpid(process->pid, &status, WNOHANG);
  if (ended == 0 && now_s() < process->deadline_s)
    return CLAUSE_RUNNING;
  if (ended == 0) {
    late = 1;
    kill(-process->pid, SIGKILL);
    while (waitpid(process->pid, &status, 0) < 0 && errno == EINTR)
      ;
  }
  kill(-process->pid, SIGKILL); /* what it left behind */
  replace_group(process->pid, 0);
  *code_out = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
  return late ? CLAUSE_TIMED_OUT : WIFSIGNALED(status) ? CLAUSE_SIGNALLED : CLAUSE_EXITED;
}

clause_end_t clause_wait(clause_process_t *process, int *code_out) {
  const struct timespec step = {0, 2000000};
  clause_end_t end = clause_poll(process, code_out);
  while (end == CLAUSE_RUNNING) {
    nanosleep(&step, NULL);
    end = clause_poll(process, code_out);
  }
  return end;
}

int clause_processors(void) {
  cpu_set_t set;
  const int count = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
  return count > GROUPS ? GROUPS : count;
}
