/* Where the pages lie that are asked about: in the middle of each chunk, and nowhere where chunks are not one behind the other in memory, as those
 * of columns. Numbers of nodes are made up here. */
#include "exec/pages.h"

#include "machine/numa.h"
#include "policy/axes.h"
#include "support/check.h"

enum { CHUNKS = 8, ROWS = 1 << 20, COLUMNS = 64, CHUNK_BYTES = ROWS / CHUNKS * COLUMNS * 8 };

static const uint64_t address = UINT64_C(1) << 40;
static const uswi_topology_t topology = {.node_count = 2};
static usw_argument_t arguments[USWI_MAX_ARGUMENTS] = {{"x", USW_ARGUMENT_IN, 8, 8}};
static const usw_kernel_t kernel = {.type = USW_F64,
                                    .facts = USW_FACT_MANY_RESULTS | USW_FACT_AXES,
                                    .argument_count = USWI_MAX_ARGUMENTS,
                                    .stream_count = 1,
                                    .accumulator_bytes = 8,
                                    .item_bytes = 8,
                                    .arguments = arguments};
static uint32_t asked;

int uswi_numa_nodes_of_pages(void **pages, uint32_t count, int *numbers_out) {
  asked += count;
  for (uint32_t k = 0; k < count; k++)
    numbers_out[k] = (int)(((uint64_t)(uintptr_t)pages[k] - address) / CHUNK_BYTES);
  return 1;
}

uint16_t uswi_node_of_number(const uswi_topology_t *machine, int number) {
  (void)machine;
  return (uint16_t)number;
}

/* So many questions, whose answers are those of the chunks. */
static void check(const uswi_axes_t *axes, ptrdiff_t stride, uint64_t pieces, uint32_t questions) {
  uint16_t node_of_chunk[CHUNKS] = {0};
  uswi_call_t call = {.kernel = &kernel,
                      .item_bytes = 8,
                      .n = (size_t)ROWS * COLUMNS,
                      .axes = axes,
                      .strides = {stride},
                      .arguments = {address},
                      .chunks = CHUNKS};
  uswi_axes_words(&call)->usw_pieces = pieces;
  asked = 0;
  CHECK_I64(questions > 0, uswi_nodes_of_chunks(&call, &topology, node_of_chunk));
  CHECK_U64(questions, asked);
  for (uint32_t c = 0; c < questions; c++)
    CHECK_U64(c, node_of_chunk[c]);
}

int main(void) {
  const uswi_axes_t axes = {0};
  check(NULL, 1, 1, CHUNKS);
  check(&axes, 1, 1, CHUNKS);
  check(&axes, COLUMNS, 1, 0);
  check(&axes, 1, CHUNKS, 0);
  return check_report();
}
