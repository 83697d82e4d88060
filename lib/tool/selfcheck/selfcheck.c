/* usw-selfcheck: see selfcheck.h. */
#include <stdlib.h>
#include <string.h>

#include "clause.h"
#include "measure/context.h"
#include "measure/json.h"
#include "selfcheck.h"

enum { RIGHT = 0, WRONG = 1, BAD_USAGE = 2, NOT_HERE = 77 };

/* The strategies of the place that were asked for, on the host there is but one, at each level; then the families, which take
 * the strategy of the library's choice. */
static void choose_ways(const selfcheck_options_t *options, selfcheck_place_t *place) {
  static const usw_strategy_t of_devices[] = {USW_AUTO_STRATEGY,      USW_STRATEGY_TREE,   USW_STRATEGY_HOST_FINISH,
                                              USW_STRATEGY_MULTIPASS, USW_STRATEGY_CLAUSE, USW_STRATEGY_TREE_ATOMIC,
                                              USW_STRATEGY_ATOMIC};
  static const usw_strategy_t of_host[] = {USW_STRATEGY_HOST};
  const int is_host = place->place.place == USW_HOST;
  const usw_strategy_t *all = is_host ? of_host : of_devices;
  static const usw_accuracy_t levels[SELFCHECK_LEVELS] = {USW_REPEATABLE, USW_COMPENSATED, USW_REPRODUCIBLE};
  const size_t count = is_host ? 1 : sizeof of_devices / sizeof *of_devices;
  for (int l = 0; l < SELFCHECK_LEVELS; l++)
    for (size_t s = 0; s < count; s++)
      if (options->families >> SELFCHECK_SINGLE & options->strategies >> all[s] & 1)
        place->ways[place->way_count++] = (selfcheck_way_t){SELFCHECK_SINGLE, all[s], levels[l]};
  for (int l = 0; l < SELFCHECK_LEVELS; l++)
    for (selfcheck_family_t f = SELFCHECK_AXES; f < SELFCHECK_FAMILIES; f++)
      if (options->families >> f & options->strategies >> all[0] & 1)
        place->ways[place->way_count++] = (selfcheck_way_t){f, all[0], levels[l]};
}

/* Returns whether the place is here. */
static int find_place(const char *name, selfcheck_place_t *place_out) {
  char full_name[32];
  *place_out = (selfcheck_place_t){.name = name};
  snprintf(full_name, sizeof full_name, "%s%s", strcmp(name, "host") == 0 ? "" : "device:", name);
  return place_find(full_name, &place_out->place);
}

/* All grades of one place, told and written. Returns how many are wrong. */
static int check_place(const selfcheck_options_t *options, selfcheck_place_t *place, cJSON *root) {
  char device[256];
  choose_ways(options, place);
  place->grades = calloc((size_t)place->way_count + 1, sizeof *place->grades);
  if (!place->grades) {
    fputs("usw-selfcheck: no memory for the grades\n", stderr);
    exit(WRONG);
  }
  if (place->way_count > 0 && place->ways[place->way_count - 1].family != SELFCHECK_SINGLE)
    place->room = selfcheck_room_get(&place->place);
  selfcheck_run(options, place);
  if (place->room)
    selfcheck_room_free(place->room);
  if (options->is_long)
    selfcheck_run_long(options, place);
  selfcheck_print_place(place, options->verbose, stdout);
  bench_device_name(place->place.device, device, sizeof device);
  cJSON *entry = cJSON_CreateObject();
  cJSON_AddItemToArray(cJSON_GetObjectItem(root, "places"), entry);
  cJSON_AddStringToObject(entry, "place", place->name);
  cJSON_AddStringToObject(entry, "target", place->place.target);
  cJSON_AddStringToObject(entry, "device", device);
  const int wrong = selfcheck_add_grades(place, cJSON_GetObjectItem(root, "grades"));
  free(place->grades);
  return wrong;
}

/* The places of the command line, or all there are. Returns how many, or -1 if one is not here. */
static int find_places(const selfcheck_options_t *options, selfcheck_place_t places[SELFCHECK_PLACES]) {
  int count = 0;
  for (int p = 0; p < SELFCHECK_PLACES; p++) {
    if (options->is_place_named && !options->is_place_wanted[p])
      continue;
    if (find_place(selfcheck_place_names[p], &places[count])) {
      count++;
    } else if (options->is_place_named) {
      fprintf(stderr, "usw-selfcheck: there is no place '%s' here\n", selfcheck_place_names[p]);
      return -1;
    }
  }
  return count;
}

static cJSON *start_document(const selfcheck_place_t *places, int count, int argc, char **argv) {
  cJSON *root = cJSON_CreateObject();
  /* The device of the context is the last place: the GPU, if there is one. */
  cJSON *context = bench_context(places[count - 1].place.device, argc, argv);
  cJSON_AddItemToObject(root, "context", context);
  cJSON_AddArrayToObject(root, "places");
  cJSON_AddArrayToObject(root, "grades");
  selfcheck_print_context(context, stdout);
  fputs("\nexact: the exact result, rounded once; within: the bound of `usw explain'. ulp: of the exact result, where "
        "the data does not cancel.\nbits: the same in every run and wherever the data lies; same*, vary: not "
        "promised there (USW_FAST).\n\n",
        stdout);
  selfcheck_print_heading(stdout);
  fflush(stdout);
  return root;
}

/* The compiler's clause in place of the library. "built" stands for the programs that lie beside this one. */
static int grade_compiler(const selfcheck_options_t *options, int argc, char **argv) {
  const int is_built = strcmp(options->compiler, "built") == 0;
  const char *place = NULL;
  for (int p = 0; p < SELFCHECK_PLACES && options->is_place_named; p++)
    if (options->is_place_wanted[p])
      place = selfcheck_place_names[p];
  const selfcheck_clause_options_t clause = {
      .compiler = is_built ? NULL : options->compiler,
      .flags = options->flags,
      .levels = options->levels,
      .offload = options->offload,
      .only = options->only,
      .limit_s = options->limit_s,
      .place = place,
  };
  cJSON *root = cJSON_CreateObject();
  cJSON_AddItemToObject(root, "context", bench_context(-1, argc, argv));
  const int wrong = selfcheck_clause(&clause, stdout, root);
  int code = wrong < 0 ? BAD_USAGE : wrong ? WRONG : RIGHT;
  if (!options->json_file || wrong < 0)
    cJSON_Delete(root);
  else if (bench_write_json(root, options->json_file))
    code = WRONG;
  return code;
}

static int grade_library(const selfcheck_options_t *options, int argc, char **argv) {
  selfcheck_place_t places[SELFCHECK_PLACES];
  int wrong = 0;
  const int count = find_places(options, places);
  if (count < 0)
    return NOT_HERE;
  cJSON *root = start_document(places, count, argc, argv);
  for (int p = 0; p < count; p++)
    wrong += check_place(options, &places[p], root);
  const int grades = cJSON_GetArraySize(cJSON_GetObjectItem(root, "grades"));
  printf("%d grades, %d wrong\n", grades, wrong);
  cJSON_AddNumberToObject(root, "wrong", wrong);
  if (grades == 0)
    fputs("usw-selfcheck: there are no such functions for these types, places and strategies\n", stderr);
  int code = wrong ? WRONG : grades ? RIGHT : BAD_USAGE;
  if (!options->json_file)
    cJSON_Delete(root);
  else if (bench_write_json(root, options->json_file))
    code = code == RIGHT ? WRONG : code;
  return code;
}

int main(int argc, char **argv) {
  selfcheck_options_t options;
  int code = selfcheck_parse(argc, argv, &options);
  if (code)
    return code;
  code = options.compiler ? grade_compiler(&options, argc, argv) : grade_library(&options, argc, argv);
  const int is_lost = fflush(stdout) != 0 || ferror(stdout);
  if (code != RIGHT || !is_lost)
    return code;
  fputs("usw-selfcheck: the results could not be written\n", stderr);
  return WRONG;
}
