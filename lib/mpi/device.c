/* Which rank of a node takes which of its GPUs. */
#include "device.h"

#include <stdlib.h>
#include <string.h>
#include <upsweep/info.h>

#include "exchange.h"

enum { MOST_GPUS = 64 /* bits of a mask */ };

/* ---- the choice ---- */

/* Of the GPUs in a mask the first one with the fewest ranks; -1: none. */
static int least_loaded(uint64_t mask, const int *loads, int gpus) {
  int best = -1;
  for (int g = 0; g < gpus; g++)
    if ((mask >> g & 1) && (best < 0 || loads[g] < loads[best]))
      best = g;
  return best;
}

int uswi_mpi_choose_gpu(const uint64_t *near, int rank, int gpus) {
  int loads[MOST_GPUS] = {0}, chosen = -1;
  for (int r = 0; r <= rank && gpus > 0; r++) {
    const int any = least_loaded(UINT64_MAX, loads, gpus), close = least_loaded(near[r], loads, gpus);
    chosen = close < 0 || loads[close] > loads[any] + 1 ? any : close;
    loads[chosen]++;
  }
  return chosen;
}

/* ---- what is near ---- */

/* The GPU of that index among those that the library can use. */
static usw_status_t find_gpu(int index, usw_device_info_t *gpu_out) {
  usw_status_t status = USW_OK;
  for (int k = 0, left = index; status == USW_OK && left >= 0; k++) {
    *gpu_out = (usw_device_info_t){.size = sizeof *gpu_out};
    status = usw_device_info(k, gpu_out);
    left -= status == USW_OK && strcmp(gpu_out->target, "x86_64") != 0;
  }
  return status;
}

/* Whether a thread of this process has a core of the NUMA node, by the system's number of it. */
static int has_core_of(int node) {
  usw_info_t info = {.size = sizeof info};
  usw_host_thread_t thread = {.size = sizeof thread};
  int has = 0;
  const uint32_t threads = usw_info(&info) == USW_OK ? info.host_threads : 0;
  for (uint32_t k = 0; !has && k < threads; k++)
    has = usw_host_thread((int)k, &thread) == USW_OK && (int)thread.node == node;
  return has;
}

/* The GPUs near to this process's cores; one that is near to all nodes, or to no known one, counts. */
static usw_status_t find_near(int gpus, uint64_t *near_out) {
  usw_status_t status = USW_OK;
  uint64_t near = 0;
  for (int g = 0; g < gpus && status == USW_OK; g++) {
    usw_device_info_t gpu;
    status = find_gpu(g, &gpu);
    if (status == USW_OK && (gpu.node < 0 || has_core_of(gpu.node)))
      near |= (uint64_t)1 << g;
  }
  *near_out = near;
  return status;
}

/* ---- the call ---- */

static const char owner_of_device[] = "usw_mpi_device";

static usw_status_t check(int error) { return uswi_mpi_check(owner_of_device, error); }

/* What the others see, and a status that all have: the largest one. */
static usw_status_t exchange(MPI_Comm node, int ranks, usw_status_t own, uint64_t near, uint64_t *all) {
  int mine = own == USW_OK && !all ? USW_ERROR_MEMORY : (int)own, worst;
  usw_status_t status = check(MPI_Allreduce(&mine, &worst, 1, MPI_INT, MPI_MAX, node));
  if (status == USW_OK && worst != USW_OK)
    status = uswi_mpi_fail((usw_status_t)worst, owner_of_device, "one of the %d ranks of this node: %s", ranks,
                           usw_status_text((usw_status_t)worst));
  return status == USW_OK ? check(MPI_Allgather(&near, 1, MPI_UINT64_T, all, 1, MPI_UINT64_T, node)) : status;
}

/* The index of this rank's GPU among those that it can use: a job may give each rank of a node GPUs of its own. */
static usw_status_t choose(MPI_Comm node, int *chosen_out) {
  const int count = usw_gpu_count(NULL), gpus = count < MOST_GPUS ? count : MOST_GPUS;
  uint64_t near = 0;
  int rank, ranks;
  usw_status_t status = check(MPI_Comm_rank(node, &rank));
  if (status == USW_OK)
    status = check(MPI_Comm_size(node, &ranks));
  if (status != USW_OK)
    return status;
  uint64_t *all = malloc((size_t)ranks * sizeof *all);
  status = find_near(gpus, &near);
  status = exchange(node, ranks, status, near, all);
  if (status == USW_OK)
    *chosen_out = uswi_mpi_choose_gpu(all, rank, gpus);
  free(all);
  return status;
}

usw_status_t usw_mpi_device(MPI_Comm comm, int *device_out) {
  int is_inter, chosen = -1;
  MPI_Comm node;
  usw_device_info_t gpu = {.number = -1};
  usw_status_t status = uswi_mpi_check_comm(owner_of_device, comm, &is_inter);
  if (status == USW_OK && is_inter)
    status = uswi_mpi_fail(USW_ERROR_UNSUPPORTED, owner_of_device, "an intercommunicator has no nodes");
  if (status == USW_OK)
    status = check(MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  if (status != USW_OK)
    return status;
  status = choose(node, &chosen);
  MPI_Comm_free(&node);
  if (status == USW_OK && chosen >= 0)
    status = find_gpu(chosen, &gpu);
  if (status == USW_OK && !device_out)
    status = uswi_mpi_fail(USW_ERROR_INVALID, owner_of_device, "device_out is NULL");
  if (status == USW_OK)
    *device_out = gpu.number;
  return status;
}

/* ---- indices ---- */

usw_status_t usw_mpi_locate(size_t n, int64_t index, int *rank_out, int64_t *local_out, MPI_Comm comm) {
  static const char owner[] = "usw_mpi_locate";
  const uint64_t own = n, at = (uint64_t)index;
  uint64_t first = 0;
  int64_t found[2] = {-1, -1}, all[2];
  int is_inter, rank = 0;
  usw_status_t status = uswi_mpi_check_comm(owner, comm, &is_inter);
  if (status == USW_OK && is_inter)
    status = uswi_mpi_fail(USW_ERROR_UNSUPPORTED, owner, "the ranks of an intercommunicator have no order");
  if (status == USW_OK)
    status = uswi_mpi_check(owner, MPI_Comm_rank(comm, &rank));
  if (status == USW_OK)
    status = uswi_mpi_check(owner, MPI_Exscan(&own, &first, 1, MPI_UINT64_T, MPI_SUM, comm));
  if (status != USW_OK)
    return status;
  first = rank == 0 ? 0 : first;
  if (index >= 0 && at >= first && at - first < own) {
    found[0] = rank;
    found[1] = (int64_t)(at - first);
  }
  status = uswi_mpi_check(owner, MPI_Allreduce(found, all, 2, MPI_INT64_T, MPI_MAX, comm));
  if (status == USW_OK && (!rank_out || !local_out))
    status = uswi_mpi_fail(USW_ERROR_INVALID, owner, "%s is NULL", rank_out ? "local_out" : "rank_out");
  if (status != USW_OK)
    return status;
  *rank_out = (int)all[0];
  *local_out = all[1];
  return USW_OK;
}
