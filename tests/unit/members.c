/* The numbers that kernels say their accumulators consist of are all there are: between them, and behind them, is nothing
 * but what alignment asks for. What is forgotten would be missing in blocks (lib/api/partial_block.c). */
#include <upsweep/descriptor.h>

#include "support/check.h"

extern const usw_kernel_t *const uswi_kernels[];

static uint32_t round_up(uint32_t offset, uint32_t bytes) { return (offset + bytes - 1) / bytes * bytes; }

static void whole(const usw_kernel_t *kernel) {
  /* Accumulators are words. Those of scans that begin anew have the number of restarts before; with an index, on the boundary of its
   * structure, and where the scan began behind. */
  const int has_restarts = (kernel->facts & USW_FACT_RESTARTS) != 0;
  const int has_index = kernel->operation == USW_ARGMIN || kernel->operation == USW_ARGMAX;
  uint32_t end = !has_restarts ? 0 : has_index ? 8 : 4, widest = 4, indices = 0;
  for (const usw_member_t *m = kernel->members; m < kernel->members + kernel->member_count; m++) {
    if (m->count == 0)
      continue;
    CHECK_AT(m->bytes == 1 || m->bytes == 2 || m->bytes == 4 || m->bytes == 8, kernel->name);
    CHECK_AT(m->offset_bytes == round_up(end, m->bytes), kernel->name);
    CHECK_AT(!m->is_index || m->bytes == 8, kernel->name);
    end = m->offset_bytes + m->bytes * m->count;
    widest = m->bytes > widest ? m->bytes : widest;
    indices += m->is_index * m->count;
  }
  if (has_restarts && has_index)
    end = round_up(end, 8) + 8;
  CHECK_AT(kernel->accumulator_bytes == round_up(end, widest), kernel->name);
  const uint32_t expected = kernel->operation == USW_DESCRIBE ? 2 : (uint32_t)has_index;
  CHECK_AT(indices == expected, kernel->name);
}

int main(void) {
  uint32_t kernels = 0;
  for (const usw_kernel_t *const *kernel = uswi_kernels; *kernel; kernel++, kernels++)
    whole(*kernel);
  CHECK(kernels > 200);
  return check_report();
}
