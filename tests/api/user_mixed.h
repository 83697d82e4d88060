/* A user kernel with nine reducers of different types and operators. */
#define USW_KERNEL mixed
#define USW_ARGS(IN, ARRAY, VALUE)                                                                                     \
  IN(double, b) IN(float, a) ARRAY(int32_t, weight) VALUE(double, limit) VALUE(char, modulus)
#define USW_REDUCERS(R, S)                                                                                             \
  R(double, total, USW_PLUS)                                                                                           \
  R(double, worst, USW_MAXIMUM)                                                                                        \
  R(float, least, USW_MINIMUM)                                                                                         \
  R(uint64_t, over, USW_PLUS)                                                                                          \
  R(int32_t, peak, USW_MAXIMUM)                                                                                        \
  R(unsigned char, narrow, USW_PLUS)                                                                                   \
  R(double, nearest, closer)                                                                                           \
  R(affine_t, map, compose, affine_one())                                                                              \
  R(padded_t, padded, padded_add, padded_zero())
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double r = b - (double)a;
  const padded_t parts = {(uint8_t)i, (uint32_t)i * 3, (uint16_t)(i * 5)};
  usw_add(total, floor(r));
  usw_combine(worst, r);
  usw_combine(least, a);
  if (r > limit)
    usw_inc(over);
  usw_combine(peak, weight[i % (unsigned char)modulus]);
  usw_inc(narrow);
  if (i % 3 == 2) /* the first two items have nothing to say here */
    usw_combine(nearest, b);
  usw_combine(map, about_seven(2 * i + 1));
  usw_combine(padded, parts);
}
#include <upsweep/kernel_end.h>
