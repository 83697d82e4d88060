#include "hashes.h"

#include <stddef.h>
#include <string.h>

#include "support/check.h"

const hash_sizes_t hash_most = {"most", {1, 2, 63, 64, 65, 1000, 2047, 2048, 2049, MIDDLE}};
const hash_sizes_t hash_large = {"large", {LARGE}};

typedef struct {
  const char *type, *set, *function, *sizes;
  uint64_t hash;
} expected_t;
static const expected_t expected[] = {
#define HASH(type, set, function, sizes, hash) {#type, #set, #function, #sizes, hash},
#include "same_bits.expected"
#undef HASH
};
enum { EXPECTED = sizeof expected / sizeof *expected };

size_t hash_count(void) { return EXPECTED; }

int hash_covers(const row_t *row) {
  switch (row->operation) {
  case USW_PLUS:
  case USW_DOT:
  case USW_DOTC:
  case USW_NORM1:
  case USW_NORM2:
  case USW_DESCRIBE:
    return 1;
  default:
    return 0;
  }
}

const unsigned char *hash_bytes(const row_t *row, const result_t *result, size_t *bytes_out) {
  *bytes_out = row->result == RESULT_DESCRIBE ? 2 * sizeof(double) : row->result_bytes;
  return result->bytes + (row->result == RESULT_DESCRIBE ? offsetof(usw_describe_f64_t, mean) : 0);
}

/* FNV-1a. */
uint64_t hash_add(uint64_t hash, const row_t *row, const result_t *result) {
  size_t bytes;
  const unsigned char *at = hash_bytes(row, result, &bytes);
  for (size_t b = 0; b < bytes; b++)
    hash = (hash ^ at[b]) * 0x100000001b3u;
  return hash;
}

int hash_check(hard_set_t set, const row_t *row, const hash_sizes_t *sizes, uint64_t hash) {
  const char *const type = type_name(row->type);
  for (int k = 0; k < EXPECTED; k++)
    if (strcmp(expected[k].type, type) == 0 && strcmp(expected[k].set, hard_name(set)) == 0 &&
        strcmp(expected[k].function, row->name) == 0 && strcmp(expected[k].sizes, sizes->name) == 0) {
      check_count(expected[k].hash == hash, __FILE__, __LINE__, "%s_%s of %s, %s: hash 0x%016llx, expected 0x%016llx",
                  row->name, type, hard_name(set), sizes->name, (unsigned long long)hash,
                  (unsigned long long)expected[k].hash);
      return 1;
    }
  return check_count(0, __FILE__, __LINE__, "%s_%s of %s, %s: there is no hash in same_bits.expected", row->name, type,
                     hard_name(set), sizes->name);
}
