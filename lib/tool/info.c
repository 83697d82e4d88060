/* usw info: what this machine and this library have, what is missing and how to get it. */
#include "call_options.h"
#include "json.h"
#include "measure/arguments.h"
#include "tool.h"
#include "topology.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <upsweep/info.h>
#include <upsweep/upsweep.h>

enum { KEY_JSON = 256, KEY_ENVIRONMENT, KEY_TOPOLOGY, MOST_HINTS = 4, RELEASE_BYTES = 64 };

typedef struct command {
  const char *name;
  int is_json, is_environment, is_topology;
  const char *drawing; /* file of the topology; NULL: text on stdout */
} command_t;

static const struct argp_option options[] = {
    {"json", KEY_JSON, NULL, 0, "write JSON; excludes --environment and --topology", 0},
    {"topology", KEY_TOPOLOGY, "FILE", OPTION_ARG_OPTIONAL,
     "run hwloc's lstopo on this machine, with the threads of a large call on the host marked; writes text, or a FILE "
     "whose ending says the format (.svg, .png, .pdf, .xml)",
     0},
    {"environment", KEY_ENVIRONMENT, NULL, 0,
     "only the environment variables that the library reads, their values and their meaning", 0},
    {NULL, 0, NULL, 0, NULL, 0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
  command_t *command = state->input;
  switch (key) {
  case ARGP_KEY_INIT:
    arguments_one_line_per_error(state);
    return 0;
  case KEY_JSON:
    command->is_json = 1;
    return 0;
  case KEY_ENVIRONMENT:
    command->is_environment = 1;
    return 0;
  case KEY_TOPOLOGY:
    command->is_topology = 1;
    command->drawing = text;
    return 0;
  case ARGP_KEY_ARG:
    tool_fail(command->name, text, "is not an option; `usw info --help' lists them");
    return EINVAL;
  case ARGP_KEY_END:
    if (command->is_json + command->is_environment + command->is_topology <= 1)
      return 0;
    tool_fail(command->name, NULL, "name one of --json, --environment and --topology: each writes something else");
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp parser = {
    options, parse, NULL, "Shows what this machine and this library have, what is missing and how to get it.",
    NULL,    NULL,  NULL};

/* The kernel module's release, "580.95.05"; "" without one. */
static void read_driver_release(char *release) {
  char line[256];
  *release = 0;
  FILE *file = fopen("/proc/driver/nvidia/version", "r");
  if (!file)
    return;
  if (fgets(line, sizeof line, file)) {
    char *rest = NULL;
    for (char *word = strtok_r(line, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest))
      if (*word >= '0' && *word <= '9' && strchr(word, '.')) {
        snprintf(release, RELEASE_BYTES, "%s", word);
        break;
      }
  }
  fclose(file);
}

/* The processor's name, "" if the system does not say. */
static void read_processor(char *name, size_t bytes) {
  char line[256];
  *name = 0;
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(line, sizeof line, file)) {
    const char *at = strchr(line, ':');
    if (strncmp(line, "model name", 10) == 0 && at) {
      at += 1 + strspn(at + 1, " ");
      snprintf(name, bytes, "%.*s", (int)strcspn(at, "\n"), at);
      break;
    }
  }
  if (file)
    fclose(file);
}

/* What is missing, as lines that say how to get it; returns their number. */
static int find_hints(const usw_info_t *info, const char **hints) {
  int count = 0, is_gpu_without_image = 0;
  usw_device_info_t gpu = {.size = USW_INIT(usw_device_info_t)};
  for (int k = 0; usw_gpu_info(k, &gpu) == USW_OK; k++)
    is_gpu_without_image |= !gpu.has_image;
  const int has_gpu_images = strstr(info->images, "sm_") || strstr(info->images, "gfx");
  if (*info->devices_lack)
    hints[count++] = info->devices_lack;
  if (!has_gpu_images)
    hints[count++] = "the library has no GPU image: build it with -DUSW_GPU_ARCHS=sm_90 (clang 19, ptxas and nvlink)";
  else if (is_gpu_without_image)
    hints[count++] = "a GPU has no image in the library: add its architecture to -DUSW_GPU_ARCHS and build again";
  if (access("/dev/nvidiactl", F_OK) == 0 && !*info->driver_file)
    hints[count++] =
        "there is an NVIDIA GPU, but libcuda.so.1 cannot be loaded: install the driver's user-space package";
  else if (!*info->driver_file)
    hints[count++] = "no NVIDIA driver: libcuda.so.1 cannot be loaded; on a machine with a GPU, install the driver";
  if (*info->driver_file && !info->driver_is_found_by_libomptarget)
    hints[count++] =
        "LLVM's runtime opens libcuda.so, which is not there: put a link to libcuda.so.1 with that name into a "
        "folder of LD_LIBRARY_PATH";
  return count;
}

static void print_devices(const usw_info_t *info) {
  usw_device_info_t device = {.size = USW_INIT(usw_device_info_t)};
  printf("devices        %d\n", info->device_count);
  for (int k = 0; usw_device_info(k, &device) == USW_OK; k++)
    printf("  device %-4d  %s, image %s, %u %s\n", device.number, device.target, device.image, device.multiprocessors,
           strcmp(device.target, "x86_64") == 0 ? "processors (for tests)" : "multiprocessors");
  for (int k = 0; usw_gpu_info(k, &device) == USW_OK; k++) {
    printf("  GPU %-7d  %s, %s, %.0f GiB, %s", device.number, device.name, device.image,
           (double)device.memory_bytes / (1 << 30), device.has_image ? "has an image" : "no image for this GPU");
    if (*device.pci_address)
      printf(", at %s", device.pci_address);
    if (device.node >= 0)
      printf(", near NUMA node %d", device.node);
    putchar('\n');
  }
}

static void print_host(const usw_info_t *info) {
  printf("  threads      %u of %u processors: %s%s\n", info->host_threads, info->host_processors, info->threads_reason,
         info->is_bound ? "; each stays on a core of its own (USW_BIND)" : "");
  printf("  cores        %u on %u NUMA node%s, by %s%s%s\n", info->host_cores, info->host_nodes,
         info->host_nodes == 1 ? "" : "s", info->topology, *info->topology_lack ? ": " : "", info->topology_lack);
  if (info->host_quota)
    printf("  quota        the cgroup grants the time of %u processor%s\n", info->host_quota,
           info->host_quota == 1 ? "" : "s");
}

static void print_text(const usw_info_t *info) {
  char release[RELEASE_BYTES], processor[128];
  const char *hints[MOST_HINTS];
  read_driver_release(release);
  read_processor(processor, sizeof processor);
  printf("version        %d.%d.%d\n", info->version / 10000, info->version / 100 % 100, info->version % 100);
  printf("compiler       %s\n", info->compiler);
  printf("images         %s\n", *info->images ? info->images : "none: this library runs on the host only");
  printf("OpenMP         %s\n", info->openmp_runtime);
  if (*info->offload_runtime)
    printf("offload        %s\n", info->offload_runtime);
  printf("host           %s\n", *processor ? processor : "unknown processor");
  print_host(info);
  printf("  kernels      version %s, the processor has %s\n", info->host_variant, info->host_best);
  if (*info->driver_file)
    printf("driver         CUDA %d.%d%s%s, %s\n", info->driver_version / 1000, info->driver_version % 1000 / 10,
           *release ? ", release " : "", release, info->driver_file);
  else
    printf("driver         none\n");
  printf("wait           %s\n", info->wait);
  if (info->recheck)
    printf("recheck        one call in %u runs twice\n", info->recheck);
  else
    printf("recheck        off\n");
  print_devices(info);
  const char *no_topology;
  cJSON *topology = tool_read_topology(&no_topology);
  tool_print_topology(topology);
  const int count = find_hints(info, hints);
  for (int h = 0; h < count; h++)
    printf("missing        %s\n", hints[h]);
  if (!topology)
    printf("missing        %s\n", no_topology);
  cJSON_Delete(topology);
}

static void add_device(cJSON *array, const usw_device_info_t *device) {
  cJSON *item = cJSON_CreateObject();
  cJSON_AddNumberToObject(item, "number", device->number);
  cJSON_AddStringToObject(item, "target", device->target);
  cJSON_AddStringToObject(item, "image", device->image);
  cJSON_AddStringToObject(item, "name", device->name);
  cJSON_AddNumberToObject(item, "multiprocessors", device->multiprocessors);
  cJSON_AddNumberToObject(item, "memory_bytes", (double)device->memory_bytes);
  cJSON_AddBoolToObject(item, "has_image", device->has_image);
  cJSON_AddStringToObject(item, "pci_address", device->pci_address);
  cJSON_AddNumberToObject(item, "node", device->node);
  cJSON_AddItemToArray(array, item);
}

static void add_machine(cJSON *root, const usw_info_t *info) {
  usw_device_info_t device = {.size = USW_INIT(usw_device_info_t)};
  char release[RELEASE_BYTES], processor[128];
  read_driver_release(release);
  read_processor(processor, sizeof processor);
  cJSON_AddStringToObject(root, "processor", processor);
  cJSON_AddNumberToObject(root, "host_threads", info->host_threads);
  cJSON_AddNumberToObject(root, "host_processors", info->host_processors);
  cJSON_AddStringToObject(root, "threads_reason", info->threads_reason);
  cJSON_AddNumberToObject(root, "host_cores", info->host_cores);
  cJSON_AddNumberToObject(root, "host_nodes", info->host_nodes);
  cJSON_AddNumberToObject(root, "host_quota", info->host_quota);
  cJSON_AddStringToObject(root, "topology_source", info->topology);
  cJSON_AddStringToObject(root, "topology_lack", info->topology_lack);
  cJSON_AddBoolToObject(root, "is_bound", info->is_bound);
  cJSON_AddStringToObject(root, "host_variant", info->host_variant);
  cJSON_AddStringToObject(root, "host_best", info->host_best);
  cJSON_AddStringToObject(root, "driver_file", info->driver_file);
  cJSON_AddNumberToObject(root, "driver_version", info->driver_version);
  cJSON_AddStringToObject(root, "driver_release", release);
  cJSON_AddBoolToObject(root, "driver_is_found_by_libomptarget", info->driver_is_found_by_libomptarget);
  cJSON_AddStringToObject(root, "wait", info->wait);
  cJSON_AddNumberToObject(root, "recheck", info->recheck);
  cJSON *devices = cJSON_AddArrayToObject(root, "devices"), *gpus = cJSON_AddArrayToObject(root, "gpus");
  for (int k = 0; usw_device_info(k, &device) == USW_OK; k++)
    add_device(devices, &device);
  for (int k = 0; usw_gpu_info(k, &device) == USW_OK; k++)
    add_device(gpus, &device);
}

static int print_json(const usw_info_t *info) {
  const char *hints[MOST_HINTS];
  cJSON *root = cJSON_CreateObject();
  cJSON_AddNumberToObject(root, "version", info->version);
  cJSON_AddStringToObject(root, "compiler", info->compiler);
  cJSON_AddStringToObject(root, "images", info->images);
  cJSON_AddStringToObject(root, "openmp_runtime", info->openmp_runtime);
  cJSON_AddStringToObject(root, "offload_runtime", info->offload_runtime);
  add_machine(root, info);
  cJSON *missing = cJSON_AddArrayToObject(root, "missing");
  const int count = find_hints(info, hints);
  for (int h = 0; h < count; h++)
    cJSON_AddItemToArray(missing, cJSON_CreateString(hints[h]));
  const char *no_topology;
  cJSON *topology = tool_read_topology(&no_topology);
  if (!topology)
    cJSON_AddItemToArray(missing, cJSON_CreateString(no_topology));
  cJSON_AddItemToObject(root, "topology", topology ? topology : cJSON_CreateNull());
  return tool_print_json(root) ? TOOL_FAILURE : TOOL_OK;
}

static int print_environment(const command_t *command) {
  const size_t bytes = usw_environment_help(NULL, 0);
  char *text = malloc(bytes);
  if (!text)
    return tool_fail(command->name, NULL, "no memory");
  usw_environment_help(text, bytes);
  fputs(text, stdout);
  free(text);
  return TOOL_OK;
}

static int show_topology(const command_t *command) {
  const char *why = tool_run_lstopo(command->drawing);
  return why ? tool_fail(command->name, command->drawing, "%s", why) : TOOL_OK;
}

int tool_info(int argc, char **argv) {
  command_t command = {.name = argv[0]};
  if (arguments_parse(&parser, argc, argv, &command))
    return TOOL_BAD_INPUT;
  if (command.is_environment)
    return print_environment(&command);
  if (command.is_topology)
    return show_topology(&command);
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  if (usw_info(&info) != USW_OK) {
    tool_fail(command.name, NULL, "%s", usw_error_text());
    return TOOL_FAILURE;
  }
  if (command.is_json)
    return print_json(&info);
  print_text(&info);
  return TOOL_OK;
}
