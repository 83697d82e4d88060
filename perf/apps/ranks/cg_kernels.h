/* The kernels of cg's reductions by one operator. Before: CG_KERNEL(name) and CG_PLUS, the operator; undefined after. */
#define USW_KERNEL CG_KERNEL(dot)
#define USW_MPI 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x) IN(double, y)
#define USW_REDUCERS(R, S) R(double, sum, CG_PLUS)
#include <upsweep/kernel.h>
USW_VISIT() { usw_add(sum, x * y); }
#include <upsweep/kernel_end.h>

#define USW_KERNEL CG_KERNEL(update)
#define USW_MPI 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, residual) IN(double, product) VALUE(double, step)
#define USW_OUTPUTS(OUT) OUT(double, updated)
#define USW_REDUCERS(R, S) R(double, sum, CG_PLUS)
#include <upsweep/kernel.h>
USW_VISIT() {
  const double r = residual - step * product;
  usw_write(updated, r);
  usw_add(sum, r * r);
}
#include <upsweep/kernel_end.h>

#define USW_KERNEL CG_KERNEL(squares)
#define USW_MPI 1
#define USW_NO_INDEX 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, residual)
#define USW_REDUCERS(R, S) R(double, sum, CG_PLUS)
#include <upsweep/kernel.h>
USW_VISIT() { usw_add(sum, residual * residual); }
#include <upsweep/kernel_end.h>

#undef CG_KERNEL
#undef CG_PLUS
