/* The NVIDIA port: warps of 32, shuffles, one barrier, fences only where a partial is published. */
#ifndef UPSWEEP_PORTS_NVPTX_H
#define UPSWEEP_PORTS_NVPTX_H

#define USW_SUB_GROUP 32
#define USW_PORT_ADDS_DOUBLES 1
#define USW_TEAM_MEMORY static __attribute__((address_space(3), loader_uninitialized))

#pragma omp begin declare target device_type(nohost)

USW_INLINE uint32_t usw_port_thread(void) { return (uint32_t)__nvvm_read_ptx_sreg_tid_x(); }
USW_INLINE uint32_t usw_port_team(void) { return (uint32_t)__nvvm_read_ptx_sreg_ctaid_x(); }
USW_INLINE uint32_t usw_port_teams(void) { return (uint32_t)__nvvm_read_ptx_sreg_nctaid_x(); }

USW_INLINE uint32_t usw_port_shuffle_down(uint32_t word, uint32_t delta) {
  return (uint32_t)__nvvm_shfl_sync_down_i32(0xffffffffu, (int)word, (int)delta, 31);
}

USW_INLINE uint32_t usw_port_shuffle(uint32_t word, uint32_t lane) {
  return (uint32_t)__nvvm_shfl_sync_idx_i32(0xffffffffu, (int)word, (int)lane, 31);
}

USW_INLINE uint32_t usw_port_opaque(uint32_t x) {
  __asm__ volatile("" : "+r"(x));
  return x;
}

USW_INLINE void usw_port_barrier(void) { __syncthreads(); }

USW_INLINE void usw_port_sub_group_sync(void) { __nvvm_bar_warp_sync(0xffffffffu); }

USW_INLINE int usw_port_sub_group_any(int x) { return __nvvm_vote_any_sync(0xffffffffu, x != 0); }

USW_INLINE uint32_t usw_port_sub_group_max(uint32_t x) {
  return (uint32_t)__nvvm_redux_sync_umax((int)x, (int)0xffffffffu);
}

USW_INLINE int usw_port_team_any(int x) { return __nvvm_bar0_or(x != 0) != 0; }

USW_INLINE void usw_port_acquire(void) { __asm__ volatile("fence.acq_rel.gpu;" ::: "memory"); }

USW_INLINE uint32_t usw_port_take_ticket(uint32_t *ticket) {
  usw_port_acquire();
  return (uint32_t)__nvvm_atom_add_gen_i((int *)ticket, 1);
}

#pragma omp end declare target
#endif
