/* How long the GPU itself was busy, whoever asked it to: libusw_kernel_clock.so, which lies beside usw-bench where there
 * was a toolkit to build it with, exports one structure, named peer_kernel_clock.
 *
 * The clock is NVIDIA's CUPTI. It makes launches slower: measure wall clock first, and this in calls of their own. */
#ifndef BENCH_PEERS_KERNEL_CLOCK_H
#define BENCH_PEERS_KERNEL_CLOCK_H

#ifdef __cplusplus
extern "C" {
#endif

/* Both functions return 0, or -1 if the clock cannot run: another profiler has the GPU, or records were lost. They are
 * for one thread, and first wait until every GPU that this process uses is idle. */
typedef struct peer_kernel_clock {
  const char *(*version)(void); /* of the clock; lives for ever */
  int (*start)(void);
  /* What has run since start(), on all GPUs and by all threads: the seconds of kernels, copies and fills by the GPU's own
   * clock, added up even where they overlap; the number of kernels; the number of copies and fills. */
  int (*stop)(double *seconds_out, int *kernels_out, int *copies_out);
} peer_kernel_clock_t;

/* What the library defines; usw-bench looks it up by name. */
extern __attribute__((visibility("default"))) const peer_kernel_clock_t peer_kernel_clock;

#ifdef __cplusplus
}
#endif

#endif
