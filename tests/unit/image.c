/* The images that a program carries (lib/backend/image.h): this one's, those of another kernel in the same file, the library's, and
 * what only looks like one. Needs no GPU. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/upsweep.h>

#include "backend/image.h"
#include "support/check.h"

#define USW_KERNEL image_sum
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, x)
#define USW_REDUCERS(R, S) R(double, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>

/* Its name ends as the other one's. */
#define USW_KERNEL other_image_sum
#define USW_ARGS(IN, ARRAY, VALUE) IN(float, x)
#define USW_REDUCERS(R, S) R(float, sum, USW_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) { usw_add(sum, x); }
#include <upsweep/kernel_end.h>

static int ends_with(const char *text, const char *end) {
  return strlen(text) >= strlen(end) && strcmp(text + strlen(text) - strlen(end), end) == 0;
}

static void entries(uswi_image_t image) {
  const char *symbol = NULL, *other = NULL;
  CHECK_I64(1, uswi_image_entries(image, image_sum_kernel.bare.stub_name, &symbol));
  CHECK_I64(1, uswi_image_entries(image, other_image_sum_kernel.bare.stub_name, &other));
  CHECK(symbol && other && strcmp(symbol, other) != 0);
  CHECK(symbol && strstr(symbol, "_image_sum_bare_l") && !ends_with(symbol, "_bare"));
  CHECK_I64(0, uswi_image_entries(image, "sum_bare", &symbol));
  CHECK_I64(0, uswi_image_entries(image, "image_sum", &symbol));
  CHECK_I64(0, uswi_image_entries(image, "", &symbol));
  CHECK_I64(0, uswi_image_has_variables(image));
}

/* An image that ends too early, or says nonsense, has no entries, and is never read behind its end (a sanitizer sees it). */
static void broken(uswi_image_t image) {
  const char *symbol;
  for (size_t bytes = 0; bytes < image.bytes; bytes = bytes * 5 / 4 + 7) {
    unsigned char *copy = malloc(bytes);
    memcpy(copy, image.start, bytes);
    CHECK(uswi_image_entries((uswi_image_t){copy, bytes}, "image_sum_bare", &symbol) <= 1);
    free(copy);
  }
  unsigned char *copy = malloc(image.bytes);
  for (size_t at = 0; at < 64; at++) {
    memcpy(copy, image.start, image.bytes);
    copy[at] ^= 0xff;
    CHECK(uswi_image_entries((uswi_image_t){copy, image.bytes}, "image_sum_bare", &symbol) <= 1);
    CHECK_I64(0, uswi_image_has_variables((uswi_image_t){copy, image.bytes}));
  }
  free(copy);
}

int main(void) {
  const void *stub = (const void *)(uintptr_t)image_sum_kernel.bare.stub;
  CHECK(uswi_image_of(stub, "sm_10").start == NULL);
  CHECK(uswi_image_of((const void *)(uintptr_t)&malloc, "sm_90").start == NULL);
  CHECK(uswi_image_of(NULL, "sm_90").start == NULL);
  const char *architecture = strstr(image_sum_kernel.images, "sm_");
  if (!architecture)
    return check_skip("no image for NVIDIA's GPUs was compiled");
  char name[16] = "";
  memcpy(name, architecture, strcspn(architecture, " ") < sizeof name ? strcspn(architecture, " ") : 0);
  const uswi_image_t image = uswi_image_of(stub, name);
  CHECK(image.start != NULL);
  const uswi_image_t of_library = uswi_image_of((const void *)(uintptr_t)&usw_reduce, name);
  CHECK(of_library.start != NULL && of_library.start != image.start);
  /* With variables OpenMP would launch its kernels, which takes three times as long. */
  CHECK_I64(0, uswi_image_has_variables(of_library));
  if (image.start) {
    entries(image);
    broken(image);
  }
  return check_report();
}
