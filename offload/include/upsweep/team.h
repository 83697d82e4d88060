/** @defgroup team Collectives of sub-groups and teams
 *  What the threads of a team do together, in target regions of your own and in the bodies of kernels (@ref kernels): SYCL's
 *  sub-group collectives, for teams too, for every operator and type.
 *  @code{.c}
 *     #pragma omp target teams num_teams(teams) thread_limit(256) is_device_ptr(x, sums) // n elements
 *     #pragma omp parallel num_threads(256)
 *     {
 *       const usw_team_t team = usw_openmp_team();
 *       const size_t i = (size_t)team.number * team.threads + team.thread;
 *       const double sum = usw_team_reduce(team, i < n ? x[i] : 0.0, USW_PLUS);
 *       if (team.thread == 0) sums[team.number] = sum;
 *     }
 *  @endcode
 *
 * **Who takes part.** A team is what one of these says, as one of its threads sees it:
 *  | function | a team of | where |
 *  |---|---|---|
 *  | usw_openmp_team() | the threads of the innermost parallel region | a `parallel` region, on the host or in `target teams` |
 *  | usw_bare_team() | the threads of a team | `target teams ompx_bare`, on GPUs |
 *  | usw_kernel_team() | the threads that visit items together | the body of a kernel with `USW_IN_STEP` |
 *
 * usw_sub_group_of(team) is the thread's sub-group: threads that run in step, 32 or 64 of them on a GPU, one elsewhere. All
 * threads of a team, or of a sub-group, call a collective, the same one with the same operator, or none does: one that is in
 * a branch which others do not take waits for ever. Teams have any number of threads; the last sub-group may be partial. On a
 * GPU a parallel region has all threads of its team: with num_threads() below thread_limit() it hangs where that leaves part
 * of a sub-group out, and on AMD also where anything stands between `target teams` and `parallel`.
 *
 * **Values** have any type that the library has operators for: integers, floating and complex types, bool, usw_f16_t,
 * usw_bf16_t. Results are of that type, whatever they count. With an operator of your own (below) any type that memcpy can
 * copy, up to about 1480 bytes, in C++ one that has a default constructor. A value to begin with is converted to the type of
 * the threads' values. The operator is one of usw_operation_t, as a constant; one that the type does not have does not compile.
 *
 * **Order.** Values are combined in the order of the threads, so that operators need to be associative only. The same
 * values and number of threads give the same bits on every run; another size of sub-group may round differently.
 *
 * **Cost** on a GPU: a sub-group's reduction takes log2 of its lanes shuffles a word of 4 bytes, integers of 4 bytes one
 * instruction on NVIDIA; a team's two barriers more, a team's scan also a read for each sub-group before. Team memory: 33
 * values of each type and operator that a kernel uses, 17 on AMD. Elsewhere four barriers of OpenMP, and each thread combines
 * the values that its result is made of.
 *
 * **Operators of your own.** Define two or three macros, include <upsweep/team_operator.h>, and name the operator like one of
 * the library's:
 *  @code{.c}
 *     #define USW_OPERATOR compose            // affine_t compose(affine_t first, affine_t second)
 *     #define USW_OPERATOR_TYPE affine_t
 *     #define USW_OPERATOR_IDENTITY affine_one() // where there is one: for exclusive scans without init
 *     #include <upsweep/team_operator.h>
 *     ... map = usw_team_inclusive_scan(team, map, compose);
 *  @endcode
 *  The operator has to be declared for the device: between `omp begin declare target` and `omp end declare target`.
 *  @since 0.1  @see tests/api/collectives.c
 *  @{ */
#ifndef UPSWEEP_TEAM_H
#define UPSWEEP_TEAM_H

#include <upsweep/engine/team.h>
#ifdef __cplusplus
#include <type_traits>
#endif

/** Most threads of a team on a GPU. */
#define USW_TEAM_LIMIT 1024

#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wstatic-in-inline" /* as in kernel.h */
#endif
#if USW_DECLARES_TARGET
#pragma omp begin declare target
#endif

/** The threads of the innermost parallel region, as a team.
 *  @return the team as this thread sees it: one thread where OpenMP is not enabled.
 *  @since 0.1 */
USW_INLINE usw_team_t usw_openmp_team(void) {
#if defined(USW_PORT_SIMT)
  return usw_bare_team_of(usw_port_threads());
#elif defined(_OPENMP)
  usw_team_t team;
  team.thread = (uint32_t)omp_get_thread_num();
  team.threads = (uint32_t)omp_get_num_threads();
  team.number = (uint32_t)omp_get_team_num();
  team.teams = (uint32_t)omp_get_num_teams();
  team.kind = USW_TEAM_OPENMP;
  return team;
#else
  return usw_team_alone();
#endif
}

/** The threads of a team of an ompx_bare region.
 *  @return the team as this thread sees it: one thread where there are no bare regions.
 *  @since 0.1 */
USW_INLINE usw_team_t usw_bare_team(void) {
#if USW_SUB_GROUP > 1
  return usw_bare_team_of(usw_port_threads());
#else
  return usw_team_alone();
#endif
}

/** Every thread of the team has come here, and sees what the others wrote before.
 *  @param[in] team all threads of it call.
 *  @since 0.1 */
USW_INLINE void usw_team_barrier(usw_team_t team) { usw_wait_for_team(team); }

/** @cond */
#include <upsweep/engine/team_scalars.h>

#ifdef __cplusplus
#define USW_BY_SCALAR(x, what) USW_CAT(usw_scalar, what)
#else
#define USW_SCALAR_CHOICE(T, tag, CLASS, what) , T : USW_CAT(USW_CAT(usw_, tag), what)
#define USW_BY_SCALAR(x, what) _Generic((x)USW_SCALARS(USW_SCALAR_CHOICE, what) USW_HALVES(USW_SCALAR_CHOICE, what))
#endif
/* A library operator's functions, called with its code, or those of a user's operator, called without. */
#define USW_COLLECTIVE_KIND(operation) USW_COLLECTIVE_KIND_OF(USW_CAT(USW_NATIVE_, operation))
#define USW_COLLECTIVE_KIND_OF(...) USW_4TH(__VA_ARGS__, NATIVE, USER, USER)
#define USW_COLLECT(what, operation, x, ...)                                                                           \
  USW_CAT(USW_COLLECT_, USW_COLLECTIVE_KIND(operation))(what, operation, x, __VA_ARGS__)
#define USW_COLLECT_NATIVE(what, operation, x, ...)                                                                    \
  (USW_ASSERT_IN_EXPRESSION((USW_OPERATORS_OF(__typeof__(x)) >> (operation)) & 1,                                      \
                            "the type of the value does not have " USW_TEXT(operation)),                               \
   USW_BY_SCALAR(x, what)(__VA_ARGS__, operation))
#define USW_COLLECT_USER(what, operation, x, ...) USW_CAT(USW_CAT(usw_of_, operation), what)(__VA_ARGS__)
/* By the number of arguments, as SYCL's members. */
#define USW_FORM_OF(_1, _2, _3, form, ...) form
#define USW_FORM(...) USW_FORM_OF(__VA_ARGS__, WITH_INIT, PLAIN, )

/* A value to begin with, converted to the type of x, as C does by itself. */
#ifdef __cplusplus
template <class T> using usw_plain_t = typename std::remove_cv<typename std::remove_reference<T>::type>::type;
#define USW_LIKE(x, init) static_cast<usw_plain_t<decltype(x)>>(init)
#else
#define USW_LIKE(x, init) (init)
#endif
#define USW_REDUCE_PLAIN(what, group, x, operation) USW_COLLECT(what, operation, x, group, x)
#define USW_REDUCE_WITH_INIT(what, group, x, init, operation)                                                          \
  USW_COLLECT(_combine, operation, x, USW_LIKE(x, init), USW_COLLECT(what, operation, x, group, x))
/** @endcond */

/** @name Sub-groups
 *  @{ */

/** The value of one lane, in every lane.
 *  @param[in] group all its lanes call.
 *  @param[in] x     this lane's value: a scalar, or of the type of the user's operator that is named as last argument.
 *  @param[in] ...   number of the lane, below group.lanes and the same in every lane; then, for values that are no scalars,
 *                   the name of an operator made by <upsweep/team_operator.h> for their type.
 *  @since 0.1 */
#define usw_sub_group_broadcast(group, x, ...) USW_BROADCAST(_sub_group_broadcast, group, x, __VA_ARGS__)
/** All lanes' values combined, in every lane.
 *  @param[in] group all its lanes call.
 *  @param[in] x     this lane's value.
 *  @param[in] ...   the operator; or a value to begin with, then the operator.
 *  @since 0.1 */
#define usw_sub_group_reduce(group, x, ...)                                                                            \
  USW_CAT(USW_REDUCE_, USW_FORM(x, __VA_ARGS__))(_sub_group_reduce, group, x, __VA_ARGS__)
/** The same in lane 0 only: what other lanes get is not specified. One shuffle less.
 *  @param[in] group all its lanes call.
 *  @param[in] x     this lane's value.
 *  @param[in] ...   the operator; or a value to begin with, then the operator.
 *  @since 0.1 */
#define usw_sub_group_reduce_to_first(group, x, ...)                                                                   \
  USW_CAT(USW_REDUCE_, USW_FORM(x, __VA_ARGS__))(_sub_group_reduce_to_first, group, x, __VA_ARGS__)
/** The values of the lanes up to this one combined.
 *  @param[in] group all its lanes call.
 *  @param[in] x     this lane's value.
 *  @param[in] ...   the operator; or the operator, then a value to begin with.
 *  @since 0.1 */
#define usw_sub_group_inclusive_scan(group, x, ...)                                                                    \
  USW_CAT(USW_INCLUSIVE_, USW_FORM(x, __VA_ARGS__))(_sub_group_inclusive_scan, group, x, __VA_ARGS__)
/** The values of the lanes before this one combined: in lane 0 the identity, or the value to begin with.
 *  @param[in] group all its lanes call.
 *  @param[in] x     this lane's value.
 *  @param[in] ...   the operator, which needs an identity; or a value to begin with, then the operator.
 *  @since 0.1 */
#define usw_sub_group_exclusive_scan(group, x, ...)                                                                    \
  USW_CAT(USW_EXCLUSIVE_, USW_FORM(x, __VA_ARGS__))(_sub_group_exclusive_scan_from, group, x, __VA_ARGS__)

/** How many lanes have an x that is not zero, in every lane.
 *  @param[in] group all its lanes call.
 *  @param[in] x     any scalar.
 *  @return from 0 to group.lanes.
 *  @since 0.1 */
USW_INLINE uint32_t usw_sub_group_count(usw_sub_group_t group, usw_b8_t x) {
#if USW_SUB_GROUP > 1
  return group.lanes > 1 ? usw_port_count(x, group.lanes) : x;
#else
  (void)group;
  return x;
#endif
}
/** Whether any lane has an x that is not zero, in every lane.
 *  @param[in] group all its lanes call.
 *  @param[in] x     any scalar.
 *  @return 0 or 1.
 *  @since 0.1 */
USW_INLINE int usw_sub_group_any(usw_sub_group_t group, usw_b8_t x) { return usw_sub_group_count(group, x) > 0; }
/** Whether all lanes have an x that is not zero, in every lane.
 *  @param[in] group all its lanes call.
 *  @param[in] x     any scalar.
 *  @return 0 or 1.
 *  @since 0.1 */
USW_INLINE int usw_sub_group_all(usw_sub_group_t group, usw_b8_t x) {
  return usw_sub_group_count(group, x) == group.lanes;
}
/** @} */

/** @name Teams
 *  @{ */

/** The value of one thread, in every thread.
 *  @param[in] team all its threads call.
 *  @param[in] x    this thread's value.
 *  @param[in] ...  number of the thread, below team.threads and the same in every thread; then, for values that are no
 *                  scalars, the name of an operator for their type.
 *  @since 0.1 */
#define usw_team_broadcast(team, x, ...) USW_BROADCAST(_team_broadcast, team, x, __VA_ARGS__)
/** All threads' values combined, in every thread.
 *  @param[in] team all its threads call.
 *  @param[in] x    this thread's value.
 *  @param[in] ...  the operator; or a value to begin with, then the operator.
 *  @since 0.1 */
#define usw_team_reduce(team, x, ...) USW_CAT(USW_REDUCE_, USW_FORM(x, __VA_ARGS__))(_team_reduce, team, x, __VA_ARGS__)
/** The same in thread 0 only: what other threads get is not specified. The same bits.
 *  @param[in] team all its threads call.
 *  @param[in] x    this thread's value.
 *  @param[in] ...  the operator; or a value to begin with, then the operator.
 *  @since 0.1 */
#define usw_team_reduce_to_first(team, x, ...)                                                                         \
  USW_CAT(USW_REDUCE_, USW_FORM(x, __VA_ARGS__))(_team_reduce_to_first, team, x, __VA_ARGS__)
/** The values of the threads up to this one combined.
 *  @param[in] team all its threads call.
 *  @param[in] x    this thread's value.
 *  @param[in] ...  the operator; or the operator, then a value to begin with.
 *  @since 0.1 */
#define usw_team_inclusive_scan(team, x, ...)                                                                          \
  USW_CAT(USW_INCLUSIVE_, USW_FORM(x, __VA_ARGS__))(_team_inclusive_scan, team, x, __VA_ARGS__)
/** The values of the threads before this one combined: in thread 0 the identity, or the value to begin with.
 *  @param[in] team all its threads call.
 *  @param[in] x    this thread's value.
 *  @param[in] ...  the operator, which needs an identity; or a value to begin with, then the operator.
 *  @since 0.1 */
#define usw_team_exclusive_scan(team, x, ...)                                                                          \
  USW_CAT(USW_EXCLUSIVE_, USW_FORM(x, __VA_ARGS__))(_team_exclusive_scan_from, team, x, __VA_ARGS__)

/** How many threads have an x that is not zero, in every thread.
 *  @param[in] team all its threads call.
 *  @param[in] x    any scalar.
 *  @return from 0 to team.threads.
 *  @since 0.1 */
USW_INLINE uint32_t usw_team_count(usw_team_t team, usw_b8_t x) {
  return USW_BY_SCALAR(0u, _team_reduce)(team, x ? 1u : 0u, USW_PLUS);
}
/** Whether any thread has an x that is not zero, in every thread.
 *  @param[in] team all its threads call.
 *  @param[in] x    any scalar.
 *  @return 0 or 1.
 *  @since 0.1 */
USW_INLINE int usw_team_any(usw_team_t team, usw_b8_t x) { return usw_team_count(team, x) > 0; }
/** Whether all threads have an x that is not zero, in every thread.
 *  @param[in] team all its threads call.
 *  @param[in] x    any scalar.
 *  @return 0 or 1.
 *  @since 0.1 */
USW_INLINE int usw_team_all(usw_team_t team, usw_b8_t x) { return usw_team_count(team, x) == team.threads; }
/** @} */

/** @cond */
#define USW_INCLUSIVE_PLAIN(what, group, x, operation) USW_COLLECT(what, operation, x, group, x)
#define USW_INCLUSIVE_WITH_INIT(what, group, x, operation, init)                                                       \
  USW_COLLECT(_combine, operation, x, USW_LIKE(x, init), USW_COLLECT(what, operation, x, group, x))
#define USW_EXCLUSIVE_PLAIN(what, group, x, operation)                                                                 \
  USW_COLLECT(what, operation, x, group, x, USW_COLLECT(_identity, operation, x, (const volatile __typeof__(x) *)0))
#define USW_EXCLUSIVE_WITH_INIT(what, group, x, init, operation)                                                       \
  USW_COLLECT(what, operation, x, group, x, USW_LIKE(x, init))
#define USW_BROADCAST(what, group, x, ...) USW_BROADCAST_FORM(__VA_ARGS__, USER, SCALAR, )(what, group, x, __VA_ARGS__)
#define USW_BROADCAST_FORM(_1, _2, form, ...) USW_CAT(USW_BROADCAST_, form)
#define USW_BROADCAST_SCALAR(what, group, x, lane) USW_BY_SCALAR(x, what)(group, x, lane)
#define USW_BROADCAST_USER(what, group, x, lane, operation) USW_CAT(USW_CAT(usw_of_, operation), what)(group, x, lane)
/** @endcond */

#if USW_DECLARES_TARGET
#pragma omp end declare target
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif
#endif
/** @} */
