/* The Euclidean norm of doubles from an exact sum of squares, which a scale that follows the largest number keeps from over-
 * and underflow. Entry: name, SQUARES_REPRODUCIBLE, type. */
#include "entry.h"

#define USW_KERNEL USW_ENTRY_KERNEL
#define USW_OPERATION USW_NORM2
#define USW_TYPE USW_ENTRY_CODE
#define USW_FACTS USW_ENTRY_FACTS
#define USW_RESULT double
#define USW_NO_CLAUSE 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(USW_ENTRY_ELEMENT, x)
#define USW_REDUCERS(R, S) R(double, squares, USW_ENTRY_OPERATION) USW_ENTRY_KEPT(R)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const int is_number = USW_ENTRY_IS_NUMBER(x);
  usw_combine(squares, is_number ? USW_REAL_PART(x) : 0);
#if USW_ENTRY_IS_COMPLEX
  usw_combine(squares, is_number ? USW_IMAGINARY_PART(x) : 0);
#endif
  USW_ENTRY_KEEP(is_number);
}
static void USW_F(_finish)(const USW_F(_acc) * a, USW_RESULT *result) { *result = usw_squares_d_root(&a->squares); }
#include <upsweep/kernel_end.h>
