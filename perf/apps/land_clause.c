/* The loop of land_kernel.c as one writes it without Upsweep. */
#include "land.h"

land_answer_t land_clause_host(size_t n, const uint8_t *ocean, const uint64_t *weight, uint64_t rows_per_group) {
  uint64_t ocean_count = 0, land_count = 0, weighted_land = 0;
#pragma omp parallel for reduction(+ : ocean_count, land_count, weighted_land)
  for (size_t i = 0; i < n; i++) {
    const uint64_t area = weight[i / LAND_GROUP * rows_per_group >> LAND_FRACTION_BITS];
    ocean_count += ocean[i];
    land_count += 1 - ocean[i];
    weighted_land += ocean[i] ? 0 : area;
  }
  return (land_answer_t){ocean_count, land_count, weighted_land};
}

land_answer_t land_clause_device(int device, size_t n, const uint8_t *ocean, const uint64_t *weight,
                                 uint64_t rows_per_group) {
  uint64_t ocean_count = 0, land_count = 0, weighted_land = 0;
#pragma omp target teams distribute parallel for device(device) is_device_ptr(ocean, weight)                           \
    map(tofrom : ocean_count, land_count, weighted_land) reduction(+ : ocean_count, land_count, weighted_land)
  for (size_t i = 0; i < n; i++) {
    const uint64_t area = weight[i / LAND_GROUP * rows_per_group >> LAND_FRACTION_BITS];
    ocean_count += ocean[i];
    land_count += 1 - ocean[i];
    weighted_land += ocean[i] ? 0 : area;
  }
  return (land_answer_t){ocean_count, land_count, weighted_land};
}
