/* The host function of a kernel for one level of the processor family. Set USW_VARIANT (its name's end) and
 * USW_VARIANT_TARGET (an attribute or nothing) before. Items apart have a function of their own: together, those of short calls
 * would save the registers that strides want. */
#if !defined(USW_VARIANT) || !defined(USW_VARIANT_TARGET)
#error "<upsweep/engine/host_variant.h> is included by host.h, once for each variant"
#endif

USW_VARIANT_TARGET static void __attribute__((noinline))
USW_F(USW_CAT(USW_VARIANT, _apart))(size_t usw_first, size_t usw_last, const uint64_t *usw_words,
                                    const ptrdiff_t *usw_strides, const uint64_t *usw_extents, void *usw_result) {
  USW_F(_run_items)(usw_first, usw_last, usw_words, usw_strides, usw_extents, usw_result, 0);
}

USW_VARIANT_TARGET static void USW_F(USW_VARIANT)(size_t usw_first, size_t usw_last, const uint64_t *usw_words,
                                                  const ptrdiff_t *usw_strides, const uint64_t *usw_extents,
                                                  void *usw_result) {
  if (USW_F(_takes_runs)(usw_words, usw_strides))
    USW_F(_run_items)(usw_first, usw_last, usw_words, usw_strides, usw_extents, usw_result, 1);
  else
    USW_F(USW_CAT(USW_VARIANT, _apart))(usw_first, usw_last, usw_words, usw_strides, usw_extents, usw_result);
}

#undef USW_VARIANT
#undef USW_VARIANT_TARGET
