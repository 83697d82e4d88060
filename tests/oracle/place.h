/* Places by name, as command lines have them, and what runs there. */
#ifndef USW_ORACLE_PLACE_H
#define USW_ORACLE_PLACE_H

#include <upsweep/upsweep.h>

USW_BEGIN_C

typedef struct {
  usw_place_t place;
  int device;         /* OpenMP number; -1 for the host */
  const char *target; /* "host", "nvptx", "amdgcn", "x86_64", "simt" */
} test_place_t;

/* "host", "device:gpu", "device:any" or "device:" and a target, "x86_64" for one; returns 0 if there is no such place
 * here. */
int place_find(const char *name, test_place_t *place_out);

/* Options that name the place. */
usw_options_t place_options(const test_place_t *place);

/* The strategies of the place that run every kernel but ordered ones and those with large spans, which have no clause. What
 * only some kernels have is tested in atomics.c. */
enum { MOST_PLACE_STRATEGIES = 4 };
int place_strategies(const test_place_t *place, usw_strategy_t strategies_out[MOST_PLACE_STRATEGIES]);

/* "auto", "tree" and so on; returns 0 for an unknown name. */
int strategy_find(const char *name, usw_strategy_t *strategy_out);
const char *strategy_name(usw_strategy_t strategy);

USW_END_C

#endif
