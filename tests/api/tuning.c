/* Tuning files: one that fits is used, for the calls that its entries are for and for no others; one that does not gives one
 * line of the log, which names file, line and reason, and the built-in entries are used. The library reads files once, so that
 * each is given to a process of its own: the program starts itself. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upsweep/explain.h>
#include <upsweep/info.h>
#include <upsweep/upsweep.h>

#include "support/check.h"
#include "support/place.h"

enum { ITEMS = 40960, TEXT_BYTES = 4096 };

static test_place_t place;
static double items[2 * ITEMS];

static int is_host(void) { return place.place == USW_HOST; }

static usw_explanation_t explain(usw_operation_t operation, usw_type_t type, size_t n, const usw_options_t *options) {
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain(operation, type, n, options, &e));
  return e;
}

/* ---- in the process with the file ---- */

static int warnings, takes;
static char warning[512];

static void keep(usw_log_level_t level, const char *line, void *context) {
  (void)context;
  if (!strstr(line, "USW_TUNING"))
    return;
  takes += level == USW_LOG_INFO;
  if (level != USW_LOG_WARNING)
    return;
  warnings++;
  snprintf(warning, sizeof warning, "%s", line);
}

static int is_built_in(const usw_explanation_t *e) {
  return strncmp(e->tuning_entry, "entry ", 4) != 0 && !strstr(e->tuning_source, "upsweep_tuning") &&
         e->instead_us == 0;
}

static uint32_t multiprocessors(void) {
  usw_device_info_t device = {.size = USW_INIT(usw_device_info_t), .number = -1};
  for (int k = 0; device.number != place.device; k++)
    if (usw_device_info(k, &device) != USW_OK)
      return 0;
  return device.multiprocessors;
}

/* Teams that the entry's three for each multiprocessor make; the host's chunks of 64 KiB. */
static uint32_t teams_of_entry(const usw_explanation_t *e) {
  const uint32_t teams = is_host() ? ITEMS * 8 / 65536 : 3 * multiprocessors();
  if (is_host())
    return teams;
  return e->most_teams && e->most_teams < teams ? e->most_teams : teams;
}

static void check_ways(const usw_explanation_t *e) {
  CHECK_F64(11, e->expected_us); /* half way between 7 and 15 */
  if (!CHECK_U64(2, e->rejected_count))
    return;
  CHECK_F64(14, e->rejected[0].us);
  CHECK_F64(30, e->rejected[1].us);
  CHECK_I64(is_host() ? USW_STRATEGY_HOST : USW_STRATEGY_TREE, e->rejected[0].strategy);
  CHECK_I64(is_host() ? USW_STRATEGY_HOST : USW_STRATEGY_HOST_FINISH, e->rejected[1].strategy);
  if (is_host()) {
    CHECK_U64(2, e->rejected[0].teams);
    CHECK_U64(1, e->rejected[1].teams);
  }
}

static void check_taken(const char *file) {
  usw_report_t report = {.size = USW_INIT(usw_report_t)};
  usw_options_t options = place_options(&place);
  double sum;
  const usw_explanation_t e = explain(USW_PLUS, USW_F64, ITEMS, &options);
  CHECK_I64(0, warnings);
  CHECK(takes >= 1);
  CHECK(strncmp(e.tuning_entry, "entry asked=", 10) == 0);
  CHECK_TEXT_HAS(e.tuning_source, file);
  CHECK_TEXT_HAS(e.tuning_source, "driver of a test");
  CHECK_I64(is_host() ? USW_STRATEGY_HOST : USW_STRATEGY_MULTIPASS, e.strategy);
  CHECK_U64(teams_of_entry(&e), e.teams);
  CHECK_U64(262144, e.measured_bytes);
  CHECK_F64(9, e.measured_us);
  CHECK_F64(10, e.instead_us);
  CHECK_F64(0.1, e.spread_us);
  check_ways(&e);
  options.report = &report;
  if (place.place == USW_HOST ||
      strcmp(place.target, "nvptx") != 0) { /* the items are where the device can read them */
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, items, ITEMS, &sum, &options));
    CHECK_F64(ITEMS, sum);
    CHECK_I64(e.strategy, report.strategy);
  }
}

/* Calls that no entry of the file is for. */
static void check_others(void) {
  usw_options_t options = place_options(&place);
  const usw_explanation_t others[] = {
      explain(USW_PLUS, USW_F64, 65536 / 8, &options), explain(USW_PLUS, USW_F64, 1048576 / 8 + 1, &options),
      explain(USW_PLUS, USW_F32, 2 * ITEMS, &options), explain(USW_DOT, USW_F64, ITEMS, &options),
      explain(USW_DESCRIBE, USW_F64, ITEMS, &options),
  };
  for (size_t k = 0; k < sizeof others / sizeof *others; k++)
    CHECK_AT(is_built_in(&others[k]), others[k].tuning_entry);
  CHECK(!is_built_in(&(usw_explanation_t){.tuning_entry = "entry ", .tuning_source = ""}));
  const usw_explanation_t first = explain(USW_MAXIMUM, USW_I64, 65544 / 8, &options),
                          last = explain(USW_PLUS, USW_F64, 1048576 / 8, &options);
  CHECK(!is_built_in(&first) && !is_built_in(&last));
  options.teams = 2; /* who names teams takes no entry */
  const usw_explanation_t named = explain(USW_PLUS, USW_F64, ITEMS, &options);
  CHECK(*named.tuning_entry == 0 && named.teams == 2);
}

static void check_named_strategy(void) {
  usw_options_t options = place_options(&place);
  if (is_host())
    return;
  options.strategy = USW_STRATEGY_TREE;
  const usw_explanation_t tree = explain(USW_PLUS, USW_F64, ITEMS, &options);
  CHECK(strncmp(tree.tuning_entry, "entry asked=tree ", 15) == 0);
  options.strategy = USW_STRATEGY_HOST_FINISH;
  const usw_explanation_t finish = explain(USW_PLUS, USW_F64, ITEMS, &options);
  CHECK(is_built_in(&finish));
}

/* ---- calls with many results ---- */

enum { ROWS = 160, LENGTH = ITEMS / ROWS, SEGMENTS = 1000, LONG_ROWS = 1 << 14, LONG_LENGTH = 1 << 10 };

/* Teams for each multiprocessor, no more than find a share, where threads make teams; on the host chunks of so many bytes. */
static void check_teams(const usw_shares_explanation_t *e, uint32_t share, uint32_t chunk_bytes) {
  const uint64_t teams = (uint64_t)share * (is_host() ? 0 : multiprocessors());
  const uint64_t useful = (e->shares * e->lanes + e->team_size - 1) / e->team_size;
  const int is_bounded = strcmp(place.target, "x86_64") != 0 && useful < teams;
  CHECK_U64(is_host() ? e->bytes / chunk_bytes : is_bounded ? useful : teams, e->teams);
}

static usw_shares_explanation_t explain_rows(size_t rows, size_t length, const usw_options_t *options) {
  const usw_array_t array = usw_array_2d(USW_F64, NULL, rows, length);
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain_axes(USW_PLUS, &array, USW_AXIS(1), options, &e));
  return e;
}

static usw_shares_explanation_t explain_segments(size_t n, const usw_options_t *options) {
  static const int32_t offsets[2];
  const usw_segments_t segments = usw_segments_by_offsets(USW_I32, offsets, SEGMENTS);
  usw_shares_explanation_t e = {.size = USW_INIT(usw_shares_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain_segments(USW_PLUS, USW_F64, n, &segments, options, &e));
  return e;
}

/* The entry of the kind of results, however many teams the call may have; none where the call names teams. */
static void check_shares(const char *file) {
  usw_options_t options = place_options(&place);
  const usw_shares_explanation_t rows = explain_rows(ROWS, LENGTH, &options),
                                 segments = explain_segments(ITEMS, &options);
  CHECK_TEXT_HAS(rows.tuning_entry, " results=axes ");
  CHECK_TEXT_HAS(segments.tuning_entry, " results=segments ");
  CHECK_TEXT_HAS(rows.tuning_source, file);
  check_teams(&rows, 3, 16384);
  check_teams(&segments, 2, 131072);
  if (!is_host()) {
    const usw_shares_explanation_t long_rows = explain_rows(LONG_ROWS, LONG_LENGTH, &options),
                                   long_segments = explain_segments((size_t)LONG_ROWS * LONG_LENGTH, &options);
    check_teams(&long_rows, 3, 0);
    check_teams(&long_segments, 2, 0);
  }
  const usw_shares_explanation_t short_rows = explain_rows(ROWS, 1, &options);
  CHECK(*short_rows.tuning_entry && strncmp(short_rows.tuning_entry, "entry ", 6) != 0 && !*short_rows.tuning_source);
  options.teams = 2;
  const usw_shares_explanation_t named = explain_rows(ROWS, LENGTH, &options);
  CHECK(*named.tuning_entry == 0 && named.teams == 2);
}

/* Which entry there is shows in no bit. Teams by name stand for other entries. */
static void check_bits_of_many(void) {
  static double rows[ROWS], first_rows[ROWS], segments[SEGMENTS], first_segments[SEGMENTS];
  static int32_t offsets[SEGMENTS + 1];
  static const uint32_t teams[] = {0, 1, 3, 10};
  const usw_array_t array = usw_array_2d(USW_F64, items, ROWS, LENGTH);
  for (int k = 1; k < SEGMENTS; k++)
    offsets[k] = ITEMS / SEGMENTS / 2 * k;
  offsets[SEGMENTS] = ITEMS; /* the last one is in several blocks */
  for (int k = 0; k < ITEMS; k++)
    items[k] = 1 / (double)(k + 1);
  for (size_t k = 0; k < sizeof teams / sizeof *teams; k++) {
    const usw_segments_t by_offsets = usw_segments_by_offsets(USW_I32, offsets, SEGMENTS);
    usw_options_t options = place_options(&place);
    options.teams = teams[k];
    CHECK_STATUS(USW_OK, usw_reduce_axes(USW_PLUS, &array, USW_AXIS(1), k ? rows : first_rows, &options));
    CHECK_STATUS(USW_OK, usw_reduce_segments(USW_PLUS, USW_F64, items, ITEMS, &by_offsets,
                                             k ? segments : first_segments, &options));
    CHECK(k == 0 || memcmp(rows, first_rows, sizeof rows) == 0);
    CHECK(k == 0 || memcmp(segments, first_segments, sizeof segments) == 0);
  }
}

static void check_many_results(const char *file) {
  check_shares(file);
  if (strcmp(place.target, "nvptx") != 0) /* the items are where the device can read them */
    check_bits_of_many();
}

/* Calls without a report take the short way as long as they have one chunk, whose sums have other bits than those of four; the
 * built-in entries alone would have one up to 128 KiB. */
static void check_short_calls(void) {
  static float parts[ITEMS];
  static const size_t lengths[] = {40000 / 4, 40000 / 4 + 1, 12288, 100000 / 4, 100000 / 4 + 1, ITEMS};
  for (size_t k = 0; k < ITEMS; k++)
    parts[k] = 1 / (float)(k + 1);
  for (size_t k = 0; is_host() && k < sizeof lengths / sizeof *lengths; k++) {
    usw_report_t report = {.size = USW_INIT(usw_report_t)};
    usw_options_t options = place_options(&place);
    float brief, usual;
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F32, parts, lengths[k], &brief, &options));
    options.report = &report;
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F32, parts, lengths[k], &usual, &options));
    CHECK_F64(usual, brief);
  }
}

static void check_refused(const char *file, const char *line, const char *why) {
  const usw_options_t options = place_options(&place);
  char where[256];
  const usw_explanation_t e = explain(USW_PLUS, USW_F64, ITEMS, &options);
  snprintf(where, sizeof where, strcmp(line, "0") == 0 ? "%s: " : "%s:%s: ", file, line);
  CHECK_I64(1, warnings);
  CHECK_TEXT_HAS(warning, where);
  CHECK_TEXT_HAS(warning, why);
  CHECK_TEXT_HAS(warning, "the built-in entries are used");
  CHECK_I64(0, takes);
  CHECK(is_built_in(&e) && e.rejected_count == 0);
}

static int child(char **arguments) {
  const char *file = getenv("USW_TUNING");
  usw_gpu_count(NULL); /* the host's calls alone would not look for devices */
  if (strcmp(arguments[0], "refused") == 0) {
    check_refused(file, arguments[1], arguments[2]);
    return check_report();
  }
  if (strcmp(arguments[0], "both") == 0) { /* the second one is refused, the first one used */
    const char *second = strchr(file, ':') + 1;
    CHECK_I64(1, warnings);
    CHECK_TEXT_HAS(warning, second);
    CHECK_TEXT_HAS(warning, "an earlier file");
    CHECK(takes >= 1);
    return check_report();
  }
  check_taken(file);
  check_others();
  check_named_strategy();
  check_short_calls();
  check_many_results(file);
  return check_report();
}

/* ---- files ---- */

static char file_name[] = "/tmp/upsweep_tuning_XXXXXX";

static const char entries_of_device[] =
    "entry asked=auto item=8 accumulator=small from=65537 to=1048576 strategy=multipass teams=3 at=262144 ns=9000 "
    "instead_ns=10000 spread_ns=100\n"
    "entry asked=tree item=8 accumulator=small from=65537 to=1048576 strategy=tree teams=2 at=262144 ns=9000 "
    "instead_ns=10000 spread_ns=100\n"
    "\n# a comment\n"
    "time item=8 accumulator=small bytes=131072 strategy=tree teams=1 ns=8000 spread_ns=0\n"
    "time item=8 accumulator=small bytes=524288 strategy=tree teams=1 ns=20000 spread_ns=0\n"
    "time item=8 accumulator=small bytes=131072 strategy=multipass teams=3 ns=7000 spread_ns=0\n"
    "time item=8 accumulator=small bytes=524288 strategy=multipass teams=3 ns=15000 spread_ns=0\n"
    "time item=8 accumulator=small bytes=524288 strategy=host_finish teams=1 ns=30000 spread_ns=0\n"
    "time item=4 accumulator=small bytes=49152 strategy=tree teams=1 ns=9000 spread_ns=0\n"
    "time item=8 accumulator=large bytes=262144 strategy=clause teams=1 ns=9000 spread_ns=0\n" /* describe has none */
    "time item=8 accumulator=large bytes=262144 strategy=atomic teams=1 ns=9000 spread_ns=0\n"
    "entry asked=tree item=8 accumulator=small results=axes from=65537 to=1073741824 strategy=tree teams=3 at=262144 "
    "ns=9000 instead_ns=10000 spread_ns=100\n"
    "entry asked=tree results=segments item=8 accumulator=small from=65537 to=1073741824 strategy=tree teams=2 "
    "at=262144 "
    "ns=9000 instead_ns=10000 spread_ns=100\n"
    "time item=8 accumulator=small results=axes bytes=262144 strategy=tree teams=1 ns=1 spread_ns=0\n"
    "end\n";

static const char entries_of_host[] =
    "entry asked=host item=8 accumulator=small from=65537 to=1048576 strategy=host chunk=65536 at=262144 ns=9000 "
    "instead_ns=10000 spread_ns=100\n"
    "entry asked=host item=16 accumulator=large from=65537 to=1048576 strategy=host chunk=65536 at=262144 ns=9000 "
    "instead_ns=10000 spread_ns=100\n"
    "\n# a comment\n"
    "time item=8 accumulator=small bytes=131072 strategy=host chunk=131072 ns=8000 spread_ns=0\n"
    "time item=8 accumulator=small bytes=524288 strategy=host chunk=131072 ns=20000 spread_ns=0\n"
    "time item=8 accumulator=small bytes=131072 strategy=host chunk=65536 ns=7000 spread_ns=0\n"
    "time item=8 accumulator=small bytes=524288 strategy=host chunk=65536 ns=15000 spread_ns=0\n"
    "time item=8 accumulator=small bytes=524288 strategy=host chunk=1048576 ns=30000 spread_ns=0\n"
    "entry asked=host item=4 accumulator=small from=40001 to=100000 strategy=host chunk=12288 at=49152 ns=9000 "
    "instead_ns=10000 spread_ns=100\n"
    "#\n#\n" /* as many lines as that of devices */
    "entry asked=host item=8 accumulator=small results=axes from=65537 to=1073741824 strategy=host chunk=16384 "
    "at=262144 "
    "ns=9000 instead_ns=10000 spread_ns=100\n"
    "entry asked=host results=segments item=8 accumulator=small from=65537 to=1073741824 strategy=host chunk=131072 "
    "at=262144 ns=9000 instead_ns=10000 spread_ns=100\n"
    "time item=8 accumulator=small results=axes bytes=262144 strategy=host chunk=131072 ns=1 spread_ns=0\n"
    "end\n";

static void good_text(char text[TEXT_BYTES]) {
  const usw_options_t options = place_options(&place);
  const usw_explanation_t e = explain(USW_PLUS, USW_F64, ITEMS, &options);
  snprintf(text, TEXT_BYTES, "%sdriver driver of a test\ndate 2026-11-22T14:00:00Z\ncommand usw-tune\n%s",
           e.tuning_header, is_host() ? entries_of_host : entries_of_device);
}

static void write_file(const char *text, size_t bytes) {
  FILE *stream = fopen(file_name, "wb");
  CHECK(stream && fwrite(text, 1, bytes, stream) == bytes && fclose(stream) == 0);
}

static const char *place_argument;

static void run(const char *files, const char *mode, const char *line, const char *why) {
  fflush(NULL);
  const pid_t pid = fork();
  if (pid == 0) {
    setenv("USW_TUNING", files, 1);
    execl("/proc/self/exe", "tuning", "--place", place_argument, "--child", mode, line, why, (char *)NULL);
    _exit(1);
  }
  int how = 1;
  waitpid(pid, &how, 0);
  check_count(how == 0, __FILE__, __LINE__, "%s, line %s, '%s': the process ended with %d", mode, line, why, how);
}

/* The good file with one thing in place of another. */
typedef struct edit {
  const char *from, *to, *line, *why;
} edit_t;

static void run_edit(const edit_t *edit) {
  char good[TEXT_BYTES], text[2 * TEXT_BYTES];
  good_text(good);
  const char *at = strstr(good, edit->from);
  if (!CHECK_AT(at != NULL, edit->from))
    return;
  const int bytes = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, edit->to, at + strlen(edit->from));
  write_file(text, (size_t)bytes);
  run(file_name, "refused", edit->line, edit->why);
}

static const edit_t edits[] = {
    {"upsweep-tuning 1", "upsweep-tuning 2", "1", "is 'upsweep-tuning 2', this library reads 'upsweep-tuning 1'"},
    {"upsweep-tuning 1", "{\"entries\": []}", "1", "is no tuning file"},
    {"library ", "library 7.", "2", "was measured with 'library 7."},
    {"device ", "device other ", "3", "it is for 'device other "},
    {"backend ", "backend by ", "4", "it is for 'backend by "},
    {"driver driver", "driven by", "5", "there is no line 'driver ...'"},
    {"command usw-tune", "command ", "7", "there is no line 'command ...'"},
    {"entry asked", "raw asked", "8", "is no line of a tuning file"},
    {" item=8", " item=7", "8", "item=7 is no power of 2"},
    {" item=8", " item=64", "8", "item=64 is not possible"},
    {" item=8", " item=", "8", "item= is not possible"},
    {" item=8", " item=8x", "8", "item=8x is not possible"},
    {" item=8", " item", "8", "'item' is no part of such a line"},
    {" item=8", " size=8", "8", "'size=8' is no part of such a line"},
    {" item=8", " item=8 item=8", "8", "item= comes twice"},
    {" item=8", "", "8", "item= is missing"},
    {"small", "tiny", "8", "accumulator=tiny is not possible"},
    {"from=65537", "from=0", "8", "from=0 is not possible"},
    {"from=65537", "from=-1", "8", "from=-1 is not possible"},
    {"to=1048576", "to=18446744073709551616", "8", "to=18446744073709551616 is not possible"},
    {"to=1048576", "to=18446744073709551626", "8", "to=18446744073709551626 is not possible"}, /* 10 modulo 2^64 */
    {"to=1048576", "to=65536", "8", "it was not measured between from= and to="},
    {"at=262144", "at=65536", "8", "it was not measured between from= and to="},
    {"ns=9000", "ns=0", "8", "ns=0 is not possible"},
    {"ns=9000", "ns=1e3", "8", "ns=1e3 is not possible"},
    {"ns=9000", "ns=10000", "8", "the entry gains nothing"},
    {"# a comment", "# a\tcomment", "0", "has a control character"},
    {"# a comment", "# a comment\r", "0", "has a control character"},
    {"\n\n# a comment", "\nentry\n#", "10", "'entry' is no line"},
    {"time item=8", "time item=9", "12", "item=9 is no power of 2"},
    {"results=axes", "results=many", "20", "results=many is not possible"},
    {"results=axes", "results=one results=axes", "20", "results= comes twice"},
    {"results=axes", "results=segments", "21", "line 20 is for some of the same calls"},
    {"\nend\n", "\nend", "22", "it was cut"},
    {"end\n", "", "22", "it was cut"},
    {"end\n", "end\n\n", "23", "goes on behind its line 'end'"},
};

static const edit_t edits_of_devices[] = {
    {"teams=3", "teams=0", "8", "teams=0 is not possible"},
    {"teams=3", "teams=65", "8", "teams=65 is not possible"},
    {"teams=3", "chunk=65536", "8", "'chunk=65536' is no part"},
    {"strategy=multipass", "strategy=clause", "8", "what all kernels have"},
    {"strategy=multipass", "strategy=atomic", "8", "what all kernels have"},
    {"strategy=multipass", "strategy=auto", "8", "none of the device"},
    {"strategy=multipass", "strategy=host", "8", "none of the device"},
    {"strategy=multipass", "strategy=ladder", "8", "strategy=ladder is not possible"},
    {"asked=auto", "asked=tree", "8", "cannot become another one"},
    {"asked=tree item=8 accumulator=small from=65537 to=1048576 strategy=tree",
     "asked=auto item=8 accumulator=small from=9 to=65537 strategy=tree", "9", "it was not measured"},
    {"asked=tree item=8 accumulator=small from=65537", "asked=auto item=8 accumulator=small from=1", "9",
     "line 8 is for some of the same calls"},
    {"asked=tree item=8 accumulator=small results=axes", "asked=auto item=8 accumulator=small results=axes", "20",
     "calls with many results take asked=tree strategy=tree alone"},
    {"asked=tree item=8 accumulator=small results=axes from=65537 to=1073741824 strategy=tree",
     "asked=multipass item=8 accumulator=small results=axes from=65537 to=1073741824 strategy=multipass", "20",
     "calls with many results take"},
    {"device ", "device host, ", "8", "'teams=3' is no part of such a line"},
};

static const edit_t edits_of_host[] = {
    {"chunk=65536", "chunk=64", "8", "chunk=64 is not possible"},
    {"chunk=65536", "teams=1", "8", "'teams=1' is no part"},
    {"strategy=host", "strategy=tree", "8", "none of the host"},
    {"asked=host", "asked=auto", "8", "asked=auto takes"},
    {"item=16 accumulator=large", "item=8 accumulator=small", "9", "line 8 is for some of the same calls"},
    {"item=16 accumulator=large from=65537 to=1048576 strategy=host chunk=65536 at=262144", /* its last length, its first */
     "item=8 accumulator=small from=1048576 to=1048576 strategy=host chunk=65536 at=1048576", "9",
     "line 8 is for some"},
    {"item=16 accumulator=large from=65537 to=1048576 strategy=host chunk=65536 at=262144",
     "item=8 accumulator=small from=65537 to=65537 strategy=host chunk=65536 at=65537", "9", "line 8 is for some"},
};

static void run_edits(const edit_t *list, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (!is_host() || !strstr(list[k].from, "device ")) /* a device's file is told only where devices are looked for */
      run_edit(&list[k]);
}

static void run_bad_files(void) {
  char text[TEXT_BYTES], both[2 * sizeof file_name];
  good_text(text);
  const size_t bytes = strlen(text);
  text[bytes / 2] = 0;
  write_file(text, bytes);
  run(file_name, "refused", "0", "it is no text");
  run("/tmp/no such file", "refused", "0", "cannot be read: No such file");
  run("/tmp", "refused", "0", "cannot be read");
  good_text(text);
  write_file(text, bytes);
  snprintf(both, sizeof both, "%s:%s", file_name, file_name);
  run(both, "both", "", "");
}

int main(int argc, char **argv) {
  usw_set_log_callback(keep, NULL); /* before the library's first use, which reads the file */
  place = place_of_arguments(argc, argv);
  for (int k = 0; k < 2 * ITEMS; k++)
    items[k] = 1;
  for (int k = 1; k + 1 < argc; k++) {
    if (strcmp(argv[k], "--place") == 0)
      place_argument = argv[k + 1];
    if (strcmp(argv[k], "--child") == 0)
      return child(argv + k + 1);
  }
  char text[TEXT_BYTES];
  const int descriptor = mkstemp(file_name);
  CHECK(descriptor >= 0 && close(descriptor) == 0);
  good_text(text);
  write_file(text, strlen(text));
  run(file_name, "taken", "", "");
  run_edits(edits, sizeof edits / sizeof *edits);
  if (is_host())
    run_edits(edits_of_host, sizeof edits_of_host / sizeof *edits_of_host);
  else
    run_edits(edits_of_devices, sizeof edits_of_devices / sizeof *edits_of_devices);
  run_bad_files();
  unlink(file_name);
  return check_report();
}
