/* Threads that launch on further GPUs while the calling thread launches on the first one: a launch takes the thread 1.4 to 2 us, so
 * that the last of four GPUs would begin 5 us after the first. There is one for each GPU. It looks for work without a break while
 * calls follow each other quickly, and sleeps otherwise, because to wake it takes longer than to launch.
 *
 * Four H200, a small kernel on each, by graphs, until all results are there: 5.0, 6.7, 8.5 and 8.4 us on 1, 2, 3 and 4 GPUs from one
 * thread, 4.6, 5.0, 5.5 and 5.9 us from a thread for each; one graph over all of them takes 8.5, 11.1 and 15.7 us. */
#ifndef USWI_EXEC_STARTERS_H
#define USWI_EXEC_STARTERS_H

#include "backend/backend.h"

/* Have the thread of a device do work(context). 1: uswi_starter_wait() has to follow. 0: it is not awake or works for another calling
 * thread, or there is none, and nothing is done; if calls have followed each other quickly it wakes up for the next one. */
int uswi_starter_ask(const uswi_device_t *device, void (*work)(void *context), void *context);

/* 1: it is done. 0: the thread has not begun, because others have its processor, and will not. */
int uswi_starter_wait(const uswi_device_t *device);

/* End all threads. None is asked any more. */
void uswi_starters_release(void);

#endif
