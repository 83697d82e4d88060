/* One reduction of parts, each with a place of its own: all that can run by themselves are started, then waited for. */
#ifndef USWI_EXEC_PARTS_H
#define USWI_EXEC_PARTS_H

#include "exec/device.h"
#include "policy/call.h"

enum { USWI_PART_RECORD_BYTES = 512 };

/* A part on its way. The caller initializes the call, whose options are those of the part, and sets its arguments. */
typedef struct uswi_part {
  _Alignas(64) char record[USWI_PART_RECORD_BYTES];
  uswi_call_t call;
  usw_options_t options;
  uswi_scratch_t *scratch;
  uswi_launched_t launched;
  enum { USWI_PART_IS_LEFT, USWI_PART_IS_STARTED, USWI_PART_HAS_ENDED } state;
} uswi_part_t;

/* Run one or more parts of a library's kernel, merge them in their order, and write the result and the report. The first
 * part's call stands for all of them in the end. */
usw_status_t uswi_run_parts(uswi_part_t *parts, size_t count, const usw_variable_t *variables);

/* Say of the failure that this thread has had last which part it is of; k counts from 0. Returns the status. */
usw_status_t uswi_fail_of_part(usw_status_t status, size_t k, size_t count);

#endif
