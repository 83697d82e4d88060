/** @addtogroup library
 *  @{ */
#ifndef UPSWEEP_INFO_H
#define UPSWEEP_INFO_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/export.h>
#include <upsweep/status.h>

/** What usw_info() says. Strings live for ever; "" where there is nothing to say. */
typedef struct {
  size_t size;                         /**< USW_INIT(usw_info_t) */
  int version;                         /**< of the library, as usw_version() */
  const char *compiler;                /**< that compiled the library */
  const char *images;                  /**< device images in the library: "x86_64 sm_90" */
  const char *openmp_runtime;          /**< file of the OpenMP runtime in this process */
  const char *offload_runtime;         /**< file of the runtime that launches on devices, "" without images */
  const char *wait;                    /**< how threads wait for a GPU: "spin", "yield", "block" */
  const char *host_variant;            /**< version of the host's kernels: "base", "v2", "v3", "v4" */
  const char *host_best;               /**< the best version that the processor has */
  uint32_t host_threads;               /**< threads that a large call on the host takes */
  uint32_t host_processors;            /**< processors that this process may use */
  int device_count;                    /**< OpenMP devices that the library can use, of any kind */
  int driver_gpu_count;                /**< GPUs that NVIDIA's driver shows */
  int driver_version;                  /**< CUDA version of the driver, 1000 * major + 10 * minor; 0 without one */
  const char *driver_file;             /**< file of NVIDIA's driver library */
  int driver_is_found_by_libomptarget; /**< 1: LLVM's runtime, which opens "libcuda.so", finds a driver; 0: it does not */
  uint32_t recheck;                    /**< USW_RECHECK: one call in that many runs twice; 0: none does */
  uint64_t rechecked_calls;            /**< usw_recheck_counts(): calls of this process that ran twice */
  uint64_t differing_calls;            /**< those of them whose results differed */
  const char *threads_reason;          /**< why host_threads are not more: "one for each core" */
  uint32_t host_cores;                 /**< cores that this process may use, by its cgroup and its binding */
  uint32_t host_nodes;                 /**< NUMA nodes that have them */
  uint32_t host_quota;                 /**< processors' worth of time that the cgroup grants; 0: no limit */
  const char *topology;                /**< what told of cores and nodes: "hwloc 2.9.0"; "OpenMP, no hwloc" */
  const char *topology_lack;           /**< why not hwloc: "built without hwloc"; "" */
  int is_bound;                        /**< 1: threads of calls on the host stay on cores of their own (USW_BIND) */
  const char *devices_lack;            /**< why devices that the OpenMP runtime counts cannot be used:
                                            "OMP_TARGET_OFFLOAD is disabled: ..."; "" */
} usw_info_t;

/** One thread of a large call on the host, and where it sits with USW_BIND=1. */
typedef struct {
  size_t size;        /**< USW_INIT(usw_host_thread_t) */
  uint32_t core;      /**< index of the core among those that this process may use */
  uint32_t processor; /**< the system's number of the hardware thread */
  uint32_t node;      /**< the system's number of the core's NUMA node */
  uint32_t package;   /**< index of the core's package */
  uint32_t kind;      /**< 0: of the slowest cores of the machine; larger: of faster ones */
} usw_host_thread_t;

/** One device that the library can use, or one GPU of the driver. */
typedef struct {
  size_t size;              /**< USW_INIT(usw_device_info_t) */
  int number;               /**< OpenMP device number, or the driver's ordinal of a GPU */
  const char *target;       /**< "nvptx", "amdgcn", "x86_64" */
  char image[16];           /**< the image that it needs: "sm_90" */
  char name[64];            /**< the driver's name of it, "" if it has none */
  uint32_t multiprocessors; /**< of a GPU; processors of the x86_64 device */
  uint64_t memory_bytes;    /**< of a GPU, 0: not known */
  int has_image;            /**< 1: the library has an image for it */
  char pci_address[16];     /**< of a GPU of the driver: "0000:81:00.0"; "" where it is not known */
  int node;                 /**< the system's number of the NUMA node that is near to it; -1: not known, or all are */
} usw_device_info_t;

USW_BEGIN_C

/** What the library and this machine have.
 *
 *  @param[out] info_out filled in; its size is set by the caller. Unchanged on failure.
 *  @return USW_OK; USW_ERROR_INVALID (NULL); USW_ERROR_VERSION (a structure of another size); USW_ERROR_STATE.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: the first call asks the OpenMP runtime and the driver, and reads the machine's topology.  @since 0.1  @see tests/tool/library.c */
USW_API usw_status_t usw_info(usw_info_t *info_out);

/** The k-th thread that a large call on the host takes, if no other call is under way.
 *
 *  Threads go where the system puts them, unless USW_BIND=1: then each stays where this says, as far as the seat was free
 *  when it first took part in a call.
 *
 *  @param[in]  k          from 0.
 *  @param[out] thread_out filled in; its size is set by the caller. Unchanged on failure.
 *  @return USW_OK; USW_ERROR_UNSUPPORTED (there are no more, or no place is known for it); USW_ERROR_INVALID (NULL, k < 0);
 *          USW_ERROR_VERSION; USW_ERROR_STATE.
 *  @note Threads: safe from any number of threads at once.  @since 0.1  @see tests/tool/library.c */
USW_API usw_status_t usw_host_thread(int k, usw_host_thread_t *thread_out);

/** The k-th device that the library can use.
 *
 *  @param[in]  k          from 0.
 *  @param[out] device_out filled in; its size is set by the caller. Unchanged on failure.
 *  @return USW_OK; USW_ERROR_DEVICE (there are no more); USW_ERROR_INVALID (NULL, k < 0); USW_ERROR_VERSION;
 *          USW_ERROR_STATE.
 *  @note Threads: safe from any number of threads at once.  @since 0.1 */
USW_API usw_status_t usw_device_info(int k, usw_device_info_t *device_out);

/** The k-th GPU that NVIDIA's driver shows, whether the library can use it or not.
 *
 *  @param[in]  k       from 0.
 *  @param[out] gpu_out filled in; its size is set by the caller. Unchanged on failure.
 *  @return as usw_device_info().
 *  @note Threads: safe from any number of threads at once.  @since 0.1 */
USW_API usw_status_t usw_gpu_info(int k, usw_device_info_t *gpu_out);

USW_END_C

/** @} */
#endif
