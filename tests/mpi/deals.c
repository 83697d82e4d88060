#include "deals.h"

enum { MOST_PLACES = 6 };

static ranks_t ranks;
static test_place_t places[MOST_PLACES];
static int place_count;

void deals_begin(const ranks_t *own) {
  ranks = *own;
  places[place_count++] = (test_place_t){USW_HOST, -1, "host"};
  if (ranks.place.place == USW_HOST)
    return;
  places[place_count++] = ranks.place;
  place_count += places_like(&ranks.place, &places[place_count], MOST_PLACES - place_count);
}

void deal(deal_t *all, size_t n, uint64_t seed, const void *x, const void *y, size_t bytes) {
  const piece_t piece = ranks_deal(&ranks, n, seed);
  const size_t count = piece.n == 0 ? 0 : 1 + (seed + (uint64_t)ranks.rank) * 5 % MOST_PARTS;
  size_t begin = 0;
  all->piece = piece;
  all->count = count;
  for (size_t k = 0; k < count; k++) {
    const size_t longer = piece.n * (k + 1) * (k + 1) / (count * count);
    const size_t end = k + 1 == count ? piece.n : k % 4 == 3 ? begin : longer; /* some are empty */
    own_part_t *own = &all->part[k];
    own->first = piece.first + begin;
    own->n = end - begin;
    begin = end;
    own->place = places[(seed + k) % (uint64_t)place_count];
    own->x = memory_get(&own->place, (const char *)x + own->first * bytes, own->n * bytes, 0);
    own->y = memory_get(&own->place, (const char *)y + own->first * bytes, own->n * bytes, 0);
  }
}

void deal_free(deal_t *all) {
  for (size_t k = 0; k < all->count; k++) {
    memory_free(&all->part[k].x);
    memory_free(&all->part[k].y);
  }
}

const usw_part_t *deal_parts(const deal_t *all, usw_part_t *parts) {
  for (size_t k = 0; k < all->count; k++)
    parts[k] = (usw_part_t){.size = sizeof *parts,
                            .place = all->part[k].place.place,
                            .device = all->part[k].place.device,
                            .n = all->part[k].n,
                            .x = {all->part[k].x.data, all->part[k].y.data}};
  return all->count ? parts : NULL;
}

usw_kernel_part_t deal_placed(usw_kernel_part_t part, const own_part_t *own) {
  part.place = own->place.place;
  part.device = own->place.device;
  return part;
}
