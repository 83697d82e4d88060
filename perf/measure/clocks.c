/* NVIDIA's management library, opened at run time: no header of it is needed. */
#include "clocks.h"

#include <dlfcn.h>
#include <stdint.h>

/* Of nvml.h: the few numbers and functions that are used here. Every function returns 0 on success. */
enum { NVML_CLOCK_SM = 1, NVML_CLOCK_MEMORY = 2, NVML_TEMPERATURE_GPU = 0 };
typedef struct nvmlDevice_st *nvml_device_t;
typedef int nvml_plain_t(void);
typedef int nvml_find_t(const char *bus_id, nvml_device_t *device_out);
typedef int nvml_number_t(nvml_device_t device, unsigned *number_out);
typedef int nvml_number_of_t(nvml_device_t device, int what, unsigned *number_out);
typedef int nvml_reasons_t(nvml_device_t device, unsigned long long *reasons_out);

/* Bits of a reason why clocks are not higher. */
static const struct {
  unsigned long long bit;
  const char *text;
} reasons[] = {
    {1u << 0, "idle"},
    {1u << 1, "clocks set by somebody"},
    {1u << 2, "power limit"},
    {1u << 3, "hardware slowdown"},
    {1u << 4, "kept equal with other GPUs"},
    {1u << 5, "temperature"},
    {1u << 6, "hardware slowdown by temperature"},
    {1u << 7, "hardware slowdown by the power supply"},
    {1u << 8, "clocks of a display"},
};

/* CUDA numbers its devices in an order of its own, so that the bus says which of NVML's it is. */
static int find_device(void *nvml, int cuda_device, nvml_device_t *device_out) {
  char bus[32] = "";
  void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  if (!driver)
    return -1;
  int (*initialize)(unsigned) = (int (*)(unsigned))(uintptr_t)dlsym(driver, "cuInit");
  int (*bus_of)(char *, int, int) = (int (*)(char *, int, int))(uintptr_t)dlsym(driver, "cuDeviceGetPCIBusId");
  nvml_find_t *find = (nvml_find_t *)(uintptr_t)dlsym(nvml, "nvmlDeviceGetHandleByPciBusId_v2");
  const int failed = !initialize || !bus_of || !find || initialize(0) || bus_of(bus, sizeof bus, cuda_device);
  dlclose(driver);
  return failed || find(bus, device_out) ? -1 : 0;
}

static void add_clock(cJSON *clocks, void *nvml, nvml_device_t device, const char *name, const char *getter,
                      int which) {
  nvml_number_of_t *get = (nvml_number_of_t *)(uintptr_t)dlsym(nvml, getter);
  unsigned number = 0;
  if (get && get(device, which, &number) == 0)
    cJSON_AddNumberToObject(clocks, name, number);
}

static void add_power(cJSON *clocks, void *nvml, nvml_device_t device, const char *name, const char *getter) {
  nvml_number_t *get = (nvml_number_t *)(uintptr_t)dlsym(nvml, getter);
  unsigned milliwatts = 0;
  if (get && get(device, &milliwatts) == 0)
    cJSON_AddNumberToObject(clocks, name, milliwatts / 1000.0);
}

/* An empty list where nothing holds the clocks back. */
static void add_reasons(cJSON *clocks, void *nvml, nvml_device_t device) {
  nvml_reasons_t *get = (nvml_reasons_t *)(uintptr_t)dlsym(nvml, "nvmlDeviceGetCurrentClocksEventReasons");
  if (!get)
    get = (nvml_reasons_t *)(uintptr_t)dlsym(nvml, "nvmlDeviceGetCurrentClocksThrottleReasons");
  unsigned long long bits = 0;
  if (!get || get(device, &bits))
    return;
  cJSON *list = cJSON_AddArrayToObject(clocks, "held_back_by");
  for (unsigned k = 0; k < sizeof reasons / sizeof *reasons; k++) {
    if (bits & reasons[k].bit)
      cJSON_AddItemToArray(list, cJSON_CreateString(reasons[k].text));
    bits &= ~reasons[k].bit;
  }
  if (bits)
    cJSON_AddItemToArray(list, cJSON_CreateString("a reason without a name here"));
}

static void add_all(cJSON *context, void *nvml, nvml_device_t device) {
  cJSON *clocks = cJSON_AddObjectToObject(context, "clocks");
  add_clock(clocks, nvml, device, "sm_mhz", "nvmlDeviceGetClockInfo", NVML_CLOCK_SM);
  add_clock(clocks, nvml, device, "sm_most_mhz", "nvmlDeviceGetMaxClockInfo", NVML_CLOCK_SM);
  add_clock(clocks, nvml, device, "memory_mhz", "nvmlDeviceGetClockInfo", NVML_CLOCK_MEMORY);
  add_clock(clocks, nvml, device, "memory_most_mhz", "nvmlDeviceGetMaxClockInfo", NVML_CLOCK_MEMORY);
  add_reasons(clocks, nvml, device);
  add_clock(clocks, nvml, device, "temperature_c", "nvmlDeviceGetTemperature", NVML_TEMPERATURE_GPU);
  add_power(clocks, nvml, device, "power_w", "nvmlDeviceGetPowerUsage");
  add_power(clocks, nvml, device, "power_most_w", "nvmlDeviceGetEnforcedPowerLimit");
}

void bench_add_clocks(cJSON *context, int cuda_device) {
  void *nvml = dlopen("libnvidia-ml.so.1", RTLD_NOW);
  if (!nvml)
    return;
  nvml_plain_t *initialize = (nvml_plain_t *)(uintptr_t)dlsym(nvml, "nvmlInit_v2");
  nvml_plain_t *end = (nvml_plain_t *)(uintptr_t)dlsym(nvml, "nvmlShutdown");
  nvml_device_t device = NULL;
  if (initialize && initialize() == 0) {
    if (find_device(nvml, cuda_device, &device) == 0)
      add_all(context, nvml, device);
    if (end)
      end();
  }
  dlclose(nvml);
}
