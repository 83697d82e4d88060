/* Large spans of parts on several GPUs: their records go from GPU to GPU, to the first of them, which folds all in one launch, where the host would
 * take long to fetch and merge them. */
#ifndef USWI_EXEC_PARTS_GATHER_H
#define USWI_EXEC_PARTS_GATHER_H

#include "exec/part.h"

/* When parts are prepared, and have no scratch yet: decide which of them are gathered. */
void uswi_parts_choose_gather(uswi_parts_t *parts);

/* When they are launched: put the copies behind the launches, and the last launch behind the copies; and, if nothing else is to do and the variable
 * and memory of parts are on devices, copies to these (uswi_parts_t::is_written). What is not on its way then is collected as ever. If that fails,
 * *failed_out is the part. */
usw_status_t uswi_parts_gather(uswi_parts_t *parts, uswi_part_t **failed_out);

#endif
