/* Conjugate gradients over the ranks of an MPI program, on the problem of Mantevo's HPCCG.
 *
 *   mpiexec -n 3 cg --version reproducible 20 30 160
 *
 * nx and ny are those of all ranks, nz is what all ranks have together (with --per-rank what each has, as HPCCG's command line). Prints the
 * norm of the residual after each iteration as a hexadecimal number, so that histories can be compared bit by bit. --rounds measures all
 * versions, which take turns. With --place gpu each rank has its vectors on its GPU. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cg_device.h"
#include "cg_problem.h"
#include "cg_sums.h"
#include "measure/arguments.h"
#include "measure/context.h"
#include "measure/json.h"
#include "measure/rounds.h"
#include "measure/statistics.h"

enum { MOST_ITERATIONS = 10000, MOST_ROUNDS = 1000, MOST_SIZE = 4096, DEFAULT_ITERATIONS = 149 };

typedef enum { ON_HOST, ON_GPU, ON_DEVICE, PLACES } cg_place_t;
static const char *const place_names[PLACES] = {"host", "gpu", "device"};

typedef struct command {
  uint64_t size[3], iterations, rounds;
  int sizes, version, is_per_rank, is_split, is_blocking;
  cg_place_t place;
  const char *json_file;
} command_t;

typedef struct solver {
  const command_t *command;
  cg_problem_t problem;
  double *x, *p, *product;  /* p with its neighbors' planes */
  double *residual, *other; /* the other one is for the next */
  double *history;          /* norm of the residual after each iteration; the first one before any */
  int norms, rank, ranks;
  double *seconds[RANKS_VERSIONS]; /* an iteration's, of each round */
} solver_t;

/* ---- the method ---- */

/* The residual of x = 0, which is the right side; HPCCG computes it by the matrix, to the same bits. */
static double begin(solver_t *solver, const cg_method_t *method) {
  const size_t n = solver->problem.rows;
  const int device = solver->problem.device;
  double *const zeros = ranks_allocate(cg_with_halo(&solver->problem), sizeof *zeros);
  cg_copy(solver->x, device, zeros, CG_HOST, n * sizeof *solver->x);
  cg_copy(solver->p, device, zeros, CG_HOST, cg_with_halo(&solver->problem) * sizeof *solver->p);
  free(zeros);
  cg_copy(solver->residual, device, solver->problem.right, device, n * sizeof *solver->residual);
  return cg_dot(method, n, solver->residual, solver->residual);
}

/* One iteration; returns the squared norm of the residual after it, from that before. */
static double iterate(solver_t *solver, const cg_method_t *method, double squares) {
  const size_t n = solver->problem.rows;
  double *p = solver->p + solver->problem.plane, next;
  cg_pending_t pending;
  cg_exchange_halo(&solver->problem, solver->p);
  cg_multiply(&solver->problem, solver->p, solver->product);
  const double step = squares / cg_dot(method, n, p, solver->product);
  double *updated = cg_update(method, n, solver->product, step, solver->residual, solver->other, &next, &pending);
  cg_step(method, n, p, step, solver->x);
  cg_wait(method, &pending);
  if (updated == solver->other) {
    solver->other = solver->residual;
    solver->residual = updated;
  }
  cg_turn(method, n, solver->residual, next / squares, p);
  return next;
}

/* Runs all iterations; returns the seconds of one. */
static double solve(solver_t *solver, ranks_version_t version) {
  const command_t *command = solver->command;
  const int device = solver->problem.device;
  const cg_method_t method = {version, command->is_split, command->is_blocking, device};
  const int iterations = (int)command->iterations;
  double squares = begin(solver, &method), own, seconds;
  cg_copy(solver->p + solver->problem.plane, device, solver->residual, device,
          solver->problem.rows * sizeof *solver->p);
  solver->history[0] = sqrt(squares);
  solver->norms = 1;
  MPI_Barrier(MPI_COMM_WORLD);
  const double start = bench_now();
  while (solver->norms <= iterations && squares > 0) {
    squares = iterate(solver, &method, squares);
    solver->history[solver->norms++] = sqrt(squares);
  }
  own = bench_now() - start;
  MPI_Allreduce(&own, &seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return solver->norms > 1 ? seconds / (solver->norms - 1) : 0;
}

/* The largest distance from the solution, which is 1. */
static double error_of(const solver_t *solver) {
  const size_t n = solver->problem.rows;
  double own = 0, error, *const x = ranks_allocate(n, sizeof *x);
  cg_copy(x, CG_HOST, solver->x, solver->problem.device, n * sizeof *x);
  for (size_t i = 0; i < n; i++)
    own = fmax(own, fabs(x[i] - 1));
  free(x);
  MPI_Allreduce(&own, &error, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return error;
}

/* ---- what is printed ---- */

static void print_history(const solver_t *solver) {
  for (int k = 0; k < solver->norms; k++)
    printf("%4d %-24a %.6g\n", k, solver->history[k], solver->history[k]);
}

/* A version's time beside that of RANKS_MPI_SUM in the same round, which changes of clocks and other programs meet as well. */
static bench_statistics_t ratios_of(const solver_t *solver, ranks_version_t version) {
  double ratios[MOST_ROUNDS];
  for (uint64_t round = 0; round < solver->command->rounds; round++)
    ratios[round] = solver->seconds[version][round] / solver->seconds[RANKS_MPI_SUM][round];
  return bench_describe_times(ratios, solver->command->rounds);
}

static void add_times(const solver_t *solver, ranks_version_t version, cJSON *entry) {
  const bench_statistics_t times = bench_describe_times(solver->seconds[version], solver->command->rounds);
  const bench_statistics_t ratios = ratios_of(solver, version);
  cJSON_AddNumberToObject(entry, "median_us", times.median * 1e6);
  cJSON_AddNumberToObject(entry, "first_quartile_us", times.first_quartile * 1e6);
  cJSON_AddNumberToObject(entry, "third_quartile_us", times.third_quartile * 1e6);
  cJSON_AddNumberToObject(entry, "least_us", times.least * 1e6);
  cJSON_AddNumberToObject(entry, "median_ratio", ratios.median);
  cJSON_AddNumberToObject(entry, "first_quartile_ratio", ratios.first_quartile);
  cJSON_AddNumberToObject(entry, "third_quartile_ratio", ratios.third_quartile);
}

static void add_version(const solver_t *solver, ranks_version_t version, double error, cJSON *results) {
  cJSON *entry = cJSON_CreateObject(), *history = cJSON_CreateArray();
  cJSON_AddItemToArray(results, entry);
  cJSON_AddStringToObject(entry, "version", ranks_version_names[version]);
  cJSON_AddNumberToObject(entry, "error", error);
  if (solver->command->rounds > 0)
    add_times(solver, version, entry);
  for (int k = 0; k < solver->norms; k++) {
    char text[32];
    snprintf(text, sizeof text, "%a", solver->history[k]);
    cJSON_AddItemToArray(history, cJSON_CreateString(text));
  }
  cJSON_AddItemToObject(entry, "residuals", history);
}

static cJSON *describe(const solver_t *solver, int argc, char **argv) {
  char library[MPI_MAX_LIBRARY_VERSION_STRING];
  cJSON *root = cJSON_CreateObject(), *context = bench_context(-1, argc, argv);
  cJSON_ReplaceItemInObject(context, "flags", cJSON_CreateString(RANKS_FLAGS)); /* of this program */
  cJSON_AddItemToObject(root, "context", context);
  cJSON_AddStringToObject(root, "mpi", ranks_library(library));
  cJSON_AddNumberToObject(root, "ranks", solver->ranks);
  const double size[] = {(double)solver->problem.nx, (double)solver->problem.ny, (double)solver->problem.nz};
  cJSON_AddItemToObject(root, "grid", cJSON_CreateDoubleArray(size, 3));
  cJSON_AddNumberToObject(root, "iterations", (double)solver->command->iterations);
  cJSON_AddNumberToObject(root, "rounds", (double)solver->command->rounds);
  cJSON_AddStringToObject(root, "place", place_names[solver->command->place]);
  cJSON_AddStringToObject(root, "kernels", solver->command->is_split ? "split" : "fused");
  cJSON_AddStringToObject(root, "reduction", solver->command->is_blocking ? "blocking" : "overlapped");
  return root;
}

static void take_turn(void *self, int version, int round) {
  solver_t *solver = self;
  solver->seconds[version][round] = solve(solver, (ranks_version_t)version);
}

static void print_times(const solver_t *solver, ranks_version_t version) {
  const bench_statistics_t times = bench_describe_times(solver->seconds[version], solver->command->rounds);
  const bench_statistics_t ratios = ratios_of(solver, version);
  printf("%-13s %10.2f us an iteration (least %.2f), %.3f of mpi_sum (%.3f to %.3f)\n", ranks_version_names[version],
         times.median * 1e6, times.least * 1e6, ratios.median, ratios.first_quartile, ratios.third_quartile);
}

/* One version, or each. Returns 0, or -1 where the file cannot be written. */
static int run(solver_t *solver, int argc, char **argv) {
  const command_t *command = solver->command;
  cJSON *root = describe(solver, argc, argv), *results = cJSON_AddArrayToObject(root, "results");
  if (command->rounds > 0)
    bench_run_rounds(RANKS_VERSIONS, (int)command->rounds, take_turn, solver);
  for (int version = 0; version < RANKS_VERSIONS; version++) {
    if (command->version >= 0 && version != command->version)
      continue;
    solve(solver, (ranks_version_t)version);
    const double error = error_of(solver);
    add_version(solver, (ranks_version_t)version, error, results);
    if (solver->rank > 0)
      continue;
    if (command->rounds > 0) {
      print_times(solver, (ranks_version_t)version);
    } else {
      printf("%s: %zu x %zu x %zu, norms of the residual\n", ranks_version_names[version], solver->problem.nx,
             solver->problem.ny, solver->problem.nz);
      print_history(solver);
      printf("largest error of the solution: %.3g\n", error);
    }
  }
  if (solver->rank == 0 && command->json_file)
    return bench_write_json(root, command->json_file);
  cJSON_Delete(root);
  return 0;
}

/* ---- the command line ---- */

enum { KEY_VERSION = 256, KEY_PLACE, KEY_PER_RANK, KEY_SPLIT, KEY_BLOCKING, KEY_ITERATIONS, KEY_ROUNDS, KEY_JSON };

static const struct argp_option known[] = {
    {"version", KEY_VERSION, "NAME", 0, "mpi_sum, repeatable or reproducible; all three by default", 0},
    {"place", KEY_PLACE, "WHERE", 0,
     "where vectors are: host, by default; gpu, each rank's; or device, a device of OpenMP", 0},
    {"per-rank", KEY_PER_RANK, NULL, 0, "NZ is that of each rank, as on HPCCG's command line", 0},
    {"split", KEY_SPLIT, NULL, 0, "kernels read the residual that a loop has updated; else one kernel does both", 0},
    {"blocking", KEY_BLOCKING, NULL, 0, "do not overlap the residual's norm with the update of x", 0},
    {"iterations", KEY_ITERATIONS, "N", 0, "how many; 149 by default, as HPCCG makes", 0},
    {"rounds", KEY_ROUNDS, "N", 0, "measure: runs of all versions, which take turns", 0},
    {"json", KEY_JSON, "FILE", 0, "write histories and times to FILE", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse_place(const char *text, cg_place_t *place_out) {
  int k = 0;
  while (k < PLACES && strcmp(text, place_names[k]) != 0)
    k++;
  *place_out = (cg_place_t)k;
  return k < PLACES ? 0 : arguments_refuse("cg", "place", text, "place");
}

static error_t parse(int key, char *text, struct argp_state *state) {
  command_t *command = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case KEY_VERSION:
    command->version = ranks_version_of(text);
    return command->version >= 0 ? 0 : arguments_refuse("cg", "version", text, "version");
  case KEY_PLACE:
    return parse_place(text, &command->place);
  case KEY_PER_RANK:
    command->is_per_rank = 1;
    return 0;
  case KEY_SPLIT:
    command->is_split = 1;
    return 0;
  case KEY_BLOCKING:
    command->is_blocking = 1;
    return 0;
  case KEY_ITERATIONS:
    return ranks_parse_number("cg", "iterations", text, MOST_ITERATIONS, &command->iterations);
  case KEY_ROUNDS:
    return ranks_parse_number("cg", "rounds", text, MOST_ROUNDS, &command->rounds);
  case KEY_JSON:
    command->json_file = text;
    return 0;
  case ARGP_KEY_ARG:
    if (command->sizes == 3)
      return arguments_refuse("cg", NULL, text, "option, and there are three sizes already");
    return ranks_parse_number("cg", NULL, text, MOST_SIZE, &command->size[command->sizes++]);
  case ARGP_KEY_END:
    if (command->sizes == 3)
      return 0;
    fputs("cg: NX NY NZ are missing\n", stderr);
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    known,
    parse,
    "NX NY NZ",
    "Solves HPCCG's problem of 27 points on a grid of NX by NY by NZ by conjugate gradients, over the ranks of an MPI "
    "program, with reductions by MPI_SUM or by Upsweep.",
    NULL,
    NULL,
    NULL};

static void allocate(solver_t *solver) {
  const size_t n = solver->problem.rows;
  const int device = solver->problem.device;
  solver->x = cg_allocate(device, n, sizeof *solver->x);
  solver->p = cg_allocate(device, cg_with_halo(&solver->problem), sizeof *solver->p);
  solver->residual = cg_allocate(device, n, sizeof *solver->residual);
  solver->other = cg_allocate(device, n, sizeof *solver->other);
  solver->product = cg_allocate(device, n, sizeof *solver->product);
  solver->history = ranks_allocate(solver->command->iterations + 1, sizeof *solver->history);
  for (int k = 0; k < RANKS_VERSIONS; k++)
    solver->seconds[k] = ranks_allocate(solver->command->rounds, sizeof *solver->seconds[k]);
}

static void release(solver_t *solver) {
  double *const vectors[] = {solver->x, solver->p, solver->residual, solver->other, solver->product};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++)
    cg_free(solver->problem.device, vectors[k]);
  free(solver->history);
  for (int k = 0; k < RANKS_VERSIONS; k++)
    free(solver->seconds[k]);
  cg_problem_destroy(&solver->problem);
}

/* The device of this rank; of those that are no GPU, such as x86_64 stands for one, they take turns. */
static int device_of(const solver_t *solver) {
  int device = CG_HOST;
  if (solver->command->place == ON_GPU)
    ranks_check(usw_mpi_device(MPI_COMM_WORLD, &device));
  else if (solver->command->place == ON_DEVICE && omp_get_num_devices() > 0)
    device = solver->rank % omp_get_num_devices();
  if (device == CG_HOST && solver->command->place != ON_HOST)
    ranks_end("cg: there is no such device");
  return device;
}

int main(int argc, char **argv) {
  command_t command = {.version = -1, .iterations = DEFAULT_ITERATIONS};
  solver_t solver = {.command = &command};
  int code = arguments_parse(&parser, argc, argv, &command);
  if (code)
    return code;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &solver.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &solver.ranks);
  const uint64_t nz = command.is_per_rank ? command.size[2] * (uint64_t)solver.ranks : command.size[2];
  if (cg_problem_create(&solver.problem, device_of(&solver), command.size[0], command.size[1], nz) == 0) {
    allocate(&solver);
    code = run(&solver, argc, argv) ? 1 : 0;
    release(&solver);
  } else {
    code = 2;
  }
  MPI_Finalize();
  return code;
}
