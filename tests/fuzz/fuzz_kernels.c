/* Runs kernels by chance (kernels.py) on a place by every strategy that they have, at lengths around tiles and
 * teams, with strides, offsets, spaces and plans, and compares variables and outputs with plain loops.
 * fuzz_kernels [--place NAME] */
#include <stdlib.h>

#include "kernel_check.h"

enum { MOST_KERNELS = 2000, MOST_ITEMS = 4200, MOST_STRIDE = 2, GAP = 8, ELEMENT_BYTES = 8 };
enum { STREAM_BYTES = (MOST_ITEMS * MOST_STRIDE + GAP) * ELEMENT_BYTES };

static const kernel_t *all[MOST_KERNELS];
static size_t kernel_count;
static test_place_t place;
static uint64_t chance = 1;
static long calls, refused;

void kernels_add(const kernel_t *kernels, size_t count) {
  for (size_t k = 0; k < count && kernel_count < MOST_KERNELS; k++)
    all[kernel_count++] = &kernels[k];
}

static uint64_t below(uint64_t count) {
  chance = chance * 6364136223846793005u + 1442695040888963407u;
  return (chance >> 33) % count;
}

/* ---- streams ---- */

static size_t bytes_of(char type) {
  return strchr("bB", type) ? 1 : strchr("hH", type) ? 2 : strchr("iIf", type) ? 4 : 8;
}

static void fill_stream(char type, unsigned char *at, size_t count) {
  for (size_t k = 0; k < count; k++) {
    const int64_t number = (int64_t)below(20011) - 10005;
    const float f32 = (float)number;
    const double f64 = (double)number;
    if (type == 'f')
      memcpy(at + k * 4, &f32, 4);
    else if (type == 'd')
      memcpy(at + k * 8, &f64, 8);
    else
      memcpy(at + k * bytes_of(type), &number, bytes_of(type)); /* the lowest bytes come first on all places */
  }
}

/* The memory of one stream: on the place, what it is a copy of, and for outputs what it has to be. */
typedef struct {
  place_memory_t there;
  unsigned char *image;
  size_t bytes, element;
} stream_t;

/* The element of item 0, behind which the others lie with the stride, and before which nothing is read. */
static size_t first_of(size_t count, ptrdiff_t stride) {
  return stride < 0 && count ? (count - 1) * (size_t)-stride : 0;
}

static stream_t make_stream(char type, size_t count, ptrdiff_t stride, size_t offset) {
  const size_t step = stride < 0 ? (size_t)-stride : (size_t)stride, span = count ? (count - 1) * step + 1 : 0;
  stream_t stream = {.element = bytes_of(type), .bytes = span * bytes_of(type)};
  stream.image = malloc(stream.bytes + 1);
  fill_stream(type, stream.image, span);
  stream.there = memory_get(&place, stream.image, stream.bytes, offset * stream.element);
  return stream;
}

static void free_stream(stream_t *stream) {
  memory_free(&stream->there);
  free(stream->image);
}

/* ---- one way of one kernel ---- */

typedef struct {
  const kernel_t *kernel;
  job_t job;
  stream_t streams[MOST_STREAMS];
  int source[MOST_STREAMS]; /* whose memory a stream has: its own, or that of an input that it is written in place of */
  usw_options_t options;
  char text[300];
} case_t;

static void make_space(case_t *c, size_t n) {
  usw_space_t *s = &c->job.space;
  const uint32_t dimensions = (uint32_t)c->kernel->dimensions;
  size_t left = n;
  *s = (usw_space_t){.size = USW_INIT(usw_space_t), .dimensions = dimensions};
  for (uint32_t d = dimensions; d-- > 0;) {
    s->extent[d] = d == 0 ? left : left ? 1 + below(left < 70 ? left : 70) : 0;
    left = d == 0 || s->extent[d] == 0 ? left : left / s->extent[d];
    s->step[d] = below(3) ? 1 : below(2) ? 2 : -1;
    s->start[d] = (ptrdiff_t)below(4) + (s->step[d] < 0 && s->extent[d] ? (ptrdiff_t)s->extent[d] - 1 : 0);
    s->tile[d] = !c->kernel->is_ordered && below(2) ? 1 + below(20) : 0;
  }
  s->pitch[0] = 2 * s->extent[dimensions - 1] + 4 + below(3); /* more than any last index */
  s->pitch[1] = dimensions == 3 ? s->pitch[0] * (2 * s->extent[1] + 4) : 0;
  c->job.n = s->extent[0] * s->extent[1] * (dimensions == 3 ? s->extent[2] : 1);
}

/* Elements that a stream needs, were its stride 1. */
static size_t elements_of(const case_t *c) {
  const usw_space_t *s = &c->job.space;
  if (c->kernel->dimensions == 1)
    return c->job.n;
  const size_t most = 2 * s->extent[0] + 4;
  return most * (c->kernel->dimensions == 3 ? s->pitch[1] : s->pitch[0]);
}

/* Whose memory the stream has: now and then an output that of an input of its type, which no other output has. */
static int choose_source(const case_t *c, int stream) {
  const char *types = c->kernel->stream_types;
  if (stream < c->kernel->inputs || below(3) != 0)
    return stream;
  for (int s = 0; s < c->kernel->inputs; s++) {
    int is_free = types[s] == types[stream];
    for (int other = c->kernel->inputs; other < stream; other++)
      is_free &= c->source[other] != s;
    if (is_free)
      return s;
  }
  return stream;
}

static void add_stream(case_t *c, int s, size_t count) {
  const ptrdiff_t stride = c->kernel->dimensions > 1 ? 1 : below(3) ? 1 : below(2) ? MOST_STRIDE : -1;
  const int source = c->source[s] = choose_source(c, s), output = s - c->kernel->inputs;
  stream_t *stream = &c->streams[source];
  if (source == s)
    *stream = make_stream(c->kernel->stream_types[s], count, stride, below(5));
  c->job.stride[s] = source == s ? stride : c->job.stride[source];
  const size_t first = first_of(count, c->job.stride[s]) * stream->element;
  if (output < 0) {
    c->job.in[s] = (char *)stream->there.data + first;
    c->job.in_on_host[s] = stream->image + first;
  } else {
    c->job.out[output] = (char *)stream->there.data + first;
    c->job.out_on_host[output] = stream->image + first;
  }
}

static case_t make_case(const kernel_t *kernel, size_t n, const int32_t *array_on_host, const void *array) {
  case_t c = {.kernel = kernel, .job = {.place = &place, .n = n, .array = array, .array_on_host = array_on_host}};
  if (kernel->dimensions > 1)
    make_space(&c, n);
  const size_t count = elements_of(&c);
  for (int s = 0; s < kernel->inputs + kernel->outputs; s++)
    add_stream(&c, s, count);
  for (int r = 0; r < kernel->reducers; r++)
    c.job.extent[r] = kernel->fixed_extents[r] == 1 ? 1 + below(below(3) ? 40 : 500) : 0;
  c.job.value[0] = (int64_t)below(1000) - 500;
  c.job.value[1] = (int64_t)below(7);
  return c;
}

static void free_case(case_t *c) {
  for (int s = 0; s < c->kernel->inputs + c->kernel->outputs; s++)
    if (c->source[s] == s)
      free_stream(&c->streams[s]);
}

/* Outputs after the loop, on the host, and after the call, on the place. */
static void check_outputs(case_t *c) {
  for (int s = c->kernel->inputs; s < c->kernel->inputs + c->kernel->outputs; s++) {
    const stream_t *stream = &c->streams[c->source[s]];
    unsigned char *got = malloc(stream->bytes + 1);
    memory_read(&stream->there, got, stream->bytes);
    check_count(memcmp(got, stream->image, stream->bytes) == 0, __FILE__, __LINE__, "%s: output %d differs", c->text,
                s - c->kernel->inputs);
    free(got);
  }
}

/* Whether the call must be there: strategies that everything has. In place is not for what runs again. */
static int is_certain(const case_t *c) {
  const usw_strategy_t s = c->options.strategy;
  for (int stream = 0; stream < c->kernel->inputs + c->kernel->outputs; stream++)
    if (c->source[stream] != stream && strstr(usw_error_text(), "in place"))
      return 0;
  return s == USW_AUTO_STRATEGY || (place.place == USW_HOST ? s == USW_STRATEGY_HOST : s == USW_STRATEGY_TREE);
}

static usw_status_t call(case_t *c, void *variables, int is_fresh, int by_plan) {
  usw_status_t status = USW_OK;
  usw_plan_t *plan = NULL;
  if (by_plan)
    status = c->kernel->make_plan(&plan, &c->options);
  c->job.plan = plan;
  if (status == USW_OK)
    status = c->kernel->call(variables, &c->job, is_fresh);
  usw_plan_destroy(plan);
  calls++;
  return status;
}

static void run_case(case_t *c, size_t n, usw_strategy_t strategy) {
  static _Alignas(64) unsigned char expected[MOST_VARIABLES_BYTES], got[MOST_VARIABLES_BYTES],
      before[MOST_VARIABLES_BYTES];
  const int by_plan = below(4) == 0, is_fresh = c->kernel->has_identities && !by_plan && below(3) == 0;
  const size_t bytes = c->kernel->variables_bytes;
  memset(expected, 0, bytes);
  memset(got, 0, bytes);
  c->options = place_options(&place);
  c->options.strategy = strategy;
  c->options.accuracy = c->kernel->has_accuracy && below(2) ? USW_REPEATABLE : USW_FAST;
  c->options.teams = below(3) ? 0 : 1 + (uint32_t)below(5);
  c->options.work_group_load = (uint32_t)below(3);
  c->options.recheck = below(5) == 0;
  memcpy(c->options.stride, c->job.stride, sizeof c->options.stride);
  c->job.options = &c->options;
  snprintf(c->text, sizeof c->text, "%s, %s, %s, n %zu (%zu), teams %u, recheck %u, strides %td %td, fresh %d, plan %d",
           c->kernel->name, place.target, strategy_name(strategy), n, c->job.n, c->options.teams, c->options.recheck,
           c->job.stride[0], c->job.stride[1], is_fresh, by_plan);
  c->kernel->start(got, &c->job);
  memcpy(before, got, bytes);
  memcpy(expected, got, bytes);
  const usw_status_t status = call(c, got, is_fresh, by_plan);
  if (status != USW_OK) {
    refused++;
    check_count(status == USW_ERROR_UNSUPPORTED && !is_certain(c), __FILE__, __LINE__, "%s: %s: %s", c->text,
                usw_status_name(status), usw_error_text());
    const char *changed = c->kernel->difference(before, got, &c->job);
    check_count(!changed, __FILE__, __LINE__, "%s: refused, and changes %s", c->text, changed ? changed : "");
    return;
  }
  if (is_fresh)
    c->kernel->identities(expected, &c->job);
  c->kernel->serial(expected, &c->job);
  const char *difference = c->kernel->difference(expected, got, &c->job);
  check_count(!difference, __FILE__, __LINE__, "%s: %s", c->text, difference ? difference : "");
  check_outputs(c);
}

static void run_kernel(const kernel_t *kernel, const int32_t *array, const place_memory_t *array_there) {
  static const size_t lengths[] = {0,   1,   2,   31,   32,   33,   63,   65,   127, 129,
                                   255, 257, 511, 1023, 1025, 2047, 2049, 4095, 4200};
  enum { LENGTHS = sizeof lengths / sizeof *lengths };
  const size_t share = place.place == USW_HOST ? 1 : 4; /* of the lengths */
  for (int s = USW_AUTO_STRATEGY; s <= USW_STRATEGY_MULTIPASS; s++) {
    if (s != USW_AUTO_STRATEGY && (s == USW_STRATEGY_HOST) != (place.place == USW_HOST))
      continue;
    for (size_t k = below(share); k < LENGTHS; k += share) {
      case_t c = make_case(kernel, lengths[k], array, array_there->data);
      run_case(&c, lengths[k], (usw_strategy_t)s);
      free_case(&c);
    }
  }
}

int main(int argc, char **argv) {
  static int32_t array[ARRAY_ELEMENTS];
  place = place_of_arguments(argc, argv);
  for (int k = 0; k < ARRAY_ELEMENTS; k++)
    array[k] = (int32_t)below(2001) - 1000;
  place_memory_t array_there = memory_get(&place, array, sizeof array, 0);
  for (size_t k = 0; k < kernel_count; k++)
    run_kernel(all[k], array, &array_there);
  memory_free(&array_there);
  printf("%zu kernels, %ld calls, of which %ld refused\n", kernel_count, calls, refused);
  return check_report();
}
