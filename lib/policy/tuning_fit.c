#include "policy/tuning_fit.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

#include "backend/gpu_driver.h"
#include "base/error.h"
#include "machine/environment.h"
#include "policy/tuning.h"
#include "policy/tuning_file.h"

/* ---- what a file has to be for ---- */

enum { LINE_BYTES = 160, HEADER_BYTES = 4 * LINE_BYTES };

/* The processor's name, as /proc/cpuinfo has it. */
static void name_processor(char *name_out, size_t name_bytes) {
  static const char key[] = "model name";
  char line[2 * LINE_BYTES];
  FILE *stream = fopen("/proc/cpuinfo", "r");
  snprintf(name_out, name_bytes, "unknown");
  while (stream && fgets(line, sizeof line, stream)) {
    const char *value = strchr(line, ':');
    if (strncmp(line, key, strlen(key)) != 0 || !value)
      continue;
    value += 1 + strspn(value + 1, " \t");
    snprintf(name_out, name_bytes, "%.*s", (int)strcspn(value, "\n"), value);
    break;
  }
  if (stream)
    fclose(stream);
}

/* The machine's processors count, not the threads that this process may use: those change no bits of a result, so they must
 * not choose the table. */
static void write_device_line(const uswi_device_t *device, char line[LINE_BYTES]) {
  char name[LINE_BYTES / 2];
  usw_device_info_t gpu = {.size = USW_INIT(usw_device_info_t)};
  if (!device || !device->runs_bare)
    name_processor(name, sizeof name);
  else if (device->driver)
    device->driver->describe(device->ordinal, &gpu);
  if (!device)
    snprintf(line, LINE_BYTES, USWI_TUNING_HOST ", %ld processors, %s", sysconf(_SC_NPROCESSORS_ONLN), name);
  else if (*gpu.name)
    snprintf(line, LINE_BYTES, "device %s %s, %u multiprocessors, %s", device->target, device->image,
             device->multiprocessors, gpu.name);
  else if (device->runs_bare)
    snprintf(line, LINE_BYTES, "device %s %s, %u multiprocessors", device->target, device->image,
             device->multiprocessors);
  else
    snprintf(line, LINE_BYTES, "device %s, %u processors, %s", device->target, device->multiprocessors, name);
}

/* What launches of most kernels go through. */
static const char *backend_line(const uswi_device_t *device) {
  if (!device)
    return "backend none";
  const int by_driver = device->driver && uswi_environment()->backend == USWI_BACKEND_AUTO && !device->driver->lack();
  return by_driver ? "backend driver" : "backend openmp";
}

const char *uswi_tuning_header(const uswi_device_t *device) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static char headers[USWI_TABLES][HEADER_BYTES];
  char *header = headers[uswi_table_of(device) - uswi_tables];
  char library[USWI_TUNING_WHY_BYTES], line[LINE_BYTES];
  pthread_mutex_lock(&lock);
  if (!*header) {
    uswi_tuning_library(library);
    write_device_line(device, line);
    snprintf(header, HEADER_BYTES, USWI_TUNING_FORMAT "\n%s\n%s\n%s\n", library, line, backend_line(device));
  }
  pthread_mutex_unlock(&lock);
  return header;
}

/* ---- files ---- */

enum { MOST_FILES = 8 };

typedef struct named_file {
  char *name, *source; /* source: what explain tells of the file */
  uswi_tuning_file_t file;
  uswi_tuning_entry_t *entries; /* its own and the built-in ones */
  uswi_tuning_t table;
} named_file_t;

static named_file_t files[MOST_FILES];
static int file_count;

static void refuse(const char *name, int line, const char *why) {
  char number[16] = "";
  if (line)
    snprintf(number, sizeof number, ":%d", line);
  uswi_warn_of_variable("USW_TUNING: %s%s: %s; the built-in entries are used", name, number, why);
}

static int is_of_host(const named_file_t *of) {
  return strncmp(of->file.device, USWI_TUNING_HOST, strlen(USWI_TUNING_HOST)) == 0;
}

/* 0, or the number of the line that says that the file is for something else than the place, and why. */
static int misfit(const named_file_t *of, const uswi_device_t *device, char why[USWI_TUNING_WHY_BYTES]) {
  char line[LINE_BYTES];
  write_device_line(device, line);
  if (strcmp(of->file.device, line) != 0) {
    snprintf(why, USWI_TUNING_WHY_BYTES, "it is for '%.100s', this is '%.100s'", of->file.device, line);
    return USWI_TUNING_DEVICE_LINE;
  }
  if (strcmp(of->file.backend, backend_line(device)) != 0) {
    snprintf(why, USWI_TUNING_WHY_BYTES, "it is for '%.40s', here launches go by '%s'", of->file.backend,
             backend_line(device));
    return USWI_TUNING_BACKEND_LINE;
  }
  if (!uswi_tuning_is_built_in(device)) {
    snprintf(why, USWI_TUNING_WHY_BYTES, "an earlier file is for the same place");
    return USWI_TUNING_DEVICE_LINE;
  }
  return 0;
}

/* What the file says of this device, which its place on the PCI bus tells from others of its kind. */
static void take_link(const named_file_t *of, const uswi_device_t *device) {
  usw_device_info_t gpu = {.size = USW_INIT(usw_device_info_t)};
  if (!device || !device->driver || of->file.link_count == 0)
    return;
  device->driver->describe(device->ordinal, &gpu);
  for (uint32_t k = 0; k < of->file.link_count; k++) {
    const uswi_link_t *link = &of->file.links[k];
    if (strcmp(link->pci_address, gpu.pci_address) == 0)
      uswi_staging_rates[uswi_table_of(device) - uswi_tables] = uswi_link_rate(link);
  }
}

static void use(named_file_t *of, const uswi_device_t *device) {
  of->table.times = of->file.times;
  of->table.time_count = of->file.time_count;
  uswi_tuning_make(device, of->file.entries, of->file.entry_count, &of->table, of->entries);
  take_link(of, device);
  uswi_log(USW_LOG_INFO, "USW_TUNING: %s: %u entries are used", of->name, of->file.entry_count);
}

/* Room for its table; its entries learn where they come from. */
static int take_over(named_file_t *of, const char *name) {
  const size_t bytes = strlen(name) + strlen(of->file.driver) + strlen(of->file.date) + 16;
  of->source = malloc(bytes);
  of->name = strdup(name);
  of->entries = calloc(of->file.entry_count + USWI_MOST_BUILT_IN, sizeof *of->entries);
  if (!of->source || !of->name || !of->entries)
    return -1;
  snprintf(of->source, bytes, "%s (%s, %s)", of->name, of->file.driver, of->file.date);
  for (uint32_t r = 0; r < of->file.entry_count; r++)
    of->file.entries[r].source = of->source;
  return 0;
}

/* The host is there already; whether a device's file fits, uswi_tuning_fit() finds out. */
static void read_file(const char *name) {
  char why[USWI_TUNING_WHY_BYTES] = "there is no memory for its entries";
  int line = 0;
  if (file_count == MOST_FILES) {
    refuse(name, 0, "is one file too many");
    return;
  }
  named_file_t *of = &files[file_count];
  int failed = uswi_tuning_parse(name, &of->file, &line, why) || take_over(of, name);
  if (!failed && is_of_host(of))
    failed = line = misfit(of, NULL, why);
  if (failed) {
    refuse(name, line, why);
    return;
  }
  if (is_of_host(of))
    use(of, NULL);
  file_count++;
}

/* Their names have colons between them. */
static void read_files(const char *names) {
  char name[FILENAME_MAX];
  for (size_t length; names && *names; names += length + (names[length] == ':')) {
    length = strcspn(names, ":");
    snprintf(name, sizeof name, "%.*s", (int)(length < sizeof name ? length : sizeof name - 1), names);
    if (length)
      read_file(name);
  }
}

void uswi_tuning_read(void) {
  uswi_tuning_make_built_in(NULL);
  read_files(uswi_environment()->tuning);
}

static int is_named(const named_file_t *of, const uswi_device_t *device) {
  char line[LINE_BYTES];
  write_device_line(device, line);
  return strcmp(of->file.device, line) == 0;
}

/* Devices of one kind share a file. Why none does, the device that it names tells best. */
static void fit(named_file_t *of, const uswi_device_t *devices, int count) {
  char why[USWI_TUNING_WHY_BYTES] = "it is for a device, and there is none here", of_device[USWI_TUNING_WHY_BYTES];
  int line = USWI_TUNING_DEVICE_LINE, users = 0, has_named = 0;
  for (int d = count - 1; d >= 0; d--) {
    const int misfit_line = misfit(of, &devices[d], of_device);
    if (misfit_line == 0) {
      users++;
      use(of, &devices[d]);
    } else if (!has_named) {
      line = misfit_line;
      memcpy(why, of_device, sizeof why);
      has_named = is_named(of, &devices[d]);
    }
  }
  if (users == 0)
    refuse(of->name, line, why);
}

void uswi_tuning_fit(const uswi_device_t *devices, int count) {
  for (int d = 0; d < count; d++)
    uswi_tuning_make_built_in(&devices[d]);
  for (int f = 0; f < file_count; f++)
    if (!is_of_host(&files[f]))
      fit(&files[f], devices, count);
}
