/* What a thread does between two looks at what it waits for. */
#ifndef USWI_BASE_PAUSE_H
#define USWI_BASE_PAUSE_H

static inline void uswi_pause(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

#endif
