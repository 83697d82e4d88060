/* What every shape needs of its row: names made of the row's name, operator and type. Each shape defines USW_KERNEL and
 * its lists from these, and ends with the typed function that upsweep.h declares. */
#ifndef UPSWEEP_SHAPES_ROW_H
#define UPSWEEP_SHAPES_ROW_H

#include <upsweep/reducer.h>
#include <upsweep/upsweep.h>

#define USW_TAGGED_(before, tag, after) before##tag##after
#define USW_TAGGED(before, tag, after) USW_TAGGED_(before, tag, after)
#define USW_ROW_KERNEL USW_CAT(USW_CAT(USW_ROW_NAME, _), USW_ROW_TYPE) /* sum_f64 */
#define USW_ROW_OPERATION USW_CAT(USW_, USW_ROW_OPERATOR)              /* USW_PLUS */
#define USW_ROW_ELEMENT USW_TAGGED(usw_, USW_ROW_TYPE, _t)             /* double */
#define USW_ROW_SUM USW_TAGGED(usw_sum_, USW_ROW_TYPE, _t)             /* what double adds up to */
#define USW_ROW_KEY USW_TAGGED(usw_key_, USW_ROW_TYPE, _t)             /* what orders double */
#define USW_ROW_CODE USW_TAGGED(USW_CODE_OF_, USW_ROW_TYPE, )          /* USW_F64 */
#define USW_ROW_FUNCTION USW_CAT(usw_, USW_ROW_KERNEL)                 /* usw_sum_f64 */
#define USW_ROW_DESCRIPTOR USW_CAT(USW_ROW_KERNEL, _kernel)            /* sum_f64_kernel */

/* USW_CODE_OF_f64 is USW_F64, USW_FLOATING_f64 is 1. */
enum {
#define USW_ROW_TYPE_FACTS(tag, CODE, code, type, sum, key, class)                                                     \
  USW_CODE_OF_##tag = code, USW_IS_FLOATING_##tag = USW_CLASS_##class,
#define USW_CLASS_INTEGER 0
#define USW_CLASS_FLOATING 1
  USW_TYPES(USW_ROW_TYPE_FACTS)
#undef USW_CLASS_INTEGER
#undef USW_CLASS_FLOATING
#undef USW_ROW_TYPE_FACTS
};
#define USW_ROW_IS_FLOATING USW_CAT(USW_IS_FLOATING_, USW_ROW_TYPE)

#endif
