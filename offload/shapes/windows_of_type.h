/* The host's kernels of sweeps over elements of one type, USW_WINDOW_TAG, for either NaN policy. */
#undef USW_IMAGES /* no target region */
#include "shapes/window_numbers.h"

#define USW_WINDOW_HAS_ERRORS (sizeof(USW_WINDOW_ELEMENT) == sizeof(double)) /* products round */
#define USW_WINDOW_ELEMENT USW_CAT(USW_CAT(usw_, USW_WINDOW_TAG), _t)
#define USW_WINDOW_VALUE USW_CAT(usw_value_, USW_WINDOW_TAG)

#define USW_WINDOW_KERNEL window_
#define USW_WINDOW_SECOND_STREAM(IN)
#define USW_WINDOW_IS_NUMBER(value, other) 1
#include "shapes/windows_of_policy.h"

#define USW_WINDOW_KERNEL nanwindow_
#define USW_WINDOW_SECOND_STREAM(IN)                                                                                   \
  IN(USW_WINDOW_ELEMENT, other) /* the other part of a complex number, or the same one */
#define USW_WINDOW_IS_NUMBER(value, other) ((value) == (value) && (other) == (other))
#include "shapes/windows_of_policy.h"
