/* Selections: a scan of what is chosen says where it goes. */
#include <upsweep/select.h>

#include "api/library.h"
#include "api/select.h"
#include "base/error.h"
#include "exec/run.h"

/* Made by the build from kernels.def. */
extern const usw_kernel_t select_u8_kernel, select_u16_kernel, select_u32_kernel, select_u64_kernel, select_cf32_kernel,
    select_cf64_kernel;

/* By size and boundary; NULL: it is no type. */
static const usw_kernel_t *kernel_of(usw_type_t type) {
  switch (type) {
  case USW_I8:
  case USW_U8:
  case USW_BOOL:
    return &select_u8_kernel;
  case USW_I16:
  case USW_U16:
  case USW_F16:
  case USW_BF16:
    return &select_u16_kernel;
  case USW_I32:
  case USW_U32:
  case USW_F32:
    return &select_u32_kernel;
  case USW_I64:
  case USW_U64:
  case USW_F64:
    return &select_u64_kernel;
  case USW_CF32:
    return &select_cf32_kernel;
  case USW_CF64:
    return &select_cf64_kernel;
  default:
    return NULL;
  }
}

const usw_kernel_t *uswi_select_kernel(usw_type_t type) {
  const usw_kernel_t *const kernel = kernel_of(type);
  if (!kernel)
    uswi_fail(USW_ERROR_UNSUPPORTED, "select: type %d is none of usw_type_t: USW_F64 for example", (int)type);
  return kernel;
}

usw_status_t usw_select(usw_type_t type, const void *x, const uint8_t *flags, size_t n, void *out, size_t *kept_out,
                        const usw_options_t *options) {
  uint64_t kept = 0;
  const usw_variable_t variable = {&kept, 1};
  const uint64_t arguments[USWI_MAX_ARGUMENTS] = {(uint64_t)(uintptr_t)x, (uint64_t)(uintptr_t)flags,
                                                  (uint64_t)(uintptr_t)out};
  const usw_kernel_t *kernel = NULL;
  uswi_call_t call;
  usw_status_t status = uswi_enter();
  if (status == USW_OK && !(kernel = uswi_select_kernel(type)))
    status = USW_ERROR_UNSUPPORTED;
  if (status == USW_OK && !kept_out)
    status = uswi_fail(USW_ERROR_INVALID, "select: the address of the number of elements is NULL");
  if (status == USW_OK && n > 0 && (out == x || out == flags)) /* others read there what one writes */
    status = uswi_fail(USW_ERROR_INVALID, "select: the output is the array of the %s: give it one of its own",
                       out == x ? "elements" : "flags");
  if (status != USW_OK)
    return status;
  uswi_call_init(&call, kernel, n, options);
  call.name = "select";
  call.variables = &variable;
  status = uswi_run_call(&call, arguments);
  if (status == USW_OK)
    *kept_out = (size_t)kept;
  return status;
}
