/* The Euclidean norm of doubles without over- or underflow: three sums of squares, of the large numbers scaled down, of
 * the small ones scaled up, and of the rest (Blue, ACM TOMS 4, 1978). Thresholds and scales are powers of two, chosen so
 * that 2^51 squares fit in each sum (Anderson, ACM TOMS 44, 2017). Which sum a number joins depends on itself alone.
 * Entry: name, PLUS, type. */
#include "chains.h"
#include "entry.h"

#ifndef UPSWEEP_SHAPES_NORM2_SCALED_H /* other kernels of the file are of the same type */
#define UPSWEEP_SHAPES_NORM2_SCALED_H
#if defined(_OPENMP) && defined(__clang__)
#pragma omp begin declare target
#endif
#define USW_SMALL 0x1p-511      /* smaller numbers' squares would be subnormal */
#define USW_LARGE 0x1p486       /* larger numbers' squares would overflow in a sum */
#define USW_SCALE_UP 0x1p537    /* for the small */
#define USW_SCALE_DOWN 0x1p-538 /* for the large */

typedef struct {
  double small, middle, large;
} usw_squares_t;
#define USW_MEMBERS_OF_usw_squares_t(n) USW_MEMBER(n.small) USW_MEMBER(n.middle) USW_MEMBER(n.large)

USW_INLINE usw_squares_t usw_no_squares(void) {
  const usw_squares_t nothing = {0, 0, 0};
  return nothing;
}

USW_INLINE usw_squares_t usw_add_squares(usw_squares_t a, usw_squares_t b) {
  const usw_squares_t sum = {a.small + b.small, a.middle + b.middle, a.large + b.large};
  return sum;
}

/* A NaN is neither small nor large: it joins the middle. */
USW_INLINE usw_squares_t usw_square(double x) {
  const double absolute = __builtin_fabs(x);
  const int small = absolute<USW_SMALL, large = absolute> USW_LARGE;
  const double scaled = x * (small ? USW_SCALE_UP : large ? USW_SCALE_DOWN : 1);
  const double square = scaled * scaled;
  const usw_squares_t squares = {small ? square : 0, small || large ? 0 : square, large ? square : 0};
  return squares;
}
USW_INLINE usw_squares_t usw_square_f64(double x) { return usw_square(x); }
USW_INLINE usw_squares_t usw_square_cf64(usw_cf64_t x) {
  return usw_add_squares(usw_square(USW_REAL_PART(x)), usw_square(USW_IMAGINARY_PART(x)));
}

/* Add the squares of a run of elements to sums that are in the order which is quickest to come by; whose chain each is. */
USW_INLINE void usw_add_row_f64(usw_chains_t *sums, const usw_chains_t *squares) { *sums += squares[0]; }
USW_INLINE void usw_add_row_cf64(usw_chains_t *sums, const usw_chains_t *squares) {
  *sums += __builtin_shufflevector(squares[0], squares[1], 0, 4, 2, 6) +
           __builtin_shufflevector(squares[0], squares[1], 1, 5, 3, 7);
}
/* Whether parts that follow each other are those of numbers. */
USW_INLINE void usw_find_numbers_f64(usw_chain_flags_t *are_numbers, const usw_chains_t *parts) {
  *are_numbers = *parts == *parts;
}
USW_INLINE void usw_find_numbers_cf64(usw_chain_flags_t *are_numbers, const usw_chains_t *parts) {
  const usw_chains_t others = __builtin_shufflevector(*parts, *parts, 1, 0, 3, 2);
  *are_numbers = (*parts == *parts) & (others == others);
}
USW_INLINE size_t usw_chain_of_f64(size_t place) { return place; }
USW_INLINE size_t usw_chain_of_cf64(size_t place) { return place % 2 * 2 + place / 2; }
#define USW_ENTRY_CHAIN(place) usw_accumulator[USW_CAT(usw_chain_of_, USW_ENTRY_TYPE)(place)].squares.middle
#if defined(_OPENMP) && defined(__clang__)
#pragma omp end declare target
#endif

/* The root of the three sums, each at its own scale. A NaN in the middle shows whatever the others hold. */
static double usw_root(const usw_squares_t *squares) {
  const double middle = __builtin_sqrt(squares->middle);
  if (squares->large > 0) {
    const double scaled = middle * USW_SCALE_DOWN;
    return __builtin_sqrt(squares->large + scaled * scaled) / USW_SCALE_DOWN;
  }
  if (squares->small > 0) {
    const double small = __builtin_sqrt(squares->small) / USW_SCALE_UP;
    const double larger = small > middle ? small : middle, smaller = small > middle ? middle : small;
    const double ratio = smaller / larger;
    return squares->middle == squares->middle ? larger * __builtin_sqrt(1 + ratio * ratio) : squares->middle;
  }
  return middle;
}
#endif

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_NORM2
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS USW_ENTRY_FACTS
#define USW_RESULT double
#define USW_BY_RUNS 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x)
#define USW_REDUCERS(R, S) R(usw_squares_t, squares, usw_add_squares, usw_no_squares()) USW_ENTRY_KEPT(R)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const int is_number = USW_ENTRY_IS_NUMBER(x);
  usw_combine(squares, USW_CAT(usw_square_, USW_ENTRY_TYPE)(is_number ? x : 0));
  USW_ENTRY_KEEP(is_number);
}
/* On the host most runs have numbers for the middle sum alone, or zeros, which no sum would miss: their squares tell. */
USW_VISIT_RUN(i, count, chains) {
  enum { PARTS = sizeof(USW_ENTRY_ELEMENT) / sizeof(double) };
  const double *parts = (const double *)x;
  const usw_chains_t one = {1, 1, 1, 1};
  usw_chains_t sums = {0}, least = one, greatest = one;
  usw_chain_flags_t numbers = {0};
  if (chains != USW_CHAINS)
    return 0;
  for (size_t place = 0; place < USW_CHAINS; place++)
    sums[place] = USW_ENTRY_CHAIN(place);
  for (size_t first = 0; first < PARTS * count; first += PARTS * USW_CHAINS) {
    usw_chains_t number = {0}, squares[PARTS], smallest = one, largest = one;
    for (size_t part = 0; part < PARTS; part++) {
      __builtin_memcpy(&number, &parts[first + part * USW_CHAINS], sizeof number);
      if (USW_ENTRY_PASSES_NANS) {
        usw_chain_flags_t are_numbers = {0};
        USW_CAT(usw_find_numbers_, USW_ENTRY_TYPE)(&are_numbers, &number);
        number = USW_CHAINS_IF(are_numbers, number, (usw_chains_t){0});
        numbers -= are_numbers;
      }
      const usw_chains_t square = number * number, nonzero = USW_CHAINS_IF(number != 0, square, one);
      smallest = USW_CHAINS_IF(nonzero < smallest, nonzero, smallest);
      largest = USW_CHAINS_IF(square > largest, square, largest);
      squares[part] = square;
    }
    least = USW_CHAINS_IF(smallest < least, smallest, least);
    greatest = USW_CHAINS_IF(largest > greatest, largest, greatest);
    USW_CAT(usw_add_row_, USW_ENTRY_TYPE)(&sums, squares);
  }
  const usw_chain_flags_t are_scaled = (least < USW_SMALL * USW_SMALL) | (greatest > USW_LARGE * USW_LARGE);
  int64_t is_scaled = 0;
  for (size_t place = 0; place < USW_CHAINS; place++)
    is_scaled |= are_scaled[place];
  if (is_scaled)
    return 0;
  int64_t kept_parts = 0;
  for (size_t place = 0; place < USW_CHAINS; place++) {
    USW_ENTRY_CHAIN(place) = sums[place];
    kept_parts += numbers[place];
  }
  USW_ENTRY_KEEP(kept_parts / PARTS);
  return 1;
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = usw_root(&a->squares); }
#include <upsweep/kernel_end.h>
