/* Two libraries of NVIDIA's as one, for a machine that has neither: what perf/measure/clocks.c asks of them, with answers
 * that say which question they answer. */
#include <string.h>

struct nvmlDevice_st {
  int number;
};
static struct nvmlDevice_st gpu = {7};

int cuInit(unsigned flags);
int cuDeviceGetPCIBusId(char *bus_out, int bytes, int device);
int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, struct nvmlDevice_st **device_out);
int nvmlDeviceGetClockInfo(struct nvmlDevice_st *device, int what, unsigned *mhz_out);
int nvmlDeviceGetMaxClockInfo(struct nvmlDevice_st *device, int what, unsigned *mhz_out);
int nvmlDeviceGetCurrentClocksThrottleReasons(struct nvmlDevice_st *device, unsigned long long *reasons_out);
int nvmlDeviceGetTemperature(struct nvmlDevice_st *device, int sensor, unsigned *degrees_out);
int nvmlDeviceGetPowerUsage(struct nvmlDevice_st *device, unsigned *milliwatts_out);

int cuInit(unsigned flags) { return (int)flags; }

int cuDeviceGetPCIBusId(char *bus_out, int bytes, int device) {
  if (device != 1 || bytes < 13)
    return 1;
  strcpy(bus_out, "0000:3B:00.0");
  return 0;
}

int nvmlInit_v2(void) { return 0; }
int nvmlShutdown(void) { return 0; }

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, struct nvmlDevice_st **device_out) {
  *device_out = &gpu;
  return strcmp(bus, "0000:3B:00.0") != 0;
}

int nvmlDeviceGetClockInfo(struct nvmlDevice_st *device, int what, unsigned *mhz_out) {
  *mhz_out = 1000 + (unsigned)what;
  return device != &gpu;
}

int nvmlDeviceGetMaxClockInfo(struct nvmlDevice_st *device, int what, unsigned *mhz_out) {
  *mhz_out = 2000 + (unsigned)what;
  return device != &gpu;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(struct nvmlDevice_st *device, unsigned long long *reasons_out) {
  *reasons_out = 1u << 2 | 1u << 5 | 1u << 30;
  return device != &gpu;
}

int nvmlDeviceGetTemperature(struct nvmlDevice_st *device, int sensor, unsigned *degrees_out) {
  *degrees_out = 61;
  return device != &gpu || sensor != 0;
}

int nvmlDeviceGetPowerUsage(struct nvmlDevice_st *device, unsigned *milliwatts_out) {
  *milliwatts_out = 612500;
  return device != &gpu;
}
