/* The kernels that the stub of the driver launches: STUB_KERNELS(K). The launches of others go through the emulation's backend. */
#ifndef USW_TESTS_FAULTS_STUB_IMAGE_H
#define USW_TESTS_FAULTS_STUB_IMAGE_H

#define STUB_KERNELS(K)                                                                                                \
  K(sum_f64)                                                                                                           \
  K(sum_i64)                                                                                                           \
  K(sum_reproducible_f64)                                                                                              \
  K(describe_f64)                                                                                                      \
  K(window_sweep) K(reducer_set) K(reducer_batch) K(beyond) K(bins) K(halve) K(tiles) K(dealt) K(counted)

#define STUB_SYMBOL(name) "__omp_offloading_10_1_" #name "_bare_l1"

#endif
