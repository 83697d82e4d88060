/* The host's loop over a range of items or results, compiled for each level of the processor family (host_variant.h): chains.h says how
 * items are combined. */

#ifndef UPSWEEP_ENGINE_HOST_ONCE
#define UPSWEEP_ENGINE_HOST_ONCE
/* Feature names, because gcc does not inline across different -march. */
#if defined(__x86_64__) && !defined(__NVPTX__) && !defined(__AMDGCN__) && !defined(USW_NO_HOST_VARIANTS)
#define USW_TARGET_V2 "sse4.2,popcnt"
#define USW_TARGET_V3 USW_TARGET_V2 ",avx2,bmi,bmi2,f16c,fma,lzcnt,movbe"
#define USW_TARGET_V4 USW_TARGET_V3 ",avx512f,avx512bw,avx512cd,avx512dq,avx512vl"
#define USW_HOST_VARIANT_LIST , USW_F(_host_v2), USW_F(_host_v3), USW_F(_host_v4)
#else
#define USW_HOST_VARIANT_LIST , NULL, NULL, NULL
#endif
#define USW_WORD_NUMBER(T, n) USW_OF(_number_of_, n),
#endif

#if USW_MANY_RESULTS
#if USW_AXES && !USW_AXES_OF_SPACE
#include <upsweep/engine/rows_in_lanes.h>
#endif

/* Results [first, last), each of its range of items; the record is that of no item. */
USW_INLINE void USW_F(_visit_results_by_chains)(USW_F(_acc) * record, USW_F(_spans) * s, size_t first, size_t last,
                                                const USW_F(_arguments) * arguments, int contiguous) {
#if USW_AXES && !USW_AXES_OF_SPACE
  if (USW_F(_has_row_lanes) && contiguous && arguments->usw_across == USW_ROWS_IN_LANES)
    USW_F(_visit_rows_of_results)(s, first, last, arguments);
  else
#endif
    USW_F(_visit_results)(record, s, first, last, arguments, contiguous);
  USW_F(_identity)(record);
}
#define USW_VISIT_ON_HOST USW_F(_visit_results_by_chains)
#elif USW_SCAN
#define USW_VISIT_ON_HOST USW_F(_scan_chunk)
#else
#define USW_VISIT_ON_HOST USW_F(_visit_by_chains)
#endif

/* Items [first, last), or results, into a record. */
USW_INLINE void USW_F(_run_items)(size_t usw_first, size_t usw_last, const uint64_t *usw_words,
                                  const ptrdiff_t *usw_strides, const uint64_t *usw_extents, void *usw_result,
                                  int usw_contiguous) {
  USW_EVERY_ARGUMENT(USW_UNPACK_IN, USW_UNPACK_ARRAY, USW_UNPACK_VALUE, USW_UNPACK_OUT)
  USW_EACH_RESULT(USW_R_UNPACK_RESULTS, USW_S_UNPACK)
  USW_UNPACKED;
  const USW_F(_arguments) usw_arguments = USW_F(_gather)(0 USW_EVERY_ARGUMENT(
      USW_PASS_IN, USW_PASS, USW_PASS, USW_PASS_IN) USW_EACH_RESULT(USW_R_PASS_RESULTS, USW_S_PASS_EXTENT));
  USW_F(_acc) usw_total;
#if USW_SCAN
  usw_total = *(USW_F(_acc) *)usw_result;
#endif
  USW_F(_spans) usw_spans;
  USW_F(_place_spans)(&usw_spans, &usw_arguments, (USW_F(_acc) *)usw_result);
  USW_F(_clear_block)(&usw_spans, 0, 1);
  const int usw_in_rows = usw_contiguous && USW_F(_has_rows)(&usw_arguments);
  if (usw_in_rows)
    USW_VISIT_ON_HOST(&usw_total, &usw_spans, usw_first, usw_last, &usw_arguments, 1);
  else
    USW_VISIT_ON_HOST(&usw_total, &usw_spans, usw_first, usw_last, &usw_arguments, 0);
  *(USW_F(_acc) *)usw_result = usw_total;
}

#if USW_AXES && !USW_AXES_OF_SPACE
enum { USW_EVERY_ARGUMENT(USW_WORD_NUMBER, USW_WORD_NUMBER, USW_WORD_NUMBER, USW_WORD_NUMBER) USW_F(_all_words) };
#endif

/* Whether items follow each other in memory and are taken as they do: short rows are not (side_by_side.h). */
USW_INLINE int USW_F(_takes_runs)(const uint64_t *usw_words, const ptrdiff_t *usw_strides) {
  int takes_runs = 1;
  (void)usw_words, (void)usw_strides;
  for (int k = 0; k < USW_F(_streams); k++)
    takes_runs &= usw_strides[k] == 1;
#if USW_AXES && !USW_AXES_OF_SPACE
  takes_runs &= usw_words[USW_F(_number_of_usw_across)] != USW_ROWS_SIDE_BY_SIDE || USW_F(_tries);
#endif
  return takes_runs;
}

#define USW_VARIANT _host
#define USW_VARIANT_TARGET
#include <upsweep/engine/host_variant.h>
#ifdef USW_TARGET_V2
#define USW_VARIANT _host_v2
#define USW_VARIANT_TARGET __attribute__((target(USW_TARGET_V2)))
#include <upsweep/engine/host_variant.h>
#define USW_VARIANT _host_v3
#define USW_VARIANT_TARGET __attribute__((target(USW_TARGET_V3)))
#include <upsweep/engine/host_variant.h>
#define USW_VARIANT _host_v4
#define USW_VARIANT_TARGET __attribute__((target(USW_TARGET_V4)))
#include <upsweep/engine/host_variant.h>
#endif
#undef USW_VISIT_ON_HOST
