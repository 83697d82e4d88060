/* A GPU's teams on one CPU thread: every thread of a team is a fiber with its own stack.
 *
 * A fiber runs until it must wait: for the words of its sub-group, or for its team at a barrier.
 * The next fiber of its sub-group that can go on then runs, and the scheduler when there is none. When none of a team can,
 * some of them never came to where the others wait: that is a bug of the kernel, and ends the program with a message.
 *
 * Fibers are made once per CPU thread (makecontext costs a system call, so do its switches) and
 * take one team after the other, or, where teams wait for each other, turns with the fibers of other
 * teams (resident.c). Switches between them are the compiler's own setjmp where it has one, because
 * sanitizers watch the C library's and slow it down a hundredfold. */
#undef _FORTIFY_SOURCE /* it refuses _longjmp to another stack */
#include "machine.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#if defined(WITH_ASAN) /* the rest of the program: UpsweepTest.cmake */
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WITH_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WITH_ASAN 1
#endif
#ifdef WITH_ASAN
#include <sanitizer/common_interface_defs.h>
#define STACK_BYTES ((size_t)512 * 1024)
#define ASAN(call) call
#else
#define STACK_BYTES ((size_t)128 * 1024) /* of code that was not optimized */
#define ASAN(call)
#endif

/* SAVE is 0 at first and 1 when go() comes back to it; both must not be in one function. */
#if defined(__x86_64__) && defined(__clang__)
#define SAVE(resume) __builtin_setjmp(resume)
#define GO(resume) __builtin_longjmp(resume, 1)
#else
#define SAVE(resume) _setjmp(resume)
#define GO(resume) _longjmp(resume, 1)
#endif
#define SWITCHES __attribute__((noinline, no_sanitize("address")))
SWITCHES static void go(resume_t resume) { GO(resume); }

static _Thread_local machine_t *this_machine;
static pthread_key_t machine_key;
static pthread_once_t machine_once = PTHREAD_ONCE_INIT;
static uint32_t order_seed, launches;

void simt_set_order(uint32_t seed) {
  __atomic_store_n(&order_seed, seed, __ATOMIC_RELAXED);
  __atomic_store_n(&launches, 0, __ATOMIC_RELAXED);
}

uint32_t simt_order(void) { return __atomic_load_n(&order_seed, __ATOMIC_RELAXED); }
uint32_t simt_count_launch(void) { return __atomic_fetch_add(&launches, 1, __ATOMIC_RELAXED); }

static void give_machines_back(void *memory) {
  for (machine_t *machine = memory, *next; machine; machine = next) {
    next = machine->next;
    munmap(machine->stacks, STACK_BYTES * SIMT_MAX_TEAM_SIZE);
    munmap(machine, sizeof *machine);
  }
}

static void make_key(void) { pthread_key_create(&machine_key, give_machines_back); }

/* Team memory of all kernels of a program is each thread's own, some 10 MB, and comes off its stack: threads need larger ones than they have by
 * default, OpenMP's too, whose runtime looks for its variable later. */
__attribute__((constructor)) static void enlarge_stacks(void) {
  pthread_attr_t attributes;
  setenv("OMP_STACKSIZE", "32M", 0);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, (size_t)32 << 20);
  pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
}

static void *map_memory(size_t bytes) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) {
    perror("simt: mmap");
    abort();
  }
  return memory;
}

static machine_t *map_machine(void) {
  machine_t *machine = map_memory(sizeof *machine);
  machine->stacks = map_memory(STACK_BYTES * SIMT_MAX_TEAM_SIZE);
  return machine;
}

machine_t *simt_machine(void) {
  if (!this_machine) {
    pthread_once(&machine_once, make_key);
    this_machine = map_machine();
    pthread_setspecific(machine_key, this_machine);
  }
  return this_machine;
}

machine_t *simt_machine_after(machine_t *machine) {
  if (!machine->next)
    machine->next = map_machine();
  return machine->next;
}

void simt_switch_to(machine_t *machine) { this_machine = machine; }

static uint32_t sub_group_size(const machine_t *machine, uint32_t sub_group) {
  const uint32_t left = machine->threads - sub_group * USW_SUB_GROUP;
  return left < USW_SUB_GROUP ? left : USW_SUB_GROUP;
}

static int can_run(const machine_t *machine, uint32_t thread) {
  const fiber_t *fiber = &machine->fibers[thread];
  const uint32_t sub_group = thread / USW_SUB_GROUP;
  switch (fiber->state) {
  case FIBER_READY:
    return 1;
  case FIBER_AT_SHUFFLE:
    return machine->shuffle_arrivals[sub_group] >= fiber->shuffles * sub_group_size(machine, sub_group);
  case FIBER_AT_BARRIER:
    return machine->barrier_arrivals >= fiber->barriers * machine->threads;
  case FIBER_DONE:
    break;
  }
  return 0;
}

/* The next thread of the sub-group that runs, in its order, or NO_THREAD: each has one turn. */
static uint32_t find_turn(machine_t *machine) {
  for (; machine->turn < USW_SUB_GROUP; machine->turn++) {
    const uint32_t thread = machine->sub_group * USW_SUB_GROUP + machine->lane_order[machine->turn];
    if (thread < machine->threads && can_run(machine, thread))
      return thread;
  }
  return NO_THREAD;
}

static void take_turn(machine_t *machine, uint32_t thread) {
  machine->current = thread;
  machine->turn++;
  machine->moved++;
}

/* Wait. The next fiber whose turn it is goes on at once, without the scheduler in between: that would be a second switch. */
SWITCHES static void wait_as(machine_t *machine, fiber_state_t state) {
  fiber_t *fiber = &machine->fibers[machine->current];
  fiber->state = state;
  machine->ended += state == FIBER_DONE;
  const uint32_t thread = find_turn(machine);
  resume_t *resume = &machine->scheduler;
  const void *stack = machine->stack_bottom;
  size_t stack_bytes = machine->stack_bytes;
  if (thread != NO_THREAD && machine->fibers[thread].made) {
    take_turn(machine, thread);
    resume = &machine->fibers[thread].resume;
    stack = machine->fibers[thread].stack;
    stack_bytes = machine->fibers[thread].stack_bytes;
  }
  ASAN(__sanitizer_start_switch_fiber(&fiber->fake_stack, stack, stack_bytes);)
  if (!SAVE(fiber->resume))
    go(*resume);
  ASAN(__sanitizer_finish_switch_fiber(fiber->fake_stack, NULL, NULL);)
}

void simt_yield(machine_t *machine) { wait_as(machine, FIBER_READY); }

/* A fiber's life: the body for one team, then wait for the next. */
static void live(void) {
  machine_t *machine = this_machine;
  ASAN(__sanitizer_finish_switch_fiber(NULL, &machine->stack_bottom, &machine->stack_bytes);)
  for (;;) {
    machine->body(machine->context);
    wait_as(machine, FIBER_DONE);
  }
}

static void make_fiber(machine_t *machine, uint32_t thread, ucontext_t *context) {
  fiber_t *fiber = &machine->fibers[thread];
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  unsigned char *guard = machine->stacks + thread * STACK_BYTES;
  if (mprotect(guard, page, PROT_NONE) != 0)
    perror("simt: no guard page");
  fiber->stack = guard + page;
  getcontext(context);
  fiber->stack_bytes = STACK_BYTES - page;
  context->uc_stack.ss_sp = fiber->stack;
  /* Tops at different distances from a page, or all of them would share the same cache lines. */
  context->uc_stack.ss_size = fiber->stack_bytes - thread % 64 * 320;
  context->uc_link = NULL;
  makecontext(context, live, 0);
  fiber->made = 1;
}

SWITCHES static void run_fiber(machine_t *machine, uint32_t thread) {
  fiber_t *fiber = &machine->fibers[thread];
  ucontext_t context;
  const int first = !fiber->made;
  take_turn(machine, thread);
  if (first)
    make_fiber(machine, thread, &context);
  ASAN(__sanitizer_start_switch_fiber(&machine->fake_stack, fiber->stack, fiber->stack_bytes);)
  if (!SAVE(machine->scheduler)) {
    if (first)
      setcontext(&context);
    go(fiber->resume);
  }
  ASAN(__sanitizer_finish_switch_fiber(machine->fake_stack, NULL, NULL);)
}

void simt_stuck(const machine_t *machine) {
  uint32_t at[FIBER_DONE + 1] = {0};
  for (uint32_t thread = 0; thread < machine->threads; thread++)
    at[machine->fibers[thread].state]++;
  fprintf(stderr,
          "simt: team %u of %u is stuck: of its %u threads %u wait at a shuffle, %u at a barrier, "
          "%u have ended\n",
          machine->team, machine->teams, machine->threads, at[FIBER_AT_SHUFFLE], at[FIBER_AT_BARRIER], at[FIBER_DONE]);
  abort();
}

void simt_begin_team(machine_t *machine, uint32_t team) {
  machine->team = team;
  machine->ended = 0;
  machine->barrier_arrivals = 0;
  for (uint32_t k = 0; k < SIMT_MAX_TEAM_SIZE / USW_SUB_GROUP; k++)
    machine->shuffle_arrivals[k] = 0;
  for (uint32_t thread = 0; thread < machine->threads; thread++) {
    fiber_t *fiber = &machine->fibers[thread];
    fiber->state = FIBER_READY;
    fiber->shuffles = fiber->barriers = 0;
    /* what nobody waited for never arrives */
    fiber->copies_made = fiber->copies_of_batches = fiber->copies_batched = 0;
  }
}

uint32_t simt_run_sub_group(machine_t *machine, uint32_t sub_group) {
  machine->sub_group = sub_group;
  machine->turn = machine->moved = 0;
  for (uint32_t thread; (thread = find_turn(machine)) != NO_THREAD;)
    run_fiber(machine, thread);
  return machine->moved;
}

uint32_t simt_sub_groups(const machine_t *machine) { return (machine->threads + USW_SUB_GROUP - 1) / USW_SUB_GROUP; }

/* One sub-group goes on as far as it can, then the next: its stacks stay in the cache. */
static void run_team(machine_t *machine, uint32_t team) {
  const uint32_t sub_groups = simt_sub_groups(machine);
  simt_begin_team(machine, team);
  while (machine->ended < machine->threads) {
    uint32_t moved = 0;
    for (uint32_t k = 0; k < sub_groups; k++)
      for (uint32_t now = 1; now > 0; moved += now)
        now = simt_run_sub_group(machine, machine->sub_group_order[k]);
    if (!moved)
      simt_stuck(machine);
  }
}

void simt_make_order(uint32_t *order, uint32_t count, uint32_t seed) {
  uint64_t state = 0x9E3779B97F4A7C15u * (seed + 1u);
  for (uint32_t k = 0; k < count; k++)
    order[k] = count - 1 - k;
  for (uint32_t k = count; k > 2; k--) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const uint32_t other = (uint32_t)((state >> 33) % k), kept = order[k - 1];
    order[k - 1] = order[other];
    order[other] = kept;
  }
  if (count > 1 && order[0] < order[1]) {
    const uint32_t kept = order[0];
    order[0] = order[1];
    order[1] = kept;
  }
}

void simt_load(machine_t *machine, uint32_t teams, uint32_t threads, uint32_t seed, void (*body)(void *context),
               void *context) {
  if (threads == 0 || threads > SIMT_MAX_TEAM_SIZE || teams == 0) {
    fprintf(stderr, "simt: cannot launch %u teams of %u threads\n", teams, threads);
    abort();
  }
  machine->teams = teams;
  machine->threads = threads;
  machine->body = body;
  machine->context = context;
  simt_make_order(machine->lane_order, USW_SUB_GROUP, seed);
  simt_make_order(machine->sub_group_order, simt_sub_groups(machine), seed);
}

void simt_order_teams(machine_t *machine, uint32_t shuffled, uint32_t seed) {
  if (shuffled > MOST_TEAMS) {
    fprintf(stderr, "simt: cannot shuffle %u teams\n", shuffled);
    abort();
  }
  machine->shuffled = shuffled;
  simt_make_order(machine->team_order, shuffled, seed);
}

uint32_t simt_team_at(const machine_t *machine, uint32_t k) {
  return k < machine->shuffled ? machine->team_order[k] : k;
}

/* The first `shuffled` teams run in no particular order, the others behind them in theirs. */
static void launch(uint32_t teams, uint32_t threads, uint32_t shuffled, void (*body)(void *context), void *context) {
  machine_t *machine = simt_machine();
  const uint32_t seed = simt_order();
  simt_load(machine, teams, threads, seed, body, context);
  simt_order_teams(machine, shuffled, seed);
  for (uint32_t k = 0; k < teams; k++)
    run_team(machine, simt_team_at(machine, k));
}

void usw_simt_launch(uint32_t teams, uint32_t threads, void (*body)(void *context), void *context) {
  launch(teams, threads, teams, body, context);
}

void usw_simt_launch_awaiting(uint32_t teams, uint32_t threads, void (*body)(void *context), void *context) {
  launch(teams, threads, teams - 1, body, context);
}

uint32_t usw_port_thread(void) { return this_machine->current; }
uint32_t usw_port_team(void) { return this_machine->team; }
uint32_t usw_port_teams(void) { return this_machine->teams; }
uint32_t usw_port_threads(void) { return this_machine->threads; }

/* Give a word to the sub-group and wait for all of its threads; returns everyone's words. */
static const uint32_t *exchange(uint32_t word) {
  machine_t *machine = this_machine;
  const uint32_t thread = machine->current, sub_group = thread / USW_SUB_GROUP;
  fiber_t *fiber = &machine->fibers[thread];
  uint32_t *words = machine->words[fiber->shuffles % 2];
  words[thread] = word;
  fiber->shuffles++;
  machine->shuffle_arrivals[sub_group]++;
  if (machine->shuffle_arrivals[sub_group] < fiber->shuffles * sub_group_size(machine, sub_group))
    wait_as(machine, FIBER_AT_SHUFFLE);
  return words;
}

uint32_t usw_port_shuffle_down(uint32_t word, uint32_t delta, uint32_t lanes) {
  const uint32_t lane = this_machine->current % USW_SUB_GROUP;
  /* Beyond the end a port may give any word: here it is that of lane 0, which is never right. */
  return usw_port_shuffle(word, lane + delta < lanes ? lane + delta : 0, lanes);
}

uint32_t usw_port_shuffle_up(uint32_t word, uint32_t delta, uint32_t lanes) {
  const uint32_t lane = this_machine->current % USW_SUB_GROUP;
  return usw_port_shuffle(word, lane >= delta ? lane - delta : lanes - 1, lanes);
}

uint32_t usw_port_shuffle(uint32_t word, uint32_t lane, uint32_t lanes) {
  const uint32_t sub_group = this_machine->current / USW_SUB_GROUP, size = sub_group_size(this_machine, sub_group);
  if (lanes != size || lane >= size) {
    fprintf(stderr, "simt: a shuffle of %u lanes from lane %u in a sub-group of %u\n", lanes, lane, size);
    abort();
  }
  return exchange(word)[sub_group * USW_SUB_GROUP + lane];
}

void usw_port_sub_group_sync(void) { exchange(0); }

uint32_t usw_port_sub_group_max(uint32_t x) {
  const machine_t *machine = this_machine;
  const uint32_t first = machine->current / USW_SUB_GROUP * USW_SUB_GROUP;
  const uint32_t size = sub_group_size(machine, first / USW_SUB_GROUP);
  const uint32_t *words = exchange(x);
  uint32_t most = 0;
  for (uint32_t lane = 0; lane < size; lane++)
    most = most < words[first + lane] ? words[first + lane] : most;
  return most;
}

/* How many of the first lanes of the current fiber's sub-group have an x that is not zero. */
static uint32_t count_first(int x, uint32_t lanes) {
  const uint32_t first = this_machine->current / USW_SUB_GROUP * USW_SUB_GROUP;
  const uint32_t *words = exchange(x != 0);
  uint32_t count = 0;
  for (uint32_t lane = 0; lane < lanes; lane++)
    count += words[first + lane];
  return count;
}

uint32_t usw_port_count(int x, uint32_t lanes) { return count_first(x, lanes); }

uint32_t usw_port_lanes_up_to(int x) {
  const uint32_t *words = exchange(x != 0);
  uint32_t lanes = this_machine->current % USW_SUB_GROUP;
  while (lanes > 0 && !words[this_machine->current / USW_SUB_GROUP * USW_SUB_GROUP + lanes - 1])
    lanes--;
  return lanes;
}

uint32_t usw_port_count_before(int x) { return count_first(x, this_machine->current % USW_SUB_GROUP); }

int usw_port_sub_group_any(int x) { return usw_port_sub_group_max(x != 0) != 0; }

/* The oldest ones. */
static void let_copies_arrive(fiber_t *fiber, uint32_t count) {
  for (uint32_t k = 0; k < count; k++)
    memcpy(fiber->copies[k].to, fiber->copies[k].from, (size_t)fiber->copies[k].bytes);
  fiber->copies_made -= count;
  fiber->copies_batched -= fiber->copies_batched < count ? fiber->copies_batched : count;
  fiber->copies_of_batches -= fiber->copies_of_batches < count ? fiber->copies_of_batches : count;
  memmove(fiber->copies, fiber->copies + count, fiber->copies_made * sizeof(copy_t));
}
void usw_port_await_copies(void) {
  fiber_t *fiber = &this_machine->fibers[this_machine->current];
  let_copies_arrive(fiber, fiber->copies_made);
}
void usw_port_batch_copies(void) {
  fiber_t *fiber = &this_machine->fibers[this_machine->current];
  fiber->copies_batched = fiber->copies_of_batches;
  fiber->copies_of_batches = fiber->copies_made;
}
void usw_port_await_batches(void) {
  fiber_t *fiber = &this_machine->fibers[this_machine->current];
  let_copies_arrive(fiber, fiber->copies_batched);
}

/* By chance copies arrive at once, or as late as they may. */
void usw_port_copy(void *to, const void *from, int bytes) {
  static _Thread_local uint32_t chance;
  fiber_t *fiber = &this_machine->fibers[this_machine->current];
  chance = chance * 1664525 + 1013904223;
  if (chance >> 31) {
    memcpy(to, from, (size_t)bytes);
    return;
  }
  if (fiber->copies_made == MOST_COPIES)
    usw_port_await_copies();
  fiber->copies[fiber->copies_made++] = (copy_t){to, from, bytes};
}

void usw_port_barrier(void) {
  machine_t *machine = this_machine;
  machine->fibers[machine->current].barriers++;
  machine->barrier_arrivals++;
  wait_as(machine, FIBER_AT_BARRIER);
}

int usw_port_team_any(int x) {
  machine_t *machine = this_machine;
  const uint32_t thread = machine->current;
  uint32_t *votes = machine->votes[machine->fibers[thread].barriers % 2];
  uint32_t any = 0;
  votes[thread] = x != 0;
  usw_port_barrier();
  for (uint32_t t = 0; t < machine->threads; t++)
    any |= votes[t];
  return any != 0;
}

void usw_port_acquire(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
void usw_port_publish(void) { __atomic_thread_fence(__ATOMIC_ACQ_REL); }

uint32_t usw_port_add_ticket(uint32_t *ticket, uint32_t x) { return __atomic_fetch_add(ticket, x, __ATOMIC_ACQ_REL); }

uint32_t usw_port_take_ticket(uint32_t *ticket) { return __atomic_fetch_add(ticket, 1u, __ATOMIC_ACQ_REL); }
