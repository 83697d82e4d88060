/* The environment variables, read once at the library's first use. */
#ifndef USWI_MACHINE_ENVIRONMENT_H
#define USWI_MACHINE_ENVIRONMENT_H

#include <stdint.h>
#include <upsweep/options.h>

typedef enum uswi_backend_choice { USWI_BACKEND_AUTO, USWI_BACKEND_OPENMP } uswi_backend_choice_t;

typedef enum uswi_wait { USWI_WAIT_SPIN = 1, USWI_WAIT_YIELD = 2, USWI_WAIT_BLOCK = 4 } uswi_wait_t;

typedef struct uswi_environment {
  usw_place_t place;             /* for calls that name none */
  int device;                    /* with place USW_DEVICE */
  usw_strategy_t strategy;       /* on devices, for calls that name none */
  uswi_wait_t wait;              /* how a host thread waits for a GPU */
  uswi_backend_choice_t backend; /* what launches go through */
  uint32_t threads;              /* most host threads, 0 = OpenMP's number */
  int has_openmp_threads;        /* OMP_NUM_THREADS is set */
  int bind;                      /* threads of the host's calls stay on cores of their own */
  uint32_t teams;                /* for calls that name none, 0 = the tuning table's */
  uint32_t work_group_load;      /* for calls that name none, 0 = the library's */
  uint32_t recheck;              /* one call in that many, of those that name no number; 0: none */
  usw_staging_t staging;         /* of calls that say nothing, USW_AUTO_STAGING: never */
  int isa;                       /* version of the host's kernels, a uswi_isa_t */
  const char *tuning;            /* names of tuning files, NULL: none */
} uswi_environment_t;

/* What the environment said when the library was first used. */
const uswi_environment_t *uswi_environment(void);

/* Read it; bad values are logged and replaced by the default. Called once, by api/library.c. */
void uswi_environment_read(void);

#endif
