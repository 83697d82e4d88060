/* expect: usw_kernel_team: the kernel is not USW_IN_STEP */
/* Threads visit unlike numbers of items: a collective would wait for ever. */
#include <upsweep/team.h>
#define USW_KERNEL bad
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, usw_team_reduce(usw_kernel_team(), x, USW_PLUS)); }
#include <upsweep/kernel_end.h>
