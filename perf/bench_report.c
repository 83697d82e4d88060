/* What is said of a measurement. */
#include "bench.h"

#include <omp.h>
#include <stdio.h>
#include <string.h>

static double bytes_of(const bench_call_t *call) {
  return (double)call->n * (double)call->type->bytes * call->kernel->inputs;
}

void bench_print_heading(void) {
  printf("%-9s %-4s %11s  %-13s %6s %5s %11s %11s %11s %8s\n", "kernel", "type", "n", "competitor", "teams", "size",
         "median, us", "quartile 1", "quartile 3", "GB/s");
}

void bench_print_line(const bench_call_t *call, const bench_competitor_t *competitor) {
  const bench_statistics_t *times = &competitor->times;
  printf("%-9s %-4s %11zu  %-13s %6u %5u %11.2f %11.2f %11.2f %8.1f%s%s%s\n", call->kernel->name, call->type->name,
         call->n, competitor->name, competitor->teams_used, competitor->team_size_used, times->median * 1e6,
         times->first_quartile * 1e6, times->third_quartile * 1e6, bytes_of(call) * 1e-9 / times->median,
         competitor->form ? "  " : "", competitor->form ? competitor->form : "", competitor->wrong ? "  WRONG" : "");
}

void bench_print_best(const bench_call_t *call, const bench_competitor_t *competitors, int count) {
  for (int k = 0; k < count; k++) {
    const bench_competitor_t *best = &competitors[k];
    int is_first = 1;
    for (int other = 0; other < k; other++)
      is_first &= strcmp(competitors[other].name, best->name) != 0;
    if (!is_first)
      continue;
    for (int other = k + 1; other < count; other++)
      if (strcmp(competitors[other].name, best->name) == 0 && competitors[other].times.median < best->times.median)
        best = &competitors[other];
    bench_print_line(call, best);
  }
}

void bench_add_entry(cJSON *results, const bench_place_t *place, const bench_call_t *call,
                     const bench_competitor_t *competitor, int repetitions) {
  const bench_statistics_t *times = &competitor->times;
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddItemToArray(results, entry);
  cJSON_AddStringToObject(entry, "place", place->name);
  cJSON_AddStringToObject(entry, "kernel", call->kernel->name);
  cJSON_AddStringToObject(entry, "type", call->type->name);
  cJSON_AddNumberToObject(entry, "n", (double)call->n);
  cJSON_AddStringToObject(entry, "competitor", competitor->name);
  cJSON_AddBoolToObject(entry, "peer", competitor->peer || competitor->plugin);
  if (competitor->form)
    cJSON_AddStringToObject(entry, "form", competitor->form);
  if (!competitor->peer && !competitor->plugin) {
    cJSON_AddStringToObject(entry, "strategy", bench_strategy_name(competitor->strategy_used));
    cJSON_AddNumberToObject(entry, "teams", competitor->teams_used);
    cJSON_AddNumberToObject(entry, "team_size", competitor->team_size_used);
  }
  cJSON_AddNumberToObject(entry, "repetitions", repetitions);
  cJSON_AddNumberToObject(entry, "least_us", times->least * 1e6);
  cJSON_AddNumberToObject(entry, "first_quartile_us", times->first_quartile * 1e6);
  cJSON_AddNumberToObject(entry, "median_us", times->median * 1e6);
  cJSON_AddNumberToObject(entry, "third_quartile_us", times->third_quartile * 1e6);
  cJSON_AddNumberToObject(entry, "gb_per_s", bytes_of(call) * 1e-9 / times->median);
  cJSON_AddNumberToObject(entry, "wrong_results", competitor->wrong);
}

void bench_print_list(void) {
  fputs("places:", stdout);
  static const char *const names[] = {"host", "x86_64", "gpu"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    bench_place_t place;
    if (bench_find_place(names[k], &place) == 0)
      printf(" %s", names[k]);
  }
  puts("\nstrategies: auto; host (on the host); tree host_finish clause tree_atomic atomic multipass (on devices)");
  puts("peers: libomp (on the host); plain_clause (on devices); prototype (sum of f64), cub, cublas (on NVIDIA)");
  for (const bench_kernel_t *kernel = bench_kernels; kernel->name; kernel++) {
    printf("%s:", kernel->name);
    for (const bench_type_t *type = bench_types; type->name; type++)
      if (bench_has(kernel, type))
        printf(" %s", type->name);
    putchar('\n');
  }
}
