#include "cg_problem.h"

#include <stdio.h>
#include <stdlib.h>

#include "ranks.h"

enum { MOST_ENTRIES = 27, TAG_UP = 1, TAG_DOWN = 2 };
static const double on_diagonal = 27;

static int is_inside(size_t at, int step, size_t size) {
  return !(step < 0 && at == 0) && !(step > 0 && at + 1 == size);
}

/* The entries of a row, in the order of their columns; `row` is among this rank's, z among all planes. */
static uint32_t fill_row(cg_problem_t *problem, size_t row, size_t z, uint32_t entry) {
  const size_t x = row % problem->nx, y = row / problem->nx % problem->ny;
  const int32_t width = (int32_t)problem->nx, plane = (int32_t)problem->plane, diagonal = (int32_t)row + plane;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++) {
        if (!is_inside(x, dx, problem->nx) || !is_inside(y, dy, problem->ny) || !is_inside(z, dz, problem->nz))
          continue;
        problem->columns[entry] = diagonal + dz * plane + dy * width + dx;
        problem->values[entry++] = dz || dy || dx ? -1 : on_diagonal;
      }
  return entry;
}

static int check_size(const cg_problem_t *problem, int rank, int ranks) {
  const size_t most_planes = (problem->nz + (size_t)ranks - 1) / (size_t)ranks + 2;
  const char *wrong = problem->nz < (size_t)ranks                               ? "fewer planes than ranks"
                      : problem->plane * most_planes > INT32_MAX / MOST_ENTRIES ? "too many rows for a rank"
                                                                                : NULL;
  if (wrong && rank == 0)
    fprintf(stderr, "cg: %s\n", wrong);
  return wrong ? -1 : 0;
}

int cg_problem_create(cg_problem_t *problem, size_t nx, size_t ny, size_t nz) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  *problem = (cg_problem_t){.nx = nx, .ny = ny, .nz = nz, .plane = nx * ny};
  if (check_size(problem, rank, ranks))
    return -1;
  const size_t first_plane = ranks_first(nz, rank, ranks);
  problem->planes = ranks_first(nz, rank + 1, ranks) - first_plane;
  problem->rows = problem->planes * problem->plane;
  problem->below = rank > 0 ? rank - 1 : MPI_PROC_NULL;
  problem->above = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  problem->begins = ranks_allocate(problem->rows + 1, sizeof *problem->begins);
  problem->columns = ranks_allocate(problem->rows * MOST_ENTRIES, sizeof *problem->columns);
  problem->values = ranks_allocate(problem->rows * MOST_ENTRIES, sizeof *problem->values);
  problem->right = ranks_allocate(problem->rows, sizeof *problem->right);
  uint32_t entry = 0;
  for (size_t row = 0; row < problem->rows; row++) {
    const uint32_t begin = entry;
    entry = fill_row(problem, row, first_plane + row / problem->plane, entry);
    problem->begins[row + 1] = entry;
    problem->right[row] = on_diagonal - (double)(entry - begin - 1);
  }
  return 0;
}

void cg_problem_destroy(cg_problem_t *problem) {
  free(problem->begins);
  free(problem->columns);
  free(problem->values);
  free(problem->right);
}

size_t cg_with_halo(const cg_problem_t *problem) { return problem->rows + 2 * problem->plane; }

void cg_exchange_halo(const cg_problem_t *problem, double *with_halo) {
  const int count = (int)problem->plane;
  double *own = with_halo + problem->plane, *end = own + problem->rows;
  MPI_Sendrecv(end - problem->plane, count, MPI_DOUBLE, problem->above, TAG_UP, with_halo, count, MPI_DOUBLE,
               problem->below, TAG_UP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(own, count, MPI_DOUBLE, problem->below, TAG_DOWN, end, count, MPI_DOUBLE, problem->above, TAG_DOWN,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void cg_multiply(const cg_problem_t *problem, const double *with_halo, double *product) {
  const int32_t *restrict columns = problem->columns;
  const double *restrict values = problem->values, *restrict x = with_halo;
  double *restrict y = product;
  for (size_t row = 0; row < problem->rows; row++) {
    double sum = 0;
    for (uint32_t k = problem->begins[row]; k < problem->begins[row + 1]; k++)
      sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}
