/* The accumulators of sums.h in a sub-group: _align() readies those of its lanes for _add_aligned(), and says whether that is
 * quick. And for a team: as columns (binned_exchange.h), which _pack() makes of a sum with bins, and _unpack() of it again; _slide_to() a
 * window before, if it is not the one of all. */
#ifndef UPSWEEP_ENGINE_SUMS_TOGETHER_H
#define UPSWEEP_ENGINE_SUMS_TOGETHER_H

#define USW_TOGETHER_BINS(name, tag, bins, power)                                                                      \
  USW_INLINE int usw_##name##_align(usw_##name##_t *a, uint32_t values) {                                              \
    return usw_bins_##tag##_align(bins(a), values, power);                                                             \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_add_aligned(usw_##name##_t *a, const usw_##name##_t *b, int is_quick) {                 \
    if (is_quick)                                                                                                      \
      usw_bins_##tag##_add_units(bins(a), bins(b));                                                                    \
    else                                                                                                               \
      usw_bins_##tag##_add_bins(bins(a), bins(b));                                                                     \
  }                                                                                                                    \
  USW_INLINE uint32_t usw_##name##_pack(const usw_##name##_t *a, uint32_t most, uint64_t *units) {                     \
    return usw_bins_##tag##_pack(bins(a), most, units, power);                                                         \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_unpack(usw_##name##_t *a, uint32_t window, const uint64_t *units) {                     \
    usw_bins_##tag##_unpack(bins(a), window, units, power);                                                            \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_slide_to(usw_##name##_t *a, uint32_t window) {                                          \
    usw_bins_##tag##_slide_to(bins(a), window, power);                                                                 \
  }
#define USW_ITS_BINS(a) (&(a)->bins)
USW_TOGETHER_BINS(reproducible_f, f, , 1)
USW_TOGETHER_BINS(reproducible_d, d, , 1)
USW_TOGETHER_BINS(squares_d, d, USW_ITS_BINS, 2)
USW_TOGETHER_BINS(whole_squares_d, s, USW_ITS_BINS, 2)
/* Other sums, and those of two numbers, are not sent as columns. */
#define USW_NO_COLUMNS(name)                                                                                           \
  USW_INLINE uint32_t usw_##name##_pack(const usw_##name##_t *a, uint32_t most, uint64_t *units) {                     \
    (void)a, (void)most, (void)units;                                                                                  \
    return USW_NO_WINDOW;                                                                                              \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_unpack(usw_##name##_t *a, uint32_t window, const uint64_t *units) {                     \
    (void)a, (void)window, (void)units;                                                                                \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_slide_to(usw_##name##_t *a, uint32_t window) { (void)a, (void)window; }
#define USW_TOGETHER_COMPENSATED(name)                                                                                 \
  USW_INLINE int usw_##name##_align(usw_##name##_t *a, uint32_t values) {                                              \
    (void)a, (void)values;                                                                                             \
    return 1;                                                                                                          \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_add_aligned(usw_##name##_t *a, const usw_##name##_t *b, int is_quick) {                 \
    (void)is_quick;                                                                                                    \
    usw_##name##_merge(a, b);                                                                                          \
  }                                                                                                                    \
  USW_NO_COLUMNS(name)
USW_TOGETHER_COMPENSATED(compensated_f)
USW_TOGETHER_COMPENSATED(compensated_d)
#define USW_TOGETHER_COMPLEX(name, part)                                                                               \
  USW_INLINE int usw_##name##_align(usw_##name##_t *a, uint32_t values) {                                              \
    return usw_##part##_align(&a->real, values) & usw_##part##_align(&a->imaginary, values);                           \
  }                                                                                                                    \
  USW_INLINE void usw_##name##_add_aligned(usw_##name##_t *a, const usw_##name##_t *b, int is_quick) {                 \
    usw_##part##_add_aligned(&a->real, &b->real, is_quick);                                                            \
    usw_##part##_add_aligned(&a->imaginary, &b->imaginary, is_quick);                                                  \
  }
USW_TOGETHER_COMPLEX(compensated_cf, compensated_f)
USW_TOGETHER_COMPLEX(compensated_cd, compensated_d)
USW_NO_COLUMNS(compensated_cf)
USW_NO_COLUMNS(compensated_cd)
USW_TOGETHER_COMPLEX(reproducible_cf, reproducible_f)
USW_TOGETHER_COMPLEX(reproducible_cd, reproducible_d)
USW_NO_COLUMNS(reproducible_cf)
USW_NO_COLUMNS(reproducible_cd)

#endif
