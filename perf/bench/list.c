/* usw-bench --list: what there is to run. */
#include <stdio.h>

#include "apps/apps.h"
#include "bench.h"

int bench_print_list(void) {
  fputs("places:", stdout);
  static const char *const names[] = {"host", "x86_64", "gpu", "simt"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    bench_place_t place;
    if (bench_find_place(names[k], &place) == 0)
      printf(" %s", names[k]);
  }
  puts("\nstrategies: auto; host (on the host); tree host_finish clause tree_atomic atomic multipass (on devices)");
  puts("peers: read copy library; serial libomp libgomp openblas tbb (on the host); plain_clause\n"
       "  shaped_clause (on devices); prototype (sum of f64) cub cub_deterministic cublas babelstream cuda_read (on "
       "NVIDIA)");
  fputs("applications:", stdout);
  for (int k = 0; apps_cases[k]; k++)
    printf(" %s", apps_cases[k]->name);
  puts("\nsuites:");
  const int failed = bench_print_suites();
  for (const bench_kernel_t *kernel = bench_kernels; kernel->name; kernel++) {
    printf("%s:", kernel->name);
    for (const bench_type_t *type = bench_types; type->name; type++)
      if (bench_has(kernel, type))
        printf(" %s", type->name);
    putchar('\n');
  }
  return failed;
}
