/* What moves at once: 1, 2, 4, 8 or 16 bytes, whatever they are. */
#ifndef UPSWEEP_ENGINE_MOVES_H
#define UPSWEEP_ENGINE_MOVES_H

enum { USW_STAGE_ROW = 128 /* bytes of team memory: of all banks, and of a line of the caches */ };
/* Where a block of a stage is, `row` of which fill a row: in every row in another order, as every `step` of them, so that lanes that take
 * blocks side by side find them in banks of their own. (A gap behind those of each lane would do so too: but copies ask the second cache for
 * whole lines only where they fill whole rows. With gaps half of 2^27 doubles was selected in 654 us on an H200, without in 593.) */
#define USW_PERMUTED(block, step, row) ((block) ^ ((block) / (step) % (row)))

typedef uint8_t usw_move_1_t __attribute__((may_alias));
typedef uint16_t usw_move_2_t __attribute__((may_alias));
typedef uint32_t usw_move_4_t __attribute__((may_alias));
typedef uint64_t usw_move_8_t __attribute__((may_alias));
typedef uint32_t usw_move_16_t __attribute__((vector_size(16), may_alias));
#define USW_MOVE_OF(bytes)                                                                                             \
  __typeof__(*__builtin_choose_expr(                                                                                   \
      (bytes) == 16, (usw_move_16_t *)0,                                                                               \
      __builtin_choose_expr(                                                                                           \
          (bytes) == 8, (usw_move_8_t *)0,                                                                             \
          __builtin_choose_expr((bytes) == 4, (usw_move_4_t *)0,                                                       \
                                __builtin_choose_expr((bytes) == 2, (usw_move_2_t *)0, (usw_move_1_t *)0)))))

/* 16 bytes at a time, to or from a boundary of them in the device's memory. (Of a copy that compilers have taken apart they make several moves.) */
USW_INLINE void usw_move_there(void *there, const void *from, size_t bytes) {
  USW_UNROLL for (size_t k = 0; k < bytes; k += sizeof(usw_move_16_t)) {
    usw_move_16_t move;
    __builtin_memcpy(&move, (const char *)from + k, sizeof move);
    *(usw_move_16_t *)__builtin_assume_aligned((char *)there + k, sizeof move) = move;
  }
}
USW_INLINE void usw_move_here(void *here, const void *from, size_t bytes) {
  USW_UNROLL for (size_t k = 0; k < bytes; k += sizeof(usw_move_16_t)) {
    const usw_move_16_t move =
        *(const usw_move_16_t *)__builtin_assume_aligned((const char *)from + k, sizeof(usw_move_16_t));
    __builtin_memcpy((char *)here + k, &move, sizeof move);
  }
}

#endif
