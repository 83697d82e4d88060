/** @file
 *  @defgroup select Selections
 *  The elements of an array that flags choose, one behind the other. upsweep.h includes this header.
 *  @{ */
#ifndef UPSWEEP_SELECT_H
#define UPSWEEP_SELECT_H

#include <stddef.h>
#include <stdint.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

USW_BEGIN_C

/** Copy the elements whose flags are not zero, in their order. A kernel with USW_SCAN and usw_write_at() chooses by a condition of its own,
 *  without flags in memory.
 *
 *  @param[in]  type     of the elements; any.
 *  @param[in]  x        n elements, options->stride[0] apart; host or device memory, owned by the caller.
 *  @param[in]  flags    n bytes, options->stride[1] apart; in the memory that the call runs in, owned by the caller.
 *  @param[in]  n        elements, and flags; 0: there are none to copy.
 *  @param[out] out      the elements that are chosen, options->stride[2] apart; room for n, in the memory that the call runs in, apart from x
 *                       and flags; owned by the caller. What is behind the last one is left as it is. Undefined after an error.
 *  @param[out] kept_out how many there are; host address. Unchanged after an error.
 *  @param[in]  options  NULL: the defaults. strategy is USW_AUTO_STRATEGY, on devices also USW_STRATEGY_TREE.
 *  @return USW_OK; USW_ERROR_INVALID (NULL, misaligned, arrays that share elements); USW_ERROR_VERSION (options->size);
 *          USW_ERROR_UNSUPPORTED (a type that is none, staging: where a chunk writes is known only behind the one before); USW_ERROR_PLACE,
 *          USW_ERROR_DEVICE, USW_ERROR_MEMORY as usw_scan_inclusive().
 *  @note Determinism: the same bits on every run. Accuracy: order and bits of the elements are kept. Threads: any. Cost: one launch, one read, one
 *        write of what is chosen; on the host the flags are read twice. No allocation after the first call of a length. Source: as usw_scan_inclusive().  @since 0.3
 *  @see tests/api/scans.c */
USW_API usw_status_t usw_select(usw_type_t type, const void *x, const uint8_t *flags, size_t n, void *out,
                                size_t *kept_out, const usw_options_t *options);

USW_END_C
/** @} */
#endif
