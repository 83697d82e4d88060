/* Threads that launch in the caller's place. They know nothing of devices or kernels.
 *
 * LLVM's x86_64 device runs a target region as a teams region of libomp in the thread that launches. Inside a region of the
 * caller's (parallel, teams, a task of theirs) libomp mixes the two: barriers wait for threads of both, so that launches hang,
 * add what other callers' launches have added, or end the process. `teams num_teams(1)` shows in no function of omp.h, so
 * that a caller's state cannot be told: every such launch has a thread that is in no region. */
#ifndef USWI_BACKEND_LAUNCH_THREAD_H
#define USWI_BACKEND_LAUNCH_THREAD_H

/* Run work(context) in an idle launch thread, or a new one, under the caller's floating-point environment; returns when it is
 * done. 0: no thread could be started, and nothing ran. */
int uswi_launch_thread_run(void (*work)(void *context), void *context);

/* End the idle launch threads. */
void uswi_launch_threads_release(void);

#endif
