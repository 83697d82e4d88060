/* The problem of Mantevo's HPCCG: a matrix of 27 points on a grid of nx by ny by nz, which ranks share by planes of z. The diagonal is 27, all
 * else -1, and the right side such that the solution is 1 everywhere. Rows are compressed, with their entries in the order of the columns, so
 * that the bits of a row's product do not depend on the ranks. */
#ifndef RANKS_CG_PROBLEM_H
#define RANKS_CG_PROBLEM_H

#include <stddef.h>
#include <stdint.h>

typedef struct cg_problem {
  size_t nx, ny, nz;    /* of all ranks */
  size_t plane, planes; /* rows of a plane; this rank's planes */
  size_t rows;          /* this rank's */
  int below, above;     /* neighbors; MPI_PROC_NULL at the ends */
  uint32_t *begins;     /* of each row, and the end of the last one */
  int32_t *columns;     /* row i of this rank is column plane + i: a plane of the rank below comes first */
  double *values;
  double *right; /* the right side */
  int device;    /* where these are, and vectors: a device of OpenMP, or CG_HOST (cg_device.h) */
  double *edges; /* of vectors on a device: on the host, the planes that go to the neighbors, then those that come */
} cg_problem_t;

/* Each rank needs a plane at least, and its part at most 2^31 entries; else -1 after a line on stderr of rank 0. */
int cg_problem_create(cg_problem_t *problem, int device, size_t nx, size_t ny, size_t nz);
void cg_problem_destroy(cg_problem_t *problem);

/* Elements of a vector that has planes of the neighbors around the rank's own, which begin at element `plane`. */
size_t cg_with_halo(const cg_problem_t *problem);

/* Get the neighbors' planes of such a vector. */
void cg_exchange_halo(const cg_problem_t *problem, double *with_halo);

/* product = matrix times a vector whose planes of neighbors are there. */
void cg_multiply(const cg_problem_t *problem, const double *with_halo, double *product);

#endif
