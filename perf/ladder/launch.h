/* Launches of one rung with one size of team; included again and again. Parameters: LADDER_RUNG, a function of rungs.h or scan_rungs.h;
 * LADDER_TEAM_SIZE. They give four functions, of which each place uses one:
 *
 *   ..._host       teams are shared out among the host's threads
 *   ..._standard   the same on the x86_64 device
 *   ..._bare       teams of GPU threads: the grid is as large as the launch says, nothing is added by OpenMP's runtime
 *   ..._simt       the GPU's code on a CPU thread, for the tests */
#define LADDER_F(suffix) USW_CAT(USW_CAT(LADDER_RUNG, _), USW_CAT(LADDER_TEAM_SIZE, suffix))

#ifdef USW_IMAGES
#pragma omp begin declare target device_type(nohost)
#endif
#if USW_SUB_GROUP > 1
USW_TEAM_MEMORY double LADDER_F(_sums)[LADDER_TEAM_SIZE];
#endif
#ifdef USW_IMAGES
#pragma omp end declare target
#pragma omp begin declare target
#endif

/* A whole team by one thread of a CPU. */
USW_INLINE void LADDER_F(_team)(const uint32_t number USW_UNUSED, const uint32_t count USW_UNUSED,
                                const uint32_t size USW_UNUSED, const double *x USW_UNUSED, double *y USW_UNUSED,
                                const size_t n USW_UNUSED, double *partials USW_UNUSED) {
#if USW_SUB_GROUP == 1
  const ladder_team_t team = {number, count, size, LADDER_TEAM_SIZE};
  double sums[LADDER_TEAM_SIZE];
  LADDER_RUNG(team, x, y, n, sums, partials);
#endif
}

/* One thread of a GPU's team. */
USW_INLINE void LADDER_F(_thread)(const uint32_t size USW_UNUSED, const double *x USW_UNUSED, double *y USW_UNUSED,
                                  const size_t n USW_UNUSED, double *partials USW_UNUSED) {
#if USW_SUB_GROUP > 1
  const ladder_team_t team = {usw_port_team(), usw_port_teams(), size, LADDER_TEAM_SIZE};
  LADDER_RUNG(team, x, y, n, (double *)LADDER_F(_sums), partials); /* team memory has an address space of its own */
#endif
}

#ifdef USW_IMAGES
#pragma omp end declare target

static void LADDER_F(_bare)(const ladder_launch_t *launch) {
  const double *x = launch->x;
  double *y = launch->y, *partials = launch->partials;
  const size_t n = launch->n;
  const uint32_t size = launch->team_size;
  const int teams = (int)launch->teams, device = launch->device;
#pragma omp target teams ompx_bare num_teams(teams) thread_limit(LADDER_TEAM_SIZE) device(device)                      \
    is_device_ptr(x, y, partials)
  LADDER_F(_thread)(size, x, y, n, partials);
}

static void LADDER_F(_standard)(const ladder_launch_t *launch) {
  const double *x = launch->x;
  double *y = launch->y, *partials = launch->partials;
  const size_t n = launch->n;
  const uint32_t size = launch->team_size, teams = launch->teams;
  const int device = launch->device;
#pragma omp target teams distribute parallel for num_teams(1) device(device) is_device_ptr(x, y, partials)
  for (uint32_t team = 0; team < teams; team++)
    LADDER_F(_team)(team, teams, size, x, y, n, partials);
}
#endif

#ifdef USW_PORT_SIMT
static void LADDER_F(_body)(void *context) {
  const ladder_launch_t *launch = context;
  LADDER_F(_thread)(launch->team_size, launch->x, launch->y, launch->n, launch->partials);
}

static void LADDER_F(_simt)(const ladder_launch_t *launch) {
  ladder_launch_t context = *launch;
  usw_simt_launch(launch->teams, LADDER_TEAM_SIZE, LADDER_F(_body), &context);
}
#else
static void LADDER_F(_host)(const ladder_launch_t *launch) {
#pragma omp parallel for schedule(static)
  for (uint32_t team = 0; team < launch->teams; team++)
    LADDER_F(_team)(team, launch->teams, launch->team_size, launch->x, launch->y, launch->n, launch->partials);
}
#endif

#undef LADDER_F
#undef LADDER_TEAM_SIZE
