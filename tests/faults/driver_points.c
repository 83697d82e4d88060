/* The functions of NVIDIA's driver that the library looks up, each behind one that may fail. All of their arguments are integers
 * and addresses, so that one form of function hands on those of any of them. */
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "backend/cuda_functions.def"
#include "faults.h"

enum { ERROR_MEMORY = 2, ERROR_LAUNCH_FAILED = 719, ERROR_OTHER = 999 };

#define NUMBER(field, symbol, parameters) CALL_##field,
typedef enum call { USWI_CUDA_BASIC(NUMBER) USWI_CUDA_LAUNCHES(NUMBER) USWI_CUDA_OPTIONAL(NUMBER) CALLS } call_t;

/* What a call makes or gives back; whether it is done although it tells an error: errors of functions that end something or wait
 * are those of earlier work. */
typedef struct rule {
  fault_resource_t resource;
  int change, is_done, error;
} rule_t;

static const rule_t rules[CALLS] = {
    [CALL_retain_context] = {RESOURCE_CONTEXTS, 1, 0, ERROR_MEMORY},
    [CALL_release_context] = {RESOURCE_CONTEXTS, -1, 1, ERROR_OTHER},
    [CALL_push_context] = {RESOURCE_CURRENT_CONTEXT, 1, 0, ERROR_OTHER},
    [CALL_pop_context] = {RESOURCE_CURRENT_CONTEXT, -1, 1, ERROR_OTHER},
    [CALL_load_module] = {RESOURCE_MODULES, 1, 0, ERROR_MEMORY},
    [CALL_unload_module] = {RESOURCE_MODULES, -1, 1, ERROR_OTHER},
    [CALL_create_stream] = {RESOURCE_STREAMS, 1, 0, ERROR_MEMORY},
    [CALL_destroy_stream] = {RESOURCE_STREAMS, -1, 1, ERROR_OTHER},
    [CALL_create_event] = {RESOURCE_EVENTS, 1, 0, ERROR_MEMORY},
    [CALL_destroy_event] = {RESOURCE_EVENTS, -1, 1, ERROR_OTHER},
    [CALL_create_graph] = {RESOURCE_GRAPHS, 1, 0, ERROR_MEMORY},
    [CALL_destroy_graph] = {RESOURCE_GRAPHS, -1, 1, ERROR_OTHER},
    [CALL_instantiate] = {RESOURCE_EXECUTABLES, 1, 0, ERROR_MEMORY},
    [CALL_destroy_executable] = {RESOURCE_EXECUTABLES, -1, 1, ERROR_OTHER},
    [CALL_add_node] = {RESOURCE_NONE, 0, 0, ERROR_MEMORY},
    [CALL_query] = {RESOURCE_NONE, 0, 1, ERROR_OTHER},
    [CALL_query_event] = {RESOURCE_NONE, 0, 1, ERROR_OTHER},
    [CALL_synchronize] = {RESOURCE_NONE, 0, 1, ERROR_OTHER},
    [CALL_synchronize_event] = {RESOURCE_NONE, 0, 1, ERROR_OTHER},
    [CALL_exchange_capture] = {RESOURCE_NONE, 0, 1, ERROR_OTHER},
};

typedef uint64_t argument_t;
typedef int (*driver_function_t)(argument_t, argument_t, argument_t, argument_t, argument_t, argument_t, argument_t,
                                 argument_t, argument_t, argument_t, argument_t);
enum { ARGUMENTS = 11 };
static driver_function_t driver[CALLS];
static const char *const names[CALLS] = {
#define NAME(field, symbol, parameters) [CALL_##field] = symbol,
    USWI_CUDA_BASIC(NAME) USWI_CUDA_LAUNCHES(NAME) USWI_CUDA_OPTIONAL(NAME)};

static int make(call_t call, const argument_t *a) {
  const int error = driver[call](a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10]);
  if (error == 0)
    faults_hold(rules[call].resource, rules[call].change);
  return error;
}

/* A question whose error ends the wait: nothing may run behind the library's back then. */
static void end_work(call_t call, const argument_t *a) {
  if (call == CALL_query)
    make(CALL_synchronize, a);
  else if (call == CALL_query_event)
    make(CALL_synchronize_event, a);
}

/* ---- whose context a call is in ---- */

enum { GPUS = 8, STREAMS = 64 };
static argument_t context_of_gpu[GPUS];
static _Thread_local argument_t current_context;
static struct {
  argument_t stream, context;
} streams[STREAMS];

static argument_t *context_of_stream(argument_t stream) {
  for (int s = 0; s < STREAMS; s++)
    if (streams[s].stream == stream)
      return &streams[s].context;
  return &current_context;
}

/* The context of a call's stream, or the thread's; 0: it needs none. */
static argument_t context_of(call_t call, const argument_t *a) {
  switch (call) {
  case CALL_launch:
    return *context_of_stream(a[8]);
  case CALL_launch_graph:
    return *context_of_stream(a[1]);
  case CALL_query:
  case CALL_synchronize:
  case CALL_destroy_stream:
    return *context_of_stream(a[0]);
  default:
    return current_context;
  }
}

/* What a call that has succeeded says of contexts. */
static void note(call_t call, const argument_t *a) {
  argument_t made = 0;
  if (call == CALL_push_context)
    current_context = a[0];
  else if (call == CALL_pop_context)
    current_context = 0;
  else if (call == CALL_retain_context && (uint32_t)a[1] < GPUS)
    memcpy(&context_of_gpu[(uint32_t)a[1]], (const void *)(uintptr_t)a[0], sizeof made);
  else if (call == CALL_create_stream) {
    memcpy(&made, (const void *)(uintptr_t)a[0], sizeof made);
    for (int s = 0; s < STREAMS && made != 0; s++)
      if (streams[s].stream == 0 || streams[s].stream == made) {
        streams[s].stream = made;
        streams[s].context = current_context;
        made = 0;
      }
  }
}

static int make_and_note(call_t call, const argument_t *a) {
  const int error = make(call, a);
  if (error == 0)
    note(call, a);
  return error;
}

/* ---- GPUs that are lost ---- */

enum { ALL_GPUS = -1 };
static atomic_int loss; /* 1: at the next launch; 2: it is */
static atomic_int losing = ALL_GPUS;

void faults_lose_at_next_launch(void) { faults_lose_gpu_at_next_launch(ALL_GPUS); }

void faults_lose_gpu_at_next_launch(int gpu) {
  atomic_store(&losing, gpu);
  atomic_store(&loss, 1);
}

int faults_is_lost(void) { return atomic_load(&loss) == 2; }

/* Whether a call is one of a GPU that is lost, or will be: with one of several, contexts still change. */
static int is_of_losing(call_t call, const argument_t *a) {
  const int gpu = atomic_load(&losing);
  if (call == CALL_error_text)
    return 0;
  return gpu == ALL_GPUS || (call != CALL_push_context && call != CALL_pop_context && context_of_gpu[gpu] != 0 &&
                             context_of(call, a) == context_of_gpu[gpu]);
}

static int come_to_lost(call_t call, const argument_t *a) {
  if (rules[call].is_done)
    make_and_note(call, a);
  return ERROR_LAUNCH_FAILED;
}

static int come(call_t call, const argument_t *a) {
  int is_next = 1;
  if (faults_is_lost() && is_of_losing(call, a))
    return come_to_lost(call, a);
  if ((call == CALL_launch || call == CALL_launch_graph) && is_of_losing(call, a) &&
      atomic_compare_exchange_strong(&loss, &is_next, 2))
    return 0;
  if (!faults_fail(FAULT_DRIVER, names[call]))
    return make_and_note(call, a);
  end_work(call, a);
  if (rules[call].is_done)
    make_and_note(call, a);
  return rules[call].error ? rules[call].error : ERROR_OTHER;
}

#define COME(field, symbol, parameters)                                                                                \
  static int come_##field(argument_t a, argument_t b, argument_t c, argument_t d, argument_t e, argument_t f,          \
                          argument_t g, argument_t h, argument_t i, argument_t j, argument_t k) {                      \
    return come(CALL_##field, (const argument_t[ARGUMENTS]){a, b, c, d, e, f, g, h, i, j, k});                         \
  }
USWI_CUDA_BASIC(COME)
USWI_CUDA_LAUNCHES(COME)
USWI_CUDA_OPTIONAL(COME)

#define BETWEEN(field, symbol, parameters) [CALL_##field] = come_##field,
static const driver_function_t between[CALLS] = {USWI_CUDA_BASIC(BETWEEN) USWI_CUDA_LAUNCHES(BETWEEN)
                                                     USWI_CUDA_OPTIONAL(BETWEEN)};

void *faults_driver_function(const char *name, void *function) {
  for (int call = 0; call < CALLS; call++)
    if (strcmp(names[call], name) == 0) {
      memcpy(&driver[call], &function, sizeof function);
      void *address;
      memcpy(&address, &between[call], sizeof address);
      return address;
    }
  return NULL;
}
