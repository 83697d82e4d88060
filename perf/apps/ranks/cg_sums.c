#include "cg_sums.h"

#include "cg_device.h"
#include "levels.h"

#define CG_KERNEL(name) cg_##name##_repeatable
#define CG_PLUS USW_PLUS
#include "cg_kernels.h"

#define CG_KERNEL(name) cg_##name##_reproducible
#define CG_PLUS USW_PLUS_REPRODUCIBLE
#include "cg_kernels.h"

/* Of kernels' calls. */
static usw_options_t options_of(const cg_method_t *method) {
  usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPEATABLE};
  if (method->device != CG_HOST) {
    options.place = USW_DEVICE;
    options.device = method->device;
  }
  return options;
}

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

RANKS_LEVELS static void step_back(size_t n, const double *restrict product, double step, double *restrict residual) {
  for (size_t i = 0; i < n; i++)
    residual[i] -= step * product[i];
}

RANKS_LEVELS static void step_of_rank(size_t n, const double *restrict p, double step, double *restrict x) {
  for (size_t i = 0; i < n; i++)
    x[i] += step * p[i];
}

RANKS_LEVELS static void turn_of_rank(size_t n, const double *restrict residual, double ratio, double *restrict p) {
  for (size_t i = 0; i < n; i++)
    p[i] = residual[i] + ratio * p[i];
}

void cg_step(const cg_method_t *method, size_t n, const double *p, double step, double *x) {
  if (method->device == CG_HOST)
    step_of_rank(n, p, step, x);
  else
    cg_step_on_device(method->device, n, p, step, x);
}

void cg_turn(const cg_method_t *method, size_t n, const double *residual, double ratio, double *p) {
  if (method->device == CG_HOST)
    turn_of_rank(n, residual, ratio, p);
  else
    cg_turn_on_device(method->device, n, residual, ratio, p);
}

/* ---- over ranks ---- */

double cg_dot(const cg_method_t *method, size_t n, const double *x, const double *y) {
  const usw_options_t call_options = options_of(method);
  double sum;
  if (method->version == RANKS_MPI_SUM) {
    const double own = method->device == CG_HOST ? dot_of_rank(n, x, y) : cg_dot_on_device(method->device, n, x, y);
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }
  ranks_check(method->version == RANKS_REPEATABLE
                  ? cg_dot_repeatable_mpi_fresh(n, x, y, &sum, MPI_COMM_WORLD, &call_options)
                  : cg_dot_reproducible_mpi_fresh(n, x, y, &sum, MPI_COMM_WORLD, &call_options));
  return sum;
}

static double *update_by_loop(const cg_method_t *method, size_t n, const double *product, double step, double *residual,
                              double *sum, cg_pending_t *pending) {
  pending->own = method->device == CG_HOST ? update_of_rank(n, product, step, residual)
                                           : cg_update_on_device(method->device, n, product, step, residual);
  if (method->is_blocking)
    MPI_Allreduce(&pending->own, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  else
    MPI_Iallreduce(&pending->own, sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &pending->theirs);
  return residual;
}

/* A kernel's call, for the arguments before those that are for all calls: *sum is 0, and the kernel adds to it. */
#define CALL(kernel, ...)                                                                                              \
  ranks_check(method->is_blocking                                                                                      \
                  ? kernel##_mpi(__VA_ARGS__, sum, MPI_COMM_WORLD, &call_options)                                      \
                  : kernel##_mpi_start(__VA_ARGS__, sum, MPI_COMM_WORLD, &call_options, &pending->ours))

double *cg_update(const cg_method_t *method, size_t n, const double *product, double step, double *residual,
                  double *other, double *sum, cg_pending_t *pending) {
  const usw_options_t call_options = options_of(method);
  *sum = 0;
  if (method->version == RANKS_MPI_SUM)
    return update_by_loop(method, n, product, step, residual, sum, pending);
  if (!method->is_split) {
    if (method->version == RANKS_REPEATABLE)
      CALL(cg_update_repeatable, n, residual, product, step, other);
    else
      CALL(cg_update_reproducible, n, residual, product, step, other);
    return other;
  }
  if (method->device == CG_HOST)
    step_back(n, product, step, residual);
  else
    cg_step_back_on_device(method->device, n, product, step, residual);
  if (method->version == RANKS_REPEATABLE)
    CALL(cg_squares_repeatable, n, residual);
  else
    CALL(cg_squares_reproducible, n, residual);
  return residual;
}

void cg_wait(const cg_method_t *method, cg_pending_t *pending) {
  if (method->is_blocking)
    return;
  if (method->version == RANKS_MPI_SUM)
    MPI_Wait(&pending->theirs, MPI_STATUS_IGNORE);
  else
    ranks_check(usw_mpi_wait(&pending->ours));
}
