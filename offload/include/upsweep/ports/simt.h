/* The port of the tests: a team's threads are fibers of one CPU thread, so that the very source of the GPU's kernels
 * runs, and is checked by sanitizers, on any machine. Sub-groups of 32; the functions are in tests/simt. */
#ifndef UPSWEEP_PORTS_SIMT_H
#define UPSWEEP_PORTS_SIMT_H

#define USW_SUB_GROUP 32
#define USW_PORT_ADDS_DOUBLES 0
#define USW_PORT_COMPARES_PAIRS 1
#define USW_TEAM_MEMORY static _Thread_local
#define USW_TEAM_SPACE
#define USW_DEVICE_SPACE

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
uint32_t usw_port_count_before(int x);
uint32_t usw_port_lanes_up_to(int x);
#define USW_PORT_HAS_COPIES 1
void usw_port_copy(void *to, const void *from, int bytes);
void usw_port_await_copies(void);
void usw_port_batch_copies(void);
void usw_port_await_batches(void);
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
void usw_port_publish(void);
uint32_t usw_port_take_ticket(uint32_t *ticket);
uint32_t usw_port_add_ticket(uint32_t *ticket, uint32_t x);

/* By chance other threads of the team, and other resident teams, go on first. */
void usw_simt_pause(void);

#define USW_PORT_HAS_PAIRS 1
USW_INLINE void usw_port_put_pair(uint64_t *to, uint64_t first, uint64_t second) {
  usw_simt_pause();
  __atomic_store_n(&to[0], first, __ATOMIC_RELAXED);
  usw_simt_pause();
  __atomic_store_n(&to[1], second, __ATOMIC_RELAXED);
}
USW_INLINE void usw_port_get_pair(uint64_t *from, uint64_t *first, uint64_t *second) {
  usw_simt_pause();
  *first = __atomic_load_n(&from[0], __ATOMIC_RELAXED);
  *second = __atomic_load_n(&from[1], __ATOMIC_RELAXED);
}

/* Runs `threads` fibers of one team after the other through body(context), teams in no particular order; or, where it waits
 * for the others, the last one last. */
void usw_simt_launch(uint32_t teams, uint32_t threads, void (*body)(void *context), void *context);
void usw_simt_launch_awaiting(uint32_t teams, uint32_t threads, void (*body)(void *context), void *context);

/* An object of a kernel's team memory. */
typedef struct {
  void *start;
  size_t bytes;
} usw_simt_object_t;

/* For teams that wait for each other: several are resident at once and take turns by chance. They start in order, or in no particular
 * one. Each has team memory of its own: `objects` are all that the kernel has of it. */
void usw_simt_launch_resident(uint32_t teams, uint32_t threads, int is_in_order, const usw_simt_object_t *objects,
                              uint32_t object_count, void (*body)(void *context), void *context);
USW_END_C

#endif
