/* A kernel put together from its policies: what a thread of a bare launch runs, and what a worker of a standard region does. Each
 * accumulates its items (accumulate.h), which it takes as load.h says, and leaves its partial where finish.h says. */

#if USW_SUB_GROUP > 1
/* Whether all items are in one block: thread 0 of the only team has the sum already (4 % of a sum of one element). */
USW_INLINE int USW_F(_is_first_threads)(const USW_F(_worker) w, const USW_F(_sink) sink) {
  return USW_F(_span_count) == 0 && !USW_F(_together) && !sink.is_of_records && w.n <= USW_F(_block) &&
         usw_port_teams() == 1;
}

#if USW_SCAN /* team_scan.h has it */
#elif USW_MANY_RESULTS
/* What every thread of a bare launch runs. */
USW_INLINE void USW_F(_team_body)(USW_LAUNCH_WORDS(USW_WORD_PARAMETER, USW_F(_acc)) USW_F(_arguments) arguments) {
  USW_F(_acc) a;
  USW_F(_spans) s;
  s.usw_on_trial = USW_ASKS;
  s.usw_is_mute = s.usw_has_no_item = 0;
  const USW_F(_share_of_results) share = {&arguments, &s, partials, ticket};
  USW_F(_visit_results_of_team)(&a, share);
  (void)n, (void)finish, (void)aligned, (void)records, (void)out;
}
#else
/* Launches that clear or fold cells in place of visiting items, and such as have nothing to do: 1 if this is one, which is done then. Else *point
 * is the fixed point that it adds by. */
USW_INLINE int USW_F(_is_over_cells)(const USW_F(_worker) w, const USW_F(_sink) sink, USW_F(_acc) * records,
                                     usw_fixed_point_t *point) {
  const uint32_t conditions = USW_FINISH_IF_FIXED | USW_FINISH_UNLESS_FIXED;
  if (USW_F(_common) && sink.finish == USW_FINISH_CLEAR) {
    USW_F(_clear_common)(w.arguments, sink.partials, sink.asked >> USW_FINISH_BITS);
    if (USW_F(_fixed) && usw_port_team() == 0 && usw_port_thread() == 0)
      __builtin_memset((void *)USW_F(_measured_at)(sink.ticket), 0, sizeof(usw_measured_t));
    return 1;
  }
  if (USW_F(_fixed) && (sink.asked & conditions) != 0) {
    *point = usw_fixed_point_of(USW_F(_measured_at)(sink.ticket));
    if ((point->words > 0) != ((sink.asked & USW_FINISH_IF_FIXED) != 0))
      return 1;
  }
  if (USW_F(_fixed) && sink.finish == USW_FINISH_CLEAR_WORDS) {
    USW_F(_clear_words)(w.arguments, sink.partials, *point);
    return 1;
  }
  if (USW_F(_fixed) && sink.finish == USW_FINISH_ROUND) {
    USW_F(_round_sums)(w, sink, records, *point);
    return 1;
  }
  if (records && (sink.finish == USW_FINISH_LAST_TEAM || sink.finish == USW_FINISH_COMMON)) {
    USW_F(_fold_by_cells)(w, sink, records);
    return 1;
  }
  return 0;
}

/* What every thread of a bare launch runs: n items, or n records that are not NULL. */
USW_INLINE void USW_F(_team_body)(USW_LAUNCH_WORDS(USW_WORD_PARAMETER, USW_F(_acc)) USW_F(_arguments) arguments) {
  USW_F(_acc) a;
  USW_F(_spans) s;
  const USW_F(_worker) w = {&a, &s, &arguments, n,
                            USW_F(_share_of)(n, usw_port_team(), usw_port_teams(), usw_port_thread(), USW_TEAM_SIZE)};
  const uint32_t asked = finish,
                 blocks = USW_F(_common) ? (asked & (USW_FINISH_UNLESS_FIXED - 1)) >> USW_FINISH_BITS : 0;
  if (USW_F(_common))
    finish &= (1u << USW_FINISH_BITS) - 1;
  const USW_F(_sink) sink = {finish, records != NULL, asked, partials, ticket, out};
  USW_F(_identity)(&a);
  s.usw_on_trial = USW_ASKS;
  s.usw_is_mute = s.usw_has_no_item = 0;
  usw_fixed_point_t point = {0, 0, 0};
  if (USW_F(_block_spans) > 0 && USW_F(_is_over_cells)(w, sink, records, &point))
    return;
  if (USW_F(_span_count) > 0)
    USW_F(_open_team_spans)(&s, &arguments, partials, blocks);
  if (USW_F(_fixed) && (finish == USW_FINISH_MEASURE || finish == USW_FINISH_FIXED))
    USW_F(_open_fixed)(&s, &arguments, partials, point);
  if (records)
    USW_F(_accumulate_records)(w, records, partials);
  else if (USW_F(_in_turns) && !s.usw_is_common)
    USW_F(_accumulate_in_step)(w, aligned != 0);
  else if (USW_F(_together))
    USW_F(_accumulate_together)(w, aligned != 0);
  else /* whose atomics take longer than any loads: loops for aligned ones would cost kernels with turns a team */
    USW_F(_accumulate)(w, aligned != 0 && !USW_F(_in_turns));
  if (USW_F(_fixed) && s.usw_fixed == USW_MEASURES_SUMS) {
    usw_tell_measured(&s.usw_measured, s.usw_in_runs, USW_F(_measured_at)(ticket));
    return;
  }
  if (USW_F(_span_count) > 0)
    USW_F(_close_team_spans)(&a, &s);
  if (USW_F(_columns) > 0 && finish == USW_FINISH_AWAIT && usw_port_teams() > 1 &&
      USW_F(_finish_in_columns)(&a, (uint64_t *)(void *)partials, out))
    return;
  if ((!USW_F(_atomic) || finish != USW_FINISH_ATOMIC) && !USW_F(_is_first_threads)(w, sink))
    USW_F(_fold_accumulators)(&a);
  if (USW_F(_private) && usw_port_thread() == 0)
    USW_F(_take_short_spans)(&a, &s);
#ifdef USW_OWN_FINISH
  if (finish == USW_FINISH_LAST_TEAM) {
    USW_F(_own_finish)(w, sink);
    return;
  }
#endif
  USW_F(_finish_team)(w, sink);
}
#endif
#endif

#if USW_HAS_REGIONS
#if USW_SUB_GROUP == 1
/* What the host's compiler makes of a standard region is run where a launch falls back to the host, which the library does
 * not let happen: right, and quick to compile. */
#pragma omp begin declare variant match(device = {kind(host)})
#if USW_MANY_RESULTS
USW_INLINE void USW_F(_accumulate_share)(const USW_F(_worker) w, size_t worker, size_t workers) {
  size_t count;
  for (size_t r = worker; r < w.arguments->usw_results; r += workers) {
    const usw_range_t range = USW_F(_items_of)(r, w.arguments);
    const usw_offset_t start = USW_F(_start_of_result)(r, w.arguments);
    USW_F(_identity)(w.a);
    for (size_t i = range.first; i < range.end; i++) {
      const USW_F(_arguments) part = USW_F(_run_from)(w.arguments, start, i, i + 1, &count);
      USW_F(_visit_item)(w.a, w.s, 0, &part);
    }
    USW_F(_write_results)(w.a, start.result, w.arguments, range.first >= range.end);
  }
}
#else
USW_INLINE void USW_F(_accumulate_share)(const USW_F(_worker) w, size_t worker, size_t workers) {
  const size_t n = w.n;
  const size_t items = n / workers + (n % workers != 0), last = n / items < worker + 1 ? n : (worker + 1) * items;
  for (size_t i = worker * items; i < last; i++)
    USW_F(_visit_item)(w.a, w.s, i, w.arguments);
}
#endif
#pragma omp end declare variant
#if USW_MANY_RESULTS
USW_INLINE void USW_F(_accumulate_share)(const USW_F(_worker) w, size_t worker, size_t workers) {
#if USW_SEGMENTS
  const size_t blocks = w.arguments->usw_blocks, units = blocks > 0 ? blocks : w.arguments->usw_results;
#else
  const size_t units = w.arguments->usw_results;
#endif
  const size_t first = units / workers * worker + usw_least(worker, units % workers);
  const size_t last = first + units / workers + (worker < units % workers);
  if (first == last)
    return;
  if (USW_F(_are_contiguous)(w.arguments))
    USW_F(_visit_results)(w.a, w.s, first, last, w.arguments, 1);
  else
    USW_F(_visit_results)(w.a, w.s, first, last, w.arguments, 0);
}
#else
/* Whole chains' groups, as the host's chunks are. */
USW_INLINE void USW_F(_accumulate_share)(const USW_F(_worker) w, size_t worker, size_t workers) {
  enum { CHUNK = 64 /* of which a chunk's first item is a multiple: a line of bytes */ };
  const size_t items = w.n / workers / CHUNK * CHUNK, first = worker * items;
  const size_t last = worker + 1 == workers ? w.n : first + items;
  if (first == last)
    return;
  if (USW_F(_are_contiguous)(w.arguments))
    USW_F(_visit_by_chains)(w.a, w.s, first, last, w.arguments, 1);
  else
    USW_F(_visit_by_chains)(w.a, w.s, first, last, w.arguments, 0);
}
#endif
#endif

/* One worker of a standard region. On a GPU neighbours take neighbouring blocks; elsewhere each takes a chunk of items, or, in later
 * launches of multipass, of records. */
USW_INLINE void USW_F(_standard_body)(USW_F(_acc) * a, size_t worker, size_t workers,
                                      USW_LAUNCH_WORDS(USW_WORD_PARAMETER, USW_F(_acc)) USW_F(_arguments) arguments) {
  USW_F(_spans) s;
#if USW_SUB_GROUP > 1
  if (USW_F(_binned) || USW_F(_no_clause)) /* a GPU runs this for the clause alone, which there is none of */
    return;
  const USW_F(_worker) w = {a, &s, &arguments, n, {0, SIZE_MAX, 1, worker, workers}};
  USW_F(_place_spans)(&s, &arguments, partials);
  s.usw_home = USW_CELLS_REGISTERS;
  /* Items of large accumulators are loaded one by one: many instructions less. */
  USW_F(_accumulate)(w, aligned != 0 && sizeof *a <= USW_CLAUSE_SMALL_BYTES);
#else
  const USW_F(_worker) w = {a, &s, &arguments, n, {0, 0, 0, 0, 0}};
  const USW_F(_sink) sink = {finish, records != NULL, 0, partials, ticket, out};
  USW_F(_place_spans)(&s, &arguments, USW_F(_record)(partials, worker, &arguments));
  USW_F(_clear_block)(&s, 0, 1);
#if USW_SCAN
  (void)workers; /* the only one: scans are taken by one worker there */
  if (records)
    *a = *records;
  arguments.usw_is_written = 1;
  USW_F(_scan_chunk)(a, &s, 0, w.n, &arguments, USW_F(_are_contiguous)(&arguments));
  *sink.out = *a;
#elif USW_MANY_RESULTS
  USW_F(_accumulate_share)(w, worker, workers);
#if USW_SEGMENTS
  if (arguments.usw_blocks > 0 && usw_port_take_ticket(sink.ticket) == workers - 1) {
    usw_port_acquire();
    USW_F(_join_stretches)(&arguments);
    *sink.ticket = 0;
  }
#endif
  (void)sink;
#else
  if (records)
    USW_F(_merge_records)(a, &s, &arguments, records, n * worker / workers, n * (worker + 1) / workers);
  else
    USW_F(_accumulate_share)(w, worker, workers);
  if (finish != USW_FINISH_CLAUSE)
    USW_F(_finish_worker)(w, worker, workers, sink);
#endif
#endif
}
#endif
