/* Pages of memory that a thread's calls have found the host to read: the driver takes longer to say so than a short reduction
 * takes there, and threads wait for each other in it. If one becomes a GPU's later, a call on the host is an error all the
 * same, which the processor tells then. */
#ifndef USWI_POLICY_KNOWN_PAGES_H
#define USWI_POLICY_KNOWN_PAGES_H

#include <stdint.h>

enum { USWI_KNOWN_PAGES = 16, USWI_PAGE_BYTES = 4096 };

/* At a fixed distance from the thread's pointer, where short calls find it without a call: 128 bytes. */
extern _Thread_local uint64_t uswi_known_pages[USWI_KNOWN_PAGES] __attribute__((tls_model("initial-exec")));

static inline uint64_t *uswi_known_page_of(uint64_t address) {
  return &uswi_known_pages[address / USWI_PAGE_BYTES % USWI_KNOWN_PAGES];
}

static inline int uswi_is_known_to_host(uint64_t address) {
  return *uswi_known_page_of(address) == address / USWI_PAGE_BYTES;
}

static inline void uswi_now_known_to_host(uint64_t address) {
  *uswi_known_page_of(address) = address / USWI_PAGE_BYTES;
}

#endif
