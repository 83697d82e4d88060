/* What threads do: calls of every kind over whole numbers, so that every way of running them gives the same bits. */
#ifndef USW_TESTS_MIXED_CALLS_H
#define USW_TESTS_MIXED_CALLS_H

#include <upsweep/plan.h>

#include "oracle/place.h"

enum { MIXED_ITEMS = 20011, MIXED_LONG = 500009 /* worth several threads */, MIXED_WORDS = 320 };

/* What a thread has of its own. */
typedef struct mixed {
  uint64_t results[MIXED_WORDS];
  usw_plan_t *plan, *plan_of_bins;
  uint64_t state; /* of its random numbers */
} mixed_t;

typedef struct mixed_call {
  const char *name;
  usw_status_t (*run)(mixed_t *thread);
  int may_be_busy; /* it uses what another thread may have at the moment */
  int needs_plan;
  int is_of_own_host; /* on the host it needs the library's own kernels, not the emulated one's */
  int is_long;        /* it takes an emulated GPU too long */
} mixed_call_t;
extern const mixed_call_t mixed_calls[];
extern const int mixed_call_count;

void mixed_prepare(const test_place_t *place);
int mixed_is_possible(int call);
/* The end of what all threads share: the plan, then the data. */
void mixed_end_plan(void);
void mixed_end(void);

/* A thread's plans, before its first call and after its last one. */
usw_status_t mixed_begin_thread(mixed_t *thread, uint64_t number);
void mixed_end_thread(mixed_t *thread);

uint64_t mixed_random(mixed_t *thread);

/* Calls that ran in several threads or teams. */
uint64_t mixed_shared_calls(void);

/* What the process has in memory, and what the GPUs have free; -1: there is none. */
long mixed_resident_kib(void);
long mixed_free_kib_of_gpu(const test_place_t *place);

#endif
