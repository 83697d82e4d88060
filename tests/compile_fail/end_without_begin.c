/* expect: kernel_end.h> closes what <upsweep/kernel.h> opened */
/* kernel_end.h alone. */
#include <upsweep/kernel_end.h>
