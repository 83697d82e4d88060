/* The cases, and the runs of them. */
#include <string.h>
#include <upsweep/explain.h>

#include "oracle/items.h"
#include "selfcheck.h"

/* Runs of one case over one layout. */
enum { REPEATS = 3, LAYOUTS = 6, MOST = SELFCHECK_MOST_ITEMS };

static const layout_t layouts[LAYOUTS] = {{0, 1}, {1, 1}, {3, 1}, {1, 2}, {0, -1}, {0, USW_STRIDE_NONE}};

/* Items that every function of their type gets. */
typedef struct {
  usw_type_t type;
  pattern_t pattern;
  size_t n;
  usw_nan_t nan;
  int layout_count;
  int all_the_first; /* the layout without a stride, and one with */
} group_t;

/* What one function must give for them, and what it gave first. */
typedef struct {
  int row;
  oracle_t oracle, of_families;
  result_t first[SELFCHECK_WAYS], reproducible; /* that of any strategy */
  int has_first[SELFCHECK_WAYS], has_reproducible;
} answer_t;

static int is_promised(const grade_t *grade) { return grade->accuracy != USW_FAST || !row_is_rounded(grade->row); }

static void note_of(const group_t *g, const layout_t *layout, char *note, size_t bytes) {
  snprintf(note, bytes, "n=%zu pattern=%s%s%s offset=%zu stride=%td", g->n, pattern_name(g->pattern),
           g->all_the_first ? ", all the first" : "", g->nan == USW_NAN_IGNORE ? " nan=ignore" : "", layout->offset,
           layout->stride == USW_STRIDE_NONE ? 0 : layout->stride);
}

int selfcheck_call(const selfcheck_place_t *place, grade_t *grade, const laid_out_t *items, const oracle_t *expected,
                   usw_nan_t nan, const char *note, result_t *result_out) {
  usw_options_t options = place_options(&place->place);
  usw_explanation_t explained = {.size = USW_INIT(usw_explanation_t)};
  unsigned char before[sizeof *result_out];
  options.strategy = grade->strategy;
  options.accuracy = grade->accuracy;
  options.nan = nan;
  options.work_group_load = items->n % 3 == 0 ? 2 : 0; /* of multipass: many launches or one */
  memset(result_out, 0xa5, sizeof *result_out);
  memset(before, 0xa5, sizeof before);
  grade->cases++;
  const usw_status_t status = laid_out_reduce(items, grade->row, &options, result_out);
  if (status != USW_OK) {
    grade_wrong(grade, note, usw_error_text());
    return 0;
  }
  const size_t bytes = grade->row->result_bytes;
  if (memcmp(result_out->bytes + bytes, before + bytes, sizeof before - bytes) != 0)
    grade_wrong(grade, note, "it wrote behind its result");
  if (usw_explain(grade->row->operation, grade->row->type, items->n, &options, &explained) != USW_OK)
    grade_wrong(grade, note, usw_error_text());
  grade_result(grade, expected, result_out, &explained, note);
  return 1;
}

/* At USW_REPRODUCIBLE bits do not depend on the strategy either. */
static void compare_strategies(grade_t *grade, answer_t *answer, const result_t *result, const char *note) {
  if (grade->accuracy != USW_REPRODUCIBLE)
    return;
  if (!answer->has_reproducible)
    answer->reproducible = *result;
  else if (!results_equal(grade->row, &answer->reproducible, result))
    grade_wrong(grade, note, "not the bits of another strategy");
  answer->has_reproducible = 1;
}

/* How often families get a case over a layout; with --quick few cases, mostly once: there are many families and levels. */
static int family_repeats(const selfcheck_options_t *options, const group_t *g, int layout) {
  static const struct {
    pattern_t pattern;
    size_t n;
    int repeats;
  } quick[] = {{PATTERN_random, 0, 1},
               {PATTERN_near_one, 1025, 2},
               {PATTERN_random, 8191, 1},
               {PATTERN_ties, 1000, 1},
               {PATTERN_nan_often, 1000, 1}};
  if (!options->quick)
    return REPEATS - 1;
  if (g->layout_count > 1)
    return !g->all_the_first && layouts[layout].stride == 2;
  for (size_t k = 0; k < sizeof quick / sizeof *quick; k++)
    if (g->pattern == quick[k].pattern && g->n == quick[k].n)
      return quick[k].repeats;
  return 0;
}

static int call_by(const selfcheck_place_t *place, int way, grade_t *grade, const laid_out_t *items,
                   const answer_t *answer, usw_nan_t nan, const char *note, result_t *result_out) {
  const selfcheck_family_t family = place->ways[way].family;
  return family == SELFCHECK_SINGLE
             ? selfcheck_call(place, grade, items, &answer->oracle, nan, note, result_out)
             : selfcheck_call_family(place, family, grade, items, &answer->of_families, nan, note, result_out);
}

/* One function in one way over items that lie in one way; so often by a family. */
static void run_answer(selfcheck_place_t *place, int way, answer_t *answer, const laid_out_t *items, const group_t *g,
                       int of_families) {
  grade_t *grade = &place->grades[way][answer->row];
  char note[GRADE_TEXT / 2];
  result_t result;
  if (!grade->row || grade->verdict == VERDICT_UNSUPPORTED)
    return;
  note_of(g, &items->layout, note, sizeof note);
  const int is_single = place->ways[way].family == SELFCHECK_SINGLE;
  answer->has_first[way] &= is_single; /* strides decide how families share items out */
  const int repeats = !is_single ? of_families : answer->has_first[way] ? 1 : REPEATS;
  for (int r = 0; r < repeats; r++) {
    if (!call_by(place, way, grade, items, answer, g->nan, note, &result))
      continue;
    compare_strategies(grade, answer, &result, note);
    if (!answer->has_first[way]) {
      answer->first[way] = result;
      answer->has_first[way] = 1;
    } else if (!results_equal(grade->row, &answer->first[way], &result)) {
      grade->changes++;
      if (is_promised(grade))
        grade_wrong(grade, note, r > 0 ? "not the bits of the run before" : "not the bits of another layout");
    }
  }
}

/* The most additions of any element, for what has no documented bound: as tests/api/case_runner.c takes it. */
static rounding_t rounding_of(const selfcheck_place_t *place, const group_t *g) {
  const int is_serial = strcmp(place->place.target, "x86_64") == 0;
  const rounding_t rounding = {64 + (double)g->n / (is_serial ? 1 : 16), pattern_is_exact(g->pattern)};
  return rounding;
}

/* Of families: they need not have as many chains, which shows where no bound is documented. */
static oracle_t oracle_of_families(const row_t *row, const number_t *x, const number_t *y, const group_t *g,
                                   rounding_t rounding, const oracle_t *single) {
  const rounding_t of_one_chain = {64 + (double)g->n, rounding.is_exact};
  const int is_other = row->operation == USW_DESCRIBE && rounding.chain < of_one_chain.chain;
  return is_other ? oracle_of(row, x, y, g->n, g->nan, of_one_chain) : *single;
}

static int ask_oracle(const selfcheck_options_t *options, const selfcheck_place_t *place, const group_t *g,
                      const items_t *items, answer_t *answers) {
  int count = 0, is_for_families = 0;
  for (int l = 0; l < g->layout_count && place->room; l++)
    is_for_families |= family_repeats(options, g, l) > 0;
  for (int r = 0; r < ROW_COUNT; r++) {
    if (rows[r].type != g->type || !options->is_selected[r])
      continue;
    const number_t *x = items->numbers_of_x, *y = rows[r].streams == 2 ? items->numbers_of_y : NULL;
    answer_t *answer = &answers[count++];
    *answer = (answer_t){.row = r, .oracle = oracle_of(&rows[r], x, y, g->n, g->nan, rounding_of(place, g))};
    if (is_for_families)
      answer->of_families = oracle_of_families(&rows[r], x, y, g, rounding_of(place, g), &answer->oracle);
  }
  return count;
}

static void run_group(const selfcheck_options_t *options, selfcheck_place_t *place, const group_t *g) {
  static answer_t answers[ROW_COUNT];
  items_t items = items_make(g->type, g->pattern, g->n, g->all_the_first);
  const int count = ask_oracle(options, place, g, &items, answers);
  for (int l = 0; l < g->layout_count && count > 0; l++) {
    /* An element without a stride is read again and again; then one that lies there as often. */
    const layout_t layout = g->all_the_first ? layouts[l == 0 ? LAYOUTS - 1 : 0] : layouts[l];
    laid_out_t laid_out = items_lay_out(&items, &place->place, layout);
    for (int a = 0; a < count; a++)
      for (int s = 0; s < place->way_count; s++)
        run_answer(place, s, &answers[a], &laid_out, g, family_repeats(options, g, l));
    laid_out_free(&laid_out);
  }
  items_free(&items);
}

/* Around teams, blocks and tiles, which are powers of two. */
static void run_sizes(const selfcheck_options_t *options, selfcheck_place_t *place, usw_type_t type) {
  static const size_t quick[] = {0, 1, 2, 33, 1025, 4096, 8191};
  static const size_t all[] = {0,    1,    2,    3,     31,    33,    255,   256,   257,  511,
                               513,  1023, 1024, 1025,  2047,  2048,  2049,  4095,  4096, 4097,
                               8191, 8192, 8193, 16383, 16384, 16385, 32767, 32769, MOST};
  const size_t *sizes = options->quick ? quick : all;
  const size_t count = options->quick ? sizeof quick / sizeof *quick : sizeof all / sizeof *all;
  for (size_t s = 0; s < count; s++) {
    const group_t random = {type, PATTERN_random, sizes[s], USW_NAN_PROPAGATE, 1, 0};
    const group_t near_one = {type, PATTERN_near_one, sizes[s], USW_NAN_PROPAGATE, 1, 0};
    run_group(options, place, &random);
    if (!options->quick || sizes[s] == 1025)
      run_group(options, place, &near_one);
  }
}

static int has_nan(pattern_t pattern) { return pattern >= PATTERN_nan_first && pattern <= PATTERN_nan_all; }

static void run_patterns(const selfcheck_options_t *options, selfcheck_place_t *place, usw_type_t type) {
  static const size_t sizes[] = {1000, 1, 40009};
  for (pattern_t pattern = 0; pattern < PATTERN_COUNT; pattern++)
    for (int s = 0; pattern_fits(pattern, type) && s < (options->quick ? 1 : 3); s++)
      for (int ignores = 0; ignores <= has_nan(pattern); ignores++) {
        const group_t group = {type, pattern, sizes[s], ignores ? USW_NAN_IGNORE : USW_NAN_PROPAGATE, 1, 0};
        run_group(options, place, &group);
      }
}

static void run_layouts(const selfcheck_options_t *options, selfcheck_place_t *place, usw_type_t type) {
  static const size_t sizes[] = {1000, 17, 65537};
  const pattern_t pattern = type_is_floating(type) ? PATTERN_wide : PATTERN_near_one;
  for (int s = 0; s < (options->quick ? 1 : 3); s++) {
    const group_t group = {type, pattern, sizes[s], USW_NAN_PROPAGATE, LAYOUTS - 1, 0};
    const group_t the_first = {type, PATTERN_near_one, sizes[s], USW_NAN_PROPAGATE, 2, 1};
    run_group(options, place, &group);
    run_group(options, place, &the_first);
  }
}

/* What a family refuses has no grade. */
static void prepare_family(const selfcheck_place_t *place, selfcheck_way_t way, const row_t *row, grade_t *grade) {
  if (selfcheck_has_family(place, way, row))
    *grade = (grade_t){.row = row, .strategy = way.strategy, .accuracy = way.accuracy, .verdict = VERDICT_EXACT};
}

/* The accuracy of the way that the strategy has for the function; a call of what it has not must say so as well. */
static void prepare_grade(const selfcheck_place_t *place, selfcheck_way_t way, const row_t *row, grade_t *grade) {
  const int is_upper = way.accuracy != USW_REPEATABLE;
  const usw_accuracy_t accuracies[] = {way.accuracy, USW_FAST};
  usw_options_t options = place_options(&place->place);
  usw_status_t status = USW_ERROR_UNSUPPORTED;
  *grade = (grade_t){.row = row, .strategy = way.strategy, .verdict = VERDICT_EXACT};
  options.strategy = way.strategy;
  for (int a = 0; a < (is_upper ? 1 : 2) && status == USW_ERROR_UNSUPPORTED; a++) {
    usw_explanation_t explained = {.size = USW_INIT(usw_explanation_t)};
    options.accuracy = grade->accuracy = accuracies[a];
    status = usw_explain(row->operation, row->type, 1, &options, &explained);
  }
  if (status == USW_OK)
    return;
  result_t result;
  const usw_status_t called = row->streams == 2
                                  ? usw_reduce_pair(row->operation, row->type, NULL, NULL, 0, &result, &options)
                                  : usw_reduce(row->operation, row->type, NULL, 0, &result, &options);
  grade->verdict = VERDICT_UNSUPPORTED;
  snprintf(grade->why, sizeof grade->why, "%s", usw_error_text());
  if (status != USW_ERROR_UNSUPPORTED || called != status)
    grade_wrong(grade, usw_status_name(called), usw_error_text());
}

static void prepare(const selfcheck_place_t *place, selfcheck_way_t way, const row_t *row, grade_t *grade) {
  if (way.family == SELFCHECK_SINGLE)
    prepare_grade(place, way, row, grade);
  else
    prepare_family(place, way, row, grade);
}

void selfcheck_run(const selfcheck_options_t *options, selfcheck_place_t *place) {
  for (int s = 0; s < place->way_count; s++)
    for (int r = 0; r < ROW_COUNT; r++)
      if (options->is_selected[r] && (place->ways[s].accuracy == USW_REPEATABLE || row_is_rounded(&rows[r])))
        prepare(place, place->ways[s], &rows[r], &place->grades[s][r]);
  for (usw_type_t type = (usw_type_t)1; type_facts(type); type = (usw_type_t)(type + 1)) {
    int is_selected = 0;
    for (int r = 0; r < ROW_COUNT; r++)
      is_selected |= rows[r].type == type && options->is_selected[r];
    if (!is_selected)
      continue;
    run_sizes(options, place, type);
    run_patterns(options, place, type);
    run_layouts(options, place, type);
  }
}
