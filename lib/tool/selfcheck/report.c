/* What is said of the grades. */
#include <math.h>
#include <string.h>

#include "oracle/pattern.h"
#include "selfcheck.h"

enum { NAME = 32 };

void selfcheck_print_context(const cJSON *context, FILE *stream) {
  static const char *const keys[] = {"date",    "host",   "host_threads", "device", "target", "driver",
                                     "upsweep", "commit", "compiler",     "flags",  "command"};
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
    const cJSON *value = cJSON_GetObjectItemCaseSensitive(context, keys[k]);
    if (cJSON_IsString(value))
      fprintf(stream, "%-12s %s\n", keys[k], value->valuestring);
    else if (cJSON_IsNumber(value))
      fprintf(stream, "%-12s %.0f\n", keys[k], value->valuedouble);
  }
}

/* Types that are told together. */
static const char *group_of(usw_type_t type) {
  switch (type_facts(type)->class_of) {
  case CLASS_INTEGER:
    return "integers";
  case CLASS_HALF:
    return "halves";
  case CLASS_BOOLEAN:
    return "b8";
  default:
    return type_name(type);
  }
}

static void name_of(const grade_t *grade, char name[NAME]) {
  snprintf(name, NAME, "%s_%s", grade->row->name, type_name(grade->row->type));
}

static int is_upper(usw_accuracy_t accuracy) { return accuracy == USW_COMPENSATED || accuracy == USW_REPRODUCIBLE; }

static const char *accuracy_name(usw_accuracy_t accuracy) {
  return accuracy == USW_FAST          ? "fast"
         : accuracy == USW_COMPENSATED ? "compensated"
         : is_upper(accuracy)          ? "reproducible"
                                       : "repeatable";
}

/* The strategy or the family, and an upper level behind it: "tree reproducible". */
static const char *way_name(selfcheck_way_t way, char name[NAME]) {
  const int has_level = is_upper(way.accuracy);
  snprintf(name, NAME, "%s%s%s",
           way.family == SELFCHECK_SINGLE ? strategy_name(way.strategy) : selfcheck_family_names[way.family],
           has_level ? " " : "", has_level ? accuracy_name(way.accuracy) : "");
  return name;
}

/* A line of the table: grades of one way and group. */
typedef struct {
  const char *group;
  int verdicts[VERDICT_WRONG + 1];
  long cases;
  int is_fast, changes, wrong_bits;
  double most_share;
  const grade_t *worst; /* the largest distance */
} line_t;

static void add_to_line(line_t *line, const grade_t *grade) {
  line->verdicts[grade->verdict]++;
  line->cases += grade->cases;
  line->changes += grade->changes;
  line->is_fast += grade->verdict != VERDICT_UNSUPPORTED && grade->accuracy == USW_FAST && row_is_rounded(grade->row);
  line->wrong_bits += grade->changes && (grade->accuracy != USW_FAST || !row_is_rounded(grade->row));
  line->most_share = fmax(line->most_share, grade->most_share);
  if (grade->worst.ulp > 0 && (!line->worst || grade->worst.ulp > line->worst->worst.ulp))
    line->worst = grade;
}

/* Whether the same bits came on every run and layout. */
static const char *bits_word(int changes, int wrong_bits, int is_fast) {
  return wrong_bits ? "WRONG" : changes ? "vary" : is_fast ? "same*" : "same";
}

void selfcheck_print_heading(FILE *stream) {
  fprintf(stream, "%-7s %-24s %-8s %9s %6s %6s %6s %8s %8s %6s  %s\n", "place", "strategy", "types", "functions",
          "exact", "within", "WRONG", "not here", "of bound", "bits", "most ulp (of bound): function, case");
}

static void print_worst(const grade_t *worst, FILE *stream) {
  char name[NAME];
  if (!worst) {
    fputs("  0\n", stream);
    return;
  }
  name_of(worst, name);
  fprintf(stream, "  %.3g (%.3g): %s, %s\n", worst->worst.ulp, worst->worst.bound_ulp, name, worst->worst_case);
}

static void print_line(const selfcheck_place_t *place, selfcheck_way_t way, const line_t *line, FILE *stream) {
  char name[NAME];
  const int *v = line->verdicts, all = v[0] + v[1] + v[2] + v[3];
  fprintf(stream, "%-7s %-24s %-8s %9d %6d %6d %6d %8d %7.1f%% %6s", place->name, way_name(way, name), line->group, all,
          v[VERDICT_EXACT], v[VERDICT_WITHIN], v[VERDICT_WRONG], v[VERDICT_UNSUPPORTED], line->most_share * 100,
          bits_word(line->changes, line->wrong_bits, line->is_fast));
  print_worst(line->worst, stream);
}

/* With details: one function of one type. */
static void print_grade(const selfcheck_place_t *place, int way, const grade_t *grade, FILE *stream) {
  char name[NAME], of_way[NAME];
  const int is_rounded = row_is_rounded(grade->row);
  name_of(grade, name);
  fprintf(stream, "  %-7s %-24s %-13s %-11s", place->name, way_name(place->ways[way], of_way), name,
          grade->verdict == VERDICT_WRONG ? "WRONG" : verdict_name(grade->verdict));
  if (grade->verdict == VERDICT_UNSUPPORTED) {
    fprintf(stream, " %s\n", grade->why);
    return;
  }
  fprintf(stream, " %5ld cases, bits %s, %.1f%% of %s bound; cancelling %.3g ulp; most ulp (of bound)", grade->cases,
          bits_word(grade->changes, grade->changes && (grade->accuracy != USW_FAST || !is_rounded),
                    is_rounded && grade->accuracy == USW_FAST),
          grade->most_share * 100, grade->has_bound ? "its" : "the oracle's", grade->cancelling_ulp);
  print_worst(grade->worst.ulp > 0 ? grade : NULL, stream);
}

static void print_wrong(const selfcheck_place_t *place, FILE *stream) {
  for (int s = 0; s < place->way_count; s++)
    for (int r = 0; r < ROW_COUNT; r++) {
      const grade_t *grade = &place->grades[s][r];
      char name[NAME], way[NAME];
      if (!grade->row || grade->verdict != VERDICT_WRONG)
        continue;
      name_of(grade, name);
      fprintf(stream, "WRONG %s %s %s, %ld of %ld cases: %s\n", place->name, way_name(place->ways[s], way), name,
              grade->wrong, grade->cases, grade->why);
    }
}

void selfcheck_print_place(const selfcheck_place_t *place, int verbose, FILE *stream) {
  for (int s = 0; s < place->way_count; s++) {
    line_t lines[ROW_COUNT] = {{0}};
    int count = 0;
    for (int r = 0; r < ROW_COUNT; r++) {
      const grade_t *grade = &place->grades[s][r];
      int l = 0;
      if (!grade->row)
        continue;
      while (l < count && strcmp(lines[l].group, group_of(grade->row->type)) != 0)
        l++;
      count += l == count;
      lines[l].group = group_of(grade->row->type);
      add_to_line(&lines[l], grade);
    }
    for (int l = 0; l < count; l++) {
      print_line(place, place->ways[s], &lines[l], stream);
      for (int r = 0; r < ROW_COUNT && verbose; r++)
        if (place->grades[s][r].row && strcmp(group_of(rows[r].type), lines[l].group) == 0)
          print_grade(place, s, &place->grades[s][r], stream);
    }
  }
  print_wrong(place, stream);
  fflush(stream);
}

static void add_number(cJSON *entry, const char *key, double number) {
  if (isfinite(number))
    cJSON_AddNumberToObject(entry, key, number);
  else
    cJSON_AddStringToObject(entry, key, isnan(number) ? "nan" : "inf");
}

static void add_grade(const selfcheck_place_t *place, selfcheck_family_t family, const grade_t *grade, cJSON *grades) {
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddItemToArray(grades, entry);
  cJSON_AddStringToObject(entry, "place", place->name);
  cJSON_AddStringToObject(entry, "family", selfcheck_family_names[family]);
  cJSON_AddStringToObject(entry, "strategy", strategy_name(grade->strategy));
  cJSON_AddStringToObject(entry, "kernel", grade->row->name);
  cJSON_AddStringToObject(entry, "type", type_name(grade->row->type));
  cJSON_AddStringToObject(entry, "verdict", verdict_name(grade->verdict));
  if (grade->verdict != VERDICT_UNSUPPORTED || is_upper(grade->accuracy))
    cJSON_AddStringToObject(entry, "accuracy", accuracy_name(grade->accuracy));
  if (grade->verdict != VERDICT_UNSUPPORTED) {
    cJSON_AddNumberToObject(entry, "cases", (double)grade->cases);
    cJSON_AddNumberToObject(entry, "wrong_cases", (double)grade->wrong);
    cJSON_AddNumberToObject(entry, "changed_bits", grade->changes);
    cJSON_AddBoolToObject(entry, "bound_is_documented", grade->has_bound);
    add_number(entry, "most_of_bound", grade->most_share);
    add_number(entry, "ulp", grade->worst.ulp);
    add_number(entry, "bound_ulp", grade->worst.bound_ulp);
    cJSON_AddStringToObject(entry, "worst_case", grade->worst_case);
    add_number(entry, "cancelling_ulp", grade->cancelling_ulp);
  }
  if (grade->why[0])
    cJSON_AddStringToObject(entry, "why", grade->why);
}

int selfcheck_add_grades(const selfcheck_place_t *place, cJSON *grades) {
  int wrong = 0;
  for (int s = 0; s < place->way_count; s++)
    for (int r = 0; r < ROW_COUNT; r++)
      if (place->grades[s][r].row) {
        add_grade(place, place->ways[s].family, &place->grades[s][r], grades);
        wrong += place->grades[s][r].verdict == VERDICT_WRONG;
      }
  return wrong;
}
