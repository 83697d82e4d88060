/* The clock of kernel_clock.h, by CUPTI's records of what a GPU did. */
#include "kernel_clock.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>
#include <mutex>

namespace {

constexpr size_t BUFFER_BYTES = 1 << 20, BUFFER_ALIGNMENT = 8;
constexpr CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
                                        CUPTI_ACTIVITY_KIND_MEMSET};

/* CUPTI hands buffers back on a thread of its own. */
std::mutex lock;
struct {
  uint64_t nanoseconds;
  int kernels, copies, lost;
} seen;

/* Every version of these records has its times in the same place, but a type of its own. */
template <class Record> void add(const CUpti_Activity *any, int *count) {
  const auto *record = reinterpret_cast<const Record *>(any);
  if (record->end < record->start || record->start == 0)
    seen.lost++; /* the GPU could not say when */
  else
    seen.nanoseconds += record->end - record->start;
  ++*count;
}

void CUPTIAPI give_buffer(uint8_t **buffer_out, size_t *bytes_out, size_t *most_records_out) {
  *buffer_out = static_cast<uint8_t *>(aligned_alloc(BUFFER_ALIGNMENT, BUFFER_BYTES));
  *bytes_out = *buffer_out ? BUFFER_BYTES : 0;
  *most_records_out = 0; /* as many as fit */
}

void CUPTIAPI take_buffer(CUcontext context, uint32_t stream, uint8_t *buffer, size_t, size_t bytes) {
  const std::lock_guard<std::mutex> locked(lock);
  CUpti_Activity *record = nullptr;
  while (bytes && cuptiActivityGetNextRecord(buffer, bytes, &record) == CUPTI_SUCCESS) {
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      add<CUpti_ActivityKernel4>(record, &seen.kernels);
    else if (record->kind == CUPTI_ACTIVITY_KIND_MEMCPY)
      add<CUpti_ActivityMemcpy>(record, &seen.copies);
    else if (record->kind == CUPTI_ACTIVITY_KIND_MEMSET)
      add<CUpti_ActivityMemset>(record, &seen.copies);
  }
  size_t dropped = 0;
  if (cuptiActivityGetNumDroppedRecords(context, stream, &dropped) == CUPTI_SUCCESS)
    seen.lost += static_cast<int>(dropped);
  free(buffer);
}

/* The driver as the process has opened it already: everybody here works in the devices' primary contexts. */
template <class Function> Function *driver_function(const char *name) {
  static void *driver = dlopen("libcuda.so.1", RTLD_NOW);
  return driver ? reinterpret_cast<Function *>(dlsym(driver, name)) : nullptr;
}

int wait_until_idle() {
  static const auto count_devices = driver_function<CUresult(int *)>("cuDeviceGetCount");
  static const auto state_of = driver_function<CUresult(CUdevice, unsigned *, int *)>("cuDevicePrimaryCtxGetState");
  static const auto retain = driver_function<CUresult(CUcontext *, CUdevice)>("cuDevicePrimaryCtxRetain");
  static const auto release = driver_function<CUresult(CUdevice)>("cuDevicePrimaryCtxRelease_v2");
  static const auto push = driver_function<CUresult(CUcontext)>("cuCtxPushCurrent_v2");
  static const auto pop = driver_function<CUresult(CUcontext *)>("cuCtxPopCurrent_v2");
  static const auto synchronize = driver_function<CUresult()>("cuCtxSynchronize");
  int count = 0;
  if (!count_devices || !state_of || !retain || !release || !push || !pop || !synchronize || count_devices(&count))
    return -1;
  for (CUdevice device = 0; device < count; device++) {
    unsigned flags = 0;
    int is_active = 0;
    CUcontext context = nullptr;
    if (state_of(device, &flags, &is_active))
      return -1;
    if (!is_active)
      continue;
    if (retain(&context, device))
      return -1;
    const bool failed = push(context) || synchronize() || pop(&context);
    if (release(device) || failed)
      return -1;
  }
  return 0;
}

const char *version() {
  static char text[64];
  uint32_t number = 0;
  cuptiGetVersion(&number);
  snprintf(text, sizeof text, "CUPTI, version %u of its interface", number);
  return text;
}

int disable(int failed) {
  for (const CUpti_ActivityKind kind : kinds)
    cuptiActivityDisable(kind);
  return failed;
}

int start() {
  static bool is_registered;
  if (!is_registered && cuptiActivityRegisterCallbacks(give_buffer, take_buffer))
    return -1;
  is_registered = true;
  if (wait_until_idle())
    return -1;
  for (const CUpti_ActivityKind kind : kinds)
    if (cuptiActivityEnable(kind))
      return disable(-1);
  const std::lock_guard<std::mutex> locked(lock);
  seen = {};
  return 0;
}

/* A forced flush returns when the buffers have been handed back. */
int stop(double *seconds_out, int *kernels_out, int *copies_out) {
  const bool failed = wait_until_idle() || cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
  disable(0);
  const std::lock_guard<std::mutex> locked(lock);
  if (failed || seen.lost)
    return -1;
  *seconds_out = static_cast<double>(seen.nanoseconds) * 1e-9;
  *kernels_out = seen.kernels;
  *copies_out = seen.copies;
  return 0;
}

} // namespace

const peer_kernel_clock_t peer_kernel_clock = {version, start, stop};
