/* The library's life: first use, finalize, fork. */
#include "state.h"

#include <pthread.h>
#include <sched.h>
#include <upsweep/upsweep.h>

#include "devices.h"
#include "environment.h"
#include "error.h"
#include "launch/driver.h"
#include "plan.h"
#include "scratch.h"
#include "staging/memory.h"
#include "tuning.h"

atomic_int uswi_state = USWI_FRESH;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* The child of a fork has neither the OpenMP runtime's threads nor a usable GPU context. */
static void mark_forked(void) { atomic_store(&uswi_state, USWI_FORKED); }

static void start(void) {
  int expected = USWI_FRESH;
  pthread_atfork(NULL, NULL, mark_forked);
  uswi_environment_read();
  uswi_tuning_read();
  atomic_compare_exchange_strong(&uswi_state, &expected, USWI_RUNNING);
}

/* usw_finalize() stores USWI_FINALIZING and then looks for slots that are taken; a call takes a slot and then looks here.
 * One of the two sees the other, because both orders are sequentially consistent. */
usw_status_t uswi_enter_anew(void) {
  int now;
  pthread_once(&once, start);
  while ((now = atomic_load(&uswi_state)) == USWI_FINALIZING)
    sched_yield(); /* it ends, or goes on running */
  switch (now) {
  case USWI_RUNNING:
    return USW_OK;
  case USWI_FORKED:
    return uswi_fail(USW_ERROR_STATE, "the library was used before fork(): a child cannot use it");
  default:
    return uswi_fail(USW_ERROR_STATE, "the library was used after usw_finalize()");
  }
}

usw_status_t usw_finalize(void) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  int expected = USWI_RUNNING;
  if (!atomic_compare_exchange_strong(&uswi_state, &expected, USWI_FINALIZING))
    return uswi_fail(USW_ERROR_STATE, "usw_finalize() was called twice");
  if (uswi_plans_with_scratch() > 0) {
    atomic_store(&uswi_state, USWI_RUNNING);
    return uswi_fail(USW_ERROR_BUSY, "usw_finalize(): a plan has scratch of its own: it has to be destroyed first");
  }
  if (!uswi_dock_release() || !uswi_scratch_release()) {
    atomic_store(&uswi_state, USWI_RUNNING);
    return uswi_fail(USW_ERROR_BUSY, "usw_finalize(): another thread's call is under way on a device");
  }
  uswi_driver_release();
  uswi_devices_release();
  atomic_store(&uswi_state, USWI_FINALIZED);
  return USW_OK;
}

int usw_version(void) { return USW_VERSION; }
