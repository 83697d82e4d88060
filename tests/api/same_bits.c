/* One hash per data set and function, the same everywhere: what USW_REPRODUCIBLE promises.
 *
 *   same_bits [--place NAME] [--print] [--quick] [--types f64,f32,...]
 *
 * Every function adds up hard data of every type. The bytes of the results at several sizes make one hash, which must be
 * the one in same_bits.expected. Then every other way to the same sum must give the same bytes: grids and strategies,
 * threads, the items in other orders, layouts and parts, and by a thread whose arithmetic rounds upwards or takes subnormal
 * numbers for zero. --print writes same_bits.expected; --quick leaves the large sizes out; --types, all other types. USW_HOST_ISA=v2 and so on in the
 * environment is a way more; without such a processor the test is skipped. */
#include <fenv.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/explain.h>
#include <upsweep/partial.h>

#include "hard_data.h"
#include "hashes.h"
#include "oracle/oracle.h"
#include "support/check.h"
#include "support/flush.h"
#include "support/place.h"

enum { MOST_FUNCTIONS = 8, MOST_PARTS_CUT = 64 };

static test_place_t place;
static int prints;
static size_t used; /* of the expected hashes */

static int is_on_host(void) { return place.place == USW_HOST; }
static int is_emulated(void) { return strcmp(place.target, "simt") == 0; }

/* One data set of one size, and what each function gave for it first. */
typedef struct {
  usw_type_t type;
  hard_set_t set;
  items_t items;
  const row_t *functions[MOST_FUNCTIONS];
  result_t firsts[MOST_FUNCTIONS];
  int function_count;
} group_t;

static usw_options_t reproducible(void) {
  usw_options_t options = place_options(&place);
  options.accuracy = USW_REPRODUCIBLE;
  return options;
}

static result_t run(const row_t *row, const laid_out_t *items, usw_options_t options) {
  result_t result;
  memset(&result, 0, sizeof result);
  CHECK_STATUS(USW_OK, laid_out_reduce(items, row, &options, &result));
  return result;
}

static void compare(const group_t *g, int f, const result_t *result, const char *way, long number) {
  const row_t *row = g->functions[f];
  size_t bytes;
  const unsigned char *first = hash_bytes(row, &g->firsts[f], &bytes), *got = hash_bytes(row, result, &bytes);
  uint64_t of_first = 0, of_got = 0;
  memcpy(&of_first, first, bytes < sizeof of_first ? bytes : sizeof of_first);
  memcpy(&of_got, got, bytes < sizeof of_got ? bytes : sizeof of_got);
  check_count(memcmp(first, got, bytes) == 0, __FILE__, __LINE__,
              "%s_%s of %s, n=%zu: %s %ld gives other bits: 0x%llx, first it was 0x%llx", row->name, type_name(g->type),
              hard_name(g->set), g->items.n, way, number, (unsigned long long)of_got, (unsigned long long)of_first);
}

/* Every function once more, over items that may lie elsewhere or come in another order. */
static void once_more(const group_t *g, const items_t *items, layout_t layout, usw_options_t options, const char *way,
                      long number) {
  laid_out_t laid_out = items_lay_out(items, &place, layout);
  for (int f = 0; f < g->function_count; f++) {
    const result_t result = run(g->functions[f], &laid_out, options);
    compare(g, f, &result, way, number);
  }
  laid_out_free(&laid_out);
}

static const layout_t contiguous = {0, 1};

static void run_first(group_t *g) {
  laid_out_t laid_out = items_lay_out(&g->items, &place, contiguous);
  for (int f = 0; f < g->function_count; f++)
    g->firsts[f] = run(g->functions[f], &laid_out, reproducible());
  laid_out_free(&laid_out);
}

/* ---- ways ---- */

static void by_threads(const group_t *g) {
  static const int threads[] = {1, 2, 7, 16};
  const int before = omp_get_max_threads();
  for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
    omp_set_num_threads(threads[t]);
    once_more(g, &g->items, contiguous, reproducible(), "with threads of the host:", threads[t]);
  }
  omp_set_num_threads(before);
}

static void by_grids(const group_t *g) {
  static const uint32_t of_gpu[] = {1, 7, 132, 1000}, of_others[] = {1, 3, 7};
  const int is_gpu = !is_emulated() && strcmp(place.target, "x86_64") != 0;
  const uint32_t *teams = is_gpu ? of_gpu : of_others;
  const size_t count = is_gpu ? sizeof of_gpu / sizeof *of_gpu : sizeof of_others / sizeof *of_others;
  usw_strategy_t strategies[MOST_PLACE_STRATEGIES];
  const int strategy_count = place_strategies(&place, strategies);
  for (int s = 0; s < strategy_count; s++)
    for (size_t t = 0; t < count; t++) {
      usw_options_t options = reproducible();
      options.strategy = strategies[s];
      options.teams = teams[t];
      options.work_group_load = 3; /* of multipass */
      if (strategies[s] == USW_STRATEGY_CLAUSE)
        continue; /* it has no such sums */
      if (is_emulated() && (s + (int)t) % 3 != 0)
        continue; /* for time's sake */
      once_more(g, &g->items, contiguous, options, strategy_name(strategies[s]), teams[t]);
    }
}

static void in_other_layouts(const group_t *g) {
  static const layout_t layouts[] = {{1, 1}, {3, 2}, {0, -1}, {1, -3}};
  for (size_t k = 0; k < sizeof layouts / sizeof *layouts; k++)
    once_more(g, &g->items, layouts[k], reproducible(), "misaligned or with a stride of", layouts[k].stride);
}

static void in_other_orders(const group_t *g, uint64_t orders) {
  for (uint64_t seed = 0; seed < orders; seed++) {
    items_t shuffled = hard_shuffled(&g->items, seed);
    once_more(g, &shuffled, contiguous, reproducible(), seed ? "shuffled" : "reversed", (long)seed);
    items_free(&shuffled);
  }
}

/* Cut n items into parts of any lengths; puts where they begin, and n, into bounds, and an order of theirs into order. */
static void cut(size_t n, int parts, uint64_t seed, size_t bounds[MOST_PARTS_CUT + 1], int order[MOST_PARTS_CUT]) {
  bounds[0] = 0;
  for (int p = 0; p < parts; p++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    const int other = (int)((seed >> 33) % (uint64_t)(p + 1));
    order[p] = order[other];
    order[other] = p;
    const size_t left = n - bounds[p], length = (size_t)(seed >> 20) % (2 * left / (size_t)(parts - p) + 1);
    bounds[p + 1] = p == parts - 1 || length > left ? n : bounds[p] + length;
  }
}

/* The object of one part, as it came back from a block of bytes. */
static usw_partial_t *exported(const usw_partial_t *partial) {
  static char block[1 << 12];
  usw_partial_t *copy = NULL;
  const usw_options_t options = reproducible();
  size_t bytes = 0;
  CHECK_STATUS(USW_OK, usw_partial_export(partial, block, sizeof block, &bytes));
  CHECK_STATUS(USW_OK, usw_partial_import(&copy, block, bytes, &options));
  return copy;
}

/* Cut the items into parts and merge these in any order: added, as objects of their own, and sent as bytes. */
static result_t merge_parts(const row_t *row, const char *x, size_t n, int parts, uint64_t seed) {
  usw_partial_t *total = NULL;
  const usw_options_t options = reproducible();
  size_t bounds[MOST_PARTS_CUT + 1];
  int order[MOST_PARTS_CUT];
  result_t result;
  memset(&result, 0, sizeof result);
  cut(n, parts, seed, bounds, order);
  CHECK_STATUS(USW_OK, usw_partial_create(&total, row->operation, row->type, &options));
  for (int p = 0; total && p < parts; p++) {
    const size_t first = bounds[order[p]], count = bounds[order[p] + 1] - first;
    const char *part_x = x + first * type_bytes(row->type);
    usw_partial_t *part = NULL, *copy = NULL;
    if (p % 3 == 0) {
      CHECK_STATUS(USW_OK, usw_partial_add(total, part_x, count));
      continue;
    }
    CHECK_STATUS(USW_OK, usw_partial_create(&part, row->operation, row->type, &options));
    CHECK_STATUS(USW_OK, usw_partial_add(part, part_x, count));
    if (p % 3 == 2)
      copy = exported(part);
    CHECK_STATUS(USW_OK, usw_partial_merge(total, copy ? copy : part));
    usw_partial_destroy(part);
    usw_partial_destroy(copy);
  }
  CHECK_STATUS(USW_OK, usw_partial_result(total, &result));
  usw_partial_destroy(total);
  return result;
}

static void in_parts(const group_t *g) {
  static const int parts[] = {1, 2, 5, 33, 64};
  laid_out_t laid_out = items_lay_out(&g->items, &place, contiguous);
  for (int f = 0; f < g->function_count; f++)
    for (size_t p = 0; p < sizeof parts / sizeof *parts && g->functions[f]->streams == 1; p++) {
      if ((size_t)parts[p] > g->items.n || (is_emulated() && parts[p] > 5))
        continue;
      const result_t result = merge_parts(g->functions[f], laid_out.x, g->items.n, parts[p], g->items.n + p);
      compare(g, f, &result, "in parts in any order:", parts[p]);
    }
  laid_out_free(&laid_out);
}

/* Subnormal numbers are zeros, as operands and as results. */
static void in_other_arithmetic(const group_t *g) {
  static const int roundings[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  laid_out_t laid_out = items_lay_out(&g->items, &place, contiguous);
  for (int f = 0; f < g->function_count; f++)
    for (int mode = is_emulated() ? 3 : 0; mode < 4; mode++) {
      fesetround(roundings[mode]);
      flush(1);
      const result_t result = run(g->functions[f], &laid_out, reproducible());
      const int is_kept = fegetround() == roundings[mode] && is_flushing();
      result_t of_parts = result;
      if (g->functions[f]->streams == 1)
        of_parts = merge_parts(g->functions[f], laid_out.x, g->items.n, 3, 5);
      const int is_still_kept = fegetround() == roundings[mode] && is_flushing();
      flush(0);
      fesetround(FE_TONEAREST);
      compare(g, f, &result, "flushing subnormal numbers, rounding mode", mode);
      compare(g, f, &of_parts, "in three parts, flushing subnormal numbers, rounding mode", mode);
      CHECK(is_kept && is_still_kept);
    }
  laid_out_free(&laid_out);
}

/* Where the GPU is emulated, and for large data, a few ways must do. */
static void run_ways(const group_t *g) {
  const size_t n = g->items.n;
  if (is_emulated() && n != 65 && n != 2049)
    return;
  if (is_on_host() && n >= MIDDLE)
    by_threads(g);
  if (!is_on_host())
    by_grids(g);
  in_other_orders(g, n >= LARGE || is_emulated() ? 2 : 4);
  if (is_emulated() && n != 65)
    return;
  in_parts(g);
  if (n >= LARGE)
    return;
  in_other_layouts(g);
  in_other_arithmetic(g);
}

/* ---- hashes ---- */

static void check_hash(const group_t *g, const row_t *row, const hash_sizes_t *sizes, uint64_t hash) {
  if (prints) {
    printf("HASH(%s, %s, %s, %s, 0x%016llx)\n", type_name(g->type), hard_name(g->set), row->name, sizes->name,
           (unsigned long long)hash);
    return;
  }
  used += hash_check(g->set, row, sizes, hash);
}

static void run_set(usw_type_t type, hard_set_t set, const hash_sizes_t *sizes) {
  uint64_t hashes[MOST_FUNCTIONS];
  group_t g = {.type = type, .set = set};
  for (int r = 0; r < ROW_COUNT; r++)
    if (rows[r].type == type && hash_covers(&rows[r])) {
      hashes[g.function_count] = HASH_START;
      g.functions[g.function_count++] = &rows[r];
    }
  for (const size_t *n = sizes->sizes; *n; n++) {
    g.items = hard_items(set, type, *n);
    run_first(&g);
    for (int f = 0; f < g.function_count; f++)
      hashes[f] = hash_add(hashes[f], g.functions[f], &g.firsts[f]);
    if (!prints && place_takes_next(&place, 8))
      run_ways(&g);
    items_free(&g.items);
  }
  for (int f = 0; f < g.function_count; f++)
    check_hash(&g, g.functions[f], sizes, hashes[f]);
}

/* Whether the environment names a version of the host's kernels that this processor does not have. */
static const char *missing_variant(void) {
  const char *asked = getenv("USW_HOST_ISA");
  usw_explanation_t explanation = {.size = USW_INIT(usw_explanation_t)};
  const usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_HOST};
  CHECK_STATUS(USW_OK, usw_explain(USW_PLUS, USW_F64, 1, &options, &explanation));
  return asked && strcmp(asked, explanation.host_variant) != 0 ? asked : NULL;
}

/* Whether a list without spaces has the type, or there is none. */
static int is_named(const char *list, usw_type_t type) {
  const size_t length = strlen(type_name(type));
  for (const char *at = list; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
    if (strncmp(at, type_name(type), length) == 0 && (at[length] == ',' || at[length] == 0))
      return 1;
  return list == NULL;
}

int main(int argc, char **argv) {
  int is_quick = 0;
  const char *types = NULL;
  for (int k = 1; k < argc; k++) {
    prints |= strcmp(argv[k], "--print") == 0;
    is_quick |= strcmp(argv[k], "--quick") == 0;
    if (strcmp(argv[k], "--types") == 0 && k + 1 < argc)
      types = argv[k + 1];
  }
  place = place_of_arguments(argc, argv);
  const int is_slow = is_quick_tier() && strcmp(place.target, "x86_64") == 0; /* large sizes are for the full tier */
  const int has_large = !is_quick && !is_slow && !is_emulated();
  if (missing_variant())
    return check_skip("the host's kernels have no %s here", missing_variant());
  for (usw_type_t type = (usw_type_t)1; type_facts(type); type = (usw_type_t)(type + 1))
    for (int set = 0; set < HARD_COUNT; set++) {
      if (!hard_fits((hard_set_t)set, type) || !is_named(types, type) ||
          (type != USW_F64 && !simt_takes_next(&place, 4)))
        continue;
      run_set(type, (hard_set_t)set, &hash_most);
      if ((type == USW_F64 || type == USW_F32) && (set == HARD_unit || set == HARD_whole_range) && has_large)
        run_set(type, (hard_set_t)set, &hash_large);
    }
  if (prints)
    return 0;
  if (has_large)
    CHECK_U64(hash_count(), used);
  return check_report();
}
