/* What kernel.h checks first, once for each kernel: that the one before is closed, that this one will be, and that the types of
 * its lists are types. kernel_end.h defines what is left open here. */
#ifdef USW_KERNEL_IS_OPEN
#error "the kernel before this one is not closed: #include <upsweep/kernel_end.h> behind its body"
#endif
#define USW_KERNEL_IS_OPEN

/* Where the file ends before kernel_end.h, compilers name this: a variable whose type is never completed; in C++, which has none, a
 * function that is used and never defined. */
#ifdef __clang__
#pragma clang diagnostic push
#pragma clang diagnostic error "-Wundefined-internal"
#pragma clang diagnostic ignored "-Wtentative-definition-incomplete-type"
#endif
#ifdef __cplusplus
static inline void USW_F(_is_not_closed_include_upsweep_kernel_end_h)();
USW_UNUSED static void (*const USW_F(_closes))() = USW_F(_is_not_closed_include_upsweep_kernel_end_h);
#else
USW_UNUSED static struct USW_F(_is_not_closed_include_upsweep_kernel_end_h)
    USW_F(_is_not_closed_include_upsweep_kernel_end_h);
#endif
#ifdef __clang__
#pragma clang diagnostic pop
#endif

/* Before anything else uses them: compilers show these lines. */
#ifndef USW_TYPE_OF_ARGUMENT
#define USW_TYPE_OF_ARGUMENT(T, n) typedef T USW_F(_type_of_argument_##n);
#define USW_TYPE_OF_REDUCER(T, n, ...) typedef T USW_F(_type_of_reducer_##n);
#endif
/* clang-format off */
USW_ARGS(USW_TYPE_OF_ARGUMENT, USW_TYPE_OF_ARGUMENT, USW_TYPE_OF_ARGUMENT) /* an error here: USW_ARGS has an unknown type */
USW_OUTPUTS(USW_TYPE_OF_ARGUMENT) /* an error here: USW_OUTPUTS has an unknown type */
USW_REDUCERS(USW_TYPE_OF_REDUCER, USW_TYPE_OF_REDUCER) /* an error here: USW_REDUCERS has an unknown type */
/* clang-format on */
