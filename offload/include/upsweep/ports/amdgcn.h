/* The AMD port: wavefronts of 64 (32 where the target says so), words exchanged by ds_bpermute. Compiled, not yet run. */
#ifndef UPSWEEP_PORTS_AMDGCN_H
#define UPSWEEP_PORTS_AMDGCN_H

#if defined(__AMDGCN_WAVEFRONT_SIZE) && __AMDGCN_WAVEFRONT_SIZE == 32
#define USW_SUB_GROUP 32
#else
#define USW_SUB_GROUP 64
#endif
#define USW_PORT_ADDS_DOUBLES 1
#define USW_TEAM_MEMORY static __attribute__((address_space(3), loader_uninitialized))
#define USW_TEAM_SPACE __attribute__((address_space(3)))
#define USW_DEVICE_SPACE

#pragma omp begin declare target device_type(nohost)

USW_INLINE uint32_t usw_port_thread(void) { return (uint32_t)__builtin_amdgcn_workitem_id_x(); }
USW_INLINE uint32_t usw_port_team(void) { return (uint32_t)__builtin_amdgcn_workgroup_id_x(); }
USW_INLINE uint32_t usw_port_teams(void) {
  return (uint32_t)(__builtin_amdgcn_grid_size_x() / __builtin_amdgcn_workgroup_size_x());
}

USW_INLINE uint32_t usw_port_threads(void) { return (uint32_t)__builtin_amdgcn_workgroup_size_x(); }

USW_INLINE uint32_t usw_port_shuffle(uint32_t word, uint32_t lane, uint32_t lanes USW_UNUSED) {
  return (uint32_t)__builtin_amdgcn_ds_bpermute((int)(lane * 4), (int)word);
}

USW_INLINE uint32_t usw_port_shuffle_down(uint32_t word, uint32_t delta, uint32_t lanes) {
  return usw_port_shuffle(word, (usw_port_thread() & (USW_SUB_GROUP - 1)) + delta, lanes);
}

USW_INLINE uint32_t usw_port_shuffle_up(uint32_t word, uint32_t delta, uint32_t lanes) {
  return usw_port_shuffle(word, (usw_port_thread() & (USW_SUB_GROUP - 1)) - delta, lanes);
}

USW_INLINE uint32_t usw_port_count(int x, uint32_t lanes USW_UNUSED) {
#if USW_SUB_GROUP == 64
  return (uint32_t)__builtin_popcountll(__builtin_amdgcn_ballot_w64(x != 0));
#else
  return (uint32_t)__builtin_popcount(__builtin_amdgcn_ballot_w32(x != 0));
#endif
}

/* The lanes before this one that have an x that is not zero. */
USW_INLINE uint64_t usw_port_lanes_before(int x) {
#if USW_SUB_GROUP == 64
  const uint64_t lanes = __builtin_amdgcn_ballot_w64(x != 0);
#else
  const uint64_t lanes = __builtin_amdgcn_ballot_w32(x != 0);
#endif
  return lanes & ((1ull << (usw_port_thread() & (USW_SUB_GROUP - 1))) - 1);
}
USW_INLINE uint32_t usw_port_count_before(int x) { return (uint32_t)__builtin_popcountll(usw_port_lanes_before(x)); }
USW_INLINE uint32_t usw_port_lanes_up_to(int x) {
  const uint64_t lanes = usw_port_lanes_before(x);
  return lanes ? 64 - (uint32_t)__builtin_clzll(lanes) : 0;
}

USW_INLINE uint32_t usw_port_opaque(uint32_t x) {
  __asm__ volatile("" : "+v"(x));
  return x;
}

USW_INLINE void usw_port_barrier(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

/* Of the whole team: there is no barrier for some of its wavefronts. */
USW_INLINE void usw_port_parallel_barrier(uint32_t threads) {
  (void)threads;
  usw_port_barrier();
}

USW_INLINE void usw_port_sub_group_sync(void) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "wavefront");
  __builtin_amdgcn_wave_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "wavefront");
}

USW_INLINE int usw_port_sub_group_any(int x) {
#if USW_SUB_GROUP == 64
  return __builtin_amdgcn_ballot_w64(x != 0) != 0;
#else
  return __builtin_amdgcn_ballot_w32(x != 0) != 0;
#endif
}

USW_INLINE uint32_t usw_port_sub_group_max(uint32_t x) {
  uint32_t most = 0;
  for (uint32_t bit = 1u << 31; bit != 0; bit >>= 1)
    most |= usw_port_sub_group_any(x >= (most | bit)) ? bit : 0;
  return most;
}

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wstatic-in-inline" /* as in kernel.h */
USW_TEAM_MEMORY uint32_t usw_port_any_word;
USW_INLINE int usw_port_team_any(int x) {
  usw_port_barrier();
  if (usw_port_thread() == 0)
    usw_port_any_word = 0;
  usw_port_barrier();
  if (x)
    usw_port_any_word = 1;
  usw_port_barrier();
  return usw_port_any_word != 0;
}
#pragma clang diagnostic pop

USW_INLINE void usw_port_acquire(void) { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "agent"); }
USW_INLINE void usw_port_publish(void) { __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, ""); }

USW_INLINE uint32_t usw_port_add_ticket(uint32_t *ticket, uint32_t x) {
  return __atomic_fetch_add(ticket, x, __ATOMIC_RELAXED);
}
USW_INLINE uint32_t usw_port_take_ticket(uint32_t *ticket) {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");
  return usw_port_add_ticket(ticket, 1);
}

#pragma omp end declare target
#endif
