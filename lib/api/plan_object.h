/* A plan and its jobs: runs that are kept, started or enqueued. */
#ifndef USWI_API_PLAN_OBJECT_H
#define USWI_API_PLAN_OBJECT_H

#include <pthread.h>
#include <stdatomic.h>
#include <upsweep/plan.h>

#include "api/parts.h"
#include "api/scan.h"
#include "api/scan_segments.h"
#include "backend/backend.h"
#include "base/error.h"
#include "exec/device.h"
#include "exec/scratch.h"
#include "policy/axes.h"
#include "policy/call.h"
#include "policy/catalog.h"
#include "policy/segments.h"

/* FREE may be taken; STARTED is a request until it is waited for; ENQUEUED is free again when it has ended; CAPTURED may
 * run again at any time; BOUND runs when usw_plan_run_bound() says so. */
typedef enum uswi_job_state {
  USWI_JOB_FREE,
  USWI_JOB_STARTED,
  USWI_JOB_ENQUEUED,
  USWI_JOB_CAPTURED,
  USWI_JOB_BOUND
} uswi_job_state_t;

/* A run of a plan, from its checks to its written result. */
typedef struct uswi_job {
  struct uswi_job *next;
  usw_plan_t *plan;
  uswi_job_state_t state;
  uint64_t number; /* of the request */
  uswi_call_t call;
  uswi_segments_t segments; /* what the call's describe */
  uswi_scan_t scan;         /* of the library's, as it came */
  uswi_scratch_t tiles;     /* of a scan in a stream: memory of its own, once it has been there */
  uswi_marking_t marking;   /* and, of segments, the launch before it, with what that leaves */
  uswi_launched_t marked;
  _Alignas(16) char total[USWI_MOST_RESULT_BYTES]; /* of a scan of the library's: the variable that it has */
  usw_variable_t variables[USWI_MAX_REDUCERS];
  uswi_scratch_t *scratch; /* NULL: none is held */
  uswi_launched_t launched;
  uswi_parts_t *parts; /* of a plan of parts, kept from run to run; else NULL */
  void *record;
  size_t record_room;
  const uswi_device_t *device; /* which has memory of the job's; NULL: there is none */
  char *staging;               /* pinned: copies of results on a device, or whether an offset of segments is wrong */
  size_t staging_bytes;
  usw_callback_t callback; /* at the end; NULL: none */
  void *context;
  _Atomic int has_ended; /* and these tell how */
  usw_status_t status;
  char text[USWI_TEXT_BYTES];
} uswi_job_t;

/* What usw_plan_run_bound() runs: checked, placed and chosen for. */
typedef struct uswi_bound {
  uswi_job_t *job;        /* NULL: nothing is bound */
  int is_launched;        /* 1: by the driver, with a scratch; 0: as any call */
  uswi_scratch_t scratch; /* of this call alone; unused where the caller has lent the plan one */
  int is_repeatable;      /* 1: its launch is launched again as it is */
  uint64_t arguments[USWI_MAX_LIBRARY_ARGUMENTS]; /* of a plan that takes sweeps, as they came */
} uswi_bound_t;

/* Which results a plan has. */
typedef enum uswi_plan_map {
  USWI_PLAN_OF_KERNEL,
  USWI_PLAN_OF_AXES,
  USWI_PLAN_OF_SEGMENTS,
  USWI_PLAN_OF_PARTS,
  USWI_PLAN_OF_SCAN, /* from here on scans of the library's */
  USWI_PLAN_OF_SCAN_OF_SEGMENTS,
  USWI_PLAN_OF_SCAN_BY_KEY
} uswi_plan_map_t;

struct usw_plan {
  const usw_kernel_t *kernel;
  const char *name; /* in errors */
  usw_options_t options;
  uswi_plan_map_t map;
  size_t results; /* 1, or those of axes or segments */
  uswi_axes_t axes;
  int may_have_more; /* elements than the axes have: segments of one length */
  usw_segments_t segments;
  uswi_described_parts_t parts; /* in memory of the plan's: */
  void *copy_of_parts;
  usw_type_t key_type;
  const void *keys;
  int is_exclusive, has_initial; /* of a scan, with what is before the first item in `initial` */
  char initial[USWI_MOST_RESULT_BYTES];
  int is_of_library, takes_sweeps;
  atomic_flag busy;
  uswi_job_t *jobs;
  uswi_bound_t bound;
  uint64_t requests; /* that were started so far */
  usw_callback_t callback;
  void *context;
  /* scratch of the plan's own: for what is enqueued, or, lent by the caller, for everything */
  uswi_scratch_t own;
  const uswi_device_t *own_device; /* NULL: there is none */
  int is_lent;
  pthread_mutex_t lock; /* of the first failure of enqueued runs, which no call has returned */
  usw_status_t failure;
  char failure_text[USWI_TEXT_BYTES];
};

/* One thread at a time: function is for the error's text. leave() returns its status. */
usw_status_t uswi_plan_enter(usw_plan_t *plan, const char *function);
usw_status_t uswi_plan_leave(usw_plan_t *plan, usw_status_t status);

/* The same for runs of a reduction of the library's of so many streams, or of a kernel: that the plan is one, and not of parts; and
 * of parts, with the kernel NULL of the library's. */
usw_status_t uswi_plan_enter_streams(usw_plan_t *plan, const char *function, uint32_t streams);
usw_status_t uswi_plan_enter_kernel(usw_plan_t *plan, const char *function, const usw_kernel_t *kernel);
usw_status_t uswi_plan_enter_parts(usw_plan_t *plan, const char *function, const usw_kernel_t *kernel);

static inline int uswi_plan_is_scan(const usw_plan_t *plan) { return plan->map >= USWI_PLAN_OF_SCAN; }

/* Where a run of a plan, which may be NULL, writes. */
usw_variable_t uswi_plan_results(const usw_plan_t *plan, void *results);

/* Whether a job may be taken for another run. */
int uswi_job_is_free(const uswi_job_t *job);

/* Whether runs are under way; of graphs nobody knows, and a bound run is over when its call returns. */
int uswi_plan_is_running(const usw_plan_t *plan);

/* Free the plan and its jobs, none of which is under way. */
void uswi_plan_free(usw_plan_t *plan);

#endif
