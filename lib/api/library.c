/* The library's life: first use, finalize, fork. */

#include "api/library.h"

#include <pthread.h>
#include <upsweep/upsweep.h>

#include "backend/backend.h"
#include "backend/driver.h"
#include "base/error.h"
#include "base/room.h"
#include "exec/scratch.h"
#include "exec/staging_memory.h"
#include "exec/starters.h"
#include "machine/environment.h"
#include "policy/devices.h"
#include "policy/tuning_fit.h"

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;

/* The child of a fork has neither the OpenMP runtime's threads nor a usable GPU context. */
static void mark_forked(void) { atomic_store(&uswi_state, USWI_FORKED); }

/* With the lock held. Without being told of forks a child would call a library that cannot work there. */
static usw_status_t start(void) {
  int expected = USWI_FRESH;
  if (atomic_load(&uswi_state) != USWI_FRESH)
    return USW_OK;
  if (pthread_atfork(NULL, NULL, mark_forked) != 0)
    return uswi_fail(USW_ERROR_MEMORY, "the library cannot start: no room for pthread_atfork()");
  uswi_environment_read();
  uswi_tuning_read();
  atomic_compare_exchange_strong(&uswi_state, &expected, USWI_RUNNING);
  return USW_OK;
}

/* The lock is for the start alone: a child may be forked while it is held. */
usw_status_t uswi_enter_anew(void) {
  usw_status_t status = USW_OK;
  if (atomic_load(&uswi_state) == USWI_FRESH) {
    pthread_mutex_lock(&starting);
    status = start();
    pthread_mutex_unlock(&starting);
  }
  return status == USW_OK ? uswi_wait_for_state() : status;
}

/* Stores USWI_FINALIZING and then looks for scratch that is taken; a call takes scratch and then looks at the state. One of
 * the two sees the other, because both orders are sequentially consistent. */
usw_status_t usw_finalize(void) {
  const usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  int expected = USWI_RUNNING;
  if (!atomic_compare_exchange_strong(&uswi_state, &expected, USWI_FINALIZING))
    return uswi_fail(USW_ERROR_STATE, "usw_finalize() was called twice");
  if (uswi_scratch_owners() > 0) {
    atomic_store(&uswi_state, USWI_RUNNING);
    return uswi_fail(USW_ERROR_BUSY, "usw_finalize(): a plan has scratch of its own: it has to be destroyed first");
  }
  if (!uswi_staging_release() || !uswi_scratch_release()) {
    atomic_store(&uswi_state, USWI_RUNNING);
    return uswi_fail(USW_ERROR_BUSY, "usw_finalize(): another thread's call is under way on a device");
  }
  uswi_starters_release();
  uswi_room_release();
  uswi_backend_release();
  uswi_driver_release();
  uswi_devices_release();
  atomic_store(&uswi_state, USWI_FINALIZED);
  return USW_OK;
}

int usw_version(void) { return USW_VERSION; }
