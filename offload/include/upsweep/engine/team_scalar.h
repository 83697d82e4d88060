/* The functions of <upsweep/team.h> for one scalar type, whose operator comes as a code: USW_SCALAR_TYPE, USW_SCALAR_TAG and
 * USW_SCALAR_CLASS as in the list of scalars (reducer.h). In C++ the types tell the functions apart. */
#define USW_COLLECTIVE_NAME USW_CAT(usw_, USW_SCALAR_TAG)
#ifdef __cplusplus
#define USW_COLLECTIVE_PREFIX usw_scalar
#else
#define USW_COLLECTIVE_PREFIX USW_COLLECTIVE_NAME
#endif
#define USW_COLLECTIVE_TYPE USW_SCALAR_TYPE
#define USW_COLLECTIVE_MERGE(a, b) (void)(*(a) = usw_operate(operation, *(a), *(b)))
#define USW_COLLECTIVE_WORDS ((sizeof(USW_SCALAR_TYPE) + 3) / 4)
#define USW_COLLECTIVE_VALUES (USW_TEAM_LIMIT / USW_SUB_GROUP + 1)
#define USW_COLLECTIVE_HEAVY 0
#define USW_COLLECTIVE_PARAMETER , int operation
#define USW_COLLECTIVE_PASS , operation
#define USW_COLLECTIVE_IGNORE , (void)operation
#define USW_COLLECTIVE_ANY , USW_PLUS /* where nothing is combined */
#define USW_IF_INTEGER USW_CAT(USW_HAS_INTEGER_, USW_SCALAR_CLASS)
#define USW_COLLECTIVE_FOLDS_WORD (0 USW_IF_INTEGER(+(sizeof(USW_SCALAR_TYPE) == 4 && USW_PORT_FOLDS(operation))))
#define USW_COLLECTIVE_FOLD_WORD(word, lanes)                                                                          \
  usw_port_fold_word(operation, (0 USW_IF_INTEGER(+((USW_SCALAR_TYPE) - 1 < (USW_SCALAR_TYPE)1))), word, lanes)
#include <upsweep/engine/collectives.h>

#include <upsweep/engine/team_functions.h>

/* Told the type, by an address of nothing: a value would be evaluated twice. */
USW_INLINE USW_C_T USW_C(_identity)(const volatile USW_C_T *type, int operation) {
  (void)type;
  return USW_IDENTITY(operation, USW_SCALAR_TYPE);
}
#undef USW_COLLECTIVE_IGNORE
#undef USW_COLLECTIVE_ANY
#undef USW_COLLECTIVE_FOLDS_WORD
#undef USW_COLLECTIVE_FOLD_WORD
#undef USW_IF_INTEGER
#undef USW_SCALAR_TYPE
#undef USW_SCALAR_TAG
#undef USW_SCALAR_CLASS
#include <upsweep/engine/collectives_end.h>
