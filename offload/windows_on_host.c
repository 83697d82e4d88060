/* The kernels of sweeps (lib/exec/exact.c) for the host alone, one for each type: there a loop has vectors only if it knows what
 * it loads. The build makes a file per type that includes shapes/windows_of_type.h. */
#include <upsweep/descriptor.h>
#include <upsweep/window.h>

#define DECLARE(tag) extern const usw_kernel_t window_##tag##_kernel, window_of_products_##tag##_kernel;
DECLARE(f64)
DECLARE(f32)
DECLARE(f16)
DECLARE(bf16)

const usw_kernel_t *uswi_window_kernel_on_host(usw_type_t type, int is_of_products) {
  switch (type) {
  case USW_F64:
    return is_of_products ? &window_of_products_f64_kernel : &window_f64_kernel;
  case USW_F32:
    return is_of_products ? &window_of_products_f32_kernel : &window_f32_kernel;
  case USW_F16:
    return is_of_products ? &window_of_products_f16_kernel : &window_f16_kernel;
  default:
    return is_of_products ? &window_of_products_bf16_kernel : &window_bf16_kernel;
  }
}
