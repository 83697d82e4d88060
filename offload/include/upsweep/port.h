/* A port says how a team of this target works: who am I, exchange a word, wait for each other. All builtins live there.
 *
 *   USW_SUB_GROUP                  threads that exchange words without team memory (1: no teams at all)
 *   USW_TEAM_MEMORY                storage of a static object that a team shares
 *   USW_TEAM_SPACE                 what pointers to such objects say of what they point to
 *   USW_DEVICE_SPACE               what pointers to the device's memory say
 *   USW_PORT_ADDS_DOUBLES          1: __atomic_fetch_add takes doubles in device memory
 *   usw_port_thread() team() teams()
 *   usw_port_threads()             of this team
 *   usw_port_shuffle_down(w, d, l) the word w of the lane d further up, of the first l of the sub-group, all of which have
 *                                  come here (any word beyond the end)
 *   usw_port_shuffle_up(w, d, l)   the same, d further down (any word before lane 0)
 *   usw_port_shuffle(w, k, l)      the same, of lane k
 *   usw_port_count(x, l)           how many of the first l lanes of the sub-group have an x that is not zero
 *   usw_port_count_before(x)       how many of the lanes before this one have an x that is not zero
 *   usw_port_lanes_up_to(x)        how many lanes there are up to the last one before this one that has such an x; 0: none has
 *   usw_port_fold_word(o, s, w, l) the words w of the first l lanes combined by a library operator of integers, of signed ones
 *                                  if s is not 0; only where USW_PORT_FOLDS(o) is not 0
 *   usw_port_sub_group_sum(x)      the sum of the sub-group's x, of 64 bits
 *   usw_port_sub_group_least(s, w) its least word, as signed integers if s is not 0
 *   usw_port_barrier()             every thread of the team has come here; team memory is seen by all
 *   usw_port_parallel_barrier(n)   the same for the n threads of a parallel region, which are the first of the team
 *   usw_port_sub_group_sync()      the same for a sub-group
 *   usw_port_sub_group_any(x)      whether x is not zero in any thread of the sub-group, all of which have come here
 *   usw_port_sub_group_max(x)      the largest x of the sub-group
 *   usw_port_peers(x, &here)       of the lanes that run this at once, which may be some of the sub-group, those that have the same x;
 *                                  here: all of them. Such a set of lanes is a word with a bit for each
 *   usw_port_ballot_here(here, x)  those of them that have an x that is not zero
 *   usw_port_shuffle_here(here, w, k)  the word w of lane k, one of them
 *   usw_port_lanes_below()         the lanes before this one
 *   usw_port_team_any(x)           whether it is so in any of the team; a barrier too
 *   usw_port_bytes(a, b, s)        four bytes: which, the hexadecimal digits of s say, that of the lowest byte last. 0 to 3 are
 *                                  those of a, 4 to 7 those of b; 8 more: its highest bit eight times
 *   usw_port_least_float(a, b), usw_port_greatest_float(a, b), usw_port_least_pair_f16(a, b) and so on of two words of two
 *                                  halves: the lesser, the greater; -0 is less than 0, a NaN wins. Where USW_PORT_HAS_ENDS is defined; so are
 *   usw_port_least_number_float(a, b) and so on, the same, but a NaN loses
 *   usw_port_less_pair_f16(a, b)   all bits of a half where a's is less than b's; zeros are equal; and usw_port_less_pair_bf16(). Quick where
 *                                  USW_PORT_COMPARES_PAIRS is 1
 *   usw_port_nans_of_pair_f16(a)   all bits of a half that is a NaN; and usw_port_nans_of_pair_bf16(). The port has them if it defines
 *                                  USW_PORT_FINDS_NANS, else ranks.h
 *   usw_port_opaque(x)             x, and the compiler does not know it: what is made of it in a loop is not kept in registers
 *   usw_port_take_ticket(t)        everything written before is seen by whoever takes a later ticket
 *   usw_port_add_ticket(t, x)      x to a ticket, and what it was before; nothing written is seen by that
 *   usw_port_read_once(to, from, b) b bytes, 1, 2, 4, 8 or 16 on such a boundary, of device memory that nobody writes to, into
 *                                  registers: the caches rather keep what else they have
 *   usw_port_ask_for(line)         the line of device memory at this address is on its way into the cache that all teams share, where the
 *                                  port can ask so
 *   usw_port_copy(to, from, b)     b bytes, 4, 8 or 16 on such a boundary, on their way into team memory
 *   usw_port_await_copies()        those of this thread have arrived
 *   usw_port_batch_copies()        those that this thread has made since it asked for this before are a batch
 *   usw_port_await_batches()       those of all batches of this thread but the last one have arrived
 *   usw_port_acquire()             see what the takers of earlier tickets wrote
 *   usw_port_publish()             let the host see it, and what this thread wrote, before what it writes next
 *   usw_port_send(to, a, b)        two words to 16 bytes of device memory, so that usw_port_has_come(to, &a, &b) in another
 *                                  team is 0 until both have arrived. Zeros mean that nothing has been sent
 */
#ifndef UPSWEEP_PORT_H
#define UPSWEEP_PORT_H

#include <stdint.h>
#include <upsweep/reducer.h>

#if defined(__NVPTX__)
#include <upsweep/ports/nvptx.h>
#elif defined(__AMDGCN__)
#include <upsweep/ports/amdgcn.h>
#elif defined(USW_PORT_SIMT)
#include <upsweep/ports/simt.h>
#else
#include <upsweep/ports/openmp.h>
#endif

#ifndef USW_PORT_COMPARES_PAIRS
#define USW_PORT_COMPARES_PAIRS 0
#endif
#if !defined(USW_PORT_HAS_COPIES) && USW_SUB_GROUP > 1
USW_INLINE void usw_port_copy(USW_TEAM_SPACE void *to, const void *from, int bytes) {
  for (int k = 0; k < bytes; k++)
    ((USW_TEAM_SPACE unsigned char *)to)[k] = ((const unsigned char *)from)[k];
}
USW_INLINE void usw_port_await_copies(void) {}
USW_INLINE void usw_port_batch_copies(void) {}
USW_INLINE void usw_port_await_batches(void) {}
#endif
#ifndef USW_PORT_ASKS
USW_INLINE void usw_port_ask_for(const void *line) { (void)line; }
#endif
#ifndef USW_PORT_READS_ONCE
USW_INLINE void usw_port_read_once(void *to, const void *from, int bytes) { __builtin_memcpy(to, from, (size_t)bytes); }
#endif
#ifndef USW_PORT_HAS_BYTES
USW_INLINE uint32_t usw_port_bytes(uint32_t a, uint32_t b, uint32_t selector) {
  const uint64_t both = (uint64_t)b << 32 | a;
  uint32_t bytes = 0;
  USW_UNROLL for (uint32_t k = 0; k < 4; k++) {
    const uint32_t digit = selector >> 4 * k & 15, byte = (uint32_t)(both >> 8 * (digit & 7)) & 0xff;
    bytes |= (digit > 7 ? (byte >> 7) * 0xff : byte) << 8 * k;
  }
  return bytes;
}
#endif
/* c and the products of four pairs of bytes, a's and b's. */
#ifndef USW_PORT_HAS_DOT_BYTES
USW_INLINE uint32_t usw_port_dot_bytes(int is_signed, uint32_t a, uint32_t b, uint32_t c) {
  USW_UNROLL for (uint32_t k = 0; k < 32; k += 8) {
    const uint32_t x = a >> k & 0xff, y = b >> k & 0xff;
    c += is_signed ? (uint32_t)((int8_t)x * (int8_t)y) : x * y;
  }
  return c;
}
#endif
/* Each word travels with a flag, in 8 bytes that are written and read at once: nothing else has to be ordered. */
enum {
  USW_SENT = 1,
  USW_SENT_BYTES = 16, /* a kernel's accumulator that is sent so, at most */
  USW_SENT_COLUMNS = 4 /* or a reproducible sum's units of up to three bins and its window (engine/binned_exchange.h) */
};
#ifndef USW_PORT_HAS_PAIRS
USW_INLINE void usw_port_put_pair(uint64_t *to, uint64_t first, uint64_t second) {
  __atomic_store_n(&to[0], first, __ATOMIC_RELAXED);
  __atomic_store_n(&to[1], second, __ATOMIC_RELAXED);
}
USW_INLINE void usw_port_get_pair(uint64_t *from, uint64_t *first, uint64_t *second) {
  *first = __atomic_load_n(&from[0], __ATOMIC_RELAXED);
  *second = __atomic_load_n(&from[1], __ATOMIC_RELAXED);
}
#endif
USW_INLINE void usw_port_send(uint64_t *to, uint32_t a, uint32_t b) {
  usw_port_put_pair(to, (uint64_t)USW_SENT << 32 | a, (uint64_t)USW_SENT << 32 | b);
}
USW_INLINE int usw_port_has_come(uint64_t *from, uint32_t *a, uint32_t *b) {
  uint64_t first, second;
  usw_port_get_pair(from, &first, &second);
  *a = (uint32_t)first;
  *b = (uint32_t)second;
  return (first & second) >> 32 == USW_SENT;
}
#ifndef USW_PORT_HAS_PEERS /* each lane is by itself */
USW_INLINE uint32_t usw_port_peers(uint32_t x, uint32_t *here_out) {
  (void)x;
  *here_out = 1;
  return 1;
}
USW_INLINE uint32_t usw_port_ballot_here(uint32_t here, int x) { return x != 0 ? here : 0; }
USW_INLINE uint32_t usw_port_shuffle_here(uint32_t here, uint32_t word, uint32_t lane) {
  (void)here, (void)lane;
  return word;
}
USW_INLINE uint32_t usw_port_lanes_below(void) { return 0; }
#endif
#ifndef USW_PORT_FOLDS
#define USW_PORT_FOLDS(operation) 0
USW_INLINE uint32_t usw_port_fold_word(int operation, int is_signed, uint32_t word, uint32_t lanes) {
  (void)operation, (void)is_signed, (void)lanes;
  return word;
}
#endif
#if USW_SUB_GROUP > 1
/* In three parts of at most 27 bits, 32 of which fit a word. */
USW_INLINE uint64_t usw_port_sub_group_sum(uint64_t x) {
  const uint32_t part = (1u << 27) - 1, lane = usw_port_thread() % USW_SUB_GROUP;
  if (USW_SUB_GROUP <= 32 && USW_PORT_FOLDS(USW_PLUS) != 0) {
    const uint32_t low = usw_port_fold_word(USW_PLUS, 0, (uint32_t)x & part, USW_SUB_GROUP);
    const uint32_t middle = usw_port_fold_word(USW_PLUS, 0, (uint32_t)(x >> 27) & part, USW_SUB_GROUP);
    const uint32_t high = usw_port_fold_word(USW_PLUS, 0, (uint32_t)(x >> 54), USW_SUB_GROUP);
    return low + ((uint64_t)middle << 27) + ((uint64_t)high << 54);
  }
  for (uint32_t distance = 1; distance < USW_SUB_GROUP; distance *= 2) {
    const uint32_t low = usw_port_shuffle((uint32_t)x, lane ^ distance, USW_SUB_GROUP);
    x += (uint64_t)usw_port_shuffle((uint32_t)(x >> 32), lane ^ distance, USW_SUB_GROUP) << 32 | low;
  }
  return x;
}
USW_INLINE uint32_t usw_port_sub_group_least(int is_signed, uint32_t word) {
  const uint32_t lane = usw_port_thread() % USW_SUB_GROUP;
  if (USW_PORT_FOLDS(USW_MINIMUM))
    return usw_port_fold_word(USW_MINIMUM, is_signed, word, USW_SUB_GROUP);
  for (uint32_t distance = 1; distance < USW_SUB_GROUP; distance *= 2) {
    const uint32_t other = usw_port_shuffle(word, lane ^ distance, USW_SUB_GROUP);
    word = (is_signed ? (int32_t)other < (int32_t)word : other < word) ? other : word;
  }
  return word;
}
#endif

#endif
