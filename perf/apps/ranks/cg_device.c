#include "cg_device.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "ranks.h"

static int number_of(int device) { return device == CG_HOST ? omp_get_initial_device() : device; }

void cg_copy(void *to, int to_device, const void *from, int from_device, size_t bytes) {
  if (to_device == CG_HOST && from_device == CG_HOST)
    memcpy(to, from, bytes);
  else if (omp_target_memcpy(to, from, bytes, 0, 0, number_of(to_device), number_of(from_device)) != 0)
    ranks_end("cg: a copy to or from the device failed");
}

void *cg_allocate(int device, size_t count, size_t bytes) {
  if (device == CG_HOST)
    return ranks_allocate(count, bytes);
  void *const there = omp_target_alloc(count * bytes, device);
  if (!there)
    ranks_end("cg: there is no room for a vector on the device");
  return there;
}

void cg_free(int device, void *memory) {
  if (device == CG_HOST)
    free(memory);
  else
    omp_target_free(memory, device);
}

void cg_multiply_on_device(int device, size_t rows, const uint32_t *begins, const int32_t *columns,
                           const double *values, const double *x, double *product) {
#pragma omp target teams distribute parallel for device(device) is_device_ptr(begins, columns, values, x, product)
  for (size_t row = 0; row < rows; row++) {
    double sum = 0;
    for (uint32_t k = begins[row]; k < begins[row + 1]; k++)
      sum += values[k] * x[columns[k]];
    product[row] = sum;
  }
}

void cg_step_on_device(int device, size_t n, const double *p, double step, double *x) {
#pragma omp target teams distribute parallel for device(device) is_device_ptr(p, x)
  for (size_t i = 0; i < n; i++)
    x[i] += step * p[i];
}

void cg_turn_on_device(int device, size_t n, const double *residual, double ratio, double *p) {
#pragma omp target teams distribute parallel for device(device) is_device_ptr(residual, p)
  for (size_t i = 0; i < n; i++)
    p[i] = residual[i] + ratio * p[i];
}

void cg_step_back_on_device(int device, size_t n, const double *product, double step, double *residual) {
#pragma omp target teams distribute parallel for device(device) is_device_ptr(product, residual)
  for (size_t i = 0; i < n; i++)
    residual[i] -= step * product[i];
}

double cg_dot_on_device(int device, size_t n, const double *x, const double *y) {
  double sum = 0;
#pragma omp target teams distribute parallel for device(device) is_device_ptr(x, y) reduction(+ : sum)
  for (size_t i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

double cg_update_on_device(int device, size_t n, const double *product, double step, double *residual) {
  double sum = 0;
#pragma omp target teams distribute parallel for device(device) is_device_ptr(product, residual) reduction(+ : sum)
  for (size_t i = 0; i < n; i++) {
    const double r = residual[i] - step * product[i];
    residual[i] = r;
    sum += r * r;
  }
  return sum;
}
