/* A set of a library operator, for collectives.c: SET_TYPE, SET_TAG, SET_OPERATOR without USW_, SET_VALUE of thread i, SET_ALL. */
#define SET_NAME USW_CAT(SET_TAG, USW_CAT(_, SET_OPERATOR))
#define SET_OPERATION USW_CAT(USW_, SET_OPERATOR)
#define SET_COMBINE(a, b) usw_operate(SET_OPERATION, a, b)
#define SET_MAKE(i) SET_VALUE(i)
#define SET_IDENTITY USW_IDENTITY(SET_OPERATION, SET_TYPE)
#include "collective_set.h"
#undef SET_TAG
#undef SET_OPERATOR
#undef SET_VALUE
