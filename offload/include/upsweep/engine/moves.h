/* What moves at once through team memory: 1, 2, 4, 8 or 16 bytes, whatever they are. */
#ifndef UPSWEEP_ENGINE_MOVES_H
#define UPSWEEP_ENGINE_MOVES_H

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

#endif
