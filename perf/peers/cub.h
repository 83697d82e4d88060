/* What the files of the CUB peer share. cub_kernel.cu is compiled once for every kernel, so that many compilers work at
 * once; cub.cu calls what they made. */
#ifndef BENCH_PEERS_CUB_H
#define BENCH_PEERS_CUB_H

#include <cstddef>
#include <cstdint>
#include <cuda_runtime_api.h>

namespace peer {

/* The arguments of a call of CUB, which counts the bytes of scratch that it needs if scratch is NULL. */
struct request {
  void *scratch;
  size_t *scratch_bytes;
  const void *x, *y;
  void *found; /* device or mapped memory, FOUND_BYTES long */
  uint32_t n;
  cudaStream_t stream;
};

enum { FOUND_BYTES = 32, MAX_FIELDS = 2 };

/* A part of what a call finds that is stored in one piece: 1, 2, 4 or 8 bytes. */
struct field {
  uint8_t offset, bytes;
};

struct kernel_case {
  const char *kernel, *type;
  cudaError_t (*launch)(const request &);
  void (*finish)(const void *found, void *result_out); /* on the host: what usw_reduce() would write */
  field fields[MAX_FIELDS];                            /* bytes 0 ends the list */
};

struct kernel_cases {
  const kernel_case *cases;
  size_t count;
};

} // namespace peer

#endif
