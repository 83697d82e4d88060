/* everythingsreduced: CloverLeaf's field summary, five sums over the cells of a 2-D mesh. Velocities lie on the mesh's
 * nodes, of which a row has one more than it has cells. */
#include "apps.h"

#include <math.h>

#define USW_KERNEL apps_sum_of_fields
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  IN(double, volume)                                                                                                   \
  IN(double, density)                                                                                                  \
  IN(double, energy)                                                                                                   \
  IN(double, pressure) ARRAY(double, x_velocity) ARRAY(double, y_velocity) VALUE(uint32_t, columns)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, total_volume, USW_PLUS)                                                                                    \
  R(double, mass, USW_PLUS)                                                                                            \
  R(double, internal_energy, USW_PLUS)                                                                                 \
  R(double, kinetic_energy, USW_PLUS)                                                                                  \
  R(double, total_pressure, USW_PLUS)
#include <upsweep/kernel.h>

/* A quarter of the squared velocities at the four corners of a cell; `node` is its first corner. */
static inline double squared_velocity(const double *x_velocity, const double *y_velocity, size_t node,
                                      uint32_t columns) {
  const size_t corners[4] = {node, node + 1, node + columns + 1, node + columns + 2};
  double sum = 0;
  for (int k = 0; k < 4; k++)
    sum += 0.25 * (x_velocity[corners[k]] * x_velocity[corners[k]] + y_velocity[corners[k]] * y_velocity[corners[k]]);
  return sum;
}

USW_VISIT(row, column) {
  const size_t node = (size_t)row * (columns + 1) + (size_t)column;
  const double cell_mass = volume * density;
  usw_add(total_volume, volume);
  usw_add(mass, cell_mass);
  usw_add(internal_energy, cell_mass * energy);
  usw_add(kinetic_energy, cell_mass * 0.5 * squared_velocity(x_velocity, y_velocity, node, columns));
  usw_add(total_pressure, volume * pressure);
}
#include <upsweep/kernel_end.h>

/* Squares whose sides are multiples of 10, so that half a row and a fifth of the rows are whole cells. */
static size_t side_of(size_t cells) {
  const size_t most = 65530, side = (size_t)sqrt((double)cells) / 10 * 10;
  return side < 10 ? 10 : side > most ? most : side;
}

static size_t cells_of(size_t wanted) { return side_of(wanted) * side_of(wanted); }
static size_t nodes_of(size_t cells) { return (side_of(cells) + 1) * (side_of(cells) + 1); }

static usw_status_t run(const apps_call_t *call, const usw_options_t *options, double *numbers_out) {
  for (int k = 0; k < 5; k++)
    numbers_out[k] = 0;
  const size_t side = side_of(call->n);
  const usw_space_t cells = usw_space_2d(side, side);
  return apps_sum_of_fields(&cells, call->streams[0], call->streams[1], call->streams[2], call->streams[3],
                            call->streams[4], call->streams[5], (uint32_t)side, &numbers_out[0], &numbers_out[1],
                            &numbers_out[2], &numbers_out[3], &numbers_out[4], options);
}

static void clause(const apps_call_t *call, double *numbers_out) {
  const double *volume = call->streams[0], *density = call->streams[1], *energy = call->streams[2],
               *pressure = call->streams[3], *x_velocity = call->streams[4], *y_velocity = call->streams[5];
  const size_t side = side_of(call->n);
  const int device = call->device;
  double vol = 0, mass = 0, ie = 0, ke = 0, press = 0;
#pragma omp target teams distribute parallel for collapse(2) if (target : device >= 0) device(device)                  \
    is_device_ptr(volume, density, energy, pressure, x_velocity, y_velocity) map(tofrom : vol, mass, ie, ke, press)    \
    reduction(+ : vol, mass, ie, ke, press)
  for (size_t row = 0; row < side; row++)
    for (size_t column = 0; column < side; column++) {
      const size_t cell = row * side + column;
      const double cell_mass = volume[cell] * density[cell];
      vol += volume[cell];
      mass += cell_mass;
      ie += cell_mass * energy[cell];
      ke += cell_mass * 0.5 * squared_velocity(x_velocity, y_velocity, cell + row, (uint32_t)side);
      press += volume[cell] * pressure[cell];
    }
  const double sums[] = {vol, mass, ie, ke, press};
  for (int k = 0; k < 5; k++)
    numbers_out[k] = sums[k];
}

/* The problem bm_16: 10 by 10, with a dense corner of 5 by 2. */
static int is_dense(size_t n, size_t cell) {
  const size_t side = side_of(n);
  return cell / side < side / 5 && cell % side < side / 2;
}

static void fill_volume(size_t n, size_t first, size_t count, void *elements_out) {
  const double width = 10 / (double)side_of(n);
  double *elements = elements_out;
  (void)first;
  for (size_t k = 0; k < count; k++)
    elements[k] = width * width;
}

static void fill_density(size_t n, size_t first, size_t count, void *elements_out) {
  double *elements = elements_out;
  for (size_t k = 0; k < count; k++)
    elements[k] = is_dense(n, first + k) ? 1 : 0.2;
}

static void fill_energy(size_t n, size_t first, size_t count, void *elements_out) {
  double *elements = elements_out;
  for (size_t k = 0; k < count; k++)
    elements[k] = is_dense(n, first + k) ? 2.5 : 1;
}

static void fill_pressure(size_t n, size_t first, size_t count, void *elements_out) {
  double *elements = elements_out;
  for (size_t k = 0; k < count; k++)
    elements[k] = is_dense(n, first + k) ? 0.4 * 1 * 2.5 : 0.4 * 0.2 * 1;
}

/* bm_16 starts at rest, where a kernel that reads the wrong nodes is as right as any. So the left edge moves along x and
 * the right edge along y, by 1. */
static void fill_edge(size_t n, size_t first, size_t count, size_t column, double *elements_out) {
  const size_t nodes = side_of(n) + 1;
  for (size_t k = 0; k < count; k++)
    elements_out[k] = (first + k) % nodes == column;
}

static void fill_x_velocity(size_t n, size_t first, size_t count, void *elements_out) {
  fill_edge(n, first, count, 0, elements_out);
}

static void fill_y_velocity(size_t n, size_t first, size_t count, void *elements_out) {
  fill_edge(n, first, count, side_of(n), elements_out);
}

static apps_expected_t expect(size_t n) {
  /* Two of a cell's four corners move: a quarter of the masses along the edges, 36 / side and 20 / side. */
  const double kinetic = (36 + 20) / 4.0 / (double)side_of(n), sums[] = {100, 28, 43, kinetic, 17.2};
  apps_expected_t expected = {0};
  for (int k = 0; k < 5; k++)
    apps_expect(&expected, sums[k], apps_sum_tolerance(n, sums[k], 0));
  return expected;
}

const apps_case_t apps_field_summary = {.suite = "everythingsreduced",
                                        .name = "field_summary",
                                        .streams = {{sizeof(double), fill_volume, NULL},
                                                    {sizeof(double), fill_density, NULL},
                                                    {sizeof(double), fill_energy, NULL},
                                                    {sizeof(double), fill_pressure, NULL},
                                                    {sizeof(double), fill_x_velocity, nodes_of},
                                                    {sizeof(double), fill_y_velocity, nodes_of}},
                                        .items = cells_of,
                                        .run = run,
                                        .clause = clause,
                                        .expect = expect};
