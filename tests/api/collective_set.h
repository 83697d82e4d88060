/* The collectives of one type and operator, for collectives.c: SET_NAME, SET_TYPE, SET_OPERATION; SET_COMBINE(a, b), what the
 * operator means on the host; SET_MAKE(i), the value of thread i; SET_IDENTITY where there is one; SET_ALL 1: every form;
 * SET_SAYS_TYPE where a broadcast is told the operator of the type; SET_MOST_THREADS where registers do not suffice for
 * teams of all sizes. */

#define SET_F(suffix) USW_CAT(SET_NAME, suffix)
#ifdef SET_SAYS_TYPE
#define SET_BROADCAST(function, group, x, from) function(group, x, from, SET_OPERATION)
#else
#define SET_BROADCAST(function, group, x, from) function(group, x, from)
#endif

#if defined(_OPENMP) && defined(__clang__) && !defined(USW_PORT_SIMT)
#pragma omp begin declare target
#endif
/* What one thread does: its results of the forms, each a row of `all` threads. Threads are kept apart by `first`. */
USW_INLINE void SET_F(_forms)(usw_team_t team, size_t first, size_t all, const SET_TYPE *in, const SET_TYPE *init,
                              SET_TYPE *out) {
  const usw_sub_group_t group = usw_sub_group_of(team);
  const size_t me = first + team.thread;
  const SET_TYPE x = in[me], from = *init;
  SET_TYPE *of_group = out + (size_t)TEAM_FORMS * all;
  out[REDUCE_INIT * all + me] = usw_team_reduce(team, x, from, SET_OPERATION);
  of_group[REDUCE * all + me] = usw_sub_group_reduce(group, x, SET_OPERATION);
#ifdef SET_IDENTITY
  out[EXCLUSIVE * all + me] = usw_team_exclusive_scan(team, x, SET_OPERATION);
#endif
#if SET_ALL
  out[BROADCAST * all + me] = SET_BROADCAST(usw_team_broadcast, team, x, BROADCASTER % team.threads);
  out[REDUCE * all + me] = usw_team_reduce(team, x, SET_OPERATION);
  out[TO_FIRST * all + me] = usw_team_reduce_to_first(team, x, SET_OPERATION);
  out[TO_FIRST_INIT * all + me] = usw_team_reduce_to_first(team, x, from, SET_OPERATION);
  out[INCLUSIVE * all + me] = usw_team_inclusive_scan(team, x, SET_OPERATION);
  out[INCLUSIVE_INIT * all + me] = usw_team_inclusive_scan(team, x, SET_OPERATION, from);
  out[EXCLUSIVE_INIT * all + me] = usw_team_exclusive_scan(team, x, from, SET_OPERATION);
  of_group[BROADCAST * all + me] = SET_BROADCAST(usw_sub_group_broadcast, group, x, BROADCASTER % group.lanes);
  of_group[REDUCE_INIT * all + me] = usw_sub_group_reduce(group, x, from, SET_OPERATION);
  of_group[TO_FIRST * all + me] = usw_sub_group_reduce_to_first(group, x, SET_OPERATION);
  of_group[TO_FIRST_INIT * all + me] = usw_sub_group_reduce_to_first(group, x, from, SET_OPERATION);
  of_group[INCLUSIVE * all + me] = usw_sub_group_inclusive_scan(group, x, SET_OPERATION);
  of_group[INCLUSIVE_INIT * all + me] = usw_sub_group_inclusive_scan(group, x, SET_OPERATION, from);
  of_group[EXCLUSIVE_INIT * all + me] = usw_sub_group_exclusive_scan(group, x, from, SET_OPERATION);
#ifdef SET_IDENTITY
  of_group[EXCLUSIVE * all + me] = usw_sub_group_exclusive_scan(group, x, SET_OPERATION);
#endif
#endif
}
#if defined(_OPENMP) && defined(__clang__) && !defined(USW_PORT_SIMT)
#pragma omp end declare target
#endif

#ifdef USW_PORT_SIMT
typedef struct {
  size_t all;
  const SET_TYPE *in, *init;
  SET_TYPE *out;
} SET_F(_context);
static void SET_F(_fiber)(void *context) {
  const SET_F(_context) *c = (const SET_F(_context) *)context;
  const usw_team_t team = usw_bare_team();
  SET_F(_forms)(team, (size_t)team.number * team.threads, c->all, c->in, c->init, c->out);
}
static void SET_F(_in_bare)(int device, int threads, const SET_TYPE *in, const SET_TYPE *init, SET_TYPE *out) {
  SET_F(_context) context = {(size_t)threads * TEAMS, in, init, out};
  (void)device;
  usw_simt_launch(TEAMS, (uint32_t)threads, SET_F(_fiber), &context);
}
#elif defined(USW_IMAGES)
static void SET_F(_in_bare)(int device, int threads, const SET_TYPE *in, const SET_TYPE *init, SET_TYPE *out) {
  const size_t each = (size_t)threads;
#pragma omp target teams ompx_bare num_teams(TEAMS) thread_limit(threads) device(device) is_device_ptr(in, init, out)
  {
    const usw_team_t team = usw_bare_team();
    SET_F(_forms)(team, team.number * each, each * TEAMS, in, init, out);
  }
}
#endif
#if defined(USW_IMAGES) && !defined(USW_PORT_SIMT)
static void SET_F(_in_target)(int device, int threads, const SET_TYPE *in, const SET_TYPE *init, SET_TYPE *out) {
  const size_t each = (size_t)threads;
#pragma omp target teams num_teams(TEAMS) thread_limit(threads) device(device) is_device_ptr(in, init, out)
#pragma omp parallel num_threads(threads)
  {
    const usw_team_t team = usw_openmp_team();
    SET_F(_forms)(team, team.number * each, each * TEAMS, in, init, out);
  }
}
#endif
#ifndef USW_PORT_SIMT
static void SET_F(_on_host)(int device, int threads, const SET_TYPE *in, const SET_TYPE *init, SET_TYPE *out) {
  const size_t each = (size_t)threads;
  (void)device;
  for (size_t k = 0; k < TEAMS; k++) {
#pragma omp parallel num_threads(threads)
    SET_F(_forms)(usw_openmp_team(), k * each, each * TEAMS, in, init, out);
  }
}
#endif

/* What the threads [first, last) of a team or sub-group are to get, one after the other. */
static size_t SET_F(_wrong)(int form, const SET_TYPE *in, SET_TYPE init, size_t first, size_t last,
                            const SET_TYPE *got) {
  const int is_scan = form >= INCLUSIVE, is_to_first = form == TO_FIRST || form == TO_FIRST_INIT;
  int has = form == REDUCE_INIT || form == TO_FIRST_INIT || form == INCLUSIVE_INIT || form == EXCLUSIVE_INIT;
  size_t wrong = 0;
  SET_TYPE total = has ? init : in[first];
#ifdef SET_IDENTITY
  if (form == EXCLUSIVE) {
    total = SET_IDENTITY;
    has = 1;
  }
#endif
  for (size_t k = first; k < last && !is_scan; k++, has = 1)
    total = has ? SET_COMBINE(total, in[k]) : in[k];
  if (form == BROADCAST)
    total = in[first + BROADCASTER % (last - first)];
  for (size_t k = first; k < (is_to_first ? first + 1 : last); k++, has = 1) {
    const SET_TYPE before = total;
    if (is_scan)
      total = has ? SET_COMBINE(total, in[k]) : in[k];
    const SET_TYPE expected = form == EXCLUSIVE || form == EXCLUSIVE_INIT ? before : total;
    wrong += memcmp((const void *)&expected, (const void *)&got[k], sizeof expected) != 0;
  }
  return wrong;
}

static int SET_F(_has)(int form, int is_team) {
#ifndef SET_IDENTITY
  if (form == EXCLUSIVE)
    return 0;
#endif
  return SET_ALL || (is_team ? form == REDUCE_INIT || form == EXCLUSIVE : form == REDUCE);
}

/* The forms of a team of so many threads, in sub-groups of so many lanes. */
static void SET_F(_compare)(size_t threads, size_t lanes, const SET_TYPE *in, SET_TYPE init, const SET_TYPE *out,
                            const char *region) {
  const size_t all = threads * TEAMS;
  for (int form = 0; form < 2 * TEAM_FORMS; form++) {
    const int what = form % TEAM_FORMS, is_team = form < TEAM_FORMS;
    const size_t group = is_team ? threads : lanes;
    size_t wrong = 0;
    if (!SET_F(_has)(what, is_team))
      continue;
    for (size_t team = 0; team < all; team += threads)
      for (size_t first = team; first < team + threads; first += group)
        wrong += SET_F(_wrong)(what, in, init, first, first + group < team + threads ? first + group : team + threads,
                               out + (size_t)form * all);
    check_count(wrong == 0, __FILE__, __LINE__, "%s: %s of a %s, %zu threads, %s: %zu wrong", USW_TEXT(SET_NAME),
                form_names[what], is_team ? "team" : "sub-group", threads, region, wrong);
  }
}

/* Threads, input, init, output: addresses that are valid where it runs. */
typedef void (*SET_F(_region))(int device, int threads, const SET_TYPE *in, const SET_TYPE *init, SET_TYPE *out);
static void SET_F(_run)(const char *region, SET_F(_region) run, size_t threads, size_t lanes) {
  const size_t all = threads * TEAMS;
  SET_TYPE *in = (SET_TYPE *)calloc(all + 1, sizeof *in), *out = (SET_TYPE *)calloc(2 * TEAM_FORMS * all, sizeof *out);
  for (size_t i = 0; i <= all; i++) {
    const SET_TYPE value = SET_MAKE(i);
    memcpy((void *)&in[i], (const void *)&value, sizeof value);
  }
  place_memory_t values = memory_get(&place, in, (all + 1) * sizeof *in, 0);
  place_memory_t results = memory_get(&place, out, 2 * TEAM_FORMS * all * sizeof *out, 0);
  run(place.device, (int)threads, (const SET_TYPE *)values.data, (const SET_TYPE *)values.data + all,
      (SET_TYPE *)results.data);
  memory_read(&results, out, 2 * TEAM_FORMS * all * sizeof *out);
  SET_F(_compare)(threads, lanes, in, in[all], out, region);
  memory_free(&values);
  memory_free(&results);
  free(in);
  free(out);
}

static void SET_F(_test)(size_t threads) {
#ifdef SET_MOST_THREADS
  if (threads > SET_MOST_THREADS)
    return;
#endif
#ifdef USW_PORT_SIMT
  SET_F(_run)("emulated", SET_F(_in_bare), threads, USW_SUB_GROUP);
#else
  if (place.place == USW_HOST)
    SET_F(_run)("parallel", SET_F(_on_host), threads, 1);
#ifdef USW_IMAGES
  if (place.place == USW_DEVICE && place_is_gpu())
    SET_F(_run)("bare", SET_F(_in_bare), threads, lanes_of_place());
  if (place.place == USW_DEVICE)
    SET_F(_run)("teams and parallel", SET_F(_in_target), threads, lanes_of_place());
#endif
#endif
}

#undef SET_F
#undef SET_BROADCAST
#undef SET_NAME
#undef SET_TYPE
#undef SET_OPERATION
#undef SET_COMBINE
#undef SET_MAKE
#undef SET_IDENTITY
#undef SET_ALL
#undef SET_SAYS_TYPE
#undef SET_MOST_THREADS
