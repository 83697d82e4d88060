/* The tuning file (lib/policy/tuning_file.h says what it looks like), and what it gains in words. */
#include "measure/context.h"
#include "tune/tune.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static uint64_t nanoseconds(double us) { return us > 0 ? (uint64_t)llround(us * 1e3) : 0; }

static const char *share_word(const tune_run_t *run) { return run->place.device < 0 ? "chunk" : "teams"; }

/* Nothing is left of some gains when times are whole nanoseconds. */
static int is_gain(const tune_entry_t *entry) {
  return nanoseconds(entry->us) > 0 && nanoseconds(entry->us) < nanoseconds(entry->instead_us);
}

static int write_entry(FILE *stream, const tune_run_t *run, const tune_entry_t *entry) {
  const tune_cell_t *cell = entry->cell;
  return fprintf(stream,
                 "entry asked=%s item=%" PRIu32 " accumulator=%s results=%s from=%" PRIu64 " to=%" PRIu64
                 " strategy=%s %s=%" PRIu32 " at=%" PRIu64 " ns=%" PRIu64 " instead_ns=%" PRIu64 " spread_ns=%" PRIu64
                 "\n",
                 bench_strategy_name(entry->asked), cell->class->item_bytes, cell->class->accumulator,
                 cell->class->results, cell->least_bytes, cell->most_bytes, bench_strategy_name(entry->way.strategy),
                 share_word(run), entry->way.share, cell->bytes, nanoseconds(entry->us), nanoseconds(entry->instead_us),
                 nanoseconds(entry->spread_us)) < 0;
}

static int write_times(FILE *stream, const tune_run_t *run, const tune_cell_t *cell) {
  int failed = 0;
  for (int w = 0; w < cell->way_count; w++)
    if (nanoseconds(cell->times[w].median_us) > 0)
      failed |= fprintf(stream,
                        "time item=%" PRIu32 " accumulator=%s results=%s bytes=%" PRIu64 " strategy=%s %s=%" PRIu32
                        " ns=%" PRIu64 " spread_ns=%" PRIu64 "\n",
                        cell->class->item_bytes, cell->class->accumulator, cell->class->results, cell->bytes,
                        bench_strategy_name(cell->ways[w].strategy), share_word(run), cell->ways[w].share,
                        nanoseconds(cell->times[w].median_us), nanoseconds(cell->times[w].spread_us)) < 0;
  return failed;
}

static int write_links(FILE *stream, const tune_links_t *links) {
  int failed = 0;
  for (int k = 0; k < links->count && links->is_gain; k++)
    failed |= fprintf(stream, "link pci=%s bytes=%" PRIu64 " ns=%" PRIu64 " spread_ns=%" PRIu64 "\n",
                      links->links[k].pci_address, links->bytes, nanoseconds(links->links[k].us),
                      nanoseconds(links->links[k].spread_us)) < 0;
  return failed;
}

static const char *text_in(const cJSON *context, const char *key) {
  const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(context, key));
  return text && *text ? text : "unknown";
}

/* The library says what the first lines have to be. */
static int write_head(FILE *stream, const tune_run_t *run, int argc, char **argv) {
  const bench_competitor_t caller = {.strategy = USW_AUTO_STRATEGY};
  const usw_options_t options = bench_call_options(&caller, run->place.device, NULL);
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  if (usw_explain(USW_PLUS, USW_F64, 1, &options, &e) != USW_OK)
    return -1;
  cJSON *context = bench_context(run->place.device, argc, argv);
  const int failed = fprintf(stream, "%sdriver %s\ndate %s\ncommand %s\n", e.tuning_header, text_in(context, "driver"),
                             text_in(context, "date"), text_in(context, "command")) < 0;
  cJSON_Delete(context);
  return failed;
}

int tune_write(const tune_run_t *run, const char *file, int argc, char **argv) {
  FILE *stream = fopen(file, "w");
  int failed = !stream || write_head(stream, run, argc, argv);
  for (int r = 0; r < run->entry_count && !failed; r++)
    failed |= is_gain(&run->entries[r]) && write_entry(stream, run, &run->entries[r]);
  for (int c = 0; c < run->cell_count && !failed; c++)
    failed |= write_times(stream, run, &run->cells[c]);
  if (!failed)
    failed = write_links(stream, &run->links);
  if (stream) {
    failed |= fputs("end\n", stream) < 0;
    failed |= fclose(stream) != 0;
  }
  if (failed)
    fprintf(stderr, "usw-tune: %s cannot be written\n", file);
  else
    printf("%s: export USW_TUNING=%s\n", file, file);
  return failed ? -1 : 0;
}

static const char *parts_word(const tune_run_t *run, uint32_t parts) {
  return run->place.device < 0 ? parts == 1 ? "chunk" : "chunks" : parts == 1 ? "team" : "teams";
}

static void print_entry(const tune_run_t *run, const tune_entry_t *entry) {
  const tune_kernel_t *kernel = &entry->cell->class->kernels[0];
  const tune_way_t *way = &entry->way, *instead = &entry->instead;
  char text[TUNE_TEXT_BYTES];
  printf("%-11s %s of %s, %s, %s, %" PRIu64 " bytes: %.3f us by %s with %" PRIu32
         " %s, %.1f %% less than %.3f us by %s with "
         "%" PRIu32 " %s\n",
         bench_strategy_name(entry->asked), kernel->function, kernel->type, tune_shape_text(kernel, text),
         bench_accuracy_name(kernel->accuracy), entry->cell->bytes, entry->us, bench_strategy_name(way->strategy),
         way->teams, parts_word(run, way->teams), 100 * (1 - entry->us / entry->instead_us), entry->instead_us,
         bench_strategy_name(instead->strategy), instead->teams, parts_word(run, instead->teams));
}

static void print_links(const tune_links_t *links) {
  for (int k = 0; k < links->count; k++)
    printf("link of %s: %.1f GB/s\n", links->links[k].pci_address, (double)links->bytes / links->links[k].us * 1e-3);
  if (links->is_gain)
    printf("parts by the rates of links: %.1f %% less than equal ones\n", 100 * (1 - links->us / links->instead_us));
  else if (links->count)
    puts("parts by the rates of links would not be faster than equal ones");
}

void tune_print(const tune_run_t *run) {
  double product = 0;
  int entries = 0;
  for (int r = 0; r < run->entry_count; r++) {
    if (!is_gain(&run->entries[r]))
      continue;
    print_entry(run, &run->entries[r]);
    product += log(run->entries[r].us / run->entries[r].instead_us);
    entries++;
  }
  printf("%d of %d cells measured; %d entries", run->measured_count, run->cell_count, entries);
  if (entries)
    printf(", which take %.1f %% less (geometric mean)", 100 * (1 - exp(product / entries)));
  else
    fputs(": nothing is faster than the built-in ones by more than noise", stdout);
  putchar('\n');
  print_links(&run->links);
}
