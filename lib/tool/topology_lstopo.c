/* usw info --topology: the machine drawn by hwloc's lstopo. Each hardware thread that a thread of a large call is bound to
 * carries a Misc object (hwloc's kind for annotations) with the number of that thread and its chunks. lstopo reads the
 * annotated topology as XML from standard input. */
#include "topology.h"
#include "topology_links.h"
#include "topology_objects.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upsweep/explain.h>
#include <upsweep/info.h>

/* First chunk of a thread: as the library deals blocks of neighbours (lib/policy/schedule.c). */
static unsigned first_chunk(const usw_explanation_t *call, unsigned thread) {
  const unsigned rest = call->teams % call->threads;
  return thread * (call->teams / call->threads) + (thread < rest ? thread : rest);
}

static int mark(hwloc_topology_t topology, hwloc_obj_t processor, const usw_explanation_t *call, unsigned thread) {
  char label[TOOL_LABEL_BYTES];
  snprintf(label, sizeof label, "thread %u: chunks %u-%u", thread, first_chunk(call, thread),
           first_chunk(call, thread + 1) - 1);
  const hwloc_obj_t marked = hwloc_topology_insert_misc_object(topology, processor, label);
  return marked && hwloc_obj_add_info(marked, "lstopoStyle", "Background=#80ff80") == 0 ? 0 : -1;
}

/* More threads than places have no place of their own and stay unmarked. */
static int mark_threads(hwloc_topology_t topology, const usw_explanation_t *call) {
  usw_host_thread_t thread = {.size = USW_INIT(usw_host_thread_t)};
  for (unsigned t = 0; t < call->threads && usw_host_thread((int)t, &thread) == USW_OK; t++) {
    const hwloc_obj_t processor = hwloc_get_pu_obj_by_os_index(topology, thread.processor);
    if (processor && mark(topology, processor, call, t) != 0)
      return -1;
  }
  return 0;
}

/* The annotated topology, as an open file at its start. */
static FILE *write_topology(hwloc_topology_t topology) {
  char *text;
  int bytes;
  if (hwloc_topology_export_xmlbuffer(topology, &text, &bytes, 0) != 0)
    return NULL;
  FILE *file = tmpfile();
  const size_t length = (size_t)bytes - 1; /* without the final 0 */
  const int written = file && fwrite(text, 1, length, file) == length && fflush(file) == 0;
  hwloc_free_xmlbuffer(topology, text);
  if (written && lseek(fileno(file), 0, SEEK_SET) == 0)
    return file;
  if (file)
    fclose(file);
  return NULL;
}

/* lstopo with the topology as its standard input; NULL, or why it failed. It has said itself what it does not like. */
static const char *run(FILE *topology, const char *legend, const char *file) {
  const char *arguments[] = {"lstopo",
                             "--input",
                             "-",
                             "--if",
                             "xml",
                             "--disallowed",
                             "--physical",
                             "--no-factorize",
                             "--append-legend",
                             legend,
                             file ? "--force" : "--of",
                             file ? file : "console",
                             NULL};
  posix_spawn_file_actions_t actions;
  pid_t process;
  int state = 0;
  int error = posix_spawn_file_actions_init(&actions);
  if (error != 0)
    return strerror(error);
  error = posix_spawn_file_actions_adddup2(&actions, fileno(topology), STDIN_FILENO);
  if (error == 0)
    error = posix_spawnp(&process, arguments[0], &actions, NULL, (char *const *)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error == ENOENT)
    return "lstopo is not on the PATH: install hwloc's programs (Debian: hwloc or hwloc-nox)";
  if (error != 0 || waitpid(process, &state, 0) < 0)
    return strerror(error ? error : errno);
  return WIFEXITED(state) && WEXITSTATUS(state) == 0 ? NULL : "lstopo failed";
}

const char *tool_run_lstopo(const char *file) {
  usw_explanation_t call = {.size = USW_INIT(usw_explanation_t)};
  const usw_options_t on_host = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  char legend[2 * TOOL_LABEL_BYTES];
  hwloc_topology_t topology = tool_load_topology();
  if (!topology)
    return "hwloc cannot read this machine's topology";
  FILE *annotated = NULL;
  if (usw_explain(USW_PLUS, USW_F64, (size_t)1 << 24, &on_host, &call) == USW_OK &&
      mark_threads(topology, &call) == 0 && tool_mark_links(topology) == 0)
    annotated = write_topology(topology);
  hwloc_topology_destroy(topology);
  if (!annotated)
    return "hwloc cannot write this machine's topology";
  snprintf(legend, sizeof legend,
           "A large call: %u chunks, by %u thread%s (%s); with USW_BIND=1 they are bound as marked", call.teams,
           call.threads, call.threads == 1 ? "" : "s", call.threads_reason);
  const char *why = run(annotated, legend, file);
  fclose(annotated);
  if (!why && !file)
    puts(legend);
  return why;
}
