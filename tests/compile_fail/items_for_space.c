/* expect: incompatible integer to pointer|makes pointer from integer */
/* A number of items where a kernel of two dimensions takes a space. */
#define USW_KERNEL grid
#define USW_DIMENSIONS 2
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(j, i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>
#pragma GCC diagnostic error "-Wint-conversion"
int bad(const double *x, size_t n, double *sum);
int bad(const double *x, size_t n, double *sum) { return (int)grid(n, x, sum, NULL); }
