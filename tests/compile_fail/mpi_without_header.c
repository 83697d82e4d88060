/* expect: USW_MPI needs #include <upsweep/mpi.h> before */
/* A kernel for ranks whose file does not include their header. */
#define USW_KERNEL bad
#define USW_MPI 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, total, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_combine(total, x); }
#include <upsweep/kernel_end.h>
