/* The table of the library's kernels, from the entries of kernels.def and scans.def: uswi_kernels, which ends with NULL, and
 * uswi_aliases, the reductions that another type's kernel does, which ends with one of no kernel. */
#include <upsweep/descriptor.h>

#include "families_sample.h"

/* Apply ITEM(name, type) to each type of an entry, at most sixteen. */
#define EACH_1(ITEM, name, t) ITEM(name, t)
#define EACH_2(ITEM, name, t, ...) ITEM(name, t) EACH_1(ITEM, name, __VA_ARGS__)
#define EACH_3(ITEM, name, t, ...) ITEM(name, t) EACH_2(ITEM, name, __VA_ARGS__)
#define EACH_4(ITEM, name, t, ...) ITEM(name, t) EACH_3(ITEM, name, __VA_ARGS__)
#define EACH_5(ITEM, name, t, ...) ITEM(name, t) EACH_4(ITEM, name, __VA_ARGS__)
#define EACH_6(ITEM, name, t, ...) ITEM(name, t) EACH_5(ITEM, name, __VA_ARGS__)
#define EACH_7(ITEM, name, t, ...) ITEM(name, t) EACH_6(ITEM, name, __VA_ARGS__)
#define EACH_8(ITEM, name, t, ...) ITEM(name, t) EACH_7(ITEM, name, __VA_ARGS__)
#define EACH_9(ITEM, name, t, ...) ITEM(name, t) EACH_8(ITEM, name, __VA_ARGS__)
#define EACH_10(ITEM, name, t, ...) ITEM(name, t) EACH_9(ITEM, name, __VA_ARGS__)
#define EACH_11(ITEM, name, t, ...) ITEM(name, t) EACH_10(ITEM, name, __VA_ARGS__)
#define EACH_12(ITEM, name, t, ...) ITEM(name, t) EACH_11(ITEM, name, __VA_ARGS__)
#define EACH_13(ITEM, name, t, ...) ITEM(name, t) EACH_12(ITEM, name, __VA_ARGS__)
#define EACH_14(ITEM, name, t, ...) ITEM(name, t) EACH_13(ITEM, name, __VA_ARGS__)
#define EACH_15(ITEM, name, t, ...) ITEM(name, t) EACH_14(ITEM, name, __VA_ARGS__)
#define EACH_16(ITEM, name, t, ...) ITEM(name, t) EACH_15(ITEM, name, __VA_ARGS__)
#define EACH_PICK(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, EACH, ...) EACH
#define EACH(ITEM, name, ...)                                                                                          \
  EACH_PICK(__VA_ARGS__, EACH_16, EACH_15, EACH_14, EACH_13, EACH_12, EACH_11, EACH_10, EACH_9, EACH_8, EACH_7,        \
            EACH_6, EACH_5, EACH_4, EACH_3, EACH_2, EACH_1, )(ITEM, name, __VA_ARGS__)

#define USW_ENTRY_OF_NUMBERS USW_ENTRY
#define USW_SINGLE(...)

#define DECLARE(name, type) extern const usw_kernel_t name##_##type##_kernel, axes_##name##_##type##_kernel;
#define DECLARE_SCAN(name, type) extern const usw_kernel_t name##_##type##_kernel, segment_##name##_##type##_kernel;
#define USW_SAME(name, OPERATION, type, served)
#define USW_ENTRY(name, shape, operation, ...) EACH(DECLARE, name, __VA_ARGS__)
#include "kernels.def"
#undef USW_ENTRY
#define USW_ENTRY(name, shape, operation, ...) EACH(DECLARE_SCAN, name, __VA_ARGS__)
#include "scans.def"
#undef USW_ENTRY

#define ADDRESS(name, type) &name##_##type##_kernel, IF_ALONG_AXES(type, &axes_##name##_##type##_kernel, )
#define ADDRESS_OF_SCAN(name, type) IF_SCANNED(type, &name##_##type##_kernel, &segment_##name##_##type##_kernel, )
extern const usw_kernel_t *const uswi_kernels[];
const usw_kernel_t *const uswi_kernels[] = {
#define USW_ENTRY(name, shape, operation, ...) EACH(ADDRESS, name, __VA_ARGS__)
#include "kernels.def"
#undef USW_ENTRY
#define USW_ENTRY(name, shape, operation, ...) EACH(ADDRESS_OF_SCAN, name, __VA_ARGS__)
#include "scans.def"
#undef USW_ENTRY
    NULL};
#undef USW_SAME

enum {
#define CODE_OF(tag, CODE, code, ...) CODE_OF_##tag = code,
  USW_TYPES(CODE_OF, )
};
#define ALIAS(name, OPERATION, type, kernel) {USW_##OPERATION, CODE_OF_##type, #name "_" #type, &kernel, {0}},
#define USW_ENTRY(name, shape, operation, ...)
extern usw_alias_t uswi_aliases[];
usw_alias_t uswi_aliases[] = {
#define USW_SAME(name, OPERATION, type, served)                                                                        \
  ALIAS(name, OPERATION, type, name##_##served##_kernel)                                                               \
  IF_ALONG_AXES(served, ALIAS(axes_##name, OPERATION, type, axes_##name##_##served##_kernel))
#include "kernels.def"
#undef USW_SAME
#define USW_SAME(name, OPERATION, type, served)                                                                        \
  IF_SCANNED(served, ALIAS(name, OPERATION, type, name##_##served##_kernel)                                            \
                         ALIAS(segment_##name, OPERATION, type, segment_##name##_##served##_kernel))
#include "scans.def"
    {0, 0, NULL, NULL, {0}}};
