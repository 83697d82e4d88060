/* Prints the support table by asking the library's own checks (lib/policy/check.c, lib/policy/choose.c), which this program is built
 * from, about devices that need not be there:   usw_doc_support
 *
 * A call goes the way of lib/exec/run.c, less the placing of its data. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/descriptor.h>

#include "backend/driver.h"
#include "policy/check.h"
#include "policy/choose.h"
#include "policy/results.h"
#include "policy/segments.h"
#include "support/kinds.h"

/* ---- the places: as lib/backend/openmp.c describes them ---- */

typedef struct {
  const char *title;
  const uswi_device_t *device;
} place_t;

static const uswi_device_t x86_64 = {.number = 0, .target = "x86_64", .image = "x86_64", .multiprocessors = 8};
static const uswi_device_t gpu = {
    .number = 0, .target = "nvptx", .image = "sm_90", .runs_bare = 1, .multiprocessors = 132};
static const place_t places[] = {{"host", NULL}, {"x86_64 device", &x86_64}, {"NVIDIA GPU", &gpu}};

#define COUNT_OF(list) (sizeof(list) / sizeof(list)[0])

/* ---- the way of a call ---- */

static void stub(const usw_launch_t *how, size_t n, const uint64_t *slots, void *accumulator_out) {
  (void)how, (void)n, (void)slots, (void)accumulator_out;
}

/* Nothing is known of what such a GPU runs at once. */
static const uswi_driver_entry_t no_entry = {.why = ""};

/* Nor of where spans are. */
_Atomic int uswi_gpus;
void uswi_results_find_spans(uswi_call_t *call) { (void)call; }

static const uswi_device_t *device_of_call;

static usw_status_t choose(const usw_kernel_t *kernel, size_t n, const uswi_segments_t *segments, const uint64_t *slots,
                           const usw_variable_t *variables, const usw_options_t *options) {
  usw_kernel_t compiled = *kernel; /* as with regions for every device */
  compiled.bare.stub = compiled.standard.stub = stub;
  compiled.bare.team_size = compiled.standard.team_size = 256;
  uswi_call_t call = {.kernel = &compiled,
                      .n = n,
                      .variables = variables,
                      .options = options,
                      .segments = segments,
                      .name = kernel->name,
                      .item_bytes = kernel->item_bytes,
                      .record_bytes = kernel->accumulator_bytes,
                      .device = device_of_call,
                      .entry = &no_entry};
  uswi_tuning_make_built_in(device_of_call);
  const usw_status_t status = uswi_check(&call, slots);
  return status == USW_OK ? uswi_choose(&call) : status;
}

usw_status_t usw_kernel_run(const usw_kernel_t *kernel, size_t n, const uint64_t *slots,
                            const usw_variable_t *variables, const usw_options_t *options) {
  return choose(kernel, n, NULL, slots, variables, options);
}

usw_status_t usw_kernel_run_segments(const usw_kernel_t *kernel, size_t n, const usw_segments_t *segments,
                                     const uint64_t *slots, const usw_variable_t *variables,
                                     const usw_options_t *options) {
  uswi_segments_t described;
  const usw_status_t status = uswi_segments_describe(kernel->name, segments, n, &described);
  return status == USW_OK ? choose(kernel, n, &described, slots, variables, options) : status;
}

/* ---- the table ---- */

enum { MOST_NOTES = 64, NOTE_BYTES = 256 };
static char notes[MOST_NOTES][NOTE_BYTES];
static int note_count;

/* The number of an error: its status, and its text, less the kernel's name that it starts with. */
static int note_of(usw_status_t status, const char *text, const char *kernel_name) {
  const size_t length = strlen(kernel_name);
  if (length > 0 && strncmp(text, kernel_name, length) == 0)
    text += length + (text[length] == ':') + 1;
  char note[NOTE_BYTES];
  snprintf(note, sizeof note, "`%s`: %s", usw_status_name(status), text);
  for (int k = 0; k < note_count; k++)
    if (strcmp(notes[k], note) == 0)
      return k + 1;
  if (note_count == MOST_NOTES) {
    fprintf(stderr, "usw_doc_support: over %d different errors\n", MOST_NOTES);
    exit(2);
  }
  memcpy(notes[note_count], note, sizeof note);
  return ++note_count;
}

static void print_cell(const kind_t *kind, const uswi_device_t *device, usw_strategy_t strategy,
                       usw_accuracy_t accuracy) {
  static const double x[16];
  static double variable[KIND_VARIABLE_DOUBLES];
  const usw_variable_t variables[] = {{variable, 1}};
  usw_options_t options = {.size = USW_INIT(usw_options_t),
                           .strategy = strategy,
                           .accuracy = accuracy,
                           .initialize_to_identity = kind->initialize_to_identity};
  device_of_call = device;
  const usw_status_t status = kind_run(kind, 16, x, variables, &options);
  if (status == USW_OK)
    printf(" yes |");
  else
    printf(" no (%d) |", note_of(status, usw_error_text(), kind->kernel->name));
}

static void print_place(const place_t *place) {
  printf("## %s\n\n| strategy | accuracy |", place->title);
  for (int c = 0; c < KINDS; c++)
    printf(" %s |", kinds[c].title);
  printf("\n|---|---|");
  for (int c = 0; c < KINDS; c++)
    printf("---|");
  for (size_t s = 0; s < COUNT_OF(kind_strategies); s++) {
    for (size_t a = 0; a < COUNT_OF(kind_accuracies); a++) {
      printf("\n| %s | %s |", kind_strategies[s].name, kind_accuracies[a].name);
      for (int c = 0; c < KINDS; c++)
        print_cell(&kinds[c], place->device, kind_strategies[s].code, kind_accuracies[a].code);
    }
  }
  printf("\n\n");
}

int main(void) {
  for (size_t p = 0; p < COUNT_OF(places); p++)
    print_place(&places[p]);
  printf("## What the errors say\n\nThe status, and `usw_error_text()` after the kernel's name:\n\n");
  for (int k = 0; k < note_count; k++)
    printf("%d. %s\n", k + 1, notes[k]);
  return 0;
}
