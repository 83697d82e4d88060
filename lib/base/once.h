/* What is made at its first use and asked for in every call: pthread_once() behind a load and a branch. */
#ifndef USWI_BASE_ONCE_H
#define USWI_BASE_ONCE_H

#include <pthread.h>
#include <stdatomic.h>

typedef struct uswi_once {
  atomic_int is_done;
  pthread_once_t once;
} uswi_once_t;

#define USWI_ONCE {0, PTHREAD_ONCE_INIT}

static inline void uswi_once(uswi_once_t *once, void (*make)(void)) {
  if (atomic_load_explicit(&once->is_done, memory_order_acquire))
    return;
  pthread_once(&once->once, make);
  atomic_store_explicit(&once->is_done, 1, memory_order_release);
}

#endif
