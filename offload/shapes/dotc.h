/* The inner product of two streams of complex numbers, the first conjugated. Entry: name, PLUS, type. */
#include "entry.h"

#define USW_LEFT_FACTOR(x) USW_COMPLEX_LIKE(x, USW_REAL_PART(x), -USW_IMAGINARY_PART(x))
#define USW_PRODUCT_OPERATION USW_DOTC
#include "dot.h"
