/* Whose tables the files of USW_TUNING are. */
#ifndef USWI_POLICY_TUNING_FIT_H
#define USWI_POLICY_TUNING_FIT_H

#include "backend/backend.h"

/* Read the files; a file that is no good gives one line of the log, and is as if it were not there. Called once, by api/library.c;
 * then the table of the host is ready. */
void uswi_tuning_read(void);

/* Find out which devices the files are for. Called once, by policy/devices.c. */
void uswi_tuning_fit(const uswi_device_t *devices, int count);

/* The lines that a tuning file for a device, or for the host (NULL), has to begin with. */
const char *uswi_tuning_header(const uswi_device_t *device);

#endif
