/* The kernels of passes (lib/exact.c) for the host alone, one for each type: there a loop has vectors only if it knows what
 * it loads. */
#undef USW_IMAGES /* no target region */
#include "shapes/window_numbers.h"

#define USW_WINDOW_TAG f64
#define USW_WINDOW_HAS_ERRORS 1
#include "shapes/windows_of_type.h"
#define USW_WINDOW_TAG f32
#define USW_WINDOW_HAS_ERRORS 0
#include "shapes/windows_of_type.h"
#define USW_WINDOW_TAG f16
#define USW_WINDOW_HAS_ERRORS 0
#include "shapes/windows_of_type.h"
#define USW_WINDOW_TAG bf16
#define USW_WINDOW_HAS_ERRORS 0
#include "shapes/windows_of_type.h"

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
