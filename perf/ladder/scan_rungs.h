/* The ladder of scans: the kernels of its rungs, with the parameters of those in rungs.h. scan.c has the launches of each rung.
 *
 * x, y    the items and their running sums, in global memory; they may be one array
 * n       how many there are: any number
 * sums    team memory, one double per work-item
 * A work-item's items follow each other: so many as the launch needs, the same number for all but the last ones. */
#ifndef LADDER_SCAN_RUNGS_H
#define LADDER_SCAN_RUNGS_H

#include "team.h"

#if defined(USW_IMAGES)
#pragma omp begin declare target
#endif

/* Items of each work-item, and where those of one begin and end. */
USW_INLINE size_t items_of_each(const ladder_team_t team, const size_t n) {
  return n / GLOBAL_SIZE(team) + (n % GLOBAL_SIZE(team) != 0);
}
USW_INLINE size_t first_item(const ladder_team_t team, const size_t n, const uint32_t local) {
  const size_t first = GLOBAL_NUMBER(local, team) * items_of_each(team, n);
  return first < n ? first : n;
}
USW_INLINE size_t end_of_items(const ladder_team_t team, const size_t n, const uint32_t local) {
  const size_t first = first_item(team, n, local), count = items_of_each(team, n);
  return n - first < count ? n : first + count;
}
USW_INLINE double total_of_items(const ladder_team_t team, const double *x, const size_t n, const uint32_t local) {
  double sum = 0;
  for (size_t i = first_item(team, n, local), end = end_of_items(team, n, local); i < end; i++)
    sum += x[i];
  return sum;
}
USW_INLINE void write_items(const ladder_team_t team, const double *x, double *y, const size_t n, const uint32_t local,
                            double before) {
  for (size_t i = first_item(team, n, local), end = end_of_items(team, n, local); i < end; i++)
    y[i] = before += x[i];
}

/* Each of `sums` becomes the sum of those up to it, by a tree: up, where every step adds neighbors twice as far apart, and down, where
 * what lies between them gets what is before it. In a step no work-item reads what another one writes. */
USW_INLINE void scan_by_tree(const ladder_team_t team, double *sums) {
  /** [tree] */
  for (uint32_t distance = 1; distance < team.size; distance *= 2) {
    team_barrier();
    FOR_EACH_WORK_ITEM(local, team) {
      const uint32_t place = (local + 1) * 2 * distance - 1;
      if (place < team.size)
        sums[place] += sums[place - distance];
    }
  }
  for (uint32_t distance = team.size / 4; distance > 0; distance /= 2) {
    team_barrier();
    FOR_EACH_WORK_ITEM(local, team) {
      const uint32_t place = (local + 1) * 2 * distance - 1 + distance;
      if (place < team.size)
        sums[place] += sums[place - distance];
    }
  }
  /** [tree] */
  team_barrier();
}

/* Rung s0: one work-item, item after item. It also scans the last few totals of other rungs. */
USW_INLINE void scan_serial(const ladder_team_t team, const double *x, double *y, const size_t n,
                            double *sums USW_UNUSED, double *partials USW_UNUSED) {
  FOR_EACH_WORK_ITEM(local, team) {
    /** [serial] */
    double sum = 0;
    for (size_t i = 0; i < n && GLOBAL_NUMBER(local, team) == 0; i++)
      y[i] = sum += x[i];
    /** [serial] */
  }
}

/* Rung s1: each work-item takes a tile of its own, first for its total, then for its running sums. */
USW_INLINE void scan_own_totals(const ladder_team_t team, const double *x, double *y USW_UNUSED, const size_t n,
                                double *sums USW_UNUSED, double *partials) {
  /** [own] */
  FOR_EACH_WORK_ITEM(local, team)
  partials[GLOBAL_NUMBER(local, team)] = total_of_items(team, x, n, local);
  /** [own] */
}
USW_INLINE void scan_own_tiles(const ladder_team_t team, const double *x, double *y, const size_t n,
                               double *sums USW_UNUSED, double *partials) {
  FOR_EACH_WORK_ITEM(local, team) {
    const size_t number = GLOBAL_NUMBER(local, team);
    write_items(team, x, y, n, local, number > 0 ? partials[number - 1] : 0);
  }
}

/* Rung s2: a team scans its tile by a tree, and a later launch adds what is before the tile. */
USW_INLINE void scan_tile_trees(const ladder_team_t team, const double *x, double *y, const size_t n, double *sums,
                                double *partials) {
  FOR_EACH_WORK_ITEM(local, team) {
    const size_t global = GLOBAL_NUMBER(local, team);
    sums[local] = global < n ? x[global] : 0;
  }
  scan_by_tree(team, sums);
  FOR_EACH_WORK_ITEM(local, team) {
    const size_t global = GLOBAL_NUMBER(local, team);
    if (global < n)
      y[global] = sums[local];
    if (local == team.size - 1)
      partials[team.number] = sums[local];
  }
}
USW_INLINE void scan_add_bases(const ladder_team_t team, const double *x USW_UNUSED, double *y, const size_t n,
                               double *sums USW_UNUSED, double *partials) {
  /** [bases] */
  FOR_EACH_WORK_ITEM(local, team) {
    const size_t global = GLOBAL_NUMBER(local, team);
    if (global < n && team.number > 0)
      y[global] += partials[team.number - 1];
  }
  /** [bases] */
}

/* Rungs s3 and s4: the first launch leaves the total of a tile alone; the second one scans the tile behind what is before it. */
USW_INLINE void scan_tile_totals(const ladder_team_t team, const double *x, double *y USW_UNUSED, const size_t n,
                                 double *sums, double *partials) {
  FOR_EACH_WORK_ITEM(local, team)
  sums[local] = total_of_items(team, x, n, local);
  for (uint32_t distance = team.size / 2; distance > 0; distance /= 2) {
    team_barrier();
    FOR_EACH_WORK_ITEM(local, team) {
      if (local < distance)
        sums[local] += sums[local + distance];
    }
  }
  FOR_EACH_WORK_ITEM(local, team) {
    if (local == 0)
      partials[team.number] = sums[0];
  }
}
USW_INLINE void scan_tiles_behind(const ladder_team_t team, const double *x, double *y, const size_t n, double *sums,
                                  double *partials) {
  /** [behind] */
  const double base = team.number > 0 ? partials[team.number - 1] : 0;
  FOR_EACH_WORK_ITEM(local, team)
  sums[local] = total_of_items(team, x, n, local);
  scan_by_tree(team, sums);
  FOR_EACH_WORK_ITEM(local, team)
  write_items(team, x, y, n, local, base + (local > 0 ? sums[local - 1] : 0));
  /** [behind] */
}

/* Rung s5: what tiles tell each other is no number before they have, and the ticket behind it is 0. */
USW_INLINE void scan_clear(const ladder_team_t team, const double *x USW_UNUSED, double *y USW_UNUSED, const size_t n,
                           double *sums USW_UNUSED, double *partials) {
  FOR_EACH_WORK_ITEM(local, team) {
    for (size_t i = GLOBAL_NUMBER(local, team); i < n; i += GLOBAL_SIZE(team))
      partials[i] = i + 1 < n ? __builtin_nan("") : 0;
  }
}

/* The sum of all tiles before one: totals of tiles, back to the first tile that tells the sum of all up to it. */
USW_INLINE double look_back(const uint32_t tile, const double *partials) {
  /** [back] */
  const volatile double *told = partials; /* of each tile its total, then the sum of all tiles up to it */
  double base = 0;
  for (size_t before = tile; before > 0;) {
    const double total = told[2 * before - 2], all = told[2 * before - 1];
    if (all == all)
      return base + all;
    if (total == total) {
      base += total;
      before--;
    }
  }
  return base;
  /** [back] */
}
/* One launch. Teams take tiles in the order in which they start: a tile that is waited for is under way. */
USW_INLINE void scan_looking_back(const ladder_team_t given, const double *x, double *y, const size_t n, double *sums,
                                  double *partials) {
  volatile double *told = partials;
  ladder_team_t team = given;
  FOR_EACH_WORK_ITEM(local, team) {
    if (local == 0)
      sums[0] = usw_port_take_ticket((uint32_t *)(void *)(partials + 2 * (size_t)team.count));
  }
  team_barrier();
  team.number = (uint32_t)sums[0];
  team_barrier();
  FOR_EACH_WORK_ITEM(local, team)
  sums[local] = total_of_items(team, x, n, local);
  scan_by_tree(team, sums);
  const double total = sums[team.size - 1];
  team_barrier();
  /** [single] */
  FOR_EACH_WORK_ITEM(local, team) {
    if (local == team.size - 1) { /* the place of its own sum, which nobody else needs */
      told[2 * (size_t)team.number] = total;
      const double base = look_back(team.number, partials);
      told[2 * (size_t)team.number + 1] = base + total;
      sums[local] = base;
    }
  }
  team_barrier();
  const double base = sums[team.size - 1];
  FOR_EACH_WORK_ITEM(local, team)
  write_items(team, x, y, n, local, base + (local > 0 ? sums[local - 1] : 0));
  /** [single] */
}

#if defined(USW_IMAGES)
#pragma omp end declare target
#endif
#endif
