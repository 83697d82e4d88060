/* Launches that are kept. The driver launches a graph of one kernel in half the time that a launch takes, and also after it
 * was given other arguments; another entry, or another number of teams, makes it as slow as a launch. On an H200 (driver
 * 580.159, us from the call until the host sees a word that an empty kernel wrote): launch 6.75, graph 4.38, with other
 * arguments 4.95, with another entry 6.53.
 *
 * So each scratch keeps the last few of its launches, several of an entry, because those of a loop differ in little. */
#ifndef USWI_BACKEND_GRAPHS_H
#define USWI_BACKEND_GRAPHS_H

#include "backend/backend.h"
#include "backend/gpu_driver.h"

/* Arguments of an entry: the runtime's pointer, the launch's words, arguments with strides, extents, the number of teams. */
enum { USWI_MOST_WORDS = 1 + USWI_LAUNCH_WORDS + 2 * USWI_MAX_ARGUMENTS + USWI_MAX_REDUCERS + 1 };

typedef struct uswi_graphs uswi_graphs_t;

/* Launch by one of *graphs, which are made if they are NULL. `words` are what launch->arguments point to. 0, or the driver's
 * error. Of one thread at a time; the stream is the same one each time. */
int uswi_graphs_launch(uswi_graphs_t **graphs, const uswi_gpu_launch_t *launch, const uint64_t *words, size_t count,
                       void *stream);

/* Launch again what was launched last, with the same arguments. -1: it was not launched by a graph. */
int uswi_graphs_launch_again(uswi_graphs_t *graphs, void *stream);

/* When nothing runs any more; NULL is nothing. */
void uswi_graphs_free(uswi_graphs_t *graphs);

#endif
