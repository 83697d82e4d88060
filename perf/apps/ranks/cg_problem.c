#include "cg_problem.h"

#include <stdio.h>
#include <stdlib.h>

#include "cg_device.h"
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

/* An array from the host's memory into that of the device. */
static void *move(int device, void *array, size_t count, size_t bytes) {
  void *const there = cg_allocate(device, count, bytes);
  cg_copy(there, device, array, CG_HOST, count * bytes);
  free(array);
  return there;
}

static void move_to_device(cg_problem_t *problem) {
  const int device = problem->device;
  const size_t rows = problem->rows, entries = problem->begins[rows];
  problem->begins = move(device, problem->begins, rows + 1, sizeof *problem->begins);
  problem->columns = move(device, problem->columns, entries, sizeof *problem->columns);
  problem->values = move(device, problem->values, entries, sizeof *problem->values);
  problem->right = move(device, problem->right, rows, sizeof *problem->right);
  problem->edges = ranks_allocate(4 * problem->plane, sizeof *problem->edges);
}

int cg_problem_create(cg_problem_t *problem, int device, size_t nx, size_t ny, size_t nz) {
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  *problem = (cg_problem_t){.nx = nx, .ny = ny, .nz = nz, .plane = nx * ny, .device = device};
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
  if (device != CG_HOST)
    move_to_device(problem);
  return 0;
}

void cg_problem_destroy(cg_problem_t *problem) {
  cg_free(problem->device, problem->begins);
  cg_free(problem->device, problem->columns);
  cg_free(problem->device, problem->values);
  cg_free(problem->device, problem->right);
  free(problem->edges);
}

size_t cg_with_halo(const cg_problem_t *problem) { return problem->rows + 2 * problem->plane; }

/* The first and the last plane of this rank to the neighbors, and theirs to `below` and `above`. */
static void exchange(const cg_problem_t *problem, const double *first, const double *last, double *below,
                     double *above) {
  const int count = (int)problem->plane;
  MPI_Sendrecv(last, count, MPI_DOUBLE, problem->above, TAG_UP, below, count, MPI_DOUBLE, problem->below, TAG_UP,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Sendrecv(first, count, MPI_DOUBLE, problem->below, TAG_DOWN, above, count, MPI_DOUBLE, problem->above, TAG_DOWN,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* By way of the host: MPI libraries need not know devices' memory. */
static void exchange_of_device(const cg_problem_t *problem, double *with_halo) {
  const size_t plane = problem->plane, bytes = plane * sizeof *with_halo;
  double *const own = with_halo + plane, *const end = own + problem->rows;
  double *const first = problem->edges, *const last = first + plane, *const below = last + plane;
  double *const above = below + plane;
  if (problem->below == MPI_PROC_NULL && problem->above == MPI_PROC_NULL)
    return;
  cg_copy(first, CG_HOST, own, problem->device, bytes);
  cg_copy(last, CG_HOST, end - plane, problem->device, bytes);
  exchange(problem, first, last, below, above);
  if (problem->below != MPI_PROC_NULL)
    cg_copy(with_halo, problem->device, below, CG_HOST, bytes);
  if (problem->above != MPI_PROC_NULL)
    cg_copy(end, problem->device, above, CG_HOST, bytes);
}

void cg_exchange_halo(const cg_problem_t *problem, double *with_halo) {
  double *const own = with_halo + problem->plane, *const end = own + problem->rows;
  if (problem->device == CG_HOST)
    exchange(problem, own, end - problem->plane, with_halo, end);
  else
    exchange_of_device(problem, with_halo);
}

void cg_multiply(const cg_problem_t *problem, const double *with_halo, double *product) {
  const int32_t *restrict columns = problem->columns;
  const double *restrict values = problem->values, *restrict x = with_halo;
  double *restrict y = product;
  if (problem->device != CG_HOST) {
    cg_multiply_on_device(problem->device, problem->rows, problem->begins, columns, values, x, y);
    return;
  }
  for (size_t row = 0; row < problem->rows; row++) {
    double sum = 0;
    for (uint32_t k = problem->begins[row]; k < problem->begins[row + 1]; k++)
      sum += values[k] * x[columns[k]];
    y[row] = sum;
  }
}
