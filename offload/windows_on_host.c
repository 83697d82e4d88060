/* The kernels of sweeps (lib/exec/exact.c) for the host alone, one for each type: there a loop has vectors only if it knows what
 * it loads. The build makes a file per type that includes shapes/windows_of_type.h. */
#include <upsweep/descriptor.h>
#include <upsweep/window.h>

#define DECLARE(tag)                                                                                                   \
  extern const usw_kernel_t window_##tag##_kernel, window_of_products_##tag##_kernel, nanwindow_##tag##_kernel,        \
      nanwindow_of_products_##tag##_kernel;
DECLARE(f64)
DECLARE(f32)
DECLARE(f16)
DECLARE(bf16)

/* By whether they pass over NaNs, and whether they are of products. */
#define KERNELS(tag)                                                                                                   \
  {                                                                                                                    \
    {&window_##tag##_kernel, &window_of_products_##tag##_kernel}, {                                                    \
      &nanwindow_##tag##_kernel, &nanwindow_of_products_##tag##_kernel                                                 \
    }                                                                                                                  \
  }
static const usw_kernel_t *const f64[2][2] = KERNELS(f64), *const f32[2][2] = KERNELS(f32),
                                 *const f16[2][2] = KERNELS(f16), *const bf16[2][2] = KERNELS(bf16);

const usw_kernel_t *uswi_window_kernel_on_host(usw_type_t type, int is_of_products, int passes_nans) {
  switch (type) {
  case USW_F64:
    return f64[passes_nans][is_of_products];
  case USW_F32:
    return f32[passes_nans][is_of_products];
  case USW_F16:
    return f16[passes_nans][is_of_products];
  default:
    return bf16[passes_nans][is_of_products];
  }
}
