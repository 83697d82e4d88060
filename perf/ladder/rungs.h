/* The ladder: five ways to fold a team's elements by a tree, each a small change of the one before, as a guide from CUDA
 * to SYCL climbs it, and the tree of a lecture about OpenCL. A team leaves one partial; who adds the partials is in
 * reduction.c. Read FOR_EACH_WORK_ITEM as "each thread of the team", see team.h.
 *
 * x, y    the elements, in global memory; only the lecture has y
 * n       how many there are: any number, a work-item without an element takes 0
 * sums    team memory, one double per work-item
 * The size of a team is a power of two. */
#ifndef LADDER_RUNGS_H
#define LADDER_RUNGS_H

#include "team.h"

#if defined(USW_IMAGES)
#pragma omp begin declare target
#endif

/* Rung 0: interleaved. In each step every second one of the work-items that worked before adds its right neighbour's sum.
 * They lie ever further apart, so that all sub-groups stay busy, for fewer and fewer of their lanes. A remainder says who
 * works; clang sees that the divisor is a power of two and asks the bits, which is what the lecture does by hand. */
USW_INLINE void rung_interleaved(const ladder_team_t team, const double *x, const double *y USW_UNUSED, const size_t n,
                                 double *sums, double *partials) {
  FOR_EACH_WORK_ITEM(local, team) {
    const size_t global = GLOBAL_NUMBER(local, team);
    sums[local] = global < n ? x[global] : 0;
  }
  /** [interleaved] */
  for (uint32_t distance = 1; distance < team.size; distance *= 2) {
    team_barrier();
    FOR_EACH_WORK_ITEM(local, team) {
      if (local % (2 * distance) == 0)
        sums[local] += sums[local + distance];
    }
  }
  /** [interleaved] */
  FOR_EACH_WORK_ITEM(local, team) {
    if (local == 0)
      partials[team.number] = sums[0];
  }
}

/* Rung 1: contiguous threads. The same sums are added in the same steps, by the first work-items of the team: whole
 * sub-groups have nothing to do but to wait. But the sums that a sub-group reads still lie 2, 4, 8 ... places apart, in the
 * same few banks of team memory. */
USW_INLINE void rung_contiguous(const ladder_team_t team, const double *x, const double *y USW_UNUSED, const size_t n,
                                double *sums, double *partials) {
  FOR_EACH_WORK_ITEM(local, team) {
    const size_t global = GLOBAL_NUMBER(local, team);
    sums[local] = global < n ? x[global] : 0;
  }
  /** [contiguous] */
  for (uint32_t distance = 1; distance < team.size; distance *= 2) {
    team_barrier();
    FOR_EACH_WORK_ITEM(local, team) {
      const uint32_t place = local * 2 * distance;
      if (place < team.size)
        sums[place] += sums[place + distance];
    }
  }
  /** [contiguous] */
  FOR_EACH_WORK_ITEM(local, team) {
    if (local == 0)
      partials[team.number] = sums[0];
  }
}

/* Rung 2: coalesced. The distance starts at half the team and halves: neighbours read neighbouring sums, no two of them
 * in one bank. */
USW_INLINE void rung_coalesced(const ladder_team_t team, const double *x, const double *y USW_UNUSED, const size_t n,
                               double *sums, double *partials) {
  FOR_EACH_WORK_ITEM(local, team) {
    const size_t global = GLOBAL_NUMBER(local, team);
    sums[local] = global < n ? x[global] : 0;
  }
  /** [coalesced] */
  for (uint32_t distance = team.size / 2; distance > 0; distance /= 2) {
    team_barrier();
    FOR_EACH_WORK_ITEM(local, team) {
      if (local < distance)
        sums[local] += sums[local + distance];
    }
  }
  /** [coalesced] */
  FOR_EACH_WORK_ITEM(local, team) {
    if (local == 0)
      partials[team.number] = sums[0];
  }
}

/* Rung 3: k items per thread. There are k times fewer work-items, and each first adds k elements in a register, so that
 * the tree's barriers are paid for k times as many elements. The step is the whole launch: neighbours read neighbours. */
USW_INLINE void rung_items(const ladder_team_t team, const double *x, const double *y USW_UNUSED, const size_t n,
                           double *sums, double *partials) {
  /** [items] */
  FOR_EACH_WORK_ITEM(local, team) {
    double sum = 0;
    for (size_t i = GLOBAL_NUMBER(local, team); i < n; i += GLOBAL_SIZE(team))
      sum += x[i];
    sums[local] = sum;
  }
  /** [items] */
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

/* Rung 4: unrolled. The team's size is known when this is compiled: the tree is straight code without a loop. */
USW_INLINE void rung_unrolled(const ladder_team_t team, const double *x, const double *y USW_UNUSED, const size_t n,
                              double *sums, double *partials) {
  FOR_EACH_WORK_ITEM(local, team) {
    double sum = 0;
    for (size_t i = GLOBAL_NUMBER(local, team); i < n; i += GLOBAL_SIZE(team))
      sum += x[i];
    sums[local] = sum;
  }
#ifdef __clang__
#pragma unroll
#endif
  /** [unrolled] */
  for (uint32_t distance = team.static_size / 2; distance > 0; distance /= 2) {
    team_barrier();
    FOR_EACH_WORK_ITEM(local, team) {
      if (local < distance)
        sums[local] += sums[local + distance];
    }
  }
  /** [unrolled] */
  FOR_EACH_WORK_ITEM(local, team) {
    if (local == 0)
      partials[team.number] = sums[0];
  }
}

/* The lecture: the products of two arrays are made and added in one kernel, and never lie in global memory. Its tree is
 * that of rung 0, but who works is a question to the bits of a work-item's number: mask is 1, 3, 7 ..., and a number that
 * has none of these bits is a multiple of 2, 4, 8 ... Behind the tree stands a barrier that could go: who writes the
 * partial has made it. */
USW_INLINE void rung_lecture(const ladder_team_t team, const double *x, const double *y, const size_t n,
                             double *products, double *partials) {
  /** [lecture] */
  FOR_EACH_WORK_ITEM(local, team) {
    const size_t global = GLOBAL_NUMBER(local, team);
    products[local] = global < n ? x[global] * y[global] : 0;
  }
  for (uint32_t offset = 1; offset < team.size; offset *= 2) {
    const uint32_t mask = 2 * offset - 1;
    team_barrier();
    FOR_EACH_WORK_ITEM(local, team) {
      if ((local & mask) == 0)
        products[local] += products[local + offset];
    }
  }
  /** [lecture] */
  team_barrier();
  FOR_EACH_WORK_ITEM(local, team) {
    if (local == 0)
      partials[team.number] = products[0];
  }
}

#if defined(USW_IMAGES)
#pragma omp end declare target
#endif
#endif
