#include "cg_sums.h"

#include "levels.h"

#define CG_KERNEL(name) cg_##name##_repeatable
#define CG_PLUS USW_PLUS
#include "cg_kernels.h"

#define CG_KERNEL(name) cg_##name##_reproducible
#define CG_PLUS USW_PLUS_REPRODUCIBLE
#include "cg_kernels.h"

static const usw_options_t call_options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPEATABLE};

/* ---- loops of one rank ---- */

RANKS_LEVELS static double dot_of_rank(size_t n, const double *restrict x, const double *restrict y) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

RANKS_LEVELS static double update_of_rank(size_t n, const double *restrict product, double step,
                                          double *restrict residual) {
  double sum = 0;
#pragma omp simd reduction(+ : sum)
  for (size_t i = 0; i < n; i++) {
    const double r = residual[i] - step * product[i];
    residual[i] = r;
    sum += r * r;
  }
  return sum;
}

RANKS_LEVELS void cg_step(size_t n, const double *restrict p, double step, double *restrict x) {
  for (size_t i = 0; i < n; i++)
    x[i] += step * p[i];
}

RANKS_LEVELS void cg_turn(size_t n, const double *restrict residual, double ratio, double *restrict p) {
  for (size_t i = 0; i < n; i++)
    p[i] = residual[i] + ratio * p[i];
}

/* ---- over ranks ---- */

double cg_dot(ranks_version_t version, size_t n, const double *x, const double *y) {
  double sum;
  if (version == RANKS_MPI_SUM) {
    const double own = dot_of_rank(n, x, y);
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  } else if (version == RANKS_REPEATABLE) {
    ranks_check(cg_dot_repeatable_mpi_fresh(n, x, y, &sum, MPI_COMM_WORLD, &call_options));
  } else {
    ranks_check(cg_dot_reproducible_mpi_fresh(n, x, y, &sum, MPI_COMM_WORLD, &call_options));
  }
  return sum;
}

double *cg_update(ranks_version_t version, size_t n, const double *product, double step, double *residual,
                  double *other, double *sum) {
  if (version == RANKS_MPI_SUM) {
    const double own = update_of_rank(n, product, step, residual);
    MPI_Allreduce(&own, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return residual;
  }
  ranks_check(
      version == RANKS_REPEATABLE
          ? cg_update_repeatable_mpi_fresh(n, residual, product, step, other, sum, MPI_COMM_WORLD, &call_options)
          : cg_update_reproducible_mpi_fresh(n, residual, product, step, other, sum, MPI_COMM_WORLD, &call_options));
  return other;
}

double *cg_update_start(ranks_version_t version, size_t n, const double *product, double step, double *residual,
                        double *other, double *sum, cg_pending_t *pending) {
  if (version == RANKS_MPI_SUM) {
    pending->own = update_of_rank(n, product, step, residual);
    MPI_Iallreduce(&pending->own, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &pending->theirs);
    return residual;
  }
  *sum = 0; /* kernels add to it */
  usw_mpi_request_t *ours = &pending->ours;
  ranks_check(version == RANKS_REPEATABLE ? cg_update_repeatable_mpi_start(n, residual, product, step, other, sum,
                                                                           MPI_COMM_WORLD, &call_options, ours)
                                          : cg_update_reproducible_mpi_start(n, residual, product, step, other, sum,
                                                                             MPI_COMM_WORLD, &call_options, ours));
  return other;
}

void cg_wait(ranks_version_t version, cg_pending_t *pending) {
  if (version == RANKS_MPI_SUM)
    MPI_Wait(&pending->theirs, MPI_STATUS_IGNORE);
  else
    ranks_check(usw_mpi_wait(&pending->ours));
}
