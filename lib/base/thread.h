/* Threads of the library's own. */
#ifndef USWI_BASE_THREAD_H
#define USWI_BASE_THREAD_H

#include <pthread.h>
#include <signal.h>

/* Start one; 0: there is none. Signals are the program's: its handlers run in its own threads. */
static inline int uswi_thread_start(pthread_t *thread, void *(*run)(void *argument), void *argument) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(thread, NULL, run, argument);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return error == 0;
}

#endif
