/* The target regions of a kernel, each in a host function (a stub) of its own, so that its entry can be found by name.
 *
 * `bare` runs the team body (bodies.h) on GPUs. `standard` is OpenMP as written in its specification: the strategy
 * `clause` everywhere, and every strategy on the x86_64 device. Everything that a region captures is an address or a
 * scalar of at most 8 bytes, in the order of the call in it: USW_LAUNCH_WORDS, then the kernel's arguments. Nothing is mapped
 * but the clause's own variable. */

#ifndef UPSWEEP_ENGINE_REGIONS_ONCE
#define UPSWEEP_ENGINE_REGIONS_ONCE

#ifndef USW_CLAUSE_TEAM_SIZE
#define USW_CLAUSE_TEAM_SIZE 256
#endif
#define USW_UNPACK_IN(T, n)                                                                                            \
  const T *n = (const T *)(uintptr_t)*usw_words++;                                                                     \
  const ptrdiff_t usw_stride_##n = *usw_strides++;
#define USW_UNPACK_ARRAY(T, n) const T *n = (const T *)(uintptr_t)*usw_words++;
#define USW_UNPACK_VALUE(T, n)                                                                                         \
  T n;                                                                                                                 \
  __builtin_memcpy((void *)&n, usw_words++, sizeof n);
#define USW_UNPACK_OUT(T, n)                                                                                           \
  T *n = (T *)(uintptr_t)*usw_words++;                                                                                 \
  const ptrdiff_t usw_stride_##n = *usw_strides++;
#define USW_UNPACKED (void)usw_words, (void)usw_strides, (void)usw_extents
#define USW_GATHER_IN(T, n) , const T *n, ptrdiff_t usw_stride_##n
#define USW_GATHER_ARRAY(T, n) , const T *n
#define USW_GATHER_VALUE(T, n) , const T n
#define USW_GATHER_OUT(T, n) , T *n, ptrdiff_t usw_stride_##n
#define USW_SET_IN(T, n)                                                                                               \
  arguments.n = n;                                                                                                     \
  arguments.usw_stride_##n = usw_stride_##n;
#define USW_SET(T, n) arguments.n = n;
#define USW_SET_WORD(T, n) arguments.usw_space.n = n;
#define USW_PASS_IN(T, n) , n, usw_stride_##n
#define USW_PASS(T, n) , n
/* The extents of spans come along with the arguments. */
#define USW_S_UNPACK(T, n, ...) const uint64_t usw_extent_##n = usw_extents ? usw_extents[USW_OF(_position_, n)] : 0;
#define USW_S_GATHER(T, n, ...) , uint64_t usw_extent_##n
/* In their place those of variables of which there are many: where each one's are. */
#define USW_R_UNPACK_RESULTS(T, n, ...)                                                                                \
  USW_WHERE_MANY(T *usw_results_of_##n = (T *)(uintptr_t)usw_extents[USW_OF(_result_, n)];)
#define USW_R_GATHER_RESULTS(T, n, ...) USW_WHERE_MANY(, T *usw_results_of_##n)
#define USW_R_SET_RESULTS(T, n, ...) USW_WHERE_MANY(arguments.usw_results_of_##n = usw_results_of_##n;)
#define USW_R_PASS_RESULTS(T, n, ...) USW_WHERE_MANY(, usw_results_of_##n)
#define USW_S_SET(T, n, ...) arguments.usw_extent_##n = usw_extent_##n;
#define USW_S_PASS_EXTENT(T, n, ...) , usw_extent_##n
#endif

#if USW_HAS_REGIONS
#pragma omp begin declare target
#endif
/* The arguments as one structure again. */
USW_INLINE USW_F(_arguments)
    USW_F(_gather)(char usw_end USW_EVERY_ARGUMENT(USW_GATHER_IN, USW_GATHER_ARRAY, USW_GATHER_VALUE, USW_GATHER_OUT)
                       USW_EACH_RESULT(USW_R_GATHER_RESULTS, USW_S_GATHER)) {
  USW_F(_arguments) arguments;
  USW_SPACE_ARGUMENTS(USW_SET_WORD)
  USW_OWN_ARGUMENTS(USW_SET_IN, USW_SET, USW_SET, USW_SET_IN)
  USW_EACH_RESULT(USW_R_SET_RESULTS, USW_S_SET)
  USW_RESULTS_ARGUMENTS(USW_SET)
  USW_WHERE_MANY(arguments.usw_first = 0;)
  USW_WHERE_SPACE(arguments.usw_index_0 = arguments.usw_index_1 = arguments.usw_index_2 = 0;)
  arguments.usw_end = usw_end;
  return arguments;
}

#if USW_HAS_REGIONS
USW_INLINE void USW_F(_bare_body)(USW_LAUNCH_WORDS(USW_WORD_PARAMETER, USW_F(_acc)) USW_F(_arguments)
                                      arguments USW_UNUSED) {
#if USW_SUB_GROUP > 1
  USW_F(_team_body)(USW_LAUNCH_WORDS(USW_WORD, ) arguments);
#endif
}

/* What the clause does with two accumulators: its functions hold many copies of it, large ones of a call. */
static void __attribute__((noinline, unused)) USW_F(_fold_large)(USW_F(_acc) * a, const USW_F(_acc) * b) {
  USW_F(_merge)(a, b);
}
USW_INLINE void USW_F(_fold_by_clause)(USW_F(_acc) * a, const USW_F(_acc) * b) {
  if (USW_SUB_GROUP > 1 && USW_F(_binned))
    return;
  if (sizeof *a > USW_CLAUSE_SMALL_BYTES)
    USW_F(_fold_large)(a, b);
  else
    USW_F(_merge)(a, b);
}
#pragma omp end declare target

static void USW_F(_bare)(const usw_launch_t *usw_how, size_t usw_n, const uint64_t *usw_words, void *usw_result) {
  const ptrdiff_t *usw_strides = usw_how->strides;
  const uint64_t *usw_extents = usw_how->extents;
  USW_EVERY_ARGUMENT(USW_UNPACK_IN, USW_UNPACK_ARRAY, USW_UNPACK_VALUE, USW_UNPACK_OUT)
  USW_EACH_RESULT(USW_R_UNPACK_RESULTS, USW_S_UNPACK)
  USW_UNPACKED;
  USW_F(_acc) *usw_records = (USW_F(_acc) *)usw_how->records;
  USW_F(_acc) *usw_partials = (USW_F(_acc) *)usw_how->partials, *usw_out = (USW_F(_acc) *)usw_result;
  uint32_t *usw_ticket = usw_how->ticket;
  const uint32_t usw_finish = usw_how->finish, usw_aligned = usw_how->aligned;
  const int usw_device = usw_how->device, usw_teams = (int)usw_how->teams;
#pragma omp target teams ompx_bare num_teams(usw_teams) thread_limit(USW_TEAM_SIZE) device(usw_device) is_device_ptr(  \
        usw_records, usw_partials, usw_ticket, usw_out USW_OWN_ARGUMENTS(USW_PASS, USW_PASS, USW_NOTHING, USW_PASS))
  USW_F(_bare_body)
  (USW_LAUNCH_WORDS(USW_WORD_PASS, ) USW_F(_gather)(0 USW_EVERY_ARGUMENT(USW_PASS_IN, USW_PASS, USW_PASS, USW_PASS_IN)
                                                        USW_EACH_RESULT(USW_R_PASS_RESULTS, USW_S_PASS_EXTENT)));
}

/* What the clause reduces: the one scalar by OpenMP's own operator where the kernel says so, else the accumulator. */
#if USW_NO_CLAUSE
#define USW_FOLD(total, accumulator)
#elif USW_NATIVE_CLAUSE
#define USW_TOTAL USW_REDUCERS(USW_R_TYPE, USW_NO_SPAN)
#define USW_ONLY USW_REDUCERS(USW_R_NAME, USW_NO_SPAN)
#define USW_CLAUSE USW_REDUCERS(USW_R_CLAUSE, USW_NO_SPAN)
#define USW_PART(accumulator) ((accumulator).USW_ONLY)
#define USW_FOLD(total, accumulator) total = USW_OF(_operate_, USW_ONLY)(total, (accumulator).USW_ONLY)
#else
#define USW_TOTAL USW_F(_acc)
#define USW_CLAUSE USW_F(_by_merge)
#define USW_PART(accumulator) (accumulator)
#define USW_FOLD(total, accumulator) USW_F(_fold_by_clause)(&(total), &(accumulator))
#pragma omp declare reduction(USW_CLAUSE : USW_F(_acc) : USW_F(_fold_by_clause)(&omp_out, &omp_in))                    \
    initializer(USW_F(_identity)(&omp_priv))
#endif

static void USW_F(_standard)(const usw_launch_t *usw_how, size_t usw_n, const uint64_t *usw_words, void *usw_result) {
  const ptrdiff_t *usw_strides = usw_how->strides;
  const uint64_t *usw_extents = usw_how->extents;
  USW_EVERY_ARGUMENT(USW_UNPACK_IN, USW_UNPACK_ARRAY, USW_UNPACK_VALUE, USW_UNPACK_OUT)
  USW_EACH_RESULT(USW_R_UNPACK_RESULTS, USW_S_UNPACK)
  USW_UNPACKED;
  USW_F(_acc) *usw_records = (USW_F(_acc) *)usw_how->records;
  USW_F(_acc) *usw_partials = (USW_F(_acc) *)usw_how->partials, *usw_out = (USW_F(_acc) *)usw_result, usw_start;
  uint32_t *usw_ticket = usw_how->ticket;
  const uint32_t usw_finish = usw_how->finish, usw_aligned = usw_how->aligned;
  const size_t usw_workers = usw_how->workers;
  const int usw_device = usw_how->device;
  const int usw_teams = usw_workers > usw_how->teams ? (int)usw_how->teams : 1; /* teams of one: threads of one team */
#if USW_NO_CLAUSE
  (void)usw_start;
#pragma omp target teams distribute parallel for num_teams(usw_teams) thread_limit(USW_CLAUSE_TEAM_SIZE)               \
    device(usw_device) is_device_ptr(usw_records, usw_partials, usw_ticket,                                            \
                                         usw_out USW_OWN_ARGUMENTS(USW_PASS, USW_PASS, USW_NOTHING, USW_PASS))
#else
  USW_F(_identity)(&usw_start);
  USW_TOTAL usw_total = USW_PART(usw_start);
#pragma omp target teams distribute parallel for num_teams(usw_teams) thread_limit(USW_CLAUSE_TEAM_SIZE)               \
    device(usw_device) map(tofrom : usw_total) reduction(USW_CLAUSE : usw_total)                                       \
    is_device_ptr(usw_records, usw_partials, usw_ticket,                                                               \
                      usw_out USW_OWN_ARGUMENTS(USW_PASS, USW_PASS, USW_NOTHING, USW_PASS))
#endif
  for (size_t usw_worker = 0; usw_worker < usw_workers; usw_worker++) {
    USW_F(_acc) usw_a;
    USW_F(_identity)(&usw_a);
    USW_F(_standard_body)
    (&usw_a, usw_worker, usw_workers,
     USW_LAUNCH_WORDS(USW_WORD_PASS, ) USW_F(_gather)(0 USW_EVERY_ARGUMENT(USW_PASS_IN, USW_PASS, USW_PASS, USW_PASS_IN)
                                                          USW_EACH_RESULT(USW_R_PASS_RESULTS, USW_S_PASS_EXTENT)));
    USW_FOLD(usw_total, usw_a);
  }
#if !USW_NO_CLAUSE
  if (usw_finish == USW_FINISH_CLAUSE)
    USW_PART(*(USW_F(_acc) *)usw_result) = usw_total;
#endif
}
#undef USW_TOTAL
#undef USW_ONLY
#undef USW_CLAUSE
#undef USW_PART
#undef USW_FOLD

#elif defined(USW_PORT_SIMT)
/* What a fiber needs of its launch. */
typedef struct {
  USW_LAUNCH_WORDS(USW_WORD_MEMBER, USW_F(_acc))
  USW_F(_arguments) arguments;
} USW_F(_bare_context);

static void USW_F(_bare_body)(void *context) {
  const USW_F(_bare_context) *c = (const USW_F(_bare_context) *)context;
  USW_F(_team_body)(USW_LAUNCH_WORDS(USW_WORD_OF_CONTEXT, ) c->arguments);
}

static void USW_F(_bare)(const usw_launch_t *usw_how, size_t usw_n, const uint64_t *usw_words, void *usw_result) {
  const ptrdiff_t *usw_strides = usw_how->strides;
  const uint64_t *usw_extents = usw_how->extents;
  USW_EVERY_ARGUMENT(USW_UNPACK_IN, USW_UNPACK_ARRAY, USW_UNPACK_VALUE, USW_UNPACK_OUT)
  USW_EACH_RESULT(USW_R_UNPACK_RESULTS, USW_S_UNPACK)
  USW_UNPACKED;
  USW_F(_bare_context) context;
  context.n = usw_n;
  context.finish = usw_how->finish;
  context.aligned = usw_how->aligned;
  context.records = (USW_F(_acc) *)usw_how->records;
  context.partials = (USW_F(_acc) *)usw_how->partials;
  context.out = (USW_F(_acc) *)usw_result;
  context.ticket = usw_how->ticket;
  context.arguments = USW_F(_gather)(0 USW_EVERY_ARGUMENT(USW_PASS_IN, USW_PASS, USW_PASS, USW_PASS_IN)
                                         USW_EACH_RESULT(USW_R_PASS_RESULTS, USW_S_PASS_EXTENT));
#if USW_SCAN
  const usw_simt_object_t team_memory[] = {
#if USW_SCANS_ON_STAGE || USW_SELECTS
      {USW_F(_stage), sizeof USW_F(_stage)},
#endif
      {&USW_F(_scan_now), sizeof USW_F(_scan_now)},
      {USW_F(_values), sizeof USW_F(_values)}};
  usw_simt_launch_resident(usw_how->teams, USW_TEAM_SIZE, usw_how->finish == USW_FINISH_IN_ORDER, team_memory,
                           sizeof team_memory / sizeof *team_memory, USW_F(_bare_body), &context);
#else
  if (usw_how->finish == USW_FINISH_AWAIT)
    usw_simt_launch_awaiting(usw_how->teams, USW_TEAM_SIZE, USW_F(_bare_body), &context);
  else
    usw_simt_launch(usw_how->teams, USW_TEAM_SIZE, USW_F(_bare_body), &context);
#endif
}
#endif
