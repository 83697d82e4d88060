#include "base/room.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/bytes.h"

/* Smaller rooms the C library keeps itself; larger ones would be missed elsewhere. */
enum { BOUNDARY = 64, KEPT_FROM_BYTES = 128 << 10, KEPT_TO_BYTES = 256 << 20, KEPT = 4 };

/* In front of a room. */
typedef struct {
  _Alignas(BOUNDARY) size_t bytes;
} room_t;

static _Atomic(room_t *) kept[KEPT];

__attribute__((destructor)) void uswi_room_release(void) {
  for (int k = 0; k < KEPT; k++)
    free(atomic_exchange(&kept[k], NULL));
}

static int is_to_be_kept(size_t bytes) { return bytes >= KEPT_FROM_BYTES && bytes <= KEPT_TO_BYTES; }

/* Where there is a place, else in place of another. */
static void keep(room_t *room) {
  for (int k = 0; k < KEPT; k++) {
    room_t *none = NULL;
    if (atomic_compare_exchange_strong(&kept[k], &none, room))
      return;
  }
  free(atomic_exchange(&kept[0], room));
}

/* One that is large enough, but not so large that a record of that size would miss it. */
static room_t *find_kept(size_t bytes) {
  for (int k = 0; k < KEPT; k++) {
    room_t *const room = atomic_exchange(&kept[k], NULL);
    if (room && room->bytes >= bytes && room->bytes / 2 <= bytes)
      return room;
    if (room)
      keep(room);
  }
  return NULL;
}

void *uswi_room_take(size_t bytes) {
  const size_t whole = uswi_round_up(bytes, BOUNDARY);
  room_t *room = is_to_be_kept(whole) ? find_kept(whole) : NULL;
  if (room)
    return room + 1;
  if (whole < bytes || whole > SIZE_MAX - sizeof *room)
    return NULL;
  room = aligned_alloc(BOUNDARY, sizeof *room + whole);
  if (!room)
    return NULL;
  room->bytes = whole;
  return room + 1;
}

void uswi_room_give_back(void *memory) {
  room_t *const room = memory ? (room_t *)memory - 1 : NULL;
  if (room && is_to_be_kept(room->bytes))
    keep(room);
  else
    free(room);
}
