/* The NVIDIA port: warps of 32, shuffles, one barrier, fences only where a partial is published. */
#ifndef UPSWEEP_PORTS_NVPTX_H
#define UPSWEEP_PORTS_NVPTX_H

#define USW_SUB_GROUP 32
#define USW_PORT_ADDS_DOUBLES 1
#define USW_PARALLEL_BARRIER 5 /* of 16; the compiler's runtime uses 0, 7 and 8 */
#define USW_TEAM_MEMORY static __attribute__((address_space(3), loader_uninitialized))
#define USW_TEAM_SPACE __attribute__((address_space(3)))
#define USW_DEVICE_SPACE __attribute__((address_space(1)))

#pragma omp begin declare target device_type(nohost)

USW_INLINE uint32_t usw_port_thread(void) { return (uint32_t)__nvvm_read_ptx_sreg_tid_x(); }
USW_INLINE uint32_t usw_port_team(void) { return (uint32_t)__nvvm_read_ptx_sreg_ctaid_x(); }
USW_INLINE uint32_t usw_port_teams(void) { return (uint32_t)__nvvm_read_ptx_sreg_nctaid_x(); }

USW_INLINE uint32_t usw_port_threads(void) { return (uint32_t)__nvvm_read_ptx_sreg_ntid_x(); }

/* The first so many lanes of a warp. */
USW_INLINE uint32_t usw_port_mask(uint32_t lanes) { return 0xffffffffu >> (32 - lanes); }

USW_INLINE uint32_t usw_port_shuffle_down(uint32_t word, uint32_t delta, uint32_t lanes) {
  return (uint32_t)__nvvm_shfl_sync_down_i32(usw_port_mask(lanes), (int)word, (int)delta, 31);
}

USW_INLINE uint32_t usw_port_shuffle_up(uint32_t word, uint32_t delta, uint32_t lanes) {
  return (uint32_t)__nvvm_shfl_sync_up_i32(usw_port_mask(lanes), (int)word, (int)delta, 0);
}

USW_INLINE uint32_t usw_port_shuffle(uint32_t word, uint32_t lane, uint32_t lanes) {
  return (uint32_t)__nvvm_shfl_sync_idx_i32(usw_port_mask(lanes), (int)word, (int)lane, 31);
}

USW_INLINE uint32_t usw_port_count(int x, uint32_t lanes) {
  return (uint32_t)__builtin_popcount(__nvvm_vote_ballot_sync(usw_port_mask(lanes), x != 0));
}

/* The lanes before this one that have an x that is not zero. */
USW_INLINE uint32_t usw_port_lanes_before(int x) {
  return __nvvm_vote_ballot_sync(0xffffffffu, x != 0) & __nvvm_read_ptx_sreg_lanemask_lt();
}
USW_INLINE uint32_t usw_port_count_before(int x) { return (uint32_t)__builtin_popcount(usw_port_lanes_before(x)); }
USW_INLINE uint32_t usw_port_lanes_up_to(int x) {
  const uint32_t before = usw_port_lanes_before(x);
  return before ? 32 - (uint32_t)__builtin_clz(before) : 0;
}

/* Lanes that run this at once, and those of them whose x is the same; what such a set of lanes can do, wherever the others are. */
#define USW_PORT_HAS_PEERS 1
USW_INLINE uint32_t usw_port_peers(uint32_t x, uint32_t *here_out) {
  uint32_t here;
  __asm__ volatile("activemask.b32 %0;" : "=r"(here));
  *here_out = here;
  return (uint32_t)__nvvm_match_any_sync_i32(here, (int)x);
}
USW_INLINE uint32_t usw_port_lanes_below(void) { return (uint32_t)__nvvm_read_ptx_sreg_lanemask_lt(); }
USW_INLINE uint32_t usw_port_ballot_here(uint32_t here, int x) { return __nvvm_vote_ballot_sync(here, x != 0); }
USW_INLINE uint32_t usw_port_shuffle_here(uint32_t here, uint32_t word, uint32_t lane) {
  return (uint32_t)__nvvm_shfl_sync_idx_i32(here, (int)word, (int)lane, 31);
}

#define USW_PORT_FOLDS(operation)                                                                                      \
  ((1 << (operation)) &                                                                                                \
   (1 << USW_PLUS | 1 << USW_MINIMUM | 1 << USW_MAXIMUM | 1 << USW_BIT_AND | 1 << USW_BIT_OR | 1 << USW_BIT_XOR))
USW_INLINE uint32_t usw_port_fold_word(int operation, int is_signed, uint32_t word, uint32_t lanes) {
  const int w = (int)word, mask = (int)usw_port_mask(lanes);
  switch (operation) {
  case USW_MINIMUM:
    return (uint32_t)(is_signed ? __nvvm_redux_sync_min(w, mask) : __nvvm_redux_sync_umin(w, mask));
  case USW_MAXIMUM:
    return (uint32_t)(is_signed ? __nvvm_redux_sync_max(w, mask) : __nvvm_redux_sync_umax(w, mask));
  case USW_BIT_AND:
    return (uint32_t)__nvvm_redux_sync_and(w, mask);
  case USW_BIT_OR:
    return (uint32_t)__nvvm_redux_sync_or(w, mask);
  case USW_BIT_XOR:
    return (uint32_t)__nvvm_redux_sync_xor(w, mask);
  default:
    return (uint32_t)__nvvm_redux_sync_add(w, mask);
  }
}

#define USW_PORT_HAS_BYTES 1
USW_INLINE uint32_t usw_port_bytes(uint32_t a, uint32_t b, uint32_t selector) {
  return (uint32_t)__nvvm_prmt((int)a, (int)b, (int)selector);
}

#define USW_PORT_HAS_DOT_BYTES 1
USW_INLINE uint32_t usw_port_dot_bytes(int is_signed, uint32_t a, uint32_t b, uint32_t c) {
  uint32_t sum;
  if (is_signed)
    __asm__("dp4a.s32.s32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  else
    __asm__("dp4a.u32.u32 %0, %1, %2, %3;" : "=r"(sum) : "r"(a), "r"(b), "r"(c));
  return sum;
}

#define USW_PORT_HAS_ENDS 1
#define USW_PORT_END(name, instruction, constraint, T)                                                                 \
  USW_INLINE T name(T a, T b) {                                                                                        \
    T end;                                                                                                             \
    __asm__(instruction " %0, %1, %2;" : "=" constraint(end) : constraint(a), constraint(b));                          \
    return end;                                                                                                        \
  }
#define USW_PORT_ENDS(least, greatest, nans)                                                                           \
  USW_PORT_END(least##_float, "min" nans ".f32", "f", float)                                                           \
  USW_PORT_END(greatest##_float, "max" nans ".f32", "f", float)                                                        \
  USW_PORT_END(least##_pair_f16, "min" nans ".f16x2", "r", uint32_t)                                                   \
  USW_PORT_END(greatest##_pair_f16, "max" nans ".f16x2", "r", uint32_t)                                                \
  USW_PORT_END(least##_pair_bf16, "min" nans ".bf16x2", "r", uint32_t)                                                 \
  USW_PORT_END(greatest##_pair_bf16, "max" nans ".bf16x2", "r", uint32_t)
USW_PORT_ENDS(usw_port_least, usw_port_greatest, ".NaN")
USW_PORT_ENDS(usw_port_least_number, usw_port_greatest_number, "")
#if __CUDA_ARCH__ >= 900
#define USW_PORT_COMPARES_PAIRS 1
USW_PORT_END(usw_port_less_pair_f16, "set.lt.u32.f16x2", "r", uint32_t)
USW_PORT_END(usw_port_less_pair_bf16, "set.lt.u32.bf16x2", "r", uint32_t)
#define USW_PORT_FINDS_NANS 1
USW_PORT_END(usw_port_unlike_pair_f16, "set.nan.u32.f16x2", "r", uint32_t)
USW_PORT_END(usw_port_unlike_pair_bf16, "set.nan.u32.bf16x2", "r", uint32_t)
USW_INLINE uint32_t usw_port_nans_of_pair_f16(uint32_t pair) { return usw_port_unlike_pair_f16(pair, pair); }
USW_INLINE uint32_t usw_port_nans_of_pair_bf16(uint32_t pair) { return usw_port_unlike_pair_bf16(pair, pair); }
#endif

USW_INLINE uint32_t usw_port_opaque(uint32_t x) {
  __asm__ volatile("" : "+r"(x));
  return x;
}

USW_INLINE void usw_port_barrier(void) { __syncthreads(); }

/* A barrier of its own, of whole warps: a parallel region may run beside the team's main thread, which waits elsewhere.
 * OpenMP's own barrier must not stand where bare regions are inlined: LLVM 19's OpenMPOpt takes what follows for unreachable
 * there, without a word. */
USW_INLINE void usw_port_parallel_barrier(uint32_t threads) {
  __nvvm_barrier_sync_cnt(USW_PARALLEL_BARRIER, (threads + 31) / 32 * 32);
}

USW_INLINE void usw_port_sub_group_sync(void) { __nvvm_bar_warp_sync(0xffffffffu); }

USW_INLINE int usw_port_sub_group_any(int x) { return __nvvm_vote_any_sync(0xffffffffu, x != 0); }

USW_INLINE uint32_t usw_port_sub_group_max(uint32_t x) {
  return (uint32_t)__nvvm_redux_sync_umax((int)x, (int)0xffffffffu);
}

USW_INLINE int usw_port_team_any(int x) { return __nvvm_bar0_or(x != 0) != 0; }

#define USW_PORT_HAS_PAIRS 1
USW_INLINE void usw_port_put_pair(uint64_t *to, uint64_t first, uint64_t second) {
  __asm__ volatile("st.relaxed.gpu.v2.u64 [%0], {%1, %2};" ::"l"(to), "l"(first), "l"(second) : "memory");
}
USW_INLINE void usw_port_get_pair(uint64_t *from, uint64_t *first, uint64_t *second) {
  __asm__ volatile("ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(*first), "=l"(*second) : "l"(from) : "memory");
}

/* LLVM 19 makes plain loads of __builtin_nontemporal_load() here. */
#define USW_PORT_READS_ONCE 1
#define USW_PORT_READ_WORD(T, type, constraint)                                                                        \
  {                                                                                                                    \
    T word;                                                                                                            \
    __asm__("ld.global.L1::evict_first." type " %0, [%1];" : "=" constraint(word) : "l"(from));                        \
    __builtin_memcpy(to, &word, (size_t)bytes);                                                                        \
  }
USW_INLINE void usw_port_read_once(void *to, const void *from, int bytes) {
  if (bytes == 16) {
    uint64_t words[2];
    __asm__("ld.global.L1::evict_first.v2.b64 {%0, %1}, [%2];" : "=l"(words[0]), "=l"(words[1]) : "l"(from));
    __builtin_memcpy(to, words, sizeof words);
  } else if (bytes == 8) {
    USW_PORT_READ_WORD(uint64_t, "b64", "l")
  } else if (bytes == 4) {
    USW_PORT_READ_WORD(uint32_t, "b32", "r")
  } else if (bytes == 2) {
    USW_PORT_READ_WORD(uint16_t, "b16", "h")
  } else {
    USW_PORT_READ_WORD(uint16_t, "u8", "h")
  }
}

#define USW_PORT_ASKS 1
USW_INLINE void usw_port_ask_for(const void *line) { __asm__ volatile("prefetch.global.L2 [%0];" ::"l"(line)); }

/* Past the first cache, and past registers. */
#define USW_PORT_HAS_COPIES 1
USW_INLINE void usw_port_copy(USW_TEAM_SPACE void *to, const void *from, int bytes) {
  const uint32_t at = (uint32_t)(uintptr_t)to;
  if (bytes == 16)
    __asm__ volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from) : "memory");
  else if (bytes == 8)
    __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"(at), "l"(from) : "memory");
  else
    __asm__ volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(from) : "memory");
}
USW_INLINE void usw_port_await_copies(void) { __asm__ volatile("cp.async.wait_all;" ::: "memory"); }
USW_INLINE void usw_port_batch_copies(void) { __asm__ volatile("cp.async.commit_group;" ::: "memory"); }
USW_INLINE void usw_port_await_batches(void) { __asm__ volatile("cp.async.wait_group 1;" ::: "memory"); }

USW_INLINE void usw_port_acquire(void) { __asm__ volatile("fence.acq_rel.gpu;" ::: "memory"); }

USW_INLINE void usw_port_publish(void) { __asm__ volatile("fence.acq_rel.sys;" ::: "memory"); }

USW_INLINE uint32_t usw_port_add_ticket(uint32_t *ticket, uint32_t x) {
  return (uint32_t)__nvvm_atom_add_gen_i((int *)ticket, (int)x);
}
USW_INLINE uint32_t usw_port_take_ticket(uint32_t *ticket) {
  usw_port_acquire();
  return usw_port_add_ticket(ticket, 1);
}

#pragma omp end declare target
#endif
