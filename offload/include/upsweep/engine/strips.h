/* Results side by side, as vectors of the kernel's own (USW_BY_STRIPS; many_items.h): what compilers do not find in an array of accumulators
 * of several members. Columns that fill no strip, and those that the kernel hands back, are visited one by one, with the same bits. */

#ifndef UPSWEEP_ENGINE_STRIPS_ONCE
#define UPSWEEP_ENGINE_STRIPS_ONCE
/* Lines that a strip is loaded and stored once for; of near ones more. Their next columns are fetched as far ahead. (One thread, 8 lines at once or
 * 32 of at most 1 KiB, and as here. EPYC: places of the largest of 1024 x 1024 f64 770 us, 470; 64 x 2^20 f64 60 ms, 45; 2^20 x 64 f32 41, 30;
 * without fetching the last one takes 67. Xeon: of 8192 x 8192 f64 65, 56; described 88, 81; 2^20 x 64 f32 52, 45.) */
enum { USW_STRIP_LINES = 4, USW_NEAR_STRIP_LINES = 8, USW_NEAR_LINE_BYTES = 2048 };
#define USW_ADVANCE_BY_COLUMNS(T, n) part.n += c;
#define USW_STRIP_IN(T, n) , arguments->n + c + (ptrdiff_t)k * arguments->usw_stride_##n
#endif

enum {
  USW_F(_strips_at_once) =
      USW_F(_columns_at_once) < USW_STRIP_COLUMNS ? 1 : (int)USW_F(_columns_at_once) / USW_STRIP_COLUMNS
};

USW_ASSERT(USW_COLUMN_ITEMS <= 256, "numbers of items in strips have the width of elements");

/* The arguments of the columns from number c on, as if they were the only ones. */
USW_INLINE USW_F(_arguments) USW_F(_from_column)(const USW_F(_arguments) * arguments, size_t c) {
  USW_F(_arguments) part = *arguments;
  USW_OWN_ARGUMENTS(USW_ADVANCE_BY_COLUMNS, USW_NOTHING, USW_NOTHING, USW_ADVANCE_BY_COLUMNS)
  return part;
}

/* The next `lines` items of some strips, the first one number `item`. */
USW_INLINE void USW_F(_visit_lines_of_strips)(USW_F(_strip) * strips, size_t count, size_t item, size_t lines,
                                              const USW_F(_arguments) * arguments) {
  for (size_t n = 0; n < count; n++) {
    const size_t c = n * USW_STRIP_COLUMNS;
    USW_F(_strip) strip = strips[n];
    for (size_t k = 0; k < lines; k++) {
      USW_F(_fetch_column)(arguments, (ptrdiff_t)(lines + k), c);
      USW_F(_visit_strip)(&strip, item + k USW_ARGS(USW_STRIP_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
    }
    strips[n] = strip;
  }
}

/* The accumulators of a strip's columns. */
USW_INLINE void USW_F(_end_columns)(USW_F(_acc) * a, USW_F(_spans) * s, const USW_F(_strip) * strip, size_t items,
                                    const USW_F(_arguments) * arguments) {
  const size_t k = 0;
  for (size_t c = 0; c < USW_STRIP_COLUMNS; c++) {
    if (USW_F(_end_strip)(&a[c], strip, arguments->usw_first, c,
                          items USW_ARGS(USW_STRIP_IN, USW_VISIT_OTHER, USW_VISIT_OTHER)))
      continue;
    const USW_F(_arguments) column = USW_F(_from_column)(arguments, c);
    USW_F(_visit_line_groups)(&a[c], s, 0, items, 1, 0, 1, &column);
  }
}

/* All items of some strips. */
USW_INLINE void USW_F(_visit_strips_by_lines)(USW_F(_strip) * strips, size_t count, size_t items, size_t at_once,
                                              const USW_F(_arguments) * arguments) {
  for (size_t i = 0; i < items; i += at_once) {
    const USW_F(_arguments) lines = USW_F(_from_item)(arguments, i);
    USW_F(_visit_lines_of_strips)(strips, count, i, items - i < at_once ? items - i : at_once, &lines);
  }
}

/* Begin strips with their first item; 0: the kernel takes none. */
USW_INLINE int USW_F(_begin_strips)(USW_F(_strip) * strips, size_t count, const USW_F(_arguments) * arguments) {
  const size_t k = 0;
  int takes = 1;
  for (size_t n = 0; takes && n < count; n++) {
    const size_t c = n * USW_STRIP_COLUMNS;
    takes = USW_F(_begin_strip)(&strips[n], 0 USW_ARGS(USW_STRIP_IN, USW_VISIT_OTHER, USW_VISIT_OTHER));
  }
  return takes;
}

/* Items first, ..., last - 1 of a run into fresh accumulators. */
USW_INLINE void USW_F(_visit_strips)(USW_F(_acc) * a, USW_F(_spans) * s, size_t first, size_t last, size_t count,
                                     const USW_F(_arguments) * run) {
  const USW_F(_arguments) arguments = USW_F(_from_item)(run, first);
  const size_t items = last - first;
  USW_F(_strip) strips[USW_F(_strips_at_once)];
  size_t of_strips = count / USW_STRIP_COLUMNS;
  if (!USW_F(_begin_strips)(strips, of_strips, &arguments))
    of_strips = 0;
  if (run->usw_width * USW_F(_item_bytes) <= USW_NEAR_LINE_BYTES)
    USW_F(_visit_strips_by_lines)(strips, of_strips, items, USW_NEAR_STRIP_LINES, &arguments);
  else
    USW_F(_visit_strips_by_lines)(strips, of_strips, items, USW_STRIP_LINES, &arguments);
  for (size_t n = 0; n < of_strips; n++) {
    const USW_F(_arguments) columns = USW_F(_from_column)(&arguments, n * USW_STRIP_COLUMNS);
    USW_F(_end_columns)(a + n * USW_STRIP_COLUMNS, s, &strips[n], items, &columns);
  }
  const size_t c = of_strips * USW_STRIP_COLUMNS;
  const USW_F(_arguments) rest = USW_F(_from_column)(&arguments, c);
  USW_F(_visit_lines)(a + c, s, 0, items, count - c, &rest);
}
#define USW_VISIT_CHUNK_OF_LINES USW_F(_visit_strips)
