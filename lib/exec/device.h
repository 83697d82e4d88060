/* A call on a device in steps: scratch, launches, waiting, what is left for the host. uswi_run_on_device() makes them one after
 * the other; plans keep a call between them (api/plan.c). */
#ifndef USWI_EXEC_DEVICE_H
#define USWI_EXEC_DEVICE_H

#include "exec/launch.h"

/* Room that the call's strategy needs: records on the device, those of one launch and of the next, and in pinned memory. */
void uswi_scratch_of(const uswi_call_t *call, size_t *partials_bytes_out, size_t *pinned_bytes_out);

/* The scratch's own stream, for what is to be before its launches; NULL: there is no room. */
int uswi_stream_of_scratch(const uswi_device_t *device, uswi_scratch_t *scratch, void **stream_out);

/* Launch all that the strategy launches, in the stream, NULL: one of the scratch's own. Through the driver nothing is waited
 * for; after launches in a stream of others an event of the scratch's is recorded, unless is_owned: the scratch is used in this
 * stream alone. */
usw_status_t uswi_start_on_device(const uswi_call_t *call, uswi_scratch_t *scratch, void *stream, int is_owned,
                                  uswi_launched_t *launched_out);

/* Whether these launches of a call are one that can be launched again as it is, while nobody else uses the scratch; and that,
 * when they have ended. */
int uswi_can_start_again(const uswi_call_t *call, const uswi_scratch_t *scratch, const uswi_launched_t *launched);
usw_status_t uswi_start_again(const uswi_call_t *call, uswi_scratch_t *scratch, uswi_launched_t *launched);

/* Wait for them; or look whether they have ended, with *status_out theirs then. */
usw_status_t uswi_wait_on_device(const uswi_launched_t *launched);
int uswi_is_done_on_device(const uswi_launched_t *launched, usw_status_t *status_out);

/* Scratch, launches, waiting, in the stream of the options: what they left is in *launched_out until the scratch, which is held
 * if they succeed, is given back. */
usw_status_t uswi_launch_and_wait(const uswi_call_t *call, uswi_scratch_t **scratch_out, uswi_launched_t *launched_out);

/* When they have ended: the record of all items in the scratch's pinned memory, or NULL, where it is not; and into other host memory. */
void *uswi_record_in_place(const uswi_launched_t *launched);
usw_status_t uswi_collect(const uswi_call_t *call, const uswi_launched_t *launched, void *record_out);

/* All of it: leaves the record of all items in record_out (host memory). */
usw_status_t uswi_run_on_device(const uswi_call_t *call, void *record_out);

#endif
