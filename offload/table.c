/* The table of the library's kernels, from the rows of kernels.def. */
#include <upsweep/descriptor.h>

/* Apply ITEM(name, type) to each type of a row, at most eight. */
#define EACH_1(ITEM, name, t) ITEM(name, t)
#define EACH_2(ITEM, name, t, ...) ITEM(name, t) EACH_1(ITEM, name, __VA_ARGS__)
#define EACH_3(ITEM, name, t, ...) ITEM(name, t) EACH_2(ITEM, name, __VA_ARGS__)
#define EACH_4(ITEM, name, t, ...) ITEM(name, t) EACH_3(ITEM, name, __VA_ARGS__)
#define EACH_5(ITEM, name, t, ...) ITEM(name, t) EACH_4(ITEM, name, __VA_ARGS__)
#define EACH_6(ITEM, name, t, ...) ITEM(name, t) EACH_5(ITEM, name, __VA_ARGS__)
#define EACH_7(ITEM, name, t, ...) ITEM(name, t) EACH_6(ITEM, name, __VA_ARGS__)
#define EACH_8(ITEM, name, t, ...) ITEM(name, t) EACH_7(ITEM, name, __VA_ARGS__)
#define EACH_PICK(a, b, c, d, e, f, g, h, EACH, ...) EACH
#define EACH(ITEM, name, ...)                                                                                          \
  EACH_PICK(__VA_ARGS__, EACH_8, EACH_7, EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, )(ITEM, name, __VA_ARGS__)

#define DECLARE(name, type) extern const usw_kernel_t name##_##type##_kernel;
#define USW_ROW(name, shape, operation, ...) EACH(DECLARE, name, __VA_ARGS__)
#include "kernels.def"
#undef USW_ROW

#define ADDRESS(name, type) &name##_##type##_kernel,
#define USW_ROW(name, shape, operation, ...) EACH(ADDRESS, name, __VA_ARGS__)
extern const usw_kernel_t *const uswi_kernels[];
const usw_kernel_t *const uswi_kernels[] = {
#include "kernels.def"
    NULL};
