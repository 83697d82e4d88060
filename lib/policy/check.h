/* What is wrong with a call whatever its place. Every check writes the error's text. */
#ifndef USWI_POLICY_CHECK_H
#define USWI_POLICY_CHECK_H

#include "policy/call.h"

/* Copy the arguments in and check all of the call. */
usw_status_t uswi_check(uswi_call_t *call, const uint64_t *arguments);

/* The same where another call of the kernel has been checked, with no variables, and options that differ in place and strides alone. */
usw_status_t uswi_check_like(uswi_call_t *call, const uint64_t *arguments);

#ifdef __clang__
#define USWI_LLVM_MAJOR __clang_major__
#else
#define USWI_LLVM_MAJOR 0
#endif

/* Whether the library can run a kernel of this descriptor; and why not. Calls have a bit for each argument that is an address. */
enum { USWI_MOST_ADDRESSED = 64 };
usw_status_t uswi_refuse_kernel(const usw_kernel_t *kernel);
usw_status_t uswi_check_counts(const usw_kernel_t *kernel);
static inline usw_status_t uswi_check_kernel(const usw_kernel_t *kernel) {
  const int is_known =
      kernel && kernel->abi == USW_DESCRIPTOR_ABI && (kernel->llvm_major == 0 || kernel->llvm_major == USWI_LLVM_MAJOR);
  if (!is_known)
    return uswi_refuse_kernel(kernel);
  const int are_few =
      kernel->argument_count <= USWI_MOST_ADDRESSED && kernel->reducer_count <= (uint32_t)USWI_MAX_REDUCERS;
  return are_few ? USW_OK : uswi_check_counts(kernel);
}

/* Whether the options' fold is one, and goes with their accuracy. */
usw_status_t uswi_check_fold(const char *owner, const usw_options_t *options);

/* Whether the library counts so many items, whatever their stride. */
usw_status_t uswi_check_items(const char *owner, size_t n);

/* Whether the options' place is one. */
usw_status_t uswi_check_place(const uswi_call_t *call);

/* The variables by themselves: their addresses, the extents of spans and the bytes of a record, which the call has then. */
usw_status_t uswi_check_variables(uswi_call_t *call);

/* Of those of a kernel with spans only the extents, and the bytes of a record. */
usw_status_t uswi_check_extents(uswi_call_t *call);

/* Set the arguments that the library sets, and check outputs, once the caller's are copied in and checked. */
usw_status_t uswi_finish_arguments(uswi_call_t *call);

/* Whether the options, if there are any, are of this library's size: the first question, since nothing else of them can be read before. */
usw_status_t uswi_check_size(const char *owner, const usw_options_t *options);

/* The parts of it that sets need by themselves. owner and what say in an error's text whose stream it is. */
usw_status_t uswi_check_options(const uswi_call_t *call);
usw_status_t uswi_check_stream(const char *owner, const char *what, uint64_t address, size_t n, ptrdiff_t stride,
                               uint32_t bytes, uint32_t alignment_bytes);

#endif
