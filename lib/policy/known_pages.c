#include "policy/known_pages.h"

_Thread_local uint64_t uswi_known_pages[USWI_KNOWN_PAGES];
