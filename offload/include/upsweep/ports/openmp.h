/* The port of plain OpenMP: every worker is a team of one. It serves the x86_64 device, where bare regions do not work,
 * and is what the host compiles of a kernel. */
#ifndef UPSWEEP_PORTS_OPENMP_H
#define UPSWEEP_PORTS_OPENMP_H

#define USW_SUB_GROUP 1
#define USW_PORT_ADDS_DOUBLES 0

/* For the threads of a parallel region of the user's own. */
USW_INLINE void usw_port_parallel_barrier(uint32_t threads) {
  (void)threads;
#ifdef _OPENMP
#pragma omp barrier
#endif
}

USW_INLINE uint32_t usw_port_opaque(uint32_t x) { return x; }
USW_INLINE void usw_port_acquire(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }

USW_INLINE uint32_t usw_port_take_ticket(uint32_t *ticket) { return __atomic_fetch_add(ticket, 1u, __ATOMIC_ACQ_REL); }

#endif
