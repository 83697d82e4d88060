/* Another map of the tests' own: result r is of the items from one offset up to the next one. */
USW_INLINE usw_range_t USW_F(_own_map)(size_t result, size_t n, const USW_F(_arguments) * arguments) {
  const usw_range_t range = {(size_t)arguments->offsets[result], (size_t)arguments->offsets[result + 1]};
  (void)n;
  return range;
}
