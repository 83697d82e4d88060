#include "backend/launch_thread.h"

#include <errno.h>
#include <fenv.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

#include "base/thread.h"

typedef struct launch_thread {
  pthread_t thread;
  sem_t has_work, is_done;
  void (*work)(void *context); /* NULL: the thread ends */
  void *context;
  fenv_t arithmetic; /* of the caller: rounding, and what becomes of subnormal numbers */
  struct launch_thread *next;
} launch_thread_t;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static launch_thread_t *idle;

static void wait_for(sem_t *semaphore) {
  while (sem_wait(semaphore) != 0 && errno == EINTR)
    ;
}

static void *serve(void *argument) {
  launch_thread_t *self = argument;
  for (wait_for(&self->has_work); self->work; wait_for(&self->has_work)) {
    fesetenv(&self->arithmetic);
    self->work(self->context);
    sem_post(&self->is_done);
  }
  return NULL;
}

static launch_thread_t *start(void) {
  launch_thread_t *self = calloc(1, sizeof *self);
  if (!self)
    return NULL;
  if (sem_init(&self->has_work, 0, 0) == 0) {
    if (sem_init(&self->is_done, 0, 0) == 0) {
      if (uswi_thread_start(&self->thread, serve, self))
        return self;
      sem_destroy(&self->is_done);
    }
    sem_destroy(&self->has_work);
  }
  free(self);
  return NULL;
}

static launch_thread_t *take(void) {
  pthread_mutex_lock(&mutex);
  launch_thread_t *self = idle;
  if (self)
    idle = self->next;
  pthread_mutex_unlock(&mutex);
  return self ? self : start();
}

static void give_back(launch_thread_t *self) {
  pthread_mutex_lock(&mutex);
  self->next = idle;
  idle = self;
  pthread_mutex_unlock(&mutex);
}

/* The caller must not be cancelled while its work goes on: that uses the caller's stack. */
int uswi_launch_thread_run(void (*work)(void *context), void *context) {
  int cancel_state;
  launch_thread_t *thread = take();
  if (!thread)
    return 0;
  thread->work = work;
  thread->context = context;
  fegetenv(&thread->arithmetic);
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
  sem_post(&thread->has_work);
  wait_for(&thread->is_done);
  pthread_setcancelstate(cancel_state, NULL);
  give_back(thread);
  return 1;
}

void uswi_launch_threads_release(void) {
  pthread_mutex_lock(&mutex);
  launch_thread_t *self = idle;
  idle = NULL;
  pthread_mutex_unlock(&mutex);
  while (self) {
    launch_thread_t *next = self->next;
    self->work = NULL;
    sem_post(&self->has_work);
    pthread_join(self->thread, NULL);
    sem_destroy(&self->has_work);
    sem_destroy(&self->is_done);
    free(self);
    self = next;
  }
}
