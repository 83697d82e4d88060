/* Links of GPUs of one kind, which share a tuning file: what staging to each takes while the others rest. They are told apart by their
 * places on the PCI bus. */
#ifndef TUNE_LINKS_H
#define TUNE_LINKS_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/info.h>

enum { TUNE_MAX_LINKS = 64 };

typedef struct tune_link {
  char pci_address[sizeof(((usw_device_info_t *)0)->pci_address)];
  int device; /* OpenMP device number */
  double us, spread_us;
} tune_link_t;

/* GPUs, and what parts by their rates took in turns with equal ones, if rates differ by enough that calls would take them. */
typedef struct tune_links {
  tune_link_t links[TUNE_MAX_LINKS];
  int count;
  uint64_t bytes; /* that each was sent */
  double us, instead_us;
  int is_gain; /* 1: less than equal ones by more than chance, so that the file gets lines */
} tune_links_t;

/* Measure the links of all GPUs of the device's kind by so many bytes each; there are none if they are fewer than two, have no known
 * address, or there is no memory. Returns 0, or -1: a call failed, or its result was wrong. */
int tune_measure_links(int device, size_t bytes, tune_links_t *links_out);

#endif
