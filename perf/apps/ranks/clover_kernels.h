/* The kernel of the field summary by one operator. Before: CLOVER_KERNEL, its name, and CLOVER_PLUS, the operator; undefined after. */
#define USW_KERNEL CLOVER_KERNEL
#define USW_MPI 1
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  IN(double, density)                                                                                                  \
  IN(double, energy)                                                                                                   \
  IN(double, pressure)                                                                                                 \
  ARRAY(double, x_velocity)                                                                                            \
  ARRAY(double, y_velocity) VALUE(uint64_t, first) VALUE(uint64_t, columns) VALUE(double, cell_volume)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, volume, CLOVER_PLUS)                                                                                       \
  R(double, mass, CLOVER_PLUS)                                                                                         \
  R(double, internal_energy, CLOVER_PLUS)                                                                              \
  R(double, kinetic_energy, CLOVER_PLUS)                                                                               \
  R(double, total_pressure, CLOVER_PLUS)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double cell_mass = cell_volume * density;
  usw_add(volume, cell_volume);
  usw_add(mass, cell_mass);
  usw_add(internal_energy, cell_mass * energy);
  usw_add(kinetic_energy, cell_mass * 0.5 * squared_velocity(x_velocity, y_velocity, i - first, columns));
  usw_add(total_pressure, cell_volume * pressure);
}
#include <upsweep/kernel_end.h>

#undef CLOVER_KERNEL
#undef CLOVER_PLUS
