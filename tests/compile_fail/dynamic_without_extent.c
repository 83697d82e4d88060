/* expect: (few arguments|incompatible|expected) */
/* A span whose extent is not known takes one with each call. */
#define USW_KERNEL count
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, key)
#define USW_REDUCERS(R, S) S(uint64_t, counts, USW_DYNAMIC_EXTENT, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_inc_at(counts, key); }
#include <upsweep/kernel_end.h>
usw_status_t wrong(const uint32_t *key, uint64_t *counts) { return count(10, key, counts, NULL); }
