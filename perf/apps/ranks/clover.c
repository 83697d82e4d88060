/* CloverLeaf's reductions over the ranks of an MPI program: the time step, a minimum with its place, and the field summary, five sums.
 *
 *   mpiexec -n 3 clover --version reproducible 200 300
 *
 * Ranks share the mesh by rows. A step of this program stands in for CloverLeaf's: it takes what the reductions gave, so that bits that differ
 * once go on to differ. Prints all results as hexadecimal numbers, so that runs can be compared bit by bit. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "clover_sums.h"
#include "measure/arguments.h"

enum { MOST_SIDE = 32768, MOST_STEPS = 10000, DEFAULT_STEPS = 20 };

typedef struct command {
  uint64_t size[2], steps;
  int sizes, version;
} command_t;

/* From 0 to 1, without a pattern that sums would hide behind: the finalizer of MurmurHash3. */
static double noise(uint64_t key) {
  key ^= key >> 33;
  key *= 0xff51afd7ed558ccdu;
  key ^= key >> 33;
  key *= 0xc4ceb9fe1a85ec53u;
  key ^= key >> 33;
  return (double)(key >> 11) * 0x1p-53;
}

/* The problem bm_16: 10 by 10, with a dense corner of 5 by 2 in which the energy is high; and a flow that differs from node to node. */
static void fill(clover_field_t *field, size_t first_row, size_t all_rows) {
  enum { SEEDS = 4 };
  for (size_t cell = 0; cell < field->rows * field->columns; cell++) {
    const size_t row = first_row + cell / field->columns, column = cell % field->columns;
    const int is_dense = row * 5 < all_rows && column * 2 < field->columns;
    const uint64_t key = (uint64_t)(field->first + cell) * SEEDS;
    field->density[cell] = (is_dense ? 1 : 0.2) * (1 + 0.01 * noise(key));
    field->energy[cell] = (is_dense ? 2.5 : 1) * (1 + 0.01 * noise(key + 1));
  }
  for (size_t node = 0; node < (field->rows + 1) * (field->columns + 1); node++) {
    const uint64_t key = (uint64_t)(first_row * (field->columns + 1) + node) * SEEDS;
    field->x_velocity[node] = noise(key + 2) - 0.5;
    field->y_velocity[node] = noise(key + 3) - 0.5;
  }
}

/* An ideal gas, as in CloverLeaf. */
static void set_pressure(clover_field_t *field) {
  const double gamma = 1.4;
  for (size_t cell = 0; cell < field->rows * field->columns; cell++) {
    field->pressure[cell] = (gamma - 1) * field->density[cell] * field->energy[cell];
    field->sound_speed[cell] = sqrt(gamma * field->pressure[cell] / field->density[cell]);
  }
}

/* Energies go to their mean, the flow comes to rest. */
static void advance(clover_field_t *field, double seconds, const double sums[CLOVER_SUMS]) {
  const double mean = sums[2] / sums[1];
  for (size_t cell = 0; cell < field->rows * field->columns; cell++)
    field->energy[cell] += seconds * (mean - field->energy[cell]);
  for (size_t node = 0; node < (field->rows + 1) * (field->columns + 1); node++) {
    field->x_velocity[node] -= seconds * field->x_velocity[node];
    field->y_velocity[node] -= seconds * field->y_velocity[node];
  }
}

static void print_step(int number, clover_step_t step, size_t columns, const double sums[CLOVER_SUMS]) {
  printf("step %d: %a seconds by row %zu, column %zu;", number, step.seconds, (size_t)step.cell / columns,
         (size_t)step.cell % columns);
  for (int k = 0; k < CLOVER_SUMS; k++)
    printf(" %s %a%s", clover_sum_names[k], sums[k], k + 1 < CLOVER_SUMS ? "," : "\n");
}

static void run(clover_field_t *field, const command_t *command, ranks_version_t version, int rank, int ranks) {
  const size_t rows = command->size[0], first_row = ranks_first(rows, rank, ranks);
  fill(field, first_row, rows);
  if (rank == 0)
    printf("%s: %zu rows, %zu columns\n", ranks_version_names[version], rows, field->columns);
  for (int k = 0; k < (int)command->steps; k++) {
    double sums[CLOVER_SUMS];
    set_pressure(field);
    const clover_step_t step = clover_time_step(version, field);
    clover_summary(version, field, sums);
    if (rank == 0)
      print_step(k, step, field->columns, sums);
    advance(field, step.seconds, sums);
  }
}

static clover_field_t allocate(size_t rows, size_t columns, int rank, int ranks) {
  const double side = 10;
  const size_t first_row = ranks_first(rows, rank, ranks);
  clover_field_t field = {.rows = ranks_first(rows, rank + 1, ranks) - first_row,
                          .columns = columns,
                          .first = first_row * columns,
                          .width = side / (double)columns};
  field.volume = field.width * field.width;
  double **const of_cells[] = {&field.density, &field.energy, &field.pressure, &field.sound_speed};
  double **const of_nodes[] = {&field.x_velocity, &field.y_velocity};
  for (size_t k = 0; k < sizeof of_cells / sizeof *of_cells; k++)
    *of_cells[k] = ranks_allocate(field.rows * columns, sizeof **of_cells[k]);
  for (size_t k = 0; k < sizeof of_nodes / sizeof *of_nodes; k++)
    *of_nodes[k] = ranks_allocate((field.rows + 1) * (columns + 1), sizeof **of_nodes[k]);
  return field;
}

static void release(clover_field_t *field) {
  double *const all[] = {field->density,     field->energy,     field->pressure,
                         field->sound_speed, field->x_velocity, field->y_velocity};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++)
    free(all[k]);
}

/* ---- the command line ---- */

enum { KEY_VERSION = 256, KEY_STEPS };

static const struct argp_option known[] = {
    {"version", KEY_VERSION, "NAME", 0, "mpi_sum, repeatable or reproducible; all three by default", 0},
    {"steps", KEY_STEPS, "N", 0, "how many; 20 by default", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  command_t *command = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case KEY_VERSION:
    command->version = ranks_version_of(text);
    return command->version >= 0 ? 0 : arguments_refuse("clover", "version", text, "version");
  case KEY_STEPS:
    return ranks_parse_number("clover", "steps", text, MOST_STEPS, &command->steps);
  case ARGP_KEY_ARG:
    if (command->sizes == 2)
      return arguments_refuse("clover", NULL, text, "option, and there are two sizes already");
    return ranks_parse_number("clover", NULL, text, MOST_SIDE, &command->size[command->sizes++]);
  case ARGP_KEY_END:
    if (command->sizes == 2)
      return 0;
    fputs("clover: ROWS COLUMNS are missing\n", stderr);
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    known,
    parse,
    "ROWS COLUMNS",
    "Runs CloverLeaf's reductions on a mesh of ROWS by COLUMNS over the ranks of an MPI program, by MPI's operators or "
    "by Upsweep.",
    NULL,
    NULL,
    NULL};

int main(int argc, char **argv) {
  command_t command = {.version = -1, .steps = DEFAULT_STEPS};
  const int code = arguments_parse(&parser, argc, argv, &command);
  int rank, ranks;
  if (code)
    return code;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  clover_field_t field = allocate(command.size[0], command.size[1], rank, ranks);
  for (int version = 0; version < RANKS_VERSIONS; version++)
    if (command.version < 0 || version == command.version)
      run(&field, &command, (ranks_version_t)version, rank, ranks);
  release(&field);
  MPI_Finalize();
  return 0;
}
