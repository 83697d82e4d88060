/** @ingroup team
 *  @file
 *  Makes the collectives of <upsweep/team.h> for an operator of your own: define USW_OPERATOR, the name of a function of two
 *  values in the order of the threads; USW_OPERATOR_TYPE, their type; USW_OPERATOR_IDENTITY, an expression, if there is one;
 *  and include this. It undefines all three. */
#if !defined(USW_OPERATOR) || !defined(USW_OPERATOR_TYPE)
#error "define USW_OPERATOR and USW_OPERATOR_TYPE before <upsweep/team_operator.h>"
#endif

#include <upsweep/team.h>

/** @cond */
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wstatic-in-inline" /* as in kernel.h */
#endif
#if USW_DECLARES_TARGET
#pragma omp begin declare target
#endif

#define USW_COLLECTIVE_NAME USW_CAT(usw_of_, USW_OPERATOR)
#define USW_COLLECTIVE_PREFIX USW_COLLECTIVE_NAME
#define USW_COLLECTIVE_TYPE USW_OPERATOR_TYPE
#define USW_COLLECTIVE_MERGE(a, b) (void)(*(a) = USW_OPERATOR(*(a), *(b)))
#define USW_COLLECTIVE_WORDS ((sizeof(USW_OPERATOR_TYPE) + 3) / 4)
#define USW_COLLECTIVE_VALUES (USW_TEAM_LIMIT / USW_SUB_GROUP + 1)
#define USW_COLLECTIVE_HEAVY (sizeof(USW_OPERATOR_TYPE) > 64)
#define USW_COLLECTIVE_PARAMETER
#define USW_COLLECTIVE_PASS
#define USW_COLLECTIVE_IGNORE
#define USW_COLLECTIVE_ANY
#define USW_COLLECTIVE_FOLDS_WORD 0
#define USW_COLLECTIVE_FOLD_WORD(word, lanes) word
USW_ASSERT(USW_SUB_GROUP == 1 || USW_COLLECTIVE_VALUES * sizeof(USW_OPERATOR_TYPE) <= 48 << 10,
           "team memory has no room for values of this size");
#include <upsweep/engine/collectives.h>

#include <upsweep/engine/team_functions.h>

#ifdef USW_OPERATOR_IDENTITY
USW_INLINE USW_C_T USW_C(_identity)(const volatile USW_C_T *type) {
  (void)type;
  return USW_OPERATOR_IDENTITY;
}
#else
USW_C_T USW_C(_identity)(const volatile USW_C_T *type)
    __attribute__((unavailable("the operator has no identity: an exclusive scan needs a value to begin with")));
#endif

#if USW_DECLARES_TARGET
#pragma omp end declare target
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif

#undef USW_COLLECTIVE_IGNORE
#undef USW_COLLECTIVE_ANY
#undef USW_COLLECTIVE_FOLDS_WORD
#undef USW_COLLECTIVE_FOLD_WORD
#undef USW_OPERATOR
#undef USW_OPERATOR_TYPE
#undef USW_OPERATOR_IDENTITY
#include <upsweep/engine/collectives_end.h>
/** @endcond */
