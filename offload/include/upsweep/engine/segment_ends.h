/* Where segments begin and end, as a call's offsets say (<upsweep/segments.h>). Included once per kernel, by map.h. */

USW_INLINE size_t USW_F(_offset)(uint64_t address, size_t k, const USW_F(_arguments) * arguments) {
  return arguments->usw_offset_bytes == sizeof(uint64_t) ? ((const uint64_t *)(uintptr_t)address)[k]
         : arguments->usw_offset_bytes > 0               ? ((const uint32_t *)(uintptr_t)address)[k]
                                                         : address + k * arguments->usw_ends;
}
USW_INLINE size_t USW_F(_segment_begin)(size_t k, const USW_F(_arguments) * arguments) {
  return USW_F(_offset)(arguments->usw_begins, k, arguments);
}
USW_INLINE size_t USW_F(_segment_end)(size_t k, const USW_F(_arguments) * arguments) {
  return USW_F(_offset)(arguments->usw_ends, k, arguments);
}

/* The library asks for wrong offsets after the call, and finds the first one itself. */
USW_INLINE void USW_F(_tell_wrong)(const USW_F(_arguments) * arguments) {
  *(uint64_t *)(uintptr_t)arguments->usw_wrong = 1;
}

/* The items of a segment by itself. One that is outside the items has none, and is told. */
USW_INLINE usw_range_t USW_F(_range_of_segment)(size_t k, const USW_F(_arguments) * arguments) {
  usw_range_t range = {USW_F(_segment_begin)(k, arguments), USW_F(_segment_end)(k, arguments)};
  if (range.first > range.end || range.end > arguments->usw_items) {
    USW_F(_tell_wrong)(arguments);
    range.first = range.end = 0;
  }
  return range;
}
