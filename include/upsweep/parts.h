/** @defgroup parts Many devices
 *  One reduction of data that lies in several places: GPUs of the node, and the host.
 *  @code{.c}
 *  usw_part_t parts[] = {{.size = USW_INIT(usw_part_t), .n = n0, .x = {x0}},
 *                        {.size = USW_INIT(usw_part_t), .n = n1, .x = {x1}}};
 *  status = usw_reduce_parts(USW_PLUS, USW_F64, parts, 2, &sum, NULL);
 *  @endcode
 *  @{ */
#ifndef UPSWEEP_PARTS_H
#define UPSWEEP_PARTS_H

#include <stddef.h>
#include <upsweep/export.h>
#include <upsweep/options.h>
#include <upsweep/status.h>
#include <upsweep/types.h>

/** A part of the elements, and where it is reduced. */
typedef struct usw_part {
  size_t size;         /**< USW_INIT(usw_part_t) */
  usw_place_t place;   /**< where to run; #USW_AUTO_PLACE: where x[0] is */
  int device;          /**< OpenMP device number, used when place is USW_DEVICE */
  size_t n;            /**< number of elements; 0: the part counts for nothing */
  const void *x[2];    /**< n elements each, in memory that the place can read, aligned to their type; NULL only if n is
                            0. The second is read by functions of two streams, dot, alone */
  ptrdiff_t stride[2]; /**< elements from one item to the next of each, as usw_options_t::stride */
} usw_part_t;

USW_BEGIN_C

/** Reduce the elements of all parts as if they were one array, in the order of the parts.
 *
 *  Parts on GPUs are started one after the other and run at the same time; the calling thread's team reduces those of the
 *  host meanwhile. Then all are waited for, and what they leave is merged. Indices (of argmin, argmax, describe) count on
 *  over the parts: those of a part begin with the sum of n before it.
 *
 *  @param[in]  operation  operation of any function of @ref function_table.
 *  @param[in]  type       type of the elements.
 *  @param[in]  parts      `count` of them, read during the call only; several may be on one device. NULL only if count is 0.
 *  @param[in]  count      number of parts; 0 gives what usw_reduce() gives for n = 0.
 *  @param[out] result_out host address of what usw_reduce() writes; written on USW_OK only.
 *  @param[in]  options    NULL for the defaults; for every part. Their place has to be #USW_AUTO_PLACE, their strides and
 *                         devices 0 and their stream NULL: parts have their own places and strides. The report tells place, strategy and
 *                         teams of one part; bytes, time and kept items are those of all.
 *  @return as usw_reduce(), for each part: the text names the first that failed, as "part 2 of 3: ...", after all that were
 *          started have ended; USW_ERROR_INVALID (NULL; place, stride, stream or devices in the options; over 2^63 - 1 elements in
 *          all); USW_ERROR_VERSION (a part of another size); USW_ERROR_UNSUPPORTED (usw_options_t::fold above what one
 *          sweep over the elements keeps).
 *  @note Determinism: as usw_reduce(), for the same parts at the same places. With #USW_REPRODUCIBLE and #USW_EXACT the bits
 *        of one usw_reduce() of all elements, for any parts at any places.
 *  @note Accuracy: as usw_reduce() of the longest part, and count - 1 additions on top; with #USW_REPRODUCIBLE and
 *        #USW_EXACT nothing on top.
 *  @note Threads: safe from any number of threads at once.
 *  @note Cost: the slowest part's usw_reduce(), and on top a launch and a merge for each further GPU. Nothing is allocated
 *        for up to nine parts after the first call. Parts that are staged run at the same time, one of each device,
 *        once the others have ended. Parts on devices that are no GPUs run one after the other, and so do all with #USW_EXACT.
 *  @since 0.3
 *  @see tests/api/parts.c */
USW_API usw_status_t usw_reduce_parts(usw_operation_t operation, usw_type_t type, const usw_part_t *parts, size_t count,
                                      void *result_out, const usw_options_t *options);

USW_END_C

/** @} */
#endif
