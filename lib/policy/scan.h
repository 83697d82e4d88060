/* Scans: what such calls tell their kernels, and how their items are shared out, by their number alone. */
#ifndef USWI_POLICY_SCAN_H
#define USWI_POLICY_SCAN_H

#include <upsweep/scan.h>

#include "base/bytes.h"
#include "policy/call.h"
#include "policy/result_shares.h"

/* A chunk of the host's is read twice, the second time from a core's second cache. Threads wait for each other once a chunk: of 128 KiB, 2^22
 * doubles take 1.4 times as long (two cores of an EPYC). */
enum { USWI_SCAN_CHUNK_BYTES = 512 << 10 };

/* Outputs of fewer bytes stay in the caches of any machine: nobody asks for its topology. */
enum { USWI_SCAN_FEW_BYTES = 4 << 20 };

/* The words of a scan among its arguments, the last ones. */
static inline usw_scan_words_t *uswi_scan_words(const usw_kernel_t *kernel, uint64_t *arguments) {
  uint64_t *const end = arguments + kernel->argument_count;
  return (usw_scan_words_t *)(void *)(end - sizeof(usw_scan_words_t) / sizeof *end);
}

/* Those before them, of kernels with USW_FACT_RESTARTS. */
static inline usw_restart_words_t *uswi_restart_words(const usw_kernel_t *kernel, uint64_t *arguments) {
  return (usw_restart_words_t *)(void *)((char *)uswi_scan_words(kernel, arguments) - sizeof(usw_restart_words_t));
}

/* Where the arguments of their own end. */
static inline uint64_t *uswi_end_before_scan_words(const usw_kernel_t *kernel, uint64_t *arguments) {
  return (kernel->facts & USW_FACT_RESTARTS) ? (uint64_t *)(void *)uswi_restart_words(kernel, arguments)
                                             : (uint64_t *)(void *)uswi_scan_words(kernel, arguments);
}

/* The arguments of a scan of the library's. */
void uswi_scan_arguments(const usw_kernel_t *kernel, uint64_t x, uint64_t out, int is_exclusive,
                         uint64_t arguments_out[USWI_MAX_ARGUMENTS]);

/* Bytes that an item reads and writes. */
uint32_t uswi_scan_item_bytes(const usw_kernel_t *kernel);

/* Items of a chunk on the host; whole lines. */
size_t uswi_scan_chunk_items(const usw_kernel_t *kernel);

/* Whether chunks of the host's write past the caches, which are smaller than the outputs: a store into a cache first reads the line. In place
 * the line is there already. */
int uswi_scan_goes_past_caches(const uswi_call_t *call);

/* Those of a call, and how many threads find something to do. */
size_t uswi_scan_chunks(const uswi_call_t *call);
uint32_t uswi_scan_most_threads(const uswi_call_t *call);

/* Tiles of a GPU's scan, and the device memory that they tell each other by. */
uint64_t uswi_scan_tiles(const uswi_call_t *call);
size_t uswi_scan_memory_bytes(const uswi_call_t *call);

/* Whether numbers of teams are those of tiles; else teams take tickets, so many in all. */
int uswi_scan_is_in_order(const uswi_call_t *call);
uint32_t uswi_scan_tickets(const uswi_call_t *call);

/* What one of those who share the items takes, once teams are chosen. */
uswi_share_t uswi_share_of_scan(const uswi_call_t *call);

/* Whether something comes before the first item: an original value, or what other items have come to. */
int uswi_scan_has_start(const uswi_call_t *call);

#endif
