/* The host function of a kernel for one level of the processor family. Set USW_VARIANT (its name's end) and
 * USW_VARIANT_TARGET (an attribute or nothing) before. */
#if !defined(USW_VARIANT) || !defined(USW_VARIANT_TARGET)
#error "<upsweep/engine/host_variant.h> is included by host.h, once for each variant"
#endif

USW_VARIANT_TARGET static void USW_F(USW_VARIANT)(size_t usw_first, size_t usw_last, const uint64_t *usw_slots,
                                                  const ptrdiff_t *usw_strides, const uint64_t *usw_extents,
                                                  void *usw_result) {
  int usw_contiguous = 1;
  for (int k = 0; k < USW_F(_inputs); k++)
    usw_contiguous &= usw_strides[k] == 1;
  USW_EVERY_ARGUMENT(USW_UNPACK_IN, USW_UNPACK_ARRAY, USW_UNPACK_VALUE)
  USW_REDUCERS(USW_R_NOTHING, USW_S_UNPACK)
  USW_UNPACKED;
  const USW_F(_arguments) usw_arguments = USW_F(_gather)(0 USW_EVERY_ARGUMENT(USW_PASS_IN, USW_PASS, USW_PASS)
                                                             USW_REDUCERS(USW_R_NOTHING, USW_S_PASS_EXTENT));
  USW_F(_acc) usw_total;
  USW_F(_spans) usw_spans;
  USW_F(_place_spans)(&usw_spans, &usw_arguments, (USW_F(_acc) *)usw_result);
  USW_F(_clear_block)(&usw_spans);
  const int usw_in_rows = usw_contiguous && USW_F(_has_rows)(&usw_arguments);
  if (USW_F(_tries) && usw_in_rows)
    USW_F(_try_blocks)(&usw_total, &usw_spans, usw_first, usw_last, &usw_arguments, 1);
  else if (USW_F(_tries))
    USW_F(_try_blocks)(&usw_total, &usw_spans, usw_first, usw_last, &usw_arguments, 0);
  else if (usw_in_rows)
    USW_F(_visit_blocks)(&usw_total, &usw_spans, usw_first, usw_last, &usw_arguments, 1);
  else
    USW_F(_visit_blocks)(&usw_total, &usw_spans, usw_first, usw_last, &usw_arguments, 0);
  *(USW_F(_acc) *)usw_result = usw_total;
}

#undef USW_VARIANT
#undef USW_VARIANT_TARGET
