#include "peers.h"

#include <time.h>

/* Of libomp alone: how long threads look for work after a region, in milliseconds. */
__attribute__((weak)) int kmp_get_blocktime(void);
__attribute__((weak)) void kmp_set_blocktime(int milliseconds);

void peer_quiet_host(void) {
  if (!kmp_get_blocktime || !kmp_set_blocktime) {
    const struct timespec pause = {.tv_nsec = 250000000}; /* longer than any runtime's threads look by default */
    nanosleep(&pause, NULL);
    return;
  }
  const int before = kmp_get_blocktime();
  kmp_set_blocktime(0);
#pragma omp parallel
  { /* every thread has to come here to learn it */
    __asm__ volatile("");
  }
  kmp_set_blocktime(before);
}
