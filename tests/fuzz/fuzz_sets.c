/* Reducer sets with any reducers: operators, types, arrays of their own lengths, keys of spans, strides, alignments,
 * original values; run again with other options, other data in the same place, and more reducers. Results are the
 * oracle's; what is refused changes nothing. */
#include <upsweep/set.h>

#include "calls.h"
#include "oracle/items.h"

enum { MOST_REDUCERS = 12, MOST_EXTENT = 40, MOST_RUNS = 4, MOST_ITEMS = 6000 };

typedef struct {
  const row_t *row;
  items_t items;
  laid_out_t lying;
  size_t own_n; /* with has_own_n */
  int has_own_n, is_fresh;
  size_t extent; /* of a span; 0: a variable */
  uint64_t *keys;
  place_memory_t keys_there;
  uint8_t *variables; /* of exactly that size */
} reducer_t;

typedef struct {
  const test_place_t *place;
  size_t n;
  usw_set_t *set;
  reducer_t reducers[MOST_REDUCERS];
  int count, has_bad_key;
} job_t;

/* ---- reducers ---- */

static size_t cells_of(const reducer_t *reducer) { return reducer->extent ? reducer->extent : 1; }

/* Small whole numbers, that any type has. */
static void write_original(const row_t *row, uint8_t *at, uint64_t which) {
  static const int8_t values[] = {0, 1, 3, 100};
  const int value = row->result == RESULT_BOOL ? (int)(which % 2) : values[which % 4];
  float f32[2] = {(float)value, 0};
  double f64[2] = {value, 0};
  const int64_t i64 = value;
  const uint16_t halves[][4] = {{0, 0x3c00, 0x4200, 0x5640}, {0, 0x3f80, 0x4040, 0x42c8}};
  const usw_type_t type = row->result == RESULT_SUM ? type_facts(row->type)->sum : row->type;
  if (row->result == RESULT_BOOL)
    *at = (uint8_t)value;
  else if (type == USW_F16 || type == USW_BF16)
    memcpy(at, &halves[type == USW_BF16][which % 4], 2);
  else if (type == USW_F32 || type == USW_CF32)
    memcpy(at, f32, row->result_bytes);
  else if (type == USW_F64 || type == USW_CF64)
    memcpy(at, f64, row->result_bytes);
  else
    memcpy(at, &i64, row->result_bytes);
}

static number_t number_at(const row_t *row, const uint8_t *at) {
  long double parts[MOST_PARTS] = {0};
  result_t result;
  memset(&result, 0, sizeof result);
  memcpy(&result, at, row->result_bytes);
  const int count = result_parts(row, &result, parts);
  return (number_t){parts[0], count > 1 ? parts[1] : 0};
}

static void fill(input_t *input, reducer_t *reducer, size_t n) {
  const usw_type_t type = reducer->row->type;
  reducer->items = (items_t){.type = type, .n = n, .x = take_elements(input, type, n)};
  reducer->items.y = reducer->items.x;
  reducer->items.numbers_of_x = malloc((n + 1) * sizeof(number_t));
}

static void take_keys(input_t *input, job_t *job, reducer_t *reducer, int is_long) {
  const uint64_t step = 1 + take_below(input, 50);
  reducer->keys = malloc((job->n + 1) * sizeof *reducer->keys);
  uint32_t *short_keys = malloc((job->n + 1) * sizeof *short_keys);
  for (size_t k = 0; k < job->n; k++)
    reducer->keys[k] = (k * step + k / 7) % reducer->extent;
  if (job->n && take_rarely(input, 24)) {
    reducer->keys[take_below(input, job->n)] = reducer->extent + take_below(input, 2) * (UINT64_C(1) << 31);
    job->has_bad_key = 1;
  }
  for (size_t k = 0; k < job->n; k++)
    short_keys[k] = (uint32_t)reducer->keys[k];
  reducer->keys_there = is_long ? memory_get(job->place, reducer->keys, job->n * sizeof *reducer->keys, 0)
                                : memory_get(job->place, short_keys, job->n * sizeof *short_keys, 0);
  free(short_keys);
}

static reducer_t take_reducer(input_t *input, job_t *job) {
  reducer_t reducer = {.row = NULL};
  do
    reducer.row = &rows[take_below(input, ROW_COUNT)];
  while (reducer.row->operation > USW_LOGICAL_OR && input_left(input) > 0);
  if (reducer.row->operation > USW_LOGICAL_OR)
    reducer.row = row_find(USW_PLUS, USW_F64);
  const uint64_t kind = take_below(input, 4);
  const int64_t step = (int64_t)take_below(input, 7) - 3;
  reducer.has_own_n = kind == 1;
  reducer.own_n = reducer.has_own_n ? take_length(input) : job->n;
  reducer.extent = kind == 2 ? 1 + take_below(input, MOST_EXTENT) : 0;
  reducer.is_fresh = (int)take_below(input, 2);
  fill(input, &reducer, reducer.own_n);
  const int repeats = take_rarely(input, 16);
  for (size_t i = 1; repeats && i < reducer.own_n; i++)
    memcpy((char *)reducer.items.x + i * type_bytes(reducer.row->type), reducer.items.x, type_bytes(reducer.row->type));
  const layout_t layout = {take_below(input, 9), repeats ? USW_STRIDE_NONE : step ? (ptrdiff_t)step : 1};
  reducer.lying = items_lay_out(&reducer.items, job->place, layout);
  reducer.variables = malloc(cells_of(&reducer) * reducer.row->result_bytes);
  return reducer;
}

static void forget_reducer(reducer_t *reducer) {
  laid_out_free(&reducer->lying);
  free(reducer->items.x);
  free(reducer->items.numbers_of_x);
  free(reducer->variables);
  free(reducer->keys);
  if (reducer->keys_there.block)
    memory_free(&reducer->keys_there);
}

/* Calls that add nothing. */
static void try_wrong(input_t *input, const job_t *job) {
  static const double x = 1;
  static double variable, cells[4];
  usw_status_t status = USW_ERROR_INVALID, expected = USW_ERROR_INVALID;
  switch (take_below(input, 8)) {
  case 0:
    status = usw_set_add(job->set, USW_PLUS, USW_F64, &x, 1, NULL, 0);
    break;
  case 1:
    status = usw_set_add(job->set, USW_PLUS, USW_F64, &x, 1, &variable, 2 + (uint32_t)take_bytes(input, 4) / 4 * 4);
    break;
  case 2:
    status = usw_set_add(job->set, USW_PLUS, USW_F64, &x, 1, (char *)cells + 1, 0);
    break;
  case 3:
    if (job->count == 0)
      return;
    status = usw_set_add(job->set, USW_PLUS, USW_U8, &x, 1, job->reducers[0].variables, 0); /* is another's */
    break;
  case 4:
    status = usw_set_add_span(job->set, USW_PLUS, USW_F64, &x, 1, USW_U32, &x, cells, 0, 0);
    break;
  case 5:
    status =
        usw_set_add_span(job->set, USW_PLUS, USW_F64, &x, 1, (usw_type_t)(1 + take_below(input, 2)), &x, cells, 4, 0);
    expected = USW_ERROR_UNSUPPORTED;
    break;
  case 6:
    status = usw_set_add_span(job->set, USW_PLUS, USW_F64, &x, 1, USW_I64, &x, cells,
                              (size_t)take_any(input) | (size_t)1 << 31, 0);
    expected = USW_ERROR_UNSUPPORTED;
    break;
  default:
    status = usw_set_add(job->set, (usw_operation_t)(10 + take_below(input, 90)), USW_F64, &x, 1, &variable, 0);
    expected = USW_ERROR_UNSUPPORTED;
  }
  require(status == expected && is_one_line(usw_error_text()), "a wrong reducer: %s: %s", usw_status_name(status),
          usw_error_text());
}

static void add(input_t *input, job_t *job) {
  reducer_t *reducer = &job->reducers[job->count];
  if (take_rarely(input, 8))
    try_wrong(input, job);
  *reducer = take_reducer(input, job);
  const usw_operation_t operation = reducer->row->operation;
  const usw_type_t type = reducer->row->type;
  const uint32_t flags = reducer->is_fresh ? USW_SET_INITIALIZE_TO_IDENTITY : 0;
  const ptrdiff_t stride = reducer->lying.strides[0];
  usw_status_t status;
  if (reducer->extent) {
    const int is_long = (int)take_below(input, 2), is_signed = (int)take_below(input, 2);
    take_keys(input, job, reducer, is_long);
    status = usw_set_add_span(job->set, operation, type, reducer->lying.x, stride,
                              is_long ? (is_signed ? USW_I64 : USW_U64) : (is_signed ? USW_I32 : USW_U32),
                              reducer->keys_there.data, reducer->variables, reducer->extent, flags);
  } else if (reducer->has_own_n) {
    status = usw_set_add_array(job->set, operation, type, reducer->lying.x, reducer->own_n, stride, reducer->variables,
                               flags);
  } else {
    status = usw_set_add(job->set, operation, type, reducer->lying.x, stride, reducer->variables, flags);
  }
  require(status == USW_OK, "%s_%s: %s", reducer->row->name, type_name(type), usw_error_text());
  job->count++;
}

/* ---- runs ---- */

/* The n-th run's number of items is the set's, or fewer. */
static void check_cell(const job_t *job, const reducer_t *reducer, size_t cell, size_t n, int is_fresh,
                       const uint8_t *before, const usw_options_t *options) {
  static number_t numbers[MOST_ITEMS + 1];
  const row_t *row = reducer->row;
  const uint8_t *at = reducer->variables + cell * row->result_bytes;
  size_t count = 0;
  char why[640] = "";
  result_t result;
  for (size_t i = 0; i < n; i++)
    if (!reducer->extent || reducer->keys[i] == cell)
      numbers[count++] = reducer->items.numbers_of_x[i];
  if (!is_fresh && count == 0) {
    require(memcmp(before, at, row->result_bytes) == 0, "%s_%s: what nothing is combined into changes", row->name,
            type_name(row->type));
    return;
  }
  if (!is_fresh)
    numbers[count++] = number_at(row, before);
  const rounding_t rounding = {64 + (double)count, 0};
  const oracle_t oracle = oracle_of(row, numbers, NULL, count, options->nan, rounding);
  memset(&result, 0, sizeof result);
  memcpy(&result, at, row->result_bytes);
  require(
      oracle_agrees(&oracle, &result, why, sizeof why),
      "%s: reducer %d of %d, %s_%s, n %zu, cell %zu of %zu with %zu items, fresh %d, strategy %d, teams %u, nan %d: %s",
      job->place->target, (int)(reducer - job->reducers), job->count, row->name, type_name(row->type), n, cell,
      reducer->extent, count, is_fresh, (int)options->strategy, options->teams, (int)options->nan, why);
}

static usw_options_t take_options(input_t *input, const job_t *job) {
  usw_options_t options = place_options(job->place);
  options.nan = (usw_nan_t)take_below(input, 2);
  options.accuracy = take_below(input, 2) ? USW_REPEATABLE : USW_FAST;
  options.teams = take_below(input, 2) ? 0 : (uint32_t)take_below(input, 9);
  options.recheck = take_rarely(input, 8);
  options.initialize_to_identity = take_rarely(input, 4) ? take_bytes(input, 2) : 0;
  if (job->place->place == USW_DEVICE && take_below(input, 2))
    options.strategy = (usw_strategy_t)take_below(input, USW_STRATEGY_MULTIPASS + 1);
  return options;
}

/* Whether the strategy has the kernel of sets. */
static int is_served(usw_strategy_t strategy) {
  return strategy == USW_AUTO_STRATEGY || strategy == USW_STRATEGY_TREE || strategy == USW_STRATEGY_HOST_FINISH ||
         strategy == USW_STRATEGY_MULTIPASS;
}

static void run_once(input_t *input, job_t *job) {
  const size_t n = take_rarely(input, 4) ? take_below(input, job->n + 1) : job->n;
  const usw_options_t options = take_options(input, job);
  static uint8_t before[MOST_REDUCERS][MOST_EXTENT * 16];
  for (int r = 0; r < job->count; r++) {
    const reducer_t *reducer = &job->reducers[r];
    for (size_t cell = 0; cell < cells_of(reducer); cell++)
      write_original(reducer->row, reducer->variables + cell * reducer->row->result_bytes, take_bytes(input, 1));
    memcpy(before[r], reducer->variables, cells_of(reducer) * reducer->row->result_bytes);
    numbers_of(reducer->row->type, reducer->items.x, reducer->items.n, reducer->items.numbers_of_x);
  }
  const usw_status_t status = usw_set_run(job->set, n, &options);
  const int must_fail = job->count == 0 || !is_served(options.strategy);
  require(status == USW_OK || must_fail || job->has_bad_key, "a run: %s: %s", usw_status_name(status),
          usw_error_text());
  require(status != USW_OK || !must_fail, "a run with strategy %d is not refused", (int)options.strategy);
  require(status != USW_OK || !job->has_bad_key || n < job->n, "a key outside its span is taken");
  for (int r = 0; r < job->count; r++) {
    const reducer_t *reducer = &job->reducers[r];
    const size_t own = reducer->has_own_n ? reducer->own_n : n, bytes = reducer->row->result_bytes;
    const int is_fresh = reducer->is_fresh || options.initialize_to_identity >> r & 1;
    require(status == USW_OK || memcmp(before[r], reducer->variables, cells_of(reducer) * bytes) == 0,
            "a refused run changes reducer %d", r);
    for (size_t cell = 0; cell < cells_of(reducer) && status == USW_OK; cell++)
      check_cell(job, reducer, cell, own, is_fresh, before[r] + cell * bytes, &options);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  input_t input = input_of(data, bytes);
  job_t job = {.place = take_place(&input)};
  job.n = take_length(&input);
  require(usw_set_create(&job.set) == USW_OK, "%s", usw_error_text());
  for (uint64_t more = take_below(&input, MOST_RUNS); more > 0; more--) {
    for (uint64_t reducers = take_below(&input, 4); reducers > 0 && job.count < MOST_REDUCERS; reducers--)
      add(&input, &job);
    for (uint64_t runs = 1 + take_below(&input, 2); runs > 0; runs--)
      run_once(&input, &job);
  }
  usw_set_destroy(job.set);
  for (int r = 0; r < job.count; r++)
    forget_reducer(&job.reducers[r]);
  return 0;
}
