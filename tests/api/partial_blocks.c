/* Blocks of partial results: their bytes, and what is no block of this library. */
#include <stdlib.h>
#include <string.h>
#include <upsweep/partial.h>
#include <upsweep/upsweep.h>

#include "support/check.h"

enum { BLOCK_BYTES = 68, COUNT_AT = 40, NEXT_AT = 48, END_OF_NUMBERS = 64 };

/* CRC-32 of ISO 3309, by the book. */
static uint32_t crc_of(const unsigned char *bytes, size_t count) {
  uint32_t crc = UINT32_MAX;
  for (size_t k = 0; k < 8 * count; k++) {
    const uint32_t bit = (crc ^ (uint32_t)bytes[k / 8] >> k % 8) & 1;
    crc = crc >> 1 ^ (bit ? 0xedb88320u : 0);
  }
  return ~crc;
}

static void put(unsigned char *at, uint64_t number, int bytes) {
  for (int k = 0; k < bytes; k++)
    at[k] = (unsigned char)(number >> 8 * k);
}

/* Elements 5, 6 and 7 of some whole: -2, 300, 7. */
static usw_partial_t *example(void) {
  static const int32_t x[] = {-2, 300, 7};
  usw_partial_t *partial = NULL;
  CHECK_STATUS(USW_OK, usw_partial_create(&partial, USW_PLUS, USW_I32, NULL));
  CHECK_STATUS(USW_OK, usw_partial_begin_at(partial, 5));
  CHECK_STATUS(USW_OK, usw_partial_add(partial, x, 3));
  return partial;
}

static void example_block(unsigned char block[BLOCK_BYTES]) {
  usw_partial_t *partial = example();
  CHECK_STATUS(USW_OK, usw_partial_export(partial, block, BLOCK_BYTES, NULL));
  usw_partial_destroy(partial);
}

/* Every byte as the format says it, whatever the order of bytes in this machine. */
static void bytes_of_a_block(void) {
  static const unsigned char want[BLOCK_BYTES] = {
      'U', 'P', 'S', 'W', 'P', 'A', 'R', 'T', 2, 0, 0,    0,    BLOCK_BYTES, 0, 0, 0, USW_PLUS, 0, 0, 0, USW_I32, 0, 0,
      0,   0,   0,   0,   0,   0,   0,   0,   0, 0, 0,    0,    0,           1, 0, 0, 0,        3, 0, 0, 0,       0, 0,
      0,   0,   8,   0,   0,   0,   0,   0,   0, 0, 0x31, 0x01, 0,           0, 0, 0, 0,        0, 0, 0, 0,       0};
  unsigned char block[BLOCK_BYTES];
  example_block(block);
  for (int k = 0; k < END_OF_NUMBERS; k++)
    if (k < 32 || k >= 36) /* which say what the accumulator is */
      check_count(want[k] == block[k], __FILE__, __LINE__, "byte %d is %d, not %d", k, block[k], want[k]);
  const uint32_t crc = crc_of(block, END_OF_NUMBERS);
  for (int k = 0; k < 4; k++)
    CHECK_U64(crc >> 8 * k & 0xff, block[END_OF_NUMBERS + k]);
}

/* A refused block leaves the pointer as it was. */
static void refused(usw_status_t expected, const void *block, size_t bytes, const char *text) {
  int marker;
  usw_partial_t *const before = (usw_partial_t *)(void *)&marker, *partial = before;
  CHECK_STATUS(expected, usw_partial_import(&partial, block, bytes, NULL));
  CHECK(partial == before);
  CHECK_TEXT_HAS(usw_error_text(), text);
}

/* Block with so many bytes at `at` changed to a number, under a checksum that is right. */
static void forged(usw_status_t expected, int at, uint64_t number, int bytes, const char *text) {
  unsigned char block[BLOCK_BYTES];
  example_block(block);
  put(block + at, number, bytes);
  put(block + END_OF_NUMBERS, crc_of(block, END_OF_NUMBERS), 4);
  refused(expected, block, sizeof block, text);
}

static void damaged_blocks(void) {
  unsigned char block[BLOCK_BYTES + 1] = {0}, swapped[BLOCK_BYTES];
  example_block(block);
  for (size_t bytes = 0; bytes <= sizeof block; bytes++)
    if (bytes != BLOCK_BYTES)
      refused(USW_ERROR_INVALID, block, bytes, bytes < 16 ? "ends after" : "bytes of a block of 68");
  for (int bit = 0; bit < 8 * BLOCK_BYTES; bit++) {
    const int byte = bit / 8;
    block[byte] ^= (unsigned char)(1 << bit % 8);
    refused(byte >= 8 && byte < 12 ? USW_ERROR_VERSION : USW_ERROR_INVALID, block, BLOCK_BYTES,
            byte < 8    ? "no block"
            : byte < 12 ? "format"
            : byte < 16 ? "bytes of a block"
                        : "damaged");
    block[byte] ^= (unsigned char)(1 << bit % 8);
  }
  memcpy(swapped, block, sizeof swapped); /* as if somebody had written numbers with their highest byte first */
  for (int at = 8; at < 40; at += 4)
    put(swapped + at, (uint64_t)block[at] << 24 | block[at + 1] << 16 | block[at + 2] << 8 | block[at + 3], 4);
  refused(USW_ERROR_VERSION, swapped, sizeof swapped, "format 33554432");
  refused(USW_ERROR_INVALID, NULL, 0, "NULL");
  refused(USW_ERROR_INVALID, "PK\003\004", 4, "no block");
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_import(NULL, block, BLOCK_BYTES, NULL));
}

static void forged_blocks(void) {
  forged(USW_ERROR_VERSION, 8, 3, 4, "format 3, this library knows 2");
  forged(USW_ERROR_UNSUPPORTED, 16, 60, 4, "operation 60");
  forged(USW_ERROR_UNSUPPORTED, 16, USW_DOT, 4, "streams");
  forged(USW_ERROR_UNSUPPORTED, 20, 31, 4, "type 31");
  forged(USW_ERROR_UNSUPPORTED, 20, UINT32_MAX, 4, "type -1");
  forged(USW_ERROR_INVALID, 24, 9, 4, "accuracy");
  forged(USW_ERROR_INVALID, 28, 2, 4, "nan");
  forged(USW_ERROR_VERSION, 20, USW_F64, 4, "another");
  forged(USW_ERROR_VERSION, 32, 1, 4, "another");
  forged(USW_ERROR_INVALID, 36, 2, 4, "counts");
  forged(USW_ERROR_INVALID, COUNT_AT, UINT64_MAX, 8, "counts");
  forged(USW_ERROR_INVALID, NEXT_AT, 1ull << 63, 8, "counts");
}

static void refused_exports(void) {
  usw_options_t options = {.size = USW_INIT(usw_options_t)};
  unsigned char block[BLOCK_BYTES];
  size_t bytes = 77;
  usw_partial_t *partial = example(), *other = NULL;
  memset(block, 0x5a, sizeof block);
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_export(NULL, block, sizeof block, &bytes));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_export(partial, NULL, 0, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_export(partial, block, BLOCK_BYTES - 1, &bytes));
  CHECK_TEXT_HAS(usw_error_text(), "68 bytes, there is room for 67");
  CHECK_U64(77, bytes);
  CHECK_U64(0x5a, block[0]);
  CHECK_U64(0, usw_partial_export_bytes(USW_DOT, USW_F64, NULL));
  CHECK_U64(0, usw_partial_export_bytes(USW_PLUS, (usw_type_t)31, NULL));
  options.size--;
  CHECK_U64(0, usw_partial_export_bytes(USW_PLUS, USW_F64, &options));
  example_block(block);
  CHECK_STATUS(USW_ERROR_VERSION, usw_partial_import(&other, block, sizeof block, &options));
  options.size++;
  options.teams = 70000;
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_import(&other, block, sizeof block, &options));
  CHECK(other == NULL);
  usw_partial_destroy(partial);
}

static usw_partial_t *made(usw_operation_t operation, usw_type_t type, usw_accuracy_t accuracy, usw_nan_t nan) {
  usw_options_t options = {.size = USW_INIT(usw_options_t), .accuracy = accuracy, .nan = nan};
  usw_partial_t *partial = NULL;
  CHECK_STATUS(USW_OK, usw_partial_create(&partial, operation, type, &options));
  return partial;
}

static void refused_merge(usw_partial_t *into, usw_partial_t *from, const char *text, const char *other_text) {
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_merge(into, from));
  CHECK_TEXT_HAS(usw_error_text(), text);
  CHECK_TEXT_HAS(usw_error_text(), other_text);
  usw_partial_destroy(into);
  usw_partial_destroy(from);
}

static void refused_merges(void) {
  const usw_accuracy_t plain = USW_REPEATABLE;
  const usw_nan_t nan = USW_NAN_PROPAGATE;
  usw_partial_t *partial = example();
  int64_t sum = 0;
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_merge(partial, NULL));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_merge(NULL, partial));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_merge(partial, partial));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_begin_at(partial, 0));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_begin_at(NULL, 0));
  CHECK_STATUS(USW_OK, usw_partial_result(partial, &sum));
  CHECK_I64(305, sum);
  usw_partial_destroy(partial);
  refused_merge(made(USW_PLUS, USW_F64, plain, nan), made(USW_PLUS, USW_F32, plain, nan), "sum_f64", "sum_f32");
  refused_merge(made(USW_PLUS, USW_U64, plain, nan), made(USW_PLUS, USW_I64, plain, nan), "sum_u64", "sum_i64");
  refused_merge(made(USW_PLUS, USW_F64, plain, nan), made(USW_PLUS, USW_F64, USW_REPRODUCIBLE, nan), "USW_REPEATABLE",
                "USW_REPRODUCIBLE");
  refused_merge(made(USW_PLUS, USW_F64, plain, nan), made(USW_PLUS, USW_F64, USW_FAST, nan), "USW_REPEATABLE",
                "USW_FAST");
  refused_merge(made(USW_MINIMUM, USW_F64, plain, nan), made(USW_MINIMUM, USW_F64, plain, USW_NAN_IGNORE),
                "USW_NAN_PROPAGATE", "USW_NAN_IGNORE");
  usw_partial_t *last = made(USW_ARGMIN, USW_U8, plain, nan);
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_begin_at(last, 1ull << 63));
  CHECK_STATUS(USW_OK, usw_partial_begin_at(last, INT64_MAX - 1));
  CHECK_STATUS(USW_ERROR_INVALID, usw_partial_add(last, "abc", 3));
  CHECK_STATUS(USW_OK, usw_partial_add(last, "a", 1));
  usw_partial_t *two = made(USW_ARGMIN, USW_U8, plain, nan);
  CHECK_STATUS(USW_OK, usw_partial_add(two, "ab", 2));
  refused_merge(last, two, "2^63", "argmin_u8");
}

/* Nothing may be merged, sent and received, too; and what came goes on where it was. */
static void empty_and_continued(void) {
  static const float x[] = {3, -1, 2};
  unsigned char block[256];
  size_t bytes;
  usw_located_f32_t result;
  usw_partial_t *part = made(USW_ARGMIN, USW_F32, USW_REPEATABLE, USW_NAN_PROPAGATE), *total = NULL;
  CHECK_STATUS(USW_OK, usw_partial_begin_at(part, 40));
  CHECK_STATUS(USW_OK, usw_partial_export(part, block, sizeof block, &bytes));
  CHECK_STATUS(USW_OK, usw_partial_import(&total, block, bytes, NULL));
  CHECK_STATUS(USW_OK, usw_partial_merge(total, part));
  CHECK_STATUS(USW_OK, usw_partial_result(total, &result));
  CHECK_I64(-1, result.index);
  usw_partial_destroy(part);
  part = made(USW_ARGMIN, USW_F32, USW_REPEATABLE, USW_NAN_PROPAGATE);
  CHECK_STATUS(USW_OK, usw_partial_add(part, x, 3));
  CHECK_STATUS(USW_OK, usw_partial_merge(total, part));
  CHECK_STATUS(USW_OK, usw_partial_result(total, &result));
  CHECK_I64(41, result.index);
  CHECK_STATUS(USW_OK, usw_partial_export(total, block, sizeof block, &bytes));
  usw_partial_destroy(part);
  CHECK_STATUS(USW_OK, usw_partial_import(&part, block, bytes, NULL));
  CHECK_STATUS(USW_OK, usw_partial_add(part, (const float[]){-5}, 1));
  CHECK_STATUS(USW_OK, usw_partial_result(part, &result));
  CHECK_I64(43, result.index);
  usw_partial_destroy(part);
  usw_partial_destroy(total);
}

int main(void) {
  unsigned char block[BLOCK_BYTES];
  usw_partial_t *partial = NULL;
  bytes_of_a_block();
  damaged_blocks();
  forged_blocks();
  refused_exports();
  refused_merges();
  empty_and_continued();
  example_block(block);
  CHECK_STATUS(USW_OK, usw_finalize());
  CHECK_STATUS(USW_ERROR_STATE, usw_partial_import(&partial, block, sizeof block, NULL));
  CHECK_U64(0, usw_partial_export_bytes(USW_PLUS, USW_F64, NULL));
  CHECK(partial == NULL);
  return check_report();
}
