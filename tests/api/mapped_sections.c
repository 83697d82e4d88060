/* Arrays of which several devices have copies, in calls that these share (usw_options_t::devices): each device reads its copy where it has all
 * of its part; sections that cover the array are the parts; elsewhere the host's elements are read. Every copy has its device's mark in each
 * element, so that sums tell what was read.   mapped_sections [--place NAME] */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/upsweep.h>

#include "oracle/pattern.h"
#include "support/check.h"
#include "support/device_memory.h"
#include "support/place.h"

#define USW_KERNEL halve
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, value)
#define USW_OUTPUTS(OUT) OUT(double, half)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#define USW_NO_INDEX 1
#include <upsweep/kernel.h>
USW_VISIT() {
  usw_write(half, value / 2);
  usw_add(total, value);
}
#include <upsweep/kernel_end.h>

enum { ITEMS = 300007, LINE = 64, MOST = 8, MOST_SECTIONS = 80, MOST_PARTS = 64, MARK = 1000, ON_HOST = -1 };

/* Elements of an array, and the device that has them, by its place among those of the test. */
typedef struct section {
  int device;
  size_t first, end;
} section_t;

static test_place_t place;
static double x[ITEMS], y[ITEMS], halves[ITEMS];
static int numbers[MOST]; /* of the devices */
static int device_count;
static uint64_t mask;

static void find_devices(void) {
  for (int device = 0; device < 64 && device_count < MOST; device++) {
    const char *target = usw_device_target(device);
    if (target && strcmp(target, place.target) == 0) {
      numbers[device_count++] = device;
      mask |= UINT64_C(1) << device;
    }
  }
}

static usw_options_t options_of(uint64_t devices) {
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .devices = devices};
  return options;
}

/* ---- copies ---- */

static struct {
  place_memory_t memory;
  const double *start;
  int number;
} copies[MOST_SECTIONS];
static int copy_count;

/* The copy has `mark` added to each element. */
static void map(const double *array, const section_t *section, double mark) {
  const size_t items = section->end - section->first, bytes = items * sizeof *array;
  double *const marked = malloc(bytes);
  test_place_t there = place;
  there.device = numbers[section->device];
  for (size_t i = 0; i < items; i++)
    marked[i] = array[section->first + i] + mark;
  copies[copy_count].memory = device_memory_get(&there, marked, bytes, 0);
  copies[copy_count].start = array + section->first;
  copies[copy_count].number = there.device;
#ifdef USW_PORT_SIMT
  simt_map(there.device, copies[copy_count].start, bytes, copies[copy_count].memory.data);
#else
  CHECK_I64(0,
            omp_target_associate_ptr(array + section->first, copies[copy_count].memory.data, bytes, 0, there.device));
#endif
  copy_count++;
  free(marked);
}

static void map_all(const double *array, const section_t *sections, int count) {
  for (int k = 0; k < count; k++)
    map(array, &sections[k], MARK * (sections[k].device + 1));
}

static void unmap_all(void) {
  while (copy_count > 0) {
    copy_count--;
#ifdef USW_PORT_SIMT
    simt_forget_maps();
#else
    CHECK_I64(0, omp_target_disassociate_ptr(copies[copy_count].start, copies[copy_count].number));
#endif
    device_memory_free(&copies[copy_count].memory);
  }
}

/* ---- what is read ---- */

static double sum_of(const section_t *read, int count) {
  double sum = 0;
  for (int k = 0; k < count; k++)
    for (size_t i = read[k].first; i < read[k].end; i++)
      sum += x[i] + MARK * (read[k].device + 1);
  return sum;
}

/* The parts of a call of n items where no sections are followed. */
static int shares_of(size_t n, section_t *shares) {
  const size_t most = n * sizeof *x / (256 << 10), least = most < 1 ? 1 : most;
  const int count = least < (size_t)device_count ? (int)least : device_count;
  for (int k = 0; k < count; k++) {
    const size_t length = n / (size_t)count / LINE * LINE;
    shares[k] = (section_t){k, (size_t)k * length, k + 1 == count ? n : (size_t)(k + 1) * length};
  }
  return count;
}

static void expect_sum(const char *what, size_t n, const section_t *read, int count) {
  const usw_options_t options = options_of(mask);
  double sum = -1;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, n, &sum, &options));
  check_count(sum == sum_of(read, count), __FILE__, __LINE__, "%s: the sum is %g, expected %g", what, sum,
              sum_of(read, count));
}

/* Parts of one device for each, in the order of the elements; only what is read from the host is staged. */
static void expect_told(const char *what, size_t n, const section_t *read, size_t count) {
  const usw_options_t options = options_of(mask);
  usw_part_explanation_t told[MOST_PARTS] = {{0}};
  size_t parts = 0;
  for (int k = 0; k < MOST_PARTS; k++)
    told[k].size = USW_INIT(usw_part_explanation_t);
  CHECK_STATUS(USW_OK, usw_explain_devices(USW_PLUS, USW_F64, x, n, &options, MOST_PARTS, told, &parts));
  CHECK_U64(count, parts);
  for (size_t k = 0; k < count; k++) {
    const int device = read[k].device == ON_HOST ? (int)k : read[k].device;
    const int is_staged = read[k].device == ON_HOST && strcmp(place.target, "x86_64") != 0;
    check_count(told[k].n == read[k].end - read[k].first && told[k].call.device == numbers[device] &&
                    (strcmp(told[k].path, "staged") == 0) == is_staged,
                __FILE__, __LINE__, "%s: part %zu has %zu elements, device %d, and is %s", what, k, told[k].n,
                told[k].call.device, told[k].path);
  }
  if (count < 2)
    return;
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_devices(USW_PLUS, USW_F64, x, n, &options, count - 1, told, &parts));
}

/* With staging, and without it where devices need none. */
static void expect(const char *what, size_t n, const section_t *mapped, int mapped_count, const section_t *read,
                   int count) {
  map_all(x, mapped, mapped_count);
  expect_sum(what, n, read, count);
  expect_told(what, n, read, (size_t)count);
  usw_options_t options = options_of(mask);
  double sum = -1;
  int is_mapped = 1;
  options.staging = USW_STAGING_NEVER;
  for (int k = 0; k < count; k++)
    is_mapped &= read[k].device != ON_HOST;
  if (is_mapped || strcmp(place.target, "x86_64") == 0) { /* which reads the host's memory itself */
    CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, n, &sum, &options));
    CHECK_F64(sum_of(read, count), sum);
  } else {
    CHECK_STATUS(USW_ERROR_PLACE, usw_reduce(USW_PLUS, USW_F64, x, n, &sum, &options));
    CHECK_F64(-1, sum);
  }
  unmap_all();
}

/* ---- cases ---- */

static void whole_arrays(void) {
  section_t whole[MOST], shares[MOST];
  const section_t few = {0, 0, 1000}, of_last = {device_count - 1, 0, ITEMS};
  for (int k = 0; k < device_count; k++)
    whole[k] = (section_t){k, 0, ITEMS};
  const int count = shares_of(ITEMS, shares);
  expect("whole arrays", ITEMS, whole, device_count, shares, count);
  expect("the shares", ITEMS, shares, count, shares, count);
  expect("whole arrays, few items", few.end, whole, device_count, &few, 1);
  expect("the whole array on one device", ITEMS, &of_last, 1, &of_last, 1);
}

/* Sections of a length each, in the order of the devices or the other way round. */
static int cut(size_t n, size_t length, int is_reversed, section_t *sections) {
  int count = 0;
  for (size_t first = 0; first < n; first += length, count++) {
    const int device = count % device_count;
    const size_t end = first + length < n ? first + length : n;
    sections[count] = (section_t){is_reversed ? device_count - 1 - device : device, first, end};
  }
  return count;
}

static void own_sections(void) {
  section_t sections[MOST_SECTIONS], wide[MOST_SECTIONS];
  const size_t count = (size_t)device_count, length = (ITEMS + count - 1) / count;
  expect("sections of equal lengths", ITEMS, sections, cut(ITEMS, length, 0, sections), sections, device_count);
  expect("sections in reverse", ITEMS, sections, cut(ITEMS, length, 1, sections), sections, device_count);
  expect("short sections", 1001, sections, cut(1001, 1001 / count + 1, 1, sections), sections, device_count);
  expect("sections in turns", ITEMS, sections, cut(ITEMS, length / 3, 0, sections), sections,
         cut(ITEMS, length / 3, 0, sections));
  cut(ITEMS, length, 0, sections);
  memcpy(wide, sections, sizeof wide);
  for (int k = 0; k < device_count; k++) { /* which the next part begins behind */
    wide[k].first -= k > 0 ? 5 : 0;
    sections[k].end = wide[k].end += k + 1 < device_count ? 5 : 0;
    sections[k].first += k > 0 ? 5 : 0;
  }
  expect("sections that overlap", ITEMS, wide, device_count, sections, device_count);
}

/* One element of part 0 is on no device: that part is read from the host, and so are others that are not there. */
static void holes(void) {
  section_t shares[MOST], read[MOST];
  const int count = shares_of(ITEMS, shares);
  if (device_count < 2)
    return;
  memcpy(read, shares, sizeof read);
  for (int k = 0; k < count; k++)
    read[k].device = k == 1 ? 1 : ON_HOST;
  const size_t at[] = {0, 1000, shares[0].end - 1};
  for (size_t h = 0; h < sizeof at / sizeof *at; h++) {
    section_t mapped[3] = {shares[1]};
    int mapped_count = 1;
    if (at[h] > 0)
      mapped[mapped_count++] = (section_t){0, 0, at[h]};
    if (at[h] + 1 < shares[0].end)
      mapped[mapped_count++] = (section_t){0, at[h] + 1, shares[0].end};
    expect("a hole", ITEMS, mapped, mapped_count, read, count);
  }
}

/* The error of a part whose elements may not be staged. */
static void named_part(void) {
  const section_t short_of_one = {0, 0, ITEMS / (size_t)device_count / LINE * LINE - 1};
  usw_options_t options = options_of(mask);
  char name[64];
  double sum = 7;
  if (strcmp(place.target, "x86_64") == 0)
    return;
  options.staging = USW_STAGING_NEVER;
  snprintf(name, sizeof name, "part 1 of %d: ", device_count);
  map(x, &short_of_one, 0);
  CHECK_STATUS(USW_ERROR_PLACE, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), name);
  CHECK_TEXT_HAS(usw_error_text(), "in part only");
  unmap_all();
  CHECK_STATUS(USW_ERROR_PLACE, usw_reduce(USW_PLUS, USW_F64, x, ITEMS, &sum, &options));
  CHECK_TEXT_HAS(usw_error_text(), name);
  CHECK_TEXT_HAS(usw_error_text(), "nor mapped there");
  CHECK_F64(7, sum);
}

/* Two streams: parts are sections of both; a stream that is on no device is the host's. */
static void two_streams(void) {
  section_t of_x[MOST_SECTIONS], of_y[MOST_SECTIONS];
  const size_t n = 2000, length = (n + (size_t)device_count - 1) / (size_t)device_count;
  const int count = cut(n, length, 0, of_x);
  const usw_options_t options = options_of(mask);
  for (int has_y = 0; has_y < 2; has_y++) {
    double expected = 0, product = 0;
    cut(n, length, 0, of_y);
    for (int k = 0; k < count; k++) {
      of_y[k].first -= k > 0 ? 3 : 0;
      for (size_t i = of_x[k].first; i < of_x[k].end; i++)
        expected += (x[i] + MARK * (k + 1)) * (y[i] + (has_y ? MARK * (k + 1) : 0));
    }
    map_all(x, of_x, count);
    if (has_y)
      map_all(y, of_y, count);
    CHECK_STATUS(USW_OK, usw_reduce_pair(USW_DOT, USW_F64, x, y, n, &product, &options));
    CHECK_F64(expected, product);
    unmap_all();
  }
}

/* Items of each second element, or from the last to the first. */
static void strides(void) {
  section_t sections[MOST_SECTIONS];
  const size_t n = 5000, length = (n + (size_t)device_count - 1) / (size_t)device_count;
  const int count = cut(n, length, 0, sections);
  usw_options_t options = options_of(mask);
  double every_second = 0, sum = 0;
  for (int k = 0; k < count; k++)
    for (size_t i = sections[k].first; i < sections[k].end; i++)
      every_second += i % 2 == 0 ? x[i] + MARK * (k + 1) : 0;
  map_all(x, sections, count);
  options.stride[0] = 2;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x, n / 2, &sum, &options));
  CHECK_F64(every_second, sum);
  options.stride[0] = -1;
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, x + n - 1, n, &sum, &options));
  CHECK_F64(sum_of(sections, count), sum);
  unmap_all();
}

/* Indices count on over sections; bits are those of the same parts. */
static void as_parts(void) {
  section_t sections[MOST_SECTIONS];
  const int count = cut(ITEMS, (ITEMS + (size_t)device_count - 1) / (size_t)device_count, 1, sections);
  const usw_options_t options = options_of(mask);
  usw_part_t parts[MOST];
  usw_located_f64_t highest;
  double sum = 0, of_parts = 0;
  map_all(x, sections, count);
  CHECK_STATUS(USW_OK, usw_reduce(USW_ARGMAX, USW_F64, x, ITEMS, &highest, &options));
  CHECK_F64(MARK * device_count + 6, highest.value); /* on the last device, which has the first section */
  CHECK_I64(6, highest.index);
  unmap_all();
  for (int k = 0; k < count; k++) {
    map(y, &sections[k], 0);
    parts[k] = (usw_part_t){.size = USW_INIT(usw_part_t),
                            .place = USW_DEVICE,
                            .device = numbers[sections[k].device],
                            .n = sections[k].end - sections[k].first,
                            .x = {y + sections[k].first}};
  }
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, y, ITEMS, &sum, &options));
  CHECK_STATUS(USW_OK, usw_reduce_parts(USW_PLUS, USW_F64, parts, (size_t)count, &of_parts, NULL));
  check_count(memcmp(&sum, &of_parts, sizeof sum) == 0, __FILE__, __LINE__, "parts: %a, devices: %a", of_parts, sum);
  unmap_all();
}

/* Its output is the host's, and is staged where the device cannot write there. */
static void user_kernel(void) {
  section_t sections[MOST_SECTIONS];
  const int count = cut(ITEMS, (ITEMS + (size_t)device_count - 1) / (size_t)device_count, 0, sections);
  const usw_options_t options = options_of(mask);
  double total = 3;
  size_t wrong = 0;
  map_all(x, sections, count);
  CHECK_STATUS(USW_OK, halve(ITEMS, x, halves, &total, &options));
  CHECK_F64(3 + sum_of(sections, count), total);
  for (int k = 0; k < count; k++)
    for (size_t i = sections[k].first; i < sections[k].end; i++)
      wrong += halves[i] != (x[i] + MARK * (k + 1)) / 2;
  CHECK_U64(0, wrong);
  unmap_all();
}

/* What cannot be told, which leaves all as it was. */
static void not_told(void) {
  usw_part_explanation_t told[MOST] = {{.size = USW_INIT(usw_part_explanation_t), .turn = 77}, {.size = 3}};
  usw_options_t options = options_of(mask), bad = options_of(0);
  size_t parts = 99;
#define REFUSED(status, operation, of, most)                                                                           \
  CHECK_STATUS(status, usw_explain_devices(operation, USW_F64, NULL, 1000, of, most, told, &parts))
  REFUSED(USW_ERROR_INVALID, USW_PLUS, NULL, 1);
  REFUSED(USW_ERROR_INVALID, USW_PLUS, &bad, 1);
  REFUSED(USW_ERROR_VERSION, USW_PLUS, &options, 2);
  REFUSED(USW_ERROR_INVALID, USW_PLUS, &options, 0);
  REFUSED(USW_ERROR_UNSUPPORTED, USW_BIT_XOR, &options, 1);
  bad = options_of(mask | UINT64_C(1) << 63);
  REFUSED(USW_ERROR_DEVICE, USW_PLUS, &bad, 1);
  bad = options;
  bad.place = USW_HOST;
  REFUSED(USW_ERROR_INVALID, USW_PLUS, &bad, 1);
  bad = options;
  bad.accuracy = USW_EXACT;
  REFUSED(USW_ERROR_UNSUPPORTED, USW_PLUS, &bad, 1);
  bad.size--;
  REFUSED(USW_ERROR_VERSION, USW_PLUS, &bad, 1);
#undef REFUSED
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_devices(USW_PLUS, USW_F64, NULL, 1, &options, 1, NULL, &parts));
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_devices(USW_PLUS, USW_F64, NULL, 1, &options, 1, told, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_explain_devices(USW_PLUS, USW_F64, NULL, SIZE_MAX, &options, 1, told, &parts));
  CHECK_U64(99, parts);
  CHECK_U64(77, told[0].turn);
  CHECK_STATUS(USW_OK, usw_explain_devices(USW_DOT, USW_F64, NULL, 0, &options, 1, told, &parts));
  CHECK_U64(1, parts);
  CHECK_TEXT_HAS(told[0].path, "none");
}

/* By OpenMP's own map: what the host writes later is not read. */
static void by_directives(void) {
#ifndef USW_PORT_SIMT
  section_t sections[MOST_SECTIONS];
  const int count = cut(ITEMS, (ITEMS + (size_t)device_count - 1) / (size_t)device_count, 0, sections);
  const usw_options_t options = options_of(mask);
  double sum = 0, expected = 0;
  for (int k = 0; k < count; k++) {
    double *const first = halves + sections[k].first;
    const size_t length = sections[k].end - sections[k].first;
    for (size_t i = 0; i < length; i++)
      expected += first[i] = (double)(k + 1);
#pragma omp target enter data map(to : first[0 : length]) device(numbers[sections[k].device])
  }
  memset(halves, 0, sizeof halves);
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, halves, ITEMS, &sum, &options));
  CHECK_F64(expected, sum);
  for (int k = 0; k < count; k++) {
    double *const first = halves + sections[k].first;
    const size_t length = sections[k].end - sections[k].first;
#pragma omp target exit data map(delete : first[0 : length]) device(numbers[sections[k].device])
  }
  CHECK_STATUS(USW_OK, usw_reduce(USW_PLUS, USW_F64, halves, ITEMS, &sum, &options));
  CHECK_F64(0, sum);
#endif
}

int main(int argc, char **argv) {
#ifdef USW_PORT_SIMT
  simt_set_devices(4);
#endif
  hide_host_memory();
  place = place_of_arguments(argc, argv);
  find_devices();
  pattern_fill(PATTERN_wide, USW_F64, y, ITEMS, 11);
  for (size_t i = 0; i < ITEMS; i++)
    x[i] = (double)(i % 7);
  whole_arrays();
  own_sections();
  holes();
  named_part();
  as_parts();
  user_kernel();
  not_told();
  by_directives();
  for (size_t i = 0; i < ITEMS; i++)
    y[i] = (double)(i % 5);
  two_streams();
  strides();
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}
