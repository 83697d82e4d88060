/* A kernel whose operators do not commute; the chain has no identity, and shows where indices do not count on, or where parts are merged in another
 * order. For files that say before what it becomes besides: USW_PARTS, USW_MPI. */
#include "user_types.h"

#define USW_KERNEL chained
#define USW_ORDERED 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(uint32_t, x)
#define USW_REDUCERS(R, S) R(chain_t, chain, follow) R(affine_t, map, compose, affine_one())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  usw_combine(chain, link_of(i));
  usw_combine(map, affine_of(x));
}
#include <upsweep/kernel_end.h>
