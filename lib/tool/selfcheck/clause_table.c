/* The table, and the same as JSON. */
#include "selfcheck/clause_parts.h"

#include <string.h>

static const char *const words[CLAUSE_VERDICTS] = {"-", "ok", "WRONG", "no compile", "CRASH", "HANG"};
static const char *const json_words[CLAUSE_VERDICTS] = {"not_run",          "ok",      "wrong",
                                                        "does_not_compile", "crashes", "hangs"};

void clause_count(const clause_grading_t *grading, int counts_out[CLAUSE_VERDICTS]) {
  memset(counts_out, 0, CLAUSE_VERDICTS * sizeof *counts_out);
  for (int c = 0; c < grading->cell_count; c++)
    for (int level = 0; level < grading->levels.count; level++)
      counts_out[grading->cells[c].verdicts[level]]++;
}

/* ---- rows: cases with a fault each for itself, the others of a group together ---- */

static int is_same_group(const clause_cell_t *a, const clause_cell_t *b) {
  return a->source == b->source && strcmp(a->group, b->group) == 0;
}

static int has_same_verdicts(const clause_cell_t *a, const clause_cell_t *b, int levels) {
  return memcmp(a->verdicts, b->verdicts, (size_t)levels * sizeof *a->verdicts) == 0;
}

static int is_ok(const clause_cell_t *cell, int levels) {
  for (int level = 0; level < levels; level++)
    if (cell->verdicts[level] != CLAUSE_OK)
      return 0;
  return 1;
}

static void print_row(const clause_grading_t *grading, const clause_cell_t *cell, const char *what, FILE *out) {
  fprintf(out, "%-18s %-14s %-30s", grading->sources.words[cell->source], cell->group, what);
  for (int level = 0; level < grading->levels.count; level++)
    fprintf(out, " %-10s", words[cell->verdicts[level]]);
  fputc('\n', out);
}

/* A group's rows; returns the cell behind it. */
static int print_group(const clause_grading_t *grading, int begin, FILE *out) {
  const int levels = grading->levels.count;
  const clause_cell_t *first = &grading->cells[begin], *good = NULL;
  int end = begin, good_count = 0, alike = 1;
  char text[64];
  for (; end < grading->cell_count && is_same_group(first, &grading->cells[end]); end++) {
    alike &= has_same_verdicts(first, &grading->cells[end], levels);
    if (is_ok(&grading->cells[end], levels)) {
      good = &grading->cells[end];
      good_count++;
    }
  }
  if (end - begin > 1 && alike) {
    snprintf(text, sizeof text, "all %d", end - begin);
    print_row(grading, first, text, out);
    return end;
  }
  for (int c = begin; c < end; c++)
    if (good_count < 2 || !is_ok(&grading->cells[c], levels))
      print_row(grading, &grading->cells[c], grading->cells[c].what, out);
  if (good_count >= 2) {
    snprintf(text, sizeof text, "the other %d", good_count);
    print_row(grading, good, text, out);
  }
  return end;
}

/* ---- notes: what was got, and what the compiler said ---- */

/* Are the two cells' details the same note? Cases of one source that have the same to say share one. */
static int says(const clause_cell_t *cell, int levels, const char *detail) {
  for (int level = 0; level < levels; level++)
    if (strcmp(cell->details[level], detail) == 0)
      return 1;
  return 0;
}

static int was_said(const clause_grading_t *grading, int c, int level) {
  const clause_cell_t *cell = &grading->cells[c];
  for (int before = 0; before < level; before++)
    if (strcmp(cell->details[before], cell->details[level]) == 0)
      return 1;
  for (int other = 0; other < c; other++)
    if (grading->cells[other].source == cell->source &&
        says(&grading->cells[other], grading->levels.count, cell->details[level]))
      return 1;
  return 0;
}

static void print_note(const clause_grading_t *grading, int c, int level, FILE *out) {
  const clause_cell_t *cell = &grading->cells[c];
  const char *detail = cell->details[level];
  int cases = 0;
  for (int other = c; other < grading->cell_count; other++)
    cases +=
        grading->cells[other].source == cell->source && says(&grading->cells[other], grading->levels.count, detail);
  fprintf(out, "  %s: %s %s", grading->sources.words[cell->source], cell->group, cell->what);
  if (cases > 1)
    fprintf(out, " and %d more", cases - 1);
  fputs(", at", out);
  for (int other = level; other < grading->levels.count; other++)
    if (strcmp(cell->details[other], detail) == 0)
      fprintf(out, " %s", grading->levels.words[other]);
  fprintf(out, ": %s\n", detail);
}

static void print_notes(const clause_grading_t *grading, FILE *out) {
  int any = 0;
  for (int c = 0; c < grading->cell_count; c++)
    for (int level = 0; level < grading->levels.count; level++)
      if (grading->cells[c].details[level][0] && !was_said(grading, c, level)) {
        if (!any++)
          fputs("\nWhat was found:\n", out);
        print_note(grading, c, level, out);
      }
}

/* ---- the whole ---- */

static void print_footer(const clause_grading_t *grading, FILE *out) {
  int counts[CLAUSE_VERDICTS];
  clause_count(grading, counts);
  fprintf(out, "\n%d cases at %d levels: %d ok, %d wrong, %d do not compile, %d crash, %d hang, %d not run\n",
          grading->cell_count, grading->levels.count, counts[CLAUSE_OK], counts[CLAUSE_WRONG], counts[CLAUSE_REFUSED],
          counts[CLAUSE_CRASHED], counts[CLAUSE_HUNG], counts[CLAUSE_NOT_RUN]);
  fprintf(out,
          "\nEach row's first word is a program of plain OpenMP 5, one file of about a hundred lines, in\n  %s\n"
          "By hand, at level O2:\n  %s -O2 <program>.c -o <program> -lm && ./<program>\n"
          "It prints a line for each case; a number as argument passes over as many cases.\n",
          grading->source_folder[0] ? grading->source_folder : "share/upsweep/selfcheck of Upsweep",
          grading->command[0] ? grading->command : "<compiler> -fopenmp <flags of offload> -DON_DEVICE");
}

void clause_print_table(const clause_grading_t *grading, FILE *out) {
  fprintf(out, "OpenMP's reduction clause as compiled by: %s\nplace: %s\ncommand: %s\n\n",
          grading->version[0] ? grading->version : "unknown", grading->place,
          grading->command[0] ? grading->command : "unknown");
  fprintf(out, "%-18s %-14s %-30s", "program", "group", "case");
  for (int level = 0; level < grading->levels.count; level++)
    fprintf(out, " %-10s", grading->levels.words[level]);
  fputc('\n', out);
  for (int c = 0; c < grading->cell_count;)
    c = print_group(grading, c, out);
  print_notes(grading, out);
  print_footer(grading, out);
}

static int add_cell(const clause_grading_t *grading, const clause_cell_t *cell, cJSON *cells) {
  cJSON *object = cJSON_CreateObject();
  if (!object || !cJSON_AddItemToArray(cells, object))
    return -1;
  int failed = !cJSON_AddStringToObject(object, "program", grading->sources.words[cell->source]) ||
               !cJSON_AddStringToObject(object, "group", cell->group) ||
               !cJSON_AddStringToObject(object, "case", cell->what);
  cJSON *verdicts = cJSON_AddObjectToObject(object, "verdicts");
  cJSON *details = cJSON_AddObjectToObject(object, "details");
  failed |= !verdicts || !details;
  for (int level = 0; level < grading->levels.count && !failed; level++) {
    const char *name = grading->levels.words[level];
    failed = !cJSON_AddStringToObject(verdicts, name, json_words[cell->verdicts[level]]) ||
             (cell->details[level][0] && !cJSON_AddStringToObject(details, name, cell->details[level]));
  }
  return failed ? -1 : 0;
}

int clause_fill_json(const clause_grading_t *grading, cJSON *out) {
  int counts[CLAUSE_VERDICTS];
  clause_count(grading, counts);
  int failed = !cJSON_AddStringToObject(out, "compiler", grading->version) ||
               !cJSON_AddStringToObject(out, "command", grading->command) ||
               !cJSON_AddStringToObject(out, "place", grading->place);
  cJSON *levels = cJSON_AddArrayToObject(out, "levels");
  for (int level = 0; level < grading->levels.count && levels && !failed; level++)
    failed = !cJSON_AddItemToArray(levels, cJSON_CreateString(grading->levels.words[level]));
  cJSON *number_of = cJSON_AddObjectToObject(out, "counts");
  for (int verdict = 0; verdict < CLAUSE_VERDICTS && number_of && !failed; verdict++)
    failed = !cJSON_AddNumberToObject(number_of, json_words[verdict], counts[verdict]);
  cJSON *cells = cJSON_AddArrayToObject(out, "cells");
  for (int c = 0; c < grading->cell_count && cells && !failed; c++)
    failed = add_cell(grading, &grading->cells[c], cells);
  return failed || !levels || !number_of || !cells ? -1 : 0;
}
