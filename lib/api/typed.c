/* The typed functions, usw_sum_f64() and so on: calls by codes with the codes in their names. */
#include <upsweep/upsweep.h>

#define CALL_1(OPERATION, type) usw_reduce(OPERATION, type, x, n, result_out, NULL)
#define CALL_2(OPERATION, type) usw_reduce_pair(OPERATION, type, x, y, n, result_out, NULL)
#define TYPED(tag, CODE, code, type, value, sum, real, key, class, name, OPERATION, streams, RESULT, GROUP)            \
  USW_HAS_##GROUP##_##class(usw_status_t usw_##name##_##tag(USW_PARAMETERS_##streams(tag, USW_RESULT_##RESULT)) {      \
    return CALL_##streams(USW_##OPERATION, USW_##CODE);                                                                \
  })
#define FUNCTION(name, OPERATION, streams, RESULT, GROUP, what, ...)                                                   \
  USW_TYPES(TYPED, name, OPERATION, streams, RESULT, GROUP)
USW_FUNCTIONS(FUNCTION, )
