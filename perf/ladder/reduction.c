/* From the partials of a launch to the sum. Teams of one launch cannot wait for each other, so the guide launches again,
 * over the partials, as long as there are more than work_group_load of them; the host adds the rest. The lecture launches
 * once, and the host adds one partial of each team, however many they are. */
#include "ladder.h"

#include "measure/device.h"

/* A work-item takes k elements, and the launch is rounded up to whole teams. */
static uint32_t teams_for(size_t n, uint32_t team_size, uint32_t k) {
  const size_t work_items = n / k + (n % k != 0);
  return (uint32_t)(work_items / team_size + (work_items % team_size != 0));
}

static double add_on_host(const ladder_data_t *data, const double *partials, size_t count) {
  double sum = 0;
  if (data->place->device >= 0) {
    if (bench_device_read(data->place->device, data->host_partials, partials, count * sizeof *partials))
      return -1; /* wrong, as all elements are positive */
    partials = data->host_partials;
  }
  for (size_t i = 0; i < count; i++)
    sum += partials[i];
  return sum;
}

double ladder_reduce(ladder_entry_t *entry, const ladder_data_t *data) {
  const size_t most_left = entry->rung == LADDER_LECTURE ? SIZE_MAX : data->work_group_load;
  const double *from = data->x;
  size_t left = data->n;
  uint32_t launches = 0;
  /** [launches] */
  do {
    double *to = data->partials[launches % 2];
    const ladder_launch_t launch = {.x = from,
                                    .y = data->y,
                                    .n = left,
                                    .partials = to,
                                    .team_size = entry->team_size,
                                    .teams = teams_for(left, entry->team_size, entry->k),
                                    .device = data->place->device};
    ladder_launch(entry->rung, &launch);
    if (launches++ == 0)
      entry->teams = launch.teams;
    from = to;
    left = launch.teams;
  } while (left > most_left);
  /** [launches] */
  entry->launches = launches;
  return add_on_host(data, from, left);
}
