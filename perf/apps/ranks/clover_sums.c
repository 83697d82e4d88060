#include "clover_sums.h"

#include <math.h>

const char *const clover_sum_names[CLOVER_SUMS] = {"volume", "mass", "internal energy", "kinetic energy", "pressure"};

static const usw_options_t call_options = {.size = USW_INIT(usw_options_t), .accuracy = USW_REPEATABLE};

/* ---- of one cell, the same for all versions ---- */

/* The first node of a cell of this rank. */
static inline size_t node_of(size_t cell, size_t columns) { return cell + cell / columns; }

/* A quarter of the squared velocities at the four corners. */
static inline double squared_velocity(const double *x_velocity, const double *y_velocity, size_t cell, size_t columns) {
  const size_t node = node_of(cell, columns);
  const size_t corners[4] = {node, node + 1, node + columns + 1, node + columns + 2};
  double sum = 0;
  for (int k = 0; k < 4; k++)
    sum += 0.25 * (x_velocity[corners[k]] * x_velocity[corners[k]] + y_velocity[corners[k]] * y_velocity[corners[k]]);
  return sum;
}

static inline double least(double a, double b) { return b < a ? b : a; }
static inline double most(double a, double b) { return b > a ? b : a; }

/* CloverLeaf's calc_dt: the time that sound needs for a cell, and that in which the flow through its sides would exchange or squeeze it, each
 * with a factor of safety. */
static inline double step_of(double sound_speed, const double *x_velocity, const double *y_velocity, size_t cell,
                             size_t columns, double width) {
  const double safety_sound = 0.7, safety_flow = 0.5, safety_divergence = 0.7, small = 1e-5, big = 1e21;
  const size_t node = node_of(cell, columns), up = node + columns + 1;
  const double volume = width * width;
  const double left = (x_velocity[node] + x_velocity[up]) * width;
  const double right = (x_velocity[node + 1] + x_velocity[up + 1]) * width;
  const double low = (y_velocity[node] + y_velocity[node + 1]) * width;
  const double high = (y_velocity[up] + y_velocity[up + 1]) * width;
  const double through = most(most(most(fabs(left), fabs(right)), most(fabs(low), fabs(high))), small * volume);
  const double divergence = (right - left + (high - low)) / (2 * volume);
  const double by_sound = safety_sound * width / most(sound_speed, small);
  const double by_flow = safety_flow * 2 * volume / through;
  const double by_divergence = divergence < -small ? safety_divergence * (-1 / divergence) : big;
  return least(by_sound, least(by_flow, by_divergence));
}

/* ---- kernels ---- */

static inline clover_step_t shorter(clover_step_t a, clover_step_t b) {
  return b.seconds < a.seconds || (b.seconds == a.seconds && b.cell < a.cell) ? b : a;
}
static inline clover_step_t no_step(void) {
  const clover_step_t none = {INFINITY, UINT64_MAX};
  return none;
}

#define USW_KERNEL clover_step_over_ranks
#define USW_MPI 1
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  IN(double, sound_speed)                                                                                              \
  ARRAY(double, x_velocity)                                                                                            \
  ARRAY(double, y_velocity) VALUE(uint64_t, first) VALUE(uint64_t, columns) VALUE(double, width)
#define USW_REDUCERS(R, S) R(clover_step_t, step, shorter, no_step())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const clover_step_t own = {step_of(sound_speed, x_velocity, y_velocity, i - first, columns, width), i};
  usw_combine(step, own);
}
#include <upsweep/kernel_end.h>

#define CLOVER_KERNEL clover_summary_repeatable
#define CLOVER_PLUS USW_PLUS
#include "clover_kernels.h"

#define CLOVER_KERNEL clover_summary_reproducible
#define CLOVER_PLUS USW_PLUS_REPRODUCIBLE
#include "clover_kernels.h"

/* ---- loops of one rank ---- */

static clover_step_t step_of_rank(const clover_field_t *field) {
  clover_step_t step = no_step();
  for (size_t cell = 0; cell < field->rows * field->columns; cell++) {
    const clover_step_t own = {
        step_of(field->sound_speed[cell], field->x_velocity, field->y_velocity, cell, field->columns, field->width),
        field->first + cell};
    step = shorter(step, own);
  }
  return step;
}

static void summary_of_rank(const clover_field_t *field, double sums_out[CLOVER_SUMS]) {
  const double *density = field->density, *energy = field->energy, *pressure = field->pressure;
  const double volume = field->volume;
  double volumes = 0, mass = 0, internal = 0, kinetic = 0, pressures = 0;
  for (size_t cell = 0; cell < field->rows * field->columns; cell++) {
    const double cell_mass = volume * density[cell];
    volumes += volume;
    mass += cell_mass;
    internal += cell_mass * energy[cell];
    kinetic += cell_mass * 0.5 * squared_velocity(field->x_velocity, field->y_velocity, cell, field->columns);
    pressures += volume * pressure[cell];
  }
  const double sums[CLOVER_SUMS] = {volumes, mass, internal, kinetic, pressures};
  for (int k = 0; k < CLOVER_SUMS; k++)
    sums_out[k] = sums[k];
}

/* ---- over ranks ---- */

clover_step_t clover_time_step(ranks_version_t version, const clover_field_t *field) {
  clover_step_t step = no_step();
  if (version == RANKS_MPI_SUM) {
    const clover_step_t own = step_of_rank(field);
    const struct {
      double seconds;
      int cell; /* MPI has no pair of a double and a larger index; clover.c keeps meshes below 2^31 cells */
    } mine = {own.seconds, (int)own.cell};
    struct {
      double seconds;
      int cell;
    } all;
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE_INT, MPI_MINLOC, MPI_COMM_WORLD);
    return (clover_step_t){all.seconds, (uint64_t)all.cell};
  }
  ranks_check(clover_step_over_ranks_mpi_fresh(field->rows * field->columns, field->sound_speed, field->x_velocity,
                                               field->y_velocity, field->first, field->columns, field->width, &step,
                                               MPI_COMM_WORLD, &call_options));
  return step;
}

void clover_summary(ranks_version_t version, const clover_field_t *field, double sums_out[CLOVER_SUMS]) {
  if (version == RANKS_MPI_SUM) {
    double own[CLOVER_SUMS];
    summary_of_rank(field, own);
    MPI_Allreduce(own, sums_out, CLOVER_SUMS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return;
  }
  ranks_check(
      (version == RANKS_REPEATABLE ? clover_summary_repeatable_mpi_fresh : clover_summary_reproducible_mpi_fresh)(
          field->rows * field->columns, field->density, field->energy, field->pressure, field->x_velocity,
          field->y_velocity, field->first, field->columns, field->volume, &sums_out[0], &sums_out[1], &sums_out[2],
          &sums_out[3], &sums_out[4], MPI_COMM_WORLD, &call_options));
}
