/* A thread takes the seat of its number, or the next one that is free: teams of several calling threads have threads of the
 * same numbers. The calling thread takes one, too: left alone it may stay where the system had it, on the core of a thread that cannot leave, and both wait for each other (on a
 * virtual machine of two cores a region took 24 us that way, 0.9 us with both bound). */

#include "machine/binding.h"

#include <stdatomic.h>

#include "base/error.h"

enum { MOST_SEATS = 2048 };
static atomic_flag seats[MOST_SEATS];

/* Once: what keeps one thread from being bound keeps all. */
static void warn(void) {
  static atomic_flag has_warned = ATOMIC_FLAG_INIT;
  if (!atomic_flag_test_and_set(&has_warned))
    uswi_warn_of_variable("USW_BIND=1: a thread cannot be bound to a core: threads go where the system puts them");
}

void uswi_bind_thread(const uswi_topology_t *topology, uint32_t t) {
  static _Thread_local int is_done;
  uint32_t core, sibling;
  if (is_done)
    return;
  is_done = 1;
  for (uint32_t seat = t; seat < MOST_SEATS && uswi_seat(topology, seat, &core, &sibling); seat++)
    if (!atomic_flag_test_and_set(&seats[seat])) {
      if (uswi_topology_bind(topology, core, sibling) != 0)
        warn();
      return;
    }
}
