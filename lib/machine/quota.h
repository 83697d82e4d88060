/* The time of processors that this process's cgroup grants, which binding does not show. */
#ifndef USWI_MACHINE_QUOTA_H
#define USWI_MACHINE_QUOTA_H

#include <stdint.h>

/* In processors, rounded up; 0: as many as there are. */
uint32_t uswi_quota(void);

/* The same of the files below a folder: those of /proc and /sys, for tests of others. */
uint32_t uswi_quota_below(const char *root);

#endif
