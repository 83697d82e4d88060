/* Any bytes as a tuning file, and as the lines behind a good head: the file is refused with a reason and a line, or
 * its entries keep all limits; then calls of its place run by them, with right results, and their explanations name
 * what there is. */
#include <policy/device_shares.h>
#include <policy/devices.h>
#include <policy/tuning_file.h>
#include <sys/mman.h>
#include <unistd.h>
#include <upsweep/explain.h>
#include <upsweep/info.h>
#include <upsweep/upsweep.h>

#include "input.h"

enum { TEXT_BYTES = 1 << 13, NUMBERS = 3000, MOST_CALLS = 6 };

static char path[32];
static int file = -1;

static size_t write_head(char *text, int is_host) {
  char library[USWI_TUNING_WHY_BYTES];
  uswi_tuning_library(library);
  return (size_t)snprintf(text, TEXT_BYTES,
                          USWI_TUNING_FORMAT "\n%s\ndevice %s\nbackend driver\ndriver 1\ndate 2026\ncommand usw-tune\n",
                          library, is_host ? "host, 2 processors, x" : "simt simt, 4 multiprocessors");
}

/* A line of words that an entry or time has, one of them perhaps another's. */
static size_t write_line(input_t *input, char *text, size_t room, int is_host) {
  static const char *const strategies[] = {"auto",   "host",        "tree",   "host_finish",
                                           "clause", "tree_atomic", "atomic", "multipass"};
  static const unsigned shares[] = {1, 2, 64, 65, 1024, 4096, 1 << 30, 0};
  const char *share = is_host ? "chunk" : "teams", *strategy = strategies[take_below(input, 8)];
  const char *asked = take_rarely(input, 8)             ? strategies[take_below(input, 8)]
                      : is_host || take_below(input, 2) ? strategy
                                                        : "auto";
  const unsigned item = 1u << take_below(input, 7), teams = shares[take_below(input, 8)];
  const char *accumulator = take_below(input, 2) ? "large" : "small";
  static const char *const kinds[] = {"", "", " results=one", " results=axes", " results=segments"};
  const char *results = kinds[take_below(input, 5)];
  const unsigned long long at = take_any(input), width = take_any(input), from = at > width ? at - width : 1;
  const unsigned long long ns = take_any(input) >> 14, more = take_below(input, 3);
  const unsigned long long to = at + width < at ? UINT64_MAX : at + width;
  const int written =
      take_below(input, 3)
          ? snprintf(text, room,
                     "entry asked=%s item=%u accumulator=%s%s from=%llu to=%llu strategy=%s %s=%u at=%llu ns=%llu "
                     "instead_ns=%llu spread_ns=%llu\n",
                     asked, item, accumulator, results, from, to, strategy, share, teams, at, ns, ns + more, more)
          : snprintf(text, room, "time item=%u accumulator=%s%s bytes=%llu strategy=%s %s=%u ns=%llu spread_ns=%llu\n",
                     item, accumulator, results, at, strategy, share, teams, ns, more);
  return written > 0 && (size_t)written < room ? (size_t)written : 0;
}

/* The rate of a link, perhaps of one that another line has, or by numbers that it cannot have. */
static size_t write_link(input_t *input, char *text, size_t room) {
  static const char *const addresses[] = {"0000:17:00.0", "0000:65:00.0", "0000:ca:00.0", "ffff:ff:1f.7", "0",
                                          "0000:CA:00.0"};
  const char *address = addresses[take_below(input, 6)];
  const unsigned long long bytes = take_any(input) >> take_below(input, 64), ns = take_any(input) >> 14;
  const unsigned long long spread = take_rarely(input, 8) ? take_any(input) : take_below(input, 3);
  const int written =
      snprintf(text, room, "link pci=%s bytes=%llu ns=%llu spread_ns=%llu\n", address, bytes, ns, spread);
  return written > 0 && (size_t)written < room ? (size_t)written : 0;
}

/* The file; is_host_out says for what its head is, if it is this program's. */
static size_t write_text(input_t *input, char *text, int *is_host_out) {
  const uint64_t kind = take_below(input, 4);
  size_t length = 0;
  *is_host_out = (int)take_below(input, 2);
  if (kind > 0)
    length = write_head(text, *is_host_out);
  for (uint64_t line = kind > 1 ? 1 + take_below(input, 12) : 0; line > 0; line--) {
    const size_t room = TEXT_BYTES - 8 - length;
    const int is_link = *is_host_out ? take_rarely(input, 32) : take_below(input, 2) == 0;
    length += is_link ? write_link(input, text + length, room) : write_line(input, text + length, room, *is_host_out);
  }
  if (kind < 3) {
    const size_t rest = input_left(input), room = TEXT_BYTES - 8 - length;
    take_into(input, text + length, rest < room ? rest : room);
    length += rest < room ? rest : room;
  }
  if (kind > 1) {
    memcpy(text + length, "end\n", 4);
    length += 4;
  }
  return length;
}

static void check_entries(const uswi_tuning_file_t *of) {
  for (uint32_t r = 0; r < of->entry_count; r++) {
    const uswi_tuning_entry_t *e = &of->entries[r];
    require(e->least_bytes <= e->measured_bytes && e->measured_bytes <= e->most_bytes, "entry %u: lengths", r);
    require(e->ns > 0 && e->ns < e->instead_ns && e->way.share > 0, "entry %u: times", r);
    require(e->way.strategy != USW_AUTO_STRATEGY && (e->asked == e->way.strategy || e->asked == USW_AUTO_STRATEGY),
            "entry %u: strategies", r);
    for (uint32_t q = 0; q < r; q++)
      require(e->asked != of->entries[q].asked || e->class.item_bytes != of->entries[q].class.item_bytes ||
                  e->class.accumulator != of->entries[q].class.accumulator ||
                  e->class.results != of->entries[q].class.results || e->most_bytes < of->entries[q].least_bytes ||
                  of->entries[q].most_bytes < e->least_bytes,
              "entries %u and %u are for the same calls", q, r);
  }
}

/* Each device has one, and items that are shared out by them are in one part each. */
static void check_links(input_t *input, const uswi_tuning_file_t *of, int is_host) {
  uint64_t rates[USWI_MAX_DEVICES];
  size_t starts[USWI_MAX_DEVICES + 1];
  const size_t n = (size_t)take_any(input) >> take_below(input, 64), least = take_below(input, 1 << 18);
  require(of->link_count <= USWI_MAX_DEVICES && (!is_host || of->link_count == 0), "%u links", of->link_count);
  for (uint32_t k = 0; k < of->link_count; k++) {
    const uswi_link_t *link = &of->links[k];
    require(link->bytes > 0 && link->ns > 0 && *link->pci_address && is_one_line(link->pci_address), "link %u", k);
    for (uint32_t q = 0; q < k; q++)
      require(strcmp(link->pci_address, of->links[q].pci_address) != 0, "links %u and %u are of one device", q, k);
    rates[k] = uswi_link_rate(link);
  }
  if (of->link_count == 0)
    return;
  uswi_device_starts(n, least, rates, of->link_count, starts);
  require(starts[0] == 0 && starts[of->link_count] == n, "%zu items from %zu to %zu", n, starts[0],
          starts[of->link_count]);
  for (uint32_t k = 0; k < of->link_count; k++)
    require(starts[k] <= starts[k + 1], "part %u of %zu items ends before it begins", k, n);
}

/* Sums of rows, or of segments, each of `length` numbers. */
static void run_many(input_t *input, const int32_t *x, size_t n, const usw_options_t *options) {
  static int64_t sums[NUMBERS];
  static int32_t offsets[NUMBERS + 1];
  const size_t length = 1 + take_below(input, NUMBERS), count = n / length;
  const usw_array_t rows = usw_array_2d(USW_I32, x, count, length);
  for (size_t k = 0; k <= count; k++)
    offsets[k] = (int32_t)(k * length);
  const usw_segments_t segments = usw_segments_by_offsets(USW_I32, offsets, count);
  const usw_status_t status = take_below(input, 2)
                                  ? usw_reduce_axes(USW_PLUS, &rows, USW_AXIS(1), sums, options)
                                  : usw_reduce_segments(USW_PLUS, USW_I32, x, n, &segments, sums, options);
  const int64_t sum_of_first = (int64_t)length * ((int64_t)length - 1) / 2;
  for (size_t k = 0; status == USW_OK && k < count; k++)
    require(sums[k] == sum_of_first + (int64_t)(k * length * length), "sum %zu of %zu numbers is %lld", k, length,
            (long long)sums[k]);
}

/* Sums of whole numbers, by whatever strategy and grid the table chooses. */
static void run_calls(input_t *input, int is_host) {
  static int32_t x[NUMBERS];
  for (uint64_t call = take_below(input, MOST_CALLS); call > 0; call--) {
    usw_options_t options = {.size = USW_INIT(usw_options_t), .place = is_host ? USW_HOST : USW_DEVICE};
    usw_explanation_t explained = {.size = USW_INIT(usw_explanation_t)};
    const size_t n = take_below(input, NUMBERS + 1);
    int64_t sum = 0;
    options.strategy = (usw_strategy_t)take_below(input, USW_STRATEGY_MULTIPASS + 1);
    for (size_t k = 0; k < n; k++)
      x[k] = (int32_t)k;
    const usw_status_t told = usw_explain(USW_PLUS, USW_I32, n, &options, &explained);
    const usw_status_t status = usw_reduce(USW_PLUS, USW_I32, x, n, &sum, &options);
    require(status == told, "usw_reduce() gives %s, usw_explain() %s", usw_status_name(status), usw_status_name(told));
    require(status != USW_OK || sum == (int64_t)n * ((int64_t)n - 1) / 2, "a sum of %zu numbers is %lld", n,
            (long long)sum);
    require(status != USW_OK || (is_one_line(explained.tuning_entry) && explained.teams > 0), "no entry, or no team");
    run_many(input, x, n, &options);
    usw_explain(USW_DESCRIBE, USW_F64, n, &options, &explained); /* wide items, a large accumulator */
    usw_explain(USW_PLUS, USW_F64, (size_t)take_any(input), &options, &explained);
  }
}

static void use(input_t *input, uswi_tuning_file_t *of, int is_host) {
  const uswi_device_t *device = is_host ? NULL : uswi_device(0);
  uswi_tuning_t table = {.times = of->times, .time_count = of->time_count};
  uswi_tuning_entry_t *room = calloc(of->entry_count + USWI_MOST_BUILT_IN, sizeof *room);
  for (uint32_t r = 0; r < of->entry_count; r++)
    of->entries[r].source = "a file";
  uswi_tuning_make(device, of->entries, of->entry_count, &table, room);
  run_calls(input, is_host);
  uswi_tuning_make_built_in(device);
  free(room);
}

static void begin(void) {
  usw_info_t info = {.size = USW_INIT(usw_info_t)};
  file = memfd_create("tuning", 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  require(usw_info(&info) == USW_OK && uswi_device(0) != NULL, "there is no device");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  input_t input = input_of(data, bytes);
  char text[TEXT_BYTES], why[USWI_TUNING_WHY_BYTES] = "";
  uswi_tuning_file_t of;
  int line = -1, lines = 0, is_host;
  if (file < 0)
    begin();
  const size_t length = write_text(&input, text, &is_host);
  require(ftruncate(file, 0) == 0 && pwrite(file, text, length, 0) == (ssize_t)length, "the input is in memory");
  if (uswi_tuning_parse(path, &of, &line, why) == 0) {
    is_host = strncmp(of.device, USWI_TUNING_HOST, strlen(USWI_TUNING_HOST)) == 0;
    check_entries(&of);
    check_links(&input, &of, is_host);
    use(&input, &of, is_host);
    free(of.entries);
    free(of.times);
    free(of.text);
    return 0;
  }
  for (size_t k = 0; k < length; k++)
    lines += text[k] == '\n';
  require(is_one_line(why) && line >= 0 && line <= lines, "line %d of %d: '%s'", line, lines, why);
  return 0;
}
