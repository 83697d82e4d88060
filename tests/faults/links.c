/* Items of one call that several GPUs share by the links of a tuning file: each has its share, on every run and with any number of
 * threads; equal parts where rates are equal or one is not known. What `usw tune` finds where one link is slow.   links
 * The stub's GPUs are told apart by their places on the PCI bus; each file is given to a process of its own. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <upsweep/explain.h>
#include <upsweep/info.h>
#include <upsweep/parts.h>
#include <upsweep/upsweep.h>

#include "backend_simt.h"
#include "oracle/pattern.h"
#include "points.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "tune/links.h"

enum { GPUS = 4, ITEMS = 1000003, LEAST = 32768, LINE = 64, TEXT_BYTES = 4096, LONGEST_S = 60 };

typedef struct links {
  const char *what, *text; /* behind the head of the file */
  size_t weights[GPUS];    /* of the parts that come of them */
} links_t;

#define LINK(gpu, ns) "link pci=0000:a" #gpu ":00.0 bytes=1000000000 ns=" #ns " spread_ns=0\n"

static const links_t cases[] = {
    {"no links", "", {0}},
    {"four rates", LINK(0, 40000000) LINK(3, 10000000) LINK(1, 10000000) LINK(2, 20000000), {16, 64, 32, 64}},
    {"a rate that is not known", LINK(0, 40000000) LINK(1, 10000000) LINK(2, 20000000), {0}},
    {"rates within 5 %", LINK(0, 10000000) LINK(1, 10300000) LINK(2, 10100000) LINK(3, 10400000), {0}},
    {"other GPUs", LINK(4, 10000000) LINK(5, 20000000) LINK(6, 30000000) LINK(7, 40000000), {0}},
};

static double x[ITEMS];
static char file_name[] = "/tmp/upsweep_links_XXXXXX";

static void find_starts(const size_t *weights, size_t *starts) {
  const size_t rest = ITEMS / LINE - GPUS * (LEAST / LINE);
  size_t whole = 0, before = 0;
  for (int k = 0; k < GPUS; k++)
    whole += weights[k];
  for (size_t k = 0; k < GPUS; k++) {
    starts[k] = LINE * (whole ? k * (LEAST / LINE) + rest * before / whole : ITEMS / GPUS / LINE * k);
    before += weights[k];
  }
  starts[GPUS] = ITEMS;
}

/* A sum that rounds, of the parts that are expected. */
static double sum_of_parts(const size_t *starts) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .staging = USW_STAGING_ALWAYS};
  usw_part_t parts[GPUS];
  double sum = 0;
  for (int k = 0; k < GPUS; k++)
    parts[k] = (usw_part_t){.size = USW_INIT(usw_part_t),
                            .place = USW_DEVICE,
                            .device = k,
                            .n = starts[k + 1] - starts[k],
                            .x = {x + starts[k]}};
  CHECK_STATUS(USW_OK, usw_reduce_parts(USW_PLUS, USW_F64, parts, GPUS, &sum, &options));
  return sum;
}

static void expect_told(const char *what, const size_t *starts) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .devices = USW_ALL_DEVICES};
  usw_part_explanation_t told[GPUS];
  size_t count = 0;
  for (int k = 0; k < GPUS; k++)
    told[k] = (usw_part_explanation_t){.size = USW_INIT(usw_part_explanation_t)};
  CHECK_STATUS(USW_OK, usw_explain_devices(USW_PLUS, USW_F64, NULL, ITEMS, &options, GPUS, told, &count));
  CHECK_U64(GPUS, count);
  for (int k = 0; k < GPUS; k++)
    CHECK_AT(told[k].n == starts[k + 1] - starts[k] && told[k].call.device == k, what);
}

static int run(const links_t *links) {
  static const int threads[] = {1, 9, 3};
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .devices = USW_ALL_DEVICES};
  const size_t none[GPUS] = {0};
  size_t starts[GPUS + 1], equal[GPUS + 1];
  find_starts(links->weights, starts);
  find_starts(none, equal);
  expect_told(links->what, starts);
  const double expected = sum_of_parts(starts), of_equal = sum_of_parts(equal);
  const int are_equal = memcmp(starts, equal, sizeof starts) == 0;
  CHECK_AT((memcmp(&expected, &of_equal, sizeof expected) == 0) == are_equal, links->what); /* else bits tell nothing */
  for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
    double sum = 0;
    omp_set_num_threads(threads[t]);
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
    check_count(memcmp(&sum, &expected, sizeof sum) == 0, __FILE__, __LINE__, "%s: %a, expected %a", links->what, sum,
                expected);
  }
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}

/* ---- files ---- */

static void prepare(void) {
  alarm(LONGEST_S);
  hide_host_memory();
  simt_set_devices(GPUS);
  simt_launch_by_driver();
}

/* The head that a file for these GPUs has. The library has not been asked in this process before. */
static int write_file(const char *text) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_DEVICE};
  usw_explanation_t e = {.size = USW_INIT(usw_explanation_t)};
  usw_device_info_t gpu = {.size = USW_INIT(usw_device_info_t)};
  prepare();
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, 1, &options, &e));
  CHECK_STATUS(USW_OK, usw_device_info(1, &gpu));
  CHECK_TEXT_HAS(gpu.pci_address, "0000:a1:00.0");
  FILE *stream = fopen(file_name, "w");
  CHECK(stream && fprintf(stream, "%sdriver 1\ndate 2\ncommand 3\n%send\n", e.tuning_header, text) > 0 &&
        fclose(stream) == 0);
  return check_report();
}

static int warnings;
static void count_warnings(usw_log_level_t level, const char *line, void *context) {
  (void)context;
  warnings += level == USW_LOG_WARNING && strstr(line, "USW_TUNING");
}

static int run_with_file(const links_t *links) {
  prepare();
  setenv("USW_TUNING", file_name, 1);
  usw_set_log_callback(count_warnings, NULL);
  const int code = run(links);
  return warnings ? 1 : code;
}

/* ---- measuring ---- */

enum { SLOW = 2, SLOW_NS_OF_KIB = 40000, MEASURED_BYTES = 1 << 20 };

/* To the slow GPU copies take 40 ms longer than to others, so that parts by rates end sooner, whatever else runs here. */
static int measure(void) {
  static tune_links_t links;
  prepare();
  stub_slow_down(SLOW, SLOW_NS_OF_KIB);
  CHECK_I64(0, tune_measure_links(0, MEASURED_BYTES, &links));
  if (CHECK_I64(GPUS, links.count))
    for (int k = 0; k < GPUS; k++) {
      CHECK_I64(k, links.links[k].device);
      CHECK_I64('0' + k, links.links[k].pci_address[6]);
      CHECK(k == SLOW || links.links[k].us < links.links[SLOW].us);
    }
  CHECK(links.is_gain && links.us < links.instead_us);
  stub_slow_down(-1, 0);
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}

/* Links NULL: it measures. */
static int code_of_child(const links_t *links, int is_writer) {
  int status = -1;
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0)
    exit(!links ? measure() : is_writer ? write_file(links->text) : run_with_file(links));
  return child > 0 && waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void) {
  const int descriptor = mkstemp(file_name);
  CHECK(descriptor >= 0 && close(descriptor) == 0);
  pattern_fill(PATTERN_wide, USW_F64, x, ITEMS, 11);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    check_true_at(code_of_child(&cases[k], 1) == 0, "its file is written", cases[k].what, __FILE__, __LINE__);
    check_true_at(code_of_child(&cases[k], 0) == 0, "its parts", cases[k].what, __FILE__, __LINE__);
  }
  check_true_at(code_of_child(NULL, 0) == 0, "it measures", "a slow link", __FILE__, __LINE__);
  unlink(file_name);
  return check_report();
}
