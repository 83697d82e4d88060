/* The two reductions of an iteration of conjugate gradients, in each version. All have the same arithmetic but for the order of additions. */
#ifndef RANKS_CG_SUMS_H
#define RANKS_CG_SUMS_H

#include "ranks.h"

/* A reduction that is under way. */
typedef struct cg_pending {
  usw_mpi_request_t ours;
  MPI_Request theirs;
  double own; /* this rank's sum, of RANKS_MPI_SUM */
} cg_pending_t;

/* How an iteration's reductions are made. */
typedef struct cg_method {
  ranks_version_t version;
  int is_split; /* kernels read the residual that a loop has updated; else one kernel does both. The loop of RANKS_MPI_SUM always does. */
  int is_blocking; /* the squares are summed when cg_update() returns; else by cg_wait() */
  int device;      /* where vectors are: a device of OpenMP, or CG_HOST (cg_device.h) */
} cg_method_t;

/* x . y over all ranks. */
double cg_dot(const cg_method_t *method, size_t n, const double *x, const double *y);

/* The residual after a step, and the sum of its squares over all ranks, which cg_wait() leaves in *sum. Loops update it in place; kernels with
 * an output are fastest on the host where input and output are apart: `other` is an array for them. Returns the one of the two that holds the
 * new residual. */
double *cg_update(const cg_method_t *method, size_t n, const double *product, double step, double *residual,
                  double *other, double *sum, cg_pending_t *pending);
void cg_wait(const cg_method_t *method, cg_pending_t *pending);

/* The loops that all versions share: x += step * p, and p = residual + ratio * p. */
void cg_step(const cg_method_t *method, size_t n, const double *p, double step, double *x);
void cg_turn(const cg_method_t *method, size_t n, const double *residual, double ratio, double *p);

#endif
