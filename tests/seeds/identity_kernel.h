/* A kernel into which nothing is ever combined: with initialize_to_identity it gives what its reducers start from. Include
 * with IDENTITY_KERNEL (its name), IDENTITY_TYPE and IDENTITY_REDUCERS(R), a list of R(type, name, operator). */
#ifndef USW_TESTS_SEEDS_IDENTITY_KERNEL_H
#define USW_TESTS_SEEDS_IDENTITY_KERNEL_H
#define IDENTITY_VARIABLE(T, name, operation)                                                                          \
  T name, expected_##name = USW_IDENTITY(operation, T);                                                                \
  memset(&name, 1, sizeof name);
#define IDENTITY_ADDRESS(T, name, operation) &name,
#define IDENTITY_BIT(T, name, operation) << 1
#define IDENTITY_CHECK(T, name, operation)                                                                             \
  check_count(memcmp(&name, &expected_##name, sizeof name) == 0, __FILE__, __LINE__,                                   \
              "n = %zu: another identity of " #operation " over " #T, n);
#endif

#define USW_KERNEL IDENTITY_KERNEL
#define USW_ARGS(IN, ARRAY, VALUE)
#define USW_REDUCERS(R, S) IDENTITY_REDUCERS(R)
#include <upsweep/kernel.h>
USW_VISIT(i) {}
#include <upsweep/kernel_end.h>

static void USW_CAT(check_, IDENTITY_KERNEL)(size_t n, usw_options_t options) {
  IDENTITY_REDUCERS(IDENTITY_VARIABLE)
  options.initialize_to_identity = (UINT64_C(1) IDENTITY_REDUCERS(IDENTITY_BIT))-1;
  CHECK_STATUS(USW_OK, IDENTITY_KERNEL(n, IDENTITY_REDUCERS(IDENTITY_ADDRESS) & options));
  IDENTITY_REDUCERS(IDENTITY_CHECK)
}
#undef IDENTITY_KERNEL
#undef IDENTITY_TYPE
