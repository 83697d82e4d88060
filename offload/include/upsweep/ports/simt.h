/* The port of the tests: a team's threads are fibers of one CPU thread, so that the very source of the GPU's kernels
 * runs, and is checked by sanitizers, on any machine. Sub-groups of 32; the functions are in tests/simt. */
#ifndef UPSWEEP_PORTS_SIMT_H
#define UPSWEEP_PORTS_SIMT_H

#define USW_SUB_GROUP 32
#define USW_PORT_ADDS_DOUBLES 0
#define USW_TEAM_MEMORY static _Thread_local
#define USW_TEAM_SPACE

USW_BEGIN_C
uint32_t usw_port_thread(void);
uint32_t usw_port_team(void);
uint32_t usw_port_teams(void);
uint32_t usw_port_threads(void);
uint32_t usw_port_shuffle_down(uint32_t word, uint32_t delta, uint32_t lanes);
uint32_t usw_port_shuffle_up(uint32_t word, uint32_t delta, uint32_t lanes);
USW_INLINE uint32_t usw_port_opaque(uint32_t x) { return x; }
uint32_t usw_port_shuffle(uint32_t word, uint32_t lane, uint32_t lanes);
uint32_t usw_port_count(int x, uint32_t lanes);
void usw_port_barrier(void);
USW_INLINE void usw_port_parallel_barrier(uint32_t threads) {
  (void)threads;
  usw_port_barrier();
}
void usw_port_sub_group_sync(void);
int usw_port_sub_group_any(int x);
uint32_t usw_port_sub_group_max(uint32_t x);
int usw_port_team_any(int x);
void usw_port_acquire(void);
uint32_t usw_port_take_ticket(uint32_t *ticket);
uint32_t usw_port_add_ticket(uint32_t *ticket, uint32_t x);

/* Runs `threads` fibers of one team after the other through body(context), teams in no particular order; or, where it waits
 * for the others, the last one last; or in their order. */
void usw_simt_launch(uint32_t teams, uint32_t threads, void (*body)(void *context), void *context);
void usw_simt_launch_awaiting(uint32_t teams, uint32_t threads, void (*body)(void *context), void *context);
void usw_simt_launch_in_order(uint32_t teams, uint32_t threads, void (*body)(void *context), void *context);
USW_END_C

#endif
