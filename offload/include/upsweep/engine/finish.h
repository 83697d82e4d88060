/* The finish policy: where a partial goes, and who folds all of them.
 *
 *   last team   each team leaves its partial in its record (blocks.h); whichever leaves it last folds all of them, in an order
 *               that depends on the numbers of the teams alone, so that timing never shows in the result
 *   waiting     where a device starts teams in the order of their numbers, the last one waits for what the others hand over
 *               (hand_off.h), which takes no ticket and no fence. It keeps nobody from running: when it starts, all others have. On
 *               an H200 sums, minima and dot are 2 to 6 % faster by it up to 2^22 elements; larger accumulators are slower to
 *               hand over than to publish (description of doubles 1.4 times), but for reproducible sums, which go as columns of
 *               integers (binned_exchange.h)
 *   atomics     into cells that all combine into (atomics.h)
 *   host        records are left for the host, or for the next launch
 *   by cells    a launch over records with blocks of cells, whose last team is to finish: all teams fold cells at once
 *   common      of large blocks whose cells atomics of device memory combine: several teams have one, or all. A launch of its own clears
 *               them; they, and what teams leave behind them, are folded by cells
 *
 * Who finishes is a team of threads on a GPU, and elsewhere a worker, a team of one.
 *
 * A kernel's file may have a finish of its own for teams of threads (USW_OWN_FINISH, bodies.h; tests/simt/own_finish.h is one). */

#ifndef UPSWEEP_ENGINE_FINISH_ONCE
#define UPSWEEP_ENGINE_FINISH_ONCE
enum { USW_BLOCK_GROUP = 32 /* teams whose last folds their blocks */ };
#endif

/* Where partials go. */
typedef struct {
  uint32_t finish;        /* a usw_finish_t */
  int is_of_records;      /* 1: of records that a launch before has left, whose cells are in their blocks already */
  uint32_t asked;         /* the same with the number of common blocks */
  USW_F(_acc) * partials; /* a record of each team, the cells of atomics, or what is handed over */
  uint32_t *ticket;
  USW_F(_acc) * out; /* what all of them fold to */
} USW_F(_sink);

#if USW_SUB_GROUP > 1
USW_TEAM_MEMORY uint32_t USW_F(_is_last);

/* The records among first, ..., end - 1 that a thread folds: every team-size-th, or, in order, neighbours. */
USW_INLINE uint32_t USW_F(_first_record)(uint32_t first, uint32_t end, uint32_t thread) {
  return first + (USW_F(_ordered) ? (uint32_t)((uint64_t)(end - first) * thread / USW_TEAM_SIZE) : thread);
}
USW_INLINE uint32_t USW_F(_end_record)(uint32_t first, uint32_t end, uint32_t thread) {
  return USW_F(_ordered) ? USW_F(_first_record)(first, end, thread + 1) : end;
}

/* Where a team leaves its accumulator when blocks are for several teams: behind all of them. */
USW_INLINE USW_F(_acc) *
    USW_F(_behind_blocks)(void *records, uint32_t blocks, uint64_t team, const USW_F(_arguments) * arguments) {
  char *const behind = (char *)records + blocks * USW_F(_record_bytes)(arguments);
  return (USW_F(_acc) *)(void *)(behind + team * USW_BLOCK_ROUND(sizeof(USW_F(_acc))));
}

/* What a team leaves behind, in its record. */
USW_INLINE void USW_F(_publish)(const USW_F(_worker) w, const USW_F(_sink) sink) {
  if (usw_port_thread() == 0)
    *USW_F(_record)(sink.partials, usw_port_team(), w.arguments) = *w.a;
  if (USW_F(_block_spans) > 0 && !sink.is_of_records)
    USW_F(_publish_cells)(w.s);
}

/* Whether this team is the last to come here of `members`. Everything that the others wrote is seen then. */
USW_INLINE int USW_F(_is_last_of)(uint32_t members, uint32_t *ticket) {
  if (usw_port_thread() == 0)
    USW_F(_is_last) = usw_port_take_ticket(ticket) == members - 1;
  usw_port_barrier();
  const int is_last = USW_F(_is_last) != 0;
  if (is_last)
    usw_port_acquire();
  return is_last;
}

/* Some records, `step` bytes apart, and which of their cells a thread folds: every threads-th. */
typedef struct {
  USW_F(_acc) * first;
  uint32_t count;
  uint64_t step, thread, threads;
} USW_F(_records);

/* Those that a team folds, and those that all teams do together. */
USW_INLINE USW_F(_records) USW_F(_records_of_team)(USW_F(_acc) * first, uint32_t count, uint64_t step) {
  const USW_F(_records) records = {first, count, step, usw_port_thread(), USW_TEAM_SIZE};
  return records;
}
USW_INLINE USW_F(_records) USW_F(_records_of_teams)(USW_F(_acc) * first, uint32_t count, uint64_t step) {
  const USW_F(_records) records = {first, count, step, usw_port_team() * (uint64_t)USW_TEAM_SIZE + usw_port_thread(),
                                   usw_port_teams() * (uint64_t)USW_TEAM_SIZE};
  return records;
}

/* Fold the blocks of records into the block of another. */
USW_INLINE void USW_F(_fold_records)(const USW_F(_arguments) * arguments, USW_F(_acc) * into_record,
                                     USW_F(_records) records) {
  const uint64_t thread USW_UNUSED = records.thread, threads USW_UNUSED = records.threads,
                        step USW_UNUSED = records.step;
  const uint32_t count USW_UNUSED = records.count;
  USW_F(_spans) spans_into, spans_of_first;
  USW_F(_spans) *const into USW_UNUSED = &spans_into, *const s USW_UNUSED = &spans_of_first;
  USW_F(_place_spans)(into, arguments, into_record);
  USW_F(_place_spans)(s, arguments, records.first);
  USW_REDUCERS(USW_R_NOTHING, USW_S_FOLD_RECORDS)
}

/* The last of a group of teams folds its blocks, the last of the groups those of all groups, into the block behind *out.
 * 1 in the very last team. Tickets: one for the groups, then one per group. */
USW_INLINE int USW_F(_fold_blocks)(const USW_F(_arguments) * arguments, const USW_F(_sink) sink) {
  const uint32_t teams = usw_port_teams(), group = usw_port_team() / USW_BLOCK_GROUP, first = group * USW_BLOCK_GROUP;
  const uint32_t groups = (teams + USW_BLOCK_GROUP - 1) / USW_BLOCK_GROUP;
  const uint32_t members = teams - first < USW_BLOCK_GROUP ? teams - first : USW_BLOCK_GROUP;
  const uint64_t bytes = USW_F(_record_bytes)(arguments);
  USW_F(_acc) *record = USW_F(_record)(sink.partials, first, arguments);
  usw_port_barrier();
  if (!USW_F(_is_last_of)(members, &sink.ticket[1 + group]))
    return 0;
  USW_F(_fold_records)(arguments, record, USW_F(_records_of_team)(record, members, bytes));
  usw_port_barrier();
  if (usw_port_thread() == 0)
    sink.ticket[1 + group] = 0;
  if (!USW_F(_is_last_of)(groups, sink.ticket))
    return 0;
  USW_F(_fold_records)(arguments, sink.out, USW_F(_records_of_team)(sink.partials, groups, USW_BLOCK_GROUP * bytes));
  return 1;
}

/* One record into a thread's accumulator. */
USW_INLINE void USW_F(_merge_record)(USW_F(_acc) * a, USW_F(_spans) * s, USW_F(_acc) * record) {
  const USW_F(_acc) partial = *record;
  if (USW_F(_private)) {
    USW_F(_merge_variables)(a, &partial);
    USW_F(_join_own_cells)(record, s);
  } else {
    USW_F(_merge)(a, &partial);
  }
}

/* The last team's work: all partials into the accumulator of its thread 0. If it waits for them, its own is there already. */
USW_INLINE void USW_F(_fold_partials)(const USW_F(_worker) w, USW_F(_acc) * partials, int is_waiting) {
  USW_F(_acc) *const a = w.a;
  USW_F(_spans) *const s = w.s;
  const uint32_t thread = usw_port_thread(), teams = usw_port_teams() - (uint32_t)is_waiting;
  const uint32_t end = USW_F(_end_record)(0, teams, thread), step = USW_F(_ordered) ? 1 : USW_TEAM_SIZE;
  uint32_t k = USW_F(_first_record)(0, teams, thread);
  const int keeps_own = is_waiting && thread == 0;
  if (USW_F(_private))
    USW_F(_clear_own_cells)(s);
  if (!keeps_own)
    USW_F(_identity)(a);
  /* A thread's first record, mostly its only one, need not be merged; to copy a large one takes registers. */
  int is_first = !USW_F(_private) && sizeof *a <= USW_LARGE_VALUE_BYTES && !keeps_own;
#pragma nounroll
  for (; k < end; k += step) {
    if (USW_F(_private)) {
      USW_F(_merge_record)(a, s, USW_F(_record)(partials, k, w.arguments));
      continue;
    }
    USW_F(_acc) partial;
    if (is_waiting)
      USW_F(_receive)(&partial, (uint64_t *)(void *)partials, k);
    else
      partial = *USW_F(_record)(partials, k, w.arguments);
    if (is_first)
      *a = partial;
    else
      USW_F(_merge)(a, &partial);
    is_first = 0;
  }
  if (USW_F(_private))
    USW_F(_fold_copies)(s);
  USW_F(_fold_accumulators)(a);
  if (USW_F(_private) && thread == 0)
    USW_F(_take_short_spans)(a, s);
}

/* The team's accumulator into the cells, or that of each of its threads; whoever comes last takes them out, into *out. */
USW_INLINE void USW_F(_finish_by_atomics)(USW_F(_acc) * a, const USW_F(_sink) sink) {
  const uint32_t thread = usw_port_thread();
  uint64_t *const cells = (uint64_t *)(void *)sink.partials;
  if (sink.finish == USW_FINISH_ATOMIC || thread == 0)
    USW_F(_all_atomics_in)(a, cells);
  usw_port_barrier();
  if (thread == 0 && usw_port_take_ticket(sink.ticket) == usw_port_teams() - 1) {
    usw_port_acquire();
    USW_F(_all_atomics_out)(a, cells);
    *sink.out = *a;
    *sink.ticket = 0;
  }
}

/* Every team but the last one sends its accumulator and is done. That one goes on when its own fold has left team memory. */
USW_INLINE int USW_F(_waits)(const USW_F(_acc) * a, uint64_t *pairs) {
  if (usw_port_team() == usw_port_teams() - 1) {
    usw_port_barrier();
    return 1;
  }
  if (usw_port_thread() == 0)
    USW_F(_send)(a, pairs);
  return 0;
}

/* The team's partial to where it is folded. 1 in the team that folds all of them. Blocks of cells are folded by the last of
 * every 32 teams first: one team would take long to read them all. */
USW_INLINE int USW_F(_leave_partial)(const USW_F(_worker) w, const USW_F(_sink) sink, int is_waiting) {
  if (!is_waiting)
    USW_F(_publish)(w, sink);
  if (sink.finish == USW_FINISH_HOST)
    return 0;
  if (is_waiting)
    return USW_F(_waits)(w.a, (uint64_t *)(void *)sink.partials);
  if (USW_F(_block_spans) > 0)
    return USW_F(_fold_blocks)(w.arguments, sink);
  return USW_F(_is_last_of)(usw_port_teams(), sink.ticket);
}

/* What a team does with the partial in its thread 0. */
USW_INLINE void USW_F(_finish_team)(const USW_F(_worker) w, const USW_F(_sink) sink) {
  const uint32_t thread = usw_port_thread(), teams = usw_port_teams();
  const int is_waiting = USW_F(_awaits) && sink.finish == USW_FINISH_AWAIT;
  if (USW_F(_fixed) && sink.finish == USW_FINISH_FIXED) {
    if (thread == 0)
      *USW_F(_behind_words)(sink.partials, usw_port_team(), w.arguments) = *w.a;
    return;
  }
  if (USW_F(_common) && sink.finish == USW_FINISH_COMMON) {
    if (thread == 0)
      *USW_F(_behind_blocks)(sink.partials, usw_port_opaque(sink.asked) >> USW_FINISH_BITS, usw_port_team(),
                             w.arguments) =
          *w.a; /* opaque: no register is kept for the number of blocks while items are visited */
    return;
  }
  if (USW_F(_atomic) && !is_waiting && sink.finish >= USW_FINISH_TREE_ATOMIC) {
    USW_F(_finish_by_atomics)(w.a, sink);
    return;
  }
  if (teams == 1 && (sink.finish == USW_FINISH_LAST_TEAM || is_waiting) && USW_F(_block_spans) == 0) {
    if (thread == 0)
      *sink.out = *w.a;
    return;
  }
  if (!USW_F(_leave_partial)(w, sink, is_waiting))
    return;
  USW_F(_fold_partials)(w, sink.partials, is_waiting);
  if (thread == 0) {
    *sink.out = *w.a;
    if (!is_waiting)
      *sink.ticket = 0;
  }
}

/* A thread's share of n records (at most 65535, as teams), of which its team leaves one: what a later launch of multipass
 * does in place of visiting items. Cells of a block go where the team leaves them at once. */
USW_INLINE void USW_F(_accumulate_records)(const USW_F(_worker) w, USW_F(_acc) * records, USW_F(_acc) * partials) {
  const USW_F(_arguments) *const arguments = w.arguments;
  const uint32_t n = (uint32_t)w.n;
  const uint32_t thread = usw_port_thread(), team = usw_port_team(), teams = usw_port_teams();
  const uint32_t first = n * team / teams, end = n * (team + 1) / teams;
#pragma nounroll
  for (uint32_t k = USW_F(_first_record)(first, end, thread); k < USW_F(_end_record)(first, end, thread);
       k += USW_F(_ordered) ? 1 : USW_TEAM_SIZE)
    USW_F(_merge_record)(w.a, w.s, USW_F(_record)(records, k, arguments));
  if (USW_F(_block_spans) > 0)
    USW_F(_fold_records)
  (arguments, USW_F(_record)(partials, team, arguments),
   USW_F(_records_of_team)(USW_F(_record)(records, first, arguments), end - first, USW_F(_record_bytes)(arguments)));
}

/* Where the accumulator of team k is, of those that a launch folds: in a record, or behind those with common cells, or behind words. */
USW_INLINE USW_F(_acc) * USW_F(_accumulator)(const USW_F(_sink) sink, USW_F(_acc) * records, uint64_t k,
                                             const USW_F(_arguments) * arguments) {
  if (USW_F(_fixed) && sink.finish == USW_FINISH_ROUND)
    return USW_F(_behind_words)(records, k, arguments);
  if (USW_F(_common) && sink.finish == USW_FINISH_COMMON)
    return USW_F(_behind_blocks)(records, sink.asked >> USW_FINISH_BITS, k, arguments);
  return USW_F(_record)(records, k, arguments);
}

/* All of n accumulators into *out, in the first team. */
USW_INLINE void USW_F(_fold_left)(const USW_F(_worker) w, const USW_F(_sink) sink, USW_F(_acc) * records) {
  const uint32_t n = (uint32_t)w.n, thread = usw_port_thread();
  if (usw_port_team() > 0)
    return;
#pragma nounroll
  for (uint32_t k = USW_F(_first_record)(0, n, thread); k < USW_F(_end_record)(0, n, thread);
       k += USW_F(_ordered) ? 1 : USW_TEAM_SIZE)
    USW_F(_merge)(w.a, USW_F(_accumulator)(sink, records, k, w.arguments));
  USW_F(_fold_accumulators)(w.a);
  if (thread == 0)
    *sink.out = *w.a;
}

/* All of n records into *out: every team has cells of all blocks, or of those that n teams had in common. So large blocks are folded by the
 * whole device, where the last team of a launch would take long. */
USW_INLINE void USW_F(_fold_by_cells)(const USW_F(_worker) w, const USW_F(_sink) sink, USW_F(_acc) * records) {
  const int has_common_cells = USW_F(_common) && sink.finish == USW_FINISH_COMMON;
  const uint32_t blocks = has_common_cells ? sink.asked >> USW_FINISH_BITS : (uint32_t)w.n;
  USW_F(_fold_records)
  (w.arguments, sink.out, USW_F(_records_of_teams)(records, blocks, USW_F(_record_bytes)(w.arguments)));
  USW_F(_fold_left)(w, sink, records);
}

/* The same of sums by a fixed point, and what cells are in their record beside them. */
USW_INLINE void USW_F(_round_sums)(const USW_F(_worker) w, const USW_F(_sink) sink, USW_F(_acc) * records,
                                   usw_fixed_point_t point) {
  USW_F(_spans) spans, spans_into, *const s USW_UNUSED = &spans, *const into USW_UNUSED = &spans_into;
  const USW_F(_records) one = USW_F(_records_of_teams)(records, 1, USW_F(_record_bytes)(w.arguments));
  const uint64_t thread USW_UNUSED = one.thread, threads USW_UNUSED = one.threads;
  USW_F(_fold_records)(w.arguments, sink.out, one);
  USW_F(_place_spans)(s, w.arguments, records);
  USW_F(_place_spans)(into, w.arguments, sink.out);
  s->usw_point = point;
  USW_F(_place_words)(s, records, w.arguments);
  USW_REDUCERS(USW_R_NOTHING, USW_S_ROUND_WORDS)
  USW_F(_fold_left)(w, sink, records);
}
#else
#if USW_HAS_REGIONS
/* Records first, ..., end - 1 into an accumulator and the blocks of a record. */
USW_INLINE void USW_F(_merge_records)(USW_F(_acc) * a, USW_F(_spans) * into, const USW_F(_arguments) * arguments,
                                      USW_F(_acc) * records, size_t first, size_t end) {
  USW_F(_spans) later;
  for (size_t k = first; k < end; k++) {
    USW_F(_merge)(a, USW_F(_record)(records, k, arguments));
    USW_F(_place_spans)(&later, arguments, USW_F(_record)(records, k, arguments));
    USW_F(_merge_block)(into, &later, 0, 1);
  }
}

/* A worker's accumulator to where `finish` wants it; the last one leaves all of them, in the order of the workers, in
 * *out. Their cells are in their blocks already. */
USW_INLINE void USW_F(_finish_worker)(const USW_F(_worker) w, size_t worker, size_t workers, const USW_F(_sink) sink) {
  const USW_F(_arguments) *const arguments = w.arguments;
  USW_F(_acc) *const partials = sink.partials;
  const int by_atomics = USW_F(_atomic) && sink.finish >= USW_FINISH_TREE_ATOMIC;
  uint64_t *const cells = (uint64_t *)(void *)partials;
  if (by_atomics)
    USW_F(_all_atomics_in)(w.a, cells);
  else
    *USW_F(_record)(partials, worker, arguments) = *w.a;
  if (sink.finish == USW_FINISH_HOST || usw_port_take_ticket(sink.ticket) != workers - 1)
    return;
  usw_port_acquire();
  USW_F(_acc) total;
  USW_F(_spans) into;
  if (by_atomics) {
    USW_F(_all_atomics_out)(&total, cells);
  } else {
    USW_F(_identity)(&total);
    USW_F(_place_spans)(&into, arguments, sink.out);
    USW_F(_clear_block)(&into, 0, 1);
    USW_F(_merge_records)(&total, &into, arguments, partials, 0, workers);
  }
  *sink.out = total;
  *sink.ticket = 0;
}
#endif
#endif
