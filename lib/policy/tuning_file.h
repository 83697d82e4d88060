/* Tuning files: what `usw tune` has measured on one kind of device, as text.
 *
 *   upsweep-tuning 1
 *   library 0.1.0, descriptors 7
 *   device nvptx sm_90, 132 multiprocessors, NVIDIA H200
 *   backend driver
 *   driver 580.159.04
 *   date 2026-11-22T14:10:03Z
 *   command usw tune --place gpu --minutes 4
 *   entry asked=auto item=8 accumulator=small from=1 to=524288 strategy=tree teams=1 at=262144 ns=8610 instead_ns=9100 spread_ns=50
 *   entry asked=tree item=8 accumulator=small results=axes from=1 to=524288 strategy=tree teams=2 at=262144 ...
 *   time item=8 accumulator=small bytes=262144 strategy=tree teams=1 ns=8610 spread_ns=50
 *   link pci=0000:17:00.0 bytes=268435456 ns=4900000 spread_ns=20000
 *   end
 *
 * The first four lines have to be those of the device (uswi_tuning_header()), the next three are there to be read. Entries of
 * the host have chunk=<bytes> in place of teams. Entries and times without results= are for calls with one result. Links are of single
 * GPUs, by their place on the PCI bus: those of one kind share the other lines. Empty lines and lines that begin with # are passed over
 * behind the first seven. Times are whole nanoseconds, so that no locale matters. */
#ifndef USWI_POLICY_TUNING_FILE_H
#define USWI_POLICY_TUNING_FILE_H

#include "policy/tuning.h"

enum { USWI_TUNING_WHY_BYTES = 256, USWI_TUNING_DEVICE_LINE = 3, USWI_TUNING_BACKEND_LINE = 4 };

#define USWI_TUNING_FORMAT "upsweep-tuning 1"
#define USWI_TUNING_HOST "device host"

typedef struct uswi_tuning_file {
  char *text;                                   /* the file, which the lines and the entries point into */
  const char *device, *backend, *driver, *date; /* whole lines */
  uswi_tuning_entry_t *entries;
  uswi_time_t *times;
  uswi_link_t links[USWI_MAX_DEVICES];
  uint32_t entry_count, time_count, link_count;
} uswi_tuning_file_t;

/* The line of a file that says which library it is for. */
void uswi_tuning_library(char line[USWI_TUNING_WHY_BYTES]);

/* Read a file and check all of it. Returns 0, and the memory is kept for ever; or -1: *line_out is where (0: nowhere), and why_out why
 * it is none. */
int uswi_tuning_parse(const char *name, uswi_tuning_file_t *file_out, int *line_out,
                      char why_out[USWI_TUNING_WHY_BYTES]);

#endif
