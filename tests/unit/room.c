/* Rooms for large records: on their boundary, used again, and each by one thread alone. */
#include "base/room.h"

#include <omp.h>
#include <stdint.h>
#include <string.h>

#include "support/check.h"

enum { LARGE = 1 << 20, SMALL = 1000, THREADS = 8, TURNS = 2000 };

static void boundaries(void) {
  for (size_t bytes = 1; bytes <= LARGE; bytes *= 4) {
    char *const room = uswi_room_take(bytes);
    CHECK_U64(0, (uintptr_t)room % 64);
    memset(room, 1, bytes);
    uswi_room_give_back(room);
  }
  uswi_room_give_back(NULL);
  CHECK(uswi_room_take(SIZE_MAX) == NULL);
}

/* A large room is found again; not for what is larger, nor for what is much smaller. */
static void again(void) {
  void *const first = uswi_room_take(LARGE);
  uswi_room_give_back(first);
  void *const larger = uswi_room_take(2 * LARGE), *const smaller = uswi_room_take(LARGE / 4);
  CHECK(larger != first && smaller != first);
  void *const second = uswi_room_take(LARGE - 1);
  CHECK(second == first);
  uswi_room_give_back(larger);
  uswi_room_give_back(smaller);
  uswi_room_give_back(second);
  uswi_room_release();
}

/* Whoever has a room has it alone. */
static void at_once(void) {
  int wrong = 0;
#pragma omp parallel num_threads(THREADS) reduction(+ : wrong)
  for (int turn = 0; turn < TURNS; turn++) {
    const size_t bytes = turn % 5 == 0 ? SMALL : (size_t)LARGE >> turn % 3;
    unsigned char *const room = uswi_room_take(bytes);
    const unsigned char own = (unsigned char)(omp_get_thread_num() + 1);
    room[0] = room[bytes - 1] = own;
    if (turn % 64 == 0)
      memset(room, own, bytes);
    wrong += room[0] != own || room[bytes - 1] != own;
    uswi_room_give_back(room);
  }
  CHECK_I64(0, wrong);
}

int main(void) {
  boundaries();
  again();
  at_once();
  return check_report();
}
