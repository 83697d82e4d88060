/* A finish of a kernel's own (USW_OWN_FINISH, simt/own_finish.h), which folds the partials from the last team's to the first one's.
 *
 * The operator is not commutative, but all items of a team are the same map, so that the order of its threads does not show and a
 * team's partial is a power of its map. The kernel with one reducer has an accumulator of 16 bytes, whose partials are handed over
 * to a team that waits unless there is a finish of its own; beside a number of items it is larger, and teams take tickets. The same
 * kernels without the finish are folded in another order: that of the teams where they take tickets and are no more than a team has
 * threads; the team that waits has its own partial first. */
#include <stdio.h>
#include <upsweep/upsweep.h>

#include "api/user_types.h"
#include "backend_simt.h"
#include "fibers.h"
#include "support/check.h"

enum { MOST_TEAMS = 300, MANY_TEAMS = 100 };

/* Maps of unlike fixed points, which do not commute. */
static inline affine_t map_of(uint64_t team) {
  const affine_t map = {2 * team + 3, team};
  return map;
}

#define SHARED_ARGS(VALUE) VALUE(uint64_t, tile) VALUE(uint64_t, teams)
#define SHARED_BODY usw_combine(map, map_of(i / tile % teams))

#define USW_KERNEL small_backwards
#define USW_OWN_FINISH "own_finish.h"
#define USW_ARGS(IN, ARRAY, VALUE) SHARED_ARGS(VALUE)
#define USW_REDUCERS(R, S) R(affine_t, map, compose, affine_one())
#include <upsweep/kernel.h>
USW_VISIT(i) { SHARED_BODY; }
#include <upsweep/kernel_end.h>

#define USW_KERNEL small_forwards
#define USW_ARGS(IN, ARRAY, VALUE) SHARED_ARGS(VALUE)
#define USW_REDUCERS(R, S) R(affine_t, map, compose, affine_one())
#include <upsweep/kernel.h>
USW_VISIT(i) { SHARED_BODY; }
#include <upsweep/kernel_end.h>

#define USW_KERNEL large_backwards
#define USW_OWN_FINISH "own_finish.h"
#define USW_ARGS(IN, ARRAY, VALUE) SHARED_ARGS(VALUE)
#define USW_REDUCERS(R, S) R(affine_t, map, compose, affine_one()) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  SHARED_BODY;
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL large_forwards
#define USW_ARGS(IN, ARRAY, VALUE) SHARED_ARGS(VALUE)
#define USW_REDUCERS(R, S) R(affine_t, map, compose, affine_one()) R(uint64_t, items, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  SHARED_BODY;
  usw_inc(items);
}
#include <upsweep/kernel_end.h>

typedef struct {
  size_t n;
  uint64_t tile;
  uint32_t teams;
  usw_strategy_t strategy;
} case_t;

static const affine_t original = {5, 6};

static int same_map(affine_t f, affine_t g) { return f.a == g.a && f.b == g.b; }

/* The original value, then the powers of the teams' maps, in the order of the teams or backwards. Team t has the tiles t,
 * t + teams, ..., of which n cuts the last one short. */
static affine_t expected_of(const case_t *c, int backwards) {
  static uint64_t items[MOST_TEAMS];
  affine_t all = original;
  for (uint32_t t = 0; t < c->teams; t++)
    items[t] = 0;
  for (size_t first = 0; first < c->n; first += c->tile)
    items[first / c->tile % c->teams] += c->n - first < c->tile ? c->n - first : c->tile;
  for (uint32_t k = 0; k < c->teams; k++) {
    const uint32_t t = backwards ? c->teams - 1 - k : k;
    affine_t partial = affine_one();
    for (uint64_t i = 0; i < items[t]; i++)
      partial = compose(partial, map_of(t));
    all = compose(all, partial);
  }
  return all;
}

typedef struct {
  affine_t small, large;
  uint64_t small_awaits;
} folded_t;

static folded_t fold(const case_t *c, uint32_t order, int backwards, const char *note) {
  const uint64_t awaiting = simt_counts().awaiting;
  folded_t folded = {original, original, 0};
  uint64_t items = 7;
  usw_options_t options = {.size = USW_INIT(usw_options_t), .place = USW_DEVICE};
  options.strategy = c->strategy;
  options.teams = c->teams;
  options.work_group_load = 2;
  simt_set_order(order);
  CHECK_AT((backwards ? small_backwards : small_forwards)(c->n, c->tile, c->teams, &folded.small, &options) == USW_OK,
           note);
  folded.small_awaits = simt_counts().awaiting - awaiting;
  CHECK_AT((backwards ? large_backwards : large_forwards)(c->n, c->tile, c->teams, &folded.large, &items, &options) ==
               USW_OK,
           note);
  CHECK_AT(items == c->n + 7, note);
  CHECK_AT(simt_counts().awaiting == awaiting + folded.small_awaits, note);
  CHECK_AT(simt_counts().unsent == 0, note); /* of what the next launch that awaits would take for its own */
  return folded;
}

/* By tree the partials are folded backwards, also where there are more of them than a team has threads. */
static void fold_backwards(case_t c) {
  const affine_t forwards = expected_of(&c, 0), backwards = expected_of(&c, 1);
  const int it_shows = c.teams > 1 && c.n > c.tile;
  CHECK(it_shows == !same_map(forwards, backwards));
  for (uint32_t order = 0; order < 2; order++) {
    char note[160];
    snprintf(note, sizeof note, "n %zu, %u teams, order %u", c.n, c.teams, order);
    const folded_t own = fold(&c, order, 1, note), usual = fold(&c, order, 0, note);
    CHECK_AT(own.small_awaits == 0 && usual.small_awaits == 1, note);
    CHECK_AT(same_map(backwards, own.small), note);
    CHECK_AT(same_map(backwards, own.large), note);
    if (c.teams <= large_forwards_kernel.bare.team_size)
      CHECK_AT(same_map(forwards, usual.large), note);
    if (it_shows && c.teams > 2) /* of two the one that waits is the last and comes first */
      CHECK_AT(!same_map(backwards, usual.small) && !same_map(backwards, usual.large), note);
  }
}

/* Where the host or a further launch folds them, the finish has nothing to say. */
static void fold_elsewhere(case_t c, usw_strategy_t strategy) {
  const affine_t forwards = expected_of(&c, 0);
  c.strategy = strategy;
  for (int backwards = 0; backwards < 2; backwards++) {
    char note[160];
    snprintf(note, sizeof note, "n %zu, %u teams, strategy %d", c.n, c.teams, (int)strategy);
    const folded_t folded = fold(&c, 0, backwards, note);
    CHECK_AT(folded.small_awaits == 0 && same_map(forwards, folded.small), note);
    CHECK_AT(same_map(forwards, folded.large), note);
  }
}

int main(void) {
  static const uint32_t teams[] = {1, 2, 3, 8, 33, MOST_TEAMS};
  const uint64_t tile = (uint64_t)small_backwards_kernel.items_per_thread * small_backwards_kernel.bare.team_size;
  CHECK_U64(tile, (uint64_t)large_backwards_kernel.items_per_thread * large_backwards_kernel.bare.team_size);
  for (size_t t = 0; t < sizeof teams / sizeof *teams; t++) {
    const size_t once = teams[t] * tile;
    const size_t sizes[] = {once, 2 * once + tile / 3, 1, tile + 1, once / 2, once + 1};
    const size_t size_count = teams[t] > MANY_TEAMS ? 2 : sizeof sizes / sizeof *sizes; /* emulation takes long */
    for (size_t k = 0; k < size_count; k++) {
      const case_t c = {sizes[k], tile, teams[t], USW_STRATEGY_TREE};
      fold_backwards(c);
    }
    const case_t c = {once, tile, teams[t], USW_STRATEGY_TREE};
    fold_elsewhere(c, USW_STRATEGY_HOST_FINISH);
    fold_elsewhere(c, USW_STRATEGY_MULTIPASS);
  }
  CHECK_STATUS(USW_OK, usw_finalize());
  return check_report();
}
