#include "backend/graphs.h"

#include <stdlib.h>
#include <string.h>

enum {
  GRAPHS = 16,
  OF_A_KIND = 4 /* of one entry and number of teams: calls that alternate, two banks by turns */
};

/* A launch and the arguments that it has. */
typedef struct kept {
  uswi_gpu_graph_t graph; /* executable NULL: nothing is kept here */
  void *function;
  uint32_t teams;
  uint64_t last_use;
} kept_t;

struct uswi_graphs {
  const uswi_gpu_driver_t *driver;
  uint64_t uses;
  int last; /* used: mostly the next one too */
  kept_t kept[GRAPHS];
  uint64_t words[GRAPHS][USWI_MOST_WORDS];
};

static int is_kind(const kept_t *kept, const uswi_gpu_launch_t *launch) {
  return kept->function == launch->function && kept->teams == launch->teams;
}

static int is_same(const uswi_graphs_t *graphs, int g, const uswi_gpu_launch_t *launch, const uint64_t *words,
                   size_t count) {
  return is_kind(&graphs->kept[g], launch) && memcmp(graphs->words[g], words, count * sizeof *words) == 0;
}

/* The graph that has these very arguments already: then *is_ready is 1. Else one to be given them: of the same kind, if there
 * are enough of these, or whichever has not been used for longest. */
static int find(const uswi_graphs_t *graphs, const uswi_gpu_launch_t *launch, const uint64_t *words, size_t count,
                int *is_ready) {
  int oldest = 0, oldest_of_kind = -1, of_kind = 0;
  *is_ready = 1;
  if (is_same(graphs, graphs->last, launch, words, count))
    return graphs->last;
  for (int g = 0; g < GRAPHS; g++) {
    const kept_t *kept = &graphs->kept[g];
    if (is_same(graphs, g, launch, words, count))
      return g;
    if (kept->last_use < graphs->kept[oldest].last_use)
      oldest = g;
    if (!is_kind(kept, launch))
      continue;
    of_kind++;
    if (oldest_of_kind < 0 || kept->last_use < graphs->kept[oldest_of_kind].last_use)
      oldest_of_kind = g;
  }
  *is_ready = 0;
  return of_kind == OF_A_KIND ? oldest_of_kind : oldest;
}

/* Make it the launch that is asked for. */
static int keep(kept_t *kept, const uswi_gpu_launch_t *launch) {
  const int error = kept->graph.executable ? launch->driver->set_graph(&kept->graph, launch)
                                           : launch->driver->create_graph(launch, &kept->graph);
  kept->function = error == 0 ? launch->function : NULL;
  kept->teams = launch->teams;
  return error;
}

int uswi_graphs_launch(uswi_graphs_t **graphs, const uswi_gpu_launch_t *launch, const uint64_t *words, size_t count,
                       void *stream) {
  int is_ready;
  if (!*graphs)
    *graphs = calloc(1, sizeof **graphs);
  if (!*graphs)
    return launch->driver->launch(launch, stream);
  (*graphs)->driver = launch->driver;
  const int g = find(*graphs, launch, words, count, &is_ready);
  kept_t *kept = &(*graphs)->kept[g];
  kept->last_use = ++(*graphs)->uses;
  (*graphs)->last = g;
  if (!is_ready && keep(kept, launch) != 0) /* no room for a graph: the same launch without one */
    return launch->driver->launch(launch, stream);
  if (!is_ready)
    memcpy((*graphs)->words[g], words, count * sizeof *words);
  return launch->driver->launch_graph(&kept->graph, stream);
}

int uswi_graphs_launch_again(uswi_graphs_t *graphs, void *stream) {
  const kept_t *kept = graphs ? &graphs->kept[graphs->last] : NULL;
  return kept && kept->function ? graphs->driver->launch_graph(&kept->graph, stream) : -1;
}

void uswi_graphs_free(uswi_graphs_t *graphs) {
  for (int k = 0; graphs && k < GRAPHS; k++)
    graphs->driver->destroy_graph(&graphs->kept[k].graph);
  free(graphs);
}
