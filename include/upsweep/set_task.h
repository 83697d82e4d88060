/* What the library tells the kernel of reducer sets (offload/shapes/set.h) about a set. Not for users. */
#ifndef UPSWEEP_SET_TASK_H
#define UPSWEEP_SET_TASK_H
/** @cond */

#include <upsweep/types.h>

/* Neighbouring items of a GPU's sub-group take neighbouring elements: in a group of this many items, item l takes the
 * elements l, l + 32, l + 64, ... of the group's. Elsewhere an item takes elements one after the other. */
#define USW_SET_LANES 32u

/* How an element becomes words: usw_set_task_t::load is one of these and the element's type. */
enum {
  USW_SET_VALUE = 0u << 5, /* its value: integers as 64 bits (flipped by `flip`), halves as float, others as they are */
  USW_SET_KEY = 1u << 5,   /* its order key, turned round by `flip` */
  USW_SET_NONZERO = 2u << 5 /* 1 if it is not zero, else 0 */
};
/* How words are combined: an operator over one of i64, f32, f64, cf32, cf64. Never 0. */
#define USW_SET_COMBINE(operation, type) ((uint64_t)(operation) << 5 | (uint64_t)(type))

/* A reducer of a set as its kernel sees it. */
typedef struct usw_set_task {
  uint64_t first_item;        /* items of a set are numbered reducer by reducer; a multiple of USW_SET_LANES */
  uint64_t elements_per_item; /* 1 on a GPU where there are keys */
  uint64_t elements;          /* of x: the set's n, or the reducer's own */
  uint64_t x, keys;           /* addresses where the kernel runs; keys 0: one variable */
  int64_t stride;             /* of x, in elements */
  uint64_t key_bytes;         /* 4 or 8; keys are contiguous */
  uint64_t load, combine, flip;
  uint64_t identity;           /* of the operator: its first word; the second is 0 */
  uint64_t first_cell, extent; /* its cells */
  uint64_t words;              /* of an element: 1, or 2 for cf64 */
} usw_set_task_t;

/* What has been combined into one variable or one element of a span. */
typedef struct usw_set_cell {
  uint64_t words[2];
  uint64_t combine; /* 0: nothing was combined, and words are 0 */
} usw_set_cell_t;

/** @endcond */
#endif
