/* A map of the tests' own, which api/many_results.h names as USW_OWN_MAP: result r is of the items of tile r. Included once per kernel, so
 * there is nothing to guard. */
USW_INLINE usw_range_t USW_F(_own_map)(size_t result, size_t n, const USW_F(_arguments) * arguments) {
  const size_t tile = (size_t)arguments->tile, first = result * tile;
  const usw_range_t range = {first < n ? first : n, n - (first < n ? first : n) < tile ? n : first + tile};
  return range;
}
