/* CloverLeaf's two reductions, in each version: the time step with the cell that limits it, and the field summary. */
#ifndef RANKS_CLOVER_SUMS_H
#define RANKS_CLOVER_SUMS_H

#include "ranks.h"

/* This rank's rows of the mesh. Velocities lie on nodes, of which a row has one more than it has cells; so have the columns. */
typedef struct clover_field {
  size_t rows, columns; /* of this rank's cells */
  size_t first;         /* index of its first cell, among those of all ranks */
  double width, volume; /* of a cell, which is a square */
  double *density, *energy, *pressure, *sound_speed, *x_velocity, *y_velocity;
} clover_field_t;

/* The step, and the index of the first cell that needs it, among those of all ranks. */
typedef struct clover_step {
  double seconds;
  uint64_t cell;
} clover_step_t;

enum { CLOVER_SUMS = 5 };
extern const char *const clover_sum_names[CLOVER_SUMS];

clover_step_t clover_time_step(ranks_version_t version, const clover_field_t *field);
void clover_summary(ranks_version_t version, const clover_field_t *field, double sums_out[CLOVER_SUMS]);

#endif
