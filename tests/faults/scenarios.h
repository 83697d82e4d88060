/* Calls of every kind, each a scenario: what one does, undoes and leaves in its results. */
#ifndef USW_TESTS_FAULTS_SCENARIOS_H
#define USW_TESTS_FAULTS_SCENARIOS_H

#include <upsweep/parts.h>

#include "oracle/memory.h"

enum { SCENARIO_ITEMS = 70001, SCENARIO_STEPS = 8, SCENARIO_WORDS = 512, SCENARIO_CELLS = 8192 };
/* Items of what the emulated GPU takes longest for: fewer there, by the same calls of other libraries. */
#ifdef USW_PORT_SIMT
enum { SET_ITEMS = 5001, DEALT_ITEMS = 2501, WRITTEN_ITEMS = 8001 };
#else
enum { SET_ITEMS = SCENARIO_ITEMS, DEALT_ITEMS = SCENARIO_ITEMS / 8, WRITTEN_ITEMS = SCENARIO_ITEMS / 2 };
#endif

/* Results of each step, which are written when the step has succeeded and not before. */
extern uint64_t scenario_results[SCENARIO_STEPS][SCENARIO_WORDS];
extern int scenario_steps; /* that have succeeded */

/* The status of a step, whose results are written by then. */
static inline usw_status_t step(usw_status_t status) {
  scenario_steps += status == USW_OK;
  return status;
}

typedef struct scenario {
  const char *name;
  usw_status_t (*run)(void); /* the status of the first call that failed */
  const char *needs;         /* "": any place; "device", "driver", "staging"; "own"; "end": the library ends by it */
  unsigned
      first_step; /* run as the first call of a process, too: in the quick tier with one fault in so many; 0: not */
} scenario_t;
extern const scenario_t scenarios[];
extern const int scenario_count;

/* What else there is to know of a place. */
typedef enum place_kind { OTHER_PLACE, DRIVER_PLACE, STAGING_PLACE, GPU_PLACE } place_kind_t;

/* The place, and data there. */
void scenario_prepare(const test_place_t *place, place_kind_t kind);
int scenario_is_possible(const scenario_t *scenario);
/* What a program asks of the library beside calls. */
usw_status_t scenario_questions(void);
usw_status_t scenario_explanation(const usw_options_t *options, uint64_t *place_out);
/* Sums along an axis and of segments. */
usw_status_t scenario_of_families(const double *x, const usw_options_t *options, void *(*result)(void));
/* A large span, and a short one, in such memory of the place, with and without original values; and records of processes. */
usw_status_t scenario_span_there(const double *x, const place_memory_t *there, uint64_t *seen);
usw_status_t scenario_parts_there(const double *x, const place_memory_t *there, const place_memory_t *beside,
                                  const test_place_t *place, uint64_t *seen);
usw_status_t scenario_gathering(const double *x, uint64_t *seen);
/* Two runs of a plan of parts, each with a variable and, in the room, a span of so many cells, whose values are known. */
usw_status_t scenario_plan_of_spans(const usw_kernel_part_t *parts, size_t count, const uint64_t *known_cells,
                                    uint64_t *room, uint64_t cells);
/* A stream of the program's. */
extern void *scenario_stream;

#endif
