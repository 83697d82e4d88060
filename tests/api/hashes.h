/* The hashes of same_bits.expected: of each data set and function the bytes of the results at several sizes. */
#ifndef USW_TESTS_HASHES_H
#define USW_TESTS_HASHES_H

#include "hard_data.h"
#include "oracle/oracle.h"

/* Sizes whose results make one hash. */
typedef struct {
  const char *name;
  size_t sizes[12]; /* up to the first 0 */
} hash_sizes_t;
enum { MIDDLE = 70003, LARGE = (1 << 22) + 3 };
extern const hash_sizes_t hash_most, hash_large;

#define HASH_START 0xcbf29ce484222325u

/* Whether there are hashes of a function: one that rounds. */
int hash_covers(const row_t *row);

/* The bytes of a result that no order of the items may change: indices of extremes are not. */
const unsigned char *hash_bytes(const row_t *row, const result_t *result, size_t *bytes_out);

uint64_t hash_add(uint64_t hash, const row_t *row, const result_t *result);

/* Check a hash: 1 if there is one to compare with. */
int hash_check(hard_set_t set, const row_t *row, const hash_sizes_t *sizes, uint64_t hash);

/* How many there are. */
size_t hash_count(void);

#endif
