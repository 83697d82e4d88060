/* The rungs of scans: which kernels they launch, and the running sums of the totals of tiles. */
#include "ladder.h"

#include "measure/device.h"

#include <math.h>
#include <stdlib.h>

enum { ITEMS_OF_A_WORK_ITEM = 32 /* a tile of rung s1: one line of each array in four */, BLOCK = 1 << 16 };

static void launch(ladder_entry_t *entry, ladder_kernel_t kernel, const ladder_launch_t *of) {
  ladder_launch(kernel, of);
  entry->launches++;
}

static uint32_t teams_for(size_t n, size_t items_of_a_team) {
  return (uint32_t)(n / items_of_a_team + (n % items_of_a_team != 0));
}

/* Totals to running sums, in place: tiles of them as in rung s3, until few are left, which one work-item takes. `room` is behind them. */
static void scan_totals(ladder_entry_t *entry, const ladder_data_t *data, double *totals, size_t count, double *room) {
  ladder_launch_t pass = {.x = totals,
                          .y = totals,
                          .n = count,
                          .partials = room,
                          .team_size = entry->team_size,
                          .teams = 1,
                          .device = data->place->device};
  if (count <= data->work_group_load || count <= entry->team_size) {
    launch(entry, LADDER_SCAN_SERIALLY, &pass);
    return;
  }
  pass.teams = teams_for(count, entry->team_size);
  launch(entry, LADDER_SCAN_TILE_TOTALS, &pass);
  scan_totals(entry, data, room, pass.teams, room + pass.teams);
  launch(entry, LADDER_SCAN_TILES_BEHIND, &pass);
}

/* A launch that leaves totals, running sums of these, and a launch that reads them. */
static void in_two_passes(ladder_entry_t *entry, const ladder_data_t *data, const ladder_launch_t *pass,
                          ladder_kernel_t first, ladder_kernel_t second, size_t totals) {
  /** [passes] */
  launch(entry, first, pass);
  scan_totals(entry, data, pass->partials, totals, data->partials[1]);
  launch(entry, second, pass);
  /** [passes] */
}

static void in_one_pass(ladder_entry_t *entry, const ladder_launch_t *pass) {
  ladder_launch_t clear = *pass;
  clear.n = 2 * (size_t)pass->teams + 1;
  clear.teams = teams_for(clear.n, (size_t)entry->team_size * ITEMS_OF_A_WORK_ITEM);
  launch(entry, LADDER_SCAN_CLEAR, &clear);
  launch(entry, LADDER_SCAN_LOOKING_BACK, pass);
}

static double at(const ladder_data_t *data, size_t i) {
  double found = NAN;
  if (data->place->device < 0)
    return data->y[i];
  return bench_device_read(data->place->device, &found, data->y + i, sizeof found) ? NAN : found;
}

double ladder_last_output(const ladder_data_t *data) { return at(data, data->n - 1); }

double ladder_scan(ladder_entry_t *entry, const ladder_data_t *data) {
  const size_t own = entry->rung == LADDER_SCAN_OWN_TILES ? ITEMS_OF_A_WORK_ITEM : entry->k;
  ladder_launch_t pass = {.x = data->x,
                          .y = data->y,
                          .n = data->n,
                          .partials = data->partials[0],
                          .team_size = entry->team_size,
                          .teams = teams_for(data->n, (size_t)entry->team_size * own),
                          .device = data->place->device};
  entry->launches = 0;
  switch (entry->rung) {
  case LADDER_SCAN_SERIAL:
    pass.teams = 1;
    launch(entry, LADDER_SCAN_SERIALLY, &pass);
    break;
  case LADDER_SCAN_OWN_TILES:
    in_two_passes(entry, data, &pass, LADDER_SCAN_OWN_TOTALS, LADDER_SCAN_OWN, (size_t)pass.teams * pass.team_size);
    break;
  case LADDER_SCAN_TREES:
    in_two_passes(entry, data, &pass, LADDER_SCAN_TILE_TREES, LADDER_SCAN_ADD_BASES, pass.teams);
    break;
  case LADDER_SCAN_LOOKS_BACK:
    in_one_pass(entry, &pass);
    break;
  default:
    in_two_passes(entry, data, &pass, LADDER_SCAN_TILE_TOTALS, LADDER_SCAN_TILES_BEHIND, pass.teams);
  }
  entry->teams = pass.teams;
  return ladder_last_output(data);
}

int ladder_outputs_are_right(const ladder_data_t *data) {
  double *const x = malloc(2 * BLOCK * sizeof *x), *const y = x + BLOCK, sum = 0;
  int are_right = x != NULL;
  for (size_t first = 0; are_right && first < data->n; first += BLOCK) {
    const size_t count = data->n - first < BLOCK ? data->n - first : BLOCK;
    const double *from_x = data->x + first, *from_y = data->y + first;
    if (data->place->device >= 0) {
      are_right = !bench_device_read(data->place->device, x, from_x, count * sizeof *x) &&
                  !bench_device_read(data->place->device, y, from_y, count * sizeof *y);
      from_x = x;
      from_y = y;
    }
    for (size_t i = 0; are_right && i < count; i++)
      are_right = from_y[i] == (sum += from_x[i]);
  }
  free(x);
  return are_right;
}
