/* Ranks against order keys: the extreme of a thread's items, where its first one is, and the extremes up to each item of a block must be what a
 * comparison of their keys one by one finds, with NaNs and ties anywhere. */
#include <string.h>
#include <upsweep/order.h>
#include <upsweep/ranks.h>
#include <upsweep/running.h>

#include "support/check.h"

enum { VECTORS = 4, VECTOR_BYTES = 16, TRIES = 3000 };

static uint64_t state = 88172645463325252u;
static uint64_t random_bits(void) {
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return state;
}

/* Elements with few bits that differ are often equal; bits that are set everywhere make NaNs of halves. */
static void fill(unsigned char *bytes, size_t count, int kind) {
  const uint16_t zeros[] = {0xffff, 0x0101, 0x8100, 0xffff, 0x83ff, 0xfc00, 0x8000, 0xffff};
  const uint16_t ones[] = {0, 0, 0, 0x7c00, 0x7c00, 0x7f80, 0x7fff, 0x7f80};
  for (size_t k = 0; k < count; k += 2) {
    const uint16_t bits =
        (uint16_t)((random_bits() & zeros[kind]) | (kind == 0 || random_bits() % 8 != 0 ? ones[kind] : 0));
    memcpy(bytes + k, &bits, sizeof bits);
  }
}

/* What is the least key, and where the first such is. */
#define EXPECTED(tag, K)                                                                                               \
  static K expected_##tag(const usw_##tag##_t *const *x, size_t vectors, uint64_t nan, K turn, uint32_t *position) {   \
    const size_t block = VECTOR_BYTES / sizeof **x;                                                                    \
    K least = usw_key_##tag(x[0][0], nan, turn);                                                                       \
    *position = 0;                                                                                                     \
    for (uint32_t k = 1; k < vectors * block; k++) {                                                                   \
      const K key = usw_key_##tag(x[k / block][k % block], nan, turn);                                                 \
      *position = key < least ? k : *position;                                                                         \
      least = key < least ? key : least;                                                                               \
    }                                                                                                                  \
    return least;                                                                                                      \
  }
#define CHECK_LEAST(tag, K)                                                                                            \
  USW_INLINE void check_##tag(const usw_##tag##_t *const *x, size_t vectors, uint64_t nan, K turn) {                   \
    uint32_t position;                                                                                                 \
    const K least = expected_##tag(x, vectors, nan, turn, &position);                                                  \
    CHECK_I64(least, usw_key_##tag(usw_least_##tag(x, vectors, nan, turn == 0 ? 0 : UINT32_MAX), nan, turn));          \
  }
#define CHECK_RUNNING(tag, K)                                                                                          \
  USW_INLINE void check_running_##tag(const usw_##tag##_t *x, usw_##tag##_t extreme, uint64_t nan, K turn) {           \
    usw_##tag##_t results[VECTOR_BYTES / sizeof *x];                                                                   \
    K least = usw_key_##tag(extreme, nan, turn);                                                                       \
    usw_running_##tag(x, nan, turn == 0 ? 0 : UINT32_MAX, &extreme, results);                                          \
    for (size_t k = 0; k < sizeof results / sizeof *results; k++) {                                                    \
      const K key = usw_key_##tag(x[k], nan, turn);                                                                    \
      least = key < least ? key : least;                                                                               \
      const usw_##tag##_t expected = usw_from_key_##tag(least, turn);                                                  \
      CHECK(memcmp((const void *)&expected, (const void *)&results[k], sizeof expected) == 0);                         \
    }                                                                                                                  \
    CHECK_I64(least, usw_key_##tag(extreme, nan, turn));                                                               \
  }
#define CHECK_FIRST(tag, K)                                                                                            \
  CHECK_RUNNING(tag, K)                                                                                                \
  USW_INLINE void check_##tag(const usw_##tag##_t *const *x, size_t vectors, uint64_t nan, K turn) {                   \
    const uint32_t turned = turn == 0 ? 0 : UINT32_MAX;                                                                \
    uint32_t expected, position = UINT32_MAX;                                                                          \
    const K least = expected_##tag(x, vectors, nan, turn, &expected);                                                  \
    CHECK_I64(least, usw_key_##tag(usw_least_##tag(x, vectors, nan, turned), nan, turn));                              \
    CHECK_I64(least, usw_key_##tag(usw_first_##tag(x, vectors, nan, turned, &position), nan, turn));                   \
    CHECK(position == expected || usw_only_nans_##tag(least));                                                         \
    check_running_##tag(x[0], x[vectors - 1][1], nan, turn);                                                           \
  }
#define RANKS_TEST(tag, K, CHECK_ROWS)                                                                                 \
  EXPECTED(tag, K)                                                                                                     \
  CHECK_ROWS(tag, K)                                                                                                   \
  static void ranks_of_##tag(void) {                                                                                   \
    usw_##tag##_t items[VECTORS][VECTOR_BYTES / sizeof(usw_##tag##_t)];                                                \
    const usw_##tag##_t *const x[VECTORS] = {items[0], items[1], items[2], items[3]};                                  \
    for (int k = 0; k < TRIES; k++) {                                                                                  \
      fill((unsigned char *)items, sizeof items, k % 8);                                                               \
      for (uint64_t nan = USW_NAN_PROPAGATE; nan <= USW_NAN_IGNORE; nan++) {                                           \
        check_##tag(x, 1, nan, 0);                                                                                     \
        check_##tag(x, 1, nan, (K) - 1);                                                                               \
        check_##tag(x, VECTORS, nan, 0);                                                                               \
        check_##tag(x, VECTORS, nan, (K) - 1);                                                                         \
      }                                                                                                                \
    }                                                                                                                  \
  }
RANKS_TEST(f32, int32_t, CHECK_LEAST)
RANKS_TEST(f16, int16_t, CHECK_FIRST)
RANKS_TEST(bf16, int16_t, CHECK_FIRST)
RANKS_TEST(i16, int16_t, CHECK_FIRST)
RANKS_TEST(u16, uint16_t, CHECK_FIRST)
RANKS_TEST(i8, int8_t, CHECK_FIRST)
RANKS_TEST(u8, uint8_t, CHECK_FIRST)

/* The bytes that a port picks: those of both words, their signs. */
static void bytes(void) {
  CHECK_U64(0x44332211, usw_port_bytes(0x44332211, 0x88776655, 0x3210));
  CHECK_U64(0x88115533, usw_port_bytes(0x44332211, 0x88776655, 0x7042));
  CHECK_U64(0xffff0000, usw_port_bytes(0x80007fff, 0, 0xbb99));
  CHECK_U64(0xff0000ff, usw_port_bytes(0x80007fff, 0x80, 0xc9db));
}

int main(void) {
  bytes();
  ranks_of_f32();
  ranks_of_f16();
  ranks_of_bf16();
  ranks_of_i16();
  ranks_of_u16();
  ranks_of_i8();
  ranks_of_u8();
  return check_report();
}
