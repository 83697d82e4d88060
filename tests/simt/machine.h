/* A team of fibers: fibers.c runs one, resident.c several in turns. For these two files alone. */
#ifndef USW_TESTS_SIMT_MACHINE_H
#define USW_TESTS_SIMT_MACHINE_H

#include <setjmp.h>

#include "fibers.h"

#if defined(__x86_64__) && defined(__clang__)
typedef void *resume_t[5];
#else
typedef jmp_buf resume_t;
#endif

typedef enum { FIBER_READY, FIBER_AT_SHUFFLE, FIBER_AT_BARRIER, FIBER_DONE } fiber_state_t;

/* A copy into team memory, on its way. */
typedef struct {
  void *to;
  const void *from;
  int bytes;
} copy_t;
enum { MOST_COPIES = 64 /* of a fiber, that are on their way */ };

typedef struct {
  resume_t resume;
  unsigned char *stack;
  size_t stack_bytes;
  void *fake_stack; /* of the address sanitizer */
  uint64_t shuffles, barriers;
  fiber_state_t state;
  int made;
  uint32_t copies_made, copies_of_batches; /* all, and those of batches, */
  uint32_t copies_batched;                 /* but the last one */
  copy_t copies[MOST_COPIES];
} fiber_t;

enum { MOST_TEAMS = 1 << 16, MOST_TEAM_MEMORY = 48 << 10 };
#define NO_THREAD UINT32_MAX

typedef struct residents residents_t;

/* A team, and the fibers that it and those after it run on. */
typedef struct machine {
  resume_t scheduler;
  void *fake_stack;
  const void *stack_bottom;
  size_t stack_bytes;
  uint32_t team, teams, threads, current, ended, shuffled;
  uint32_t sub_group, turn, moved; /* the sub-group that runs, whose turn of its order is next, and how many had one */
  uint64_t barrier_arrivals;
  uint64_t shuffle_arrivals[SIMT_MAX_TEAM_SIZE / USW_SUB_GROUP];
  uint32_t words[2][SIMT_MAX_TEAM_SIZE]; /* two, so that a fast lane cannot overwrite unread words */
  uint32_t votes[2][SIMT_MAX_TEAM_SIZE]; /* the same for votes of a team */
  uint32_t lane_order[USW_SUB_GROUP], sub_group_order[SIMT_MAX_TEAM_SIZE / USW_SUB_GROUP];
  void (*body)(void *);
  void *context;
  unsigned char *stacks; /* SIMT_MAX_TEAM_SIZE of them, each above a page that faults */
  fiber_t fibers[SIMT_MAX_TEAM_SIZE];
  uint32_t team_order
      [MOST_TEAMS]; /* here and not allocated: allocations of a launch would count as the library's (tests/faults) */
  residents_t *residents;             /* of which this is one; NULL: it is the only one */
  int is_last;                        /* it goes on when the other teams of its launch have ended */
  struct machine *next;               /* of this CPU thread; NULL until it is needed */
  char team_memory[MOST_TEAM_MEMORY]; /* what it holds while other teams run */
} machine_t;

/* The machine that this CPU thread runs; outside of launches its first one. */
machine_t *simt_machine(void);

/* The CPU thread's machine after another one, which is made if there is none. */
machine_t *simt_machine_after(machine_t *machine);

/* From now on the CPU thread runs this one. */
void simt_switch_to(machine_t *machine);

/* Prepare a machine for teams of a launch, whose threads take turns in the order of a seed; then begin with a team. */
void simt_load(machine_t *machine, uint32_t teams, uint32_t threads, uint32_t seed, void (*body)(void *context),
               void *context);
void simt_begin_team(machine_t *machine, uint32_t team);

/* Choose the order that teams start in: the first `shuffled` in no particular one, the others behind them in theirs. Then the
 * k-th team in it. */
void simt_order_teams(machine_t *machine, uint32_t shuffled, uint32_t seed);
uint32_t simt_team_at(const machine_t *machine, uint32_t k);

/* Give each thread of a sub-group a turn; how many could use it. */
uint32_t simt_run_sub_group(machine_t *machine, uint32_t sub_group);
uint32_t simt_sub_groups(const machine_t *machine);

/* The running thread waits for its next turn. */
void simt_yield(machine_t *machine);

/* End the program: no thread of the team can go on. */
_Noreturn void simt_stuck(const machine_t *machine);

/* A fixed order of 0 .. count - 1 that looks like chance and never ascends. */
void simt_make_order(uint32_t *order, uint32_t count, uint32_t seed);

/* What tests have set the order to, and how many launches of resident teams there have been since. */
uint32_t simt_order(void);
uint32_t simt_count_launch(void);

#endif
