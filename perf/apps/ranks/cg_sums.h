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

/* x . y over all ranks. */
double cg_dot(ranks_version_t version, size_t n, const double *x, const double *y);

/* The residual after a step, in one sweep with its squares, which are added over all ranks into *sum. The loop of RANKS_MPI_SUM is fastest in
 * place, kernels where input and output are apart: `other` is an array for them. Returns the one of the two that holds the new residual. */
double *cg_update(ranks_version_t version, size_t n, const double *product, double step, double *residual,
                  double *other, double *sum);

/* The same whose sum comes later: cg_wait() writes it. */
double *cg_update_start(ranks_version_t version, size_t n, const double *product, double step, double *residual,
                        double *other, double *sum, cg_pending_t *pending);
void cg_wait(ranks_version_t version, cg_pending_t *pending);

/* The loops that all versions share: x += step * p, and p = residual + ratio * p. */
void cg_step(size_t n, const double *p, double step, double *x);
void cg_turn(size_t n, const double *residual, double ratio, double *p);

#endif
