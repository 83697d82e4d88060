#include "policy/space.h"

#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "policy/call.h"

/* Indices 0 to extent - 1, in any order. */
static int is_whole(const uswi_dimension_t *d) {
  const ptrdiff_t last = (ptrdiff_t)d->extent - 1;
  return (d->start == 0 && d->step == 1) || (d->start == last && d->step == -1);
}

static usw_status_t check_space(const usw_kernel_t *k, uint32_t dimensions, const usw_space_t *space) {
  if (!space)
    return uswi_fail(USW_ERROR_INVALID, "%s: the space is NULL", k->name);
  if (space->size != sizeof *space)
    return uswi_fail(USW_ERROR_VERSION, "%s: space.size is %zu, this library knows %zu", k->name, space->size,
                     sizeof *space);
  if (space->dimensions != dimensions)
    return uswi_fail(USW_ERROR_INVALID, "%s: space.dimensions is %u, the kernel has %u", k->name, space->dimensions,
                     dimensions);
  return USW_OK;
}

/* Number of items and range of the indices. */
static usw_status_t measure(uswi_box_t *box, const usw_space_t *space) {
  box->n = 1;
  for (uint32_t d = 0; d < box->dimensions; d++)
    if (space->extent[d] == 0) {
      box->n = 0;
      return USW_OK;
    }
  for (uint32_t d = 0; d < box->dimensions; d++) {
    const size_t extent = space->extent[d], tile = space->tile[d];
    const ptrdiff_t start = space->start[d], step = space->step[d] == 0 || extent == 1 ? 1 : space->step[d];
    ptrdiff_t way, last;
    if (__builtin_mul_overflow(box->n, extent, &box->n) || box->n > (size_t)INT64_MAX)
      return uswi_fail(USW_ERROR_INVALID, "%s: the space has over 2^63 - 1 items: space.extent[%u] is %zu",
                       box->kernel->name, d, extent);
    if (__builtin_mul_overflow((ptrdiff_t)(extent - 1), step, &way) || __builtin_add_overflow(start, way, &last))
      return uswi_fail(USW_ERROR_INVALID,
                       "%s: space dimension %u has indices over 2^63: start %td, step %td, extent %zu",
                       box->kernel->name, d, start, step, extent);
    const size_t first_offset = uswi_distance(start), last_offset = uswi_distance(last);
    box->of[d] = (uswi_dimension_t){.extent = extent,
                                    .tile = tile == 0 || tile > extent ? extent : tile,
                                    .start = start,
                                    .step = step,
                                    .most_offset = first_offset > last_offset ? first_offset : last_offset};
  }
  return USW_OK;
}

static usw_status_t find_pitches(uswi_box_t *box, const usw_space_t *space) {
  const uint32_t last = box->dimensions - 1;
  box->of[last].pitch = 1;
  for (uint32_t d = last; d-- > 0;) {
    const uint32_t p = last - 1 - d;
    const uswi_dimension_t *faster = &box->of[d + 1];
    box->of[d].pitch = space->pitch[p];
    if (space->pitch[p] != 0)
      continue;
    if (!is_whole(faster))
      return uswi_fail(
          USW_ERROR_INVALID,
          "%s: space.pitch[%u] is 0, but dimension %u is not whole (start %td, step %td): give the distance "
          "in the array",
          box->kernel->name, p, d + 1, faster->start, faster->step);
    if (__builtin_mul_overflow(faster->pitch, faster->extent, &box->of[d].pitch))
      return uswi_fail(USW_ERROR_INVALID, "%s: space dimension %u with a pitch of %zu is larger than the address space",
                       box->kernel->name, d + 1, faster->pitch);
  }
  return USW_OK;
}

/* Every element of a stream is at most PTRDIFF_MAX bytes away from that of the indices 0. */
static usw_status_t check_streams(const uswi_box_t *box, const usw_options_t *options) {
  const usw_kernel_t *k = box->kernel;
  const int has_strides = options && options->size == sizeof *options;
  size_t most = 0, of_dimension, bytes;
  int is_over = 0;
  for (uint32_t d = 0; d < box->dimensions; d++)
    is_over |= __builtin_mul_overflow(box->of[d].most_offset, box->of[d].pitch, &of_dimension) ||
               __builtin_add_overflow(most, of_dimension, &most);
  for (uint32_t a = 0, stream = 0; a < k->argument_count; a++) {
    if (!uswi_is_stream(&k->arguments[a]))
      continue;
    const ptrdiff_t asked = has_strides && stream < USW_MAX_INPUTS ? options->stride[stream] : 0;
    const size_t stride = uswi_distance(uswi_stride(asked));
    stream++;
    if (stride != 0 && (is_over || __builtin_mul_overflow(most, stride, &bytes) ||
                        __builtin_mul_overflow(bytes, k->arguments[a].bytes, &bytes) ||
                        bytes > (size_t)PTRDIFF_MAX - k->arguments[a].bytes))
      return uswi_fail(USW_ERROR_INVALID, "%s: '%s' with this space and stride %zu is larger than the address space",
                       k->name, k->arguments[a].name, stride);
  }
  return USW_OK;
}

static uint64_t facts_of(const uswi_box_t *box) {
  uint64_t facts = USW_SPACE_UNTILED | USW_SPACE_UNIT;
  size_t pitch = 1;
  int is_packed = 1;
  for (uint32_t d = box->dimensions; d-- > 0;) {
    const uswi_dimension_t *at = &box->of[d];
    if (at->tile != at->extent)
      facts &= ~(uint64_t)USW_SPACE_UNTILED;
    if (at->step != 1)
      facts &= ~(uint64_t)USW_SPACE_UNIT;
    is_packed &= at->start == 0 && at->step == 1 && at->pitch == pitch;
    pitch *= at->extent;
  }
  if (is_packed && (facts & USW_SPACE_UNTILED))
    facts |= USW_SPACE_PACKED;
  return box->n < UINT32_MAX ? facts | USW_SPACE_NARROW : facts;
}

/* The tile that the end of the dimension cuts short. */
static size_t last_tile(const uswi_dimension_t *d) {
  const size_t rest = d->tile == 0 ? 0 : d->extent % d->tile;
  return rest == 0 ? d->tile : rest;
}

static void describe(const uswi_box_t *box, uint64_t *arguments) {
  const uswi_dimension_t *column = &box->of[box->dimensions - 1], *row = column - 1;
  const uswi_dimension_t *plane = box->dimensions == 3 ? row - 1 : row;
  const size_t row_slab = row->tile * column->extent;
  const size_t plane_slab = box->dimensions == 3 ? plane->tile * row->extent * column->extent : 1;
  const usw_layout_t layout = {.usw_facts = facts_of(box),
                               .usw_columns = column->extent,
                               .usw_columns_magic = uswi_magic_of(column->extent),
                               .usw_column_start = (uint64_t)column->start,
                               .usw_column_step = (uint64_t)column->step,
                               .usw_tile_columns = column->tile,
                               .usw_tile_columns_magic = uswi_magic_of(column->tile),
                               .usw_last_columns_magic = uswi_magic_of(last_tile(column)),
                               .usw_rows = row->extent,
                               .usw_row_start = (uint64_t)row->start,
                               .usw_row_step = (uint64_t)row->step,
                               .usw_row_pitch = row->pitch,
                               .usw_row_slab_magic = uswi_magic_of(row_slab),
                               .usw_tile_rows = row->tile,
                               .usw_tile_rows_magic = uswi_magic_of(row->tile),
                               .usw_last_rows_magic = uswi_magic_of(last_tile(row)),
                               .usw_rows_magic = uswi_magic_of(row->extent),
                               .usw_planes = plane->extent,
                               .usw_plane_start = (uint64_t)plane->start,
                               .usw_plane_step = (uint64_t)plane->step,
                               .usw_plane_pitch = plane->pitch,
                               .usw_plane_slab_magic = uswi_magic_of(plane_slab),
                               .usw_tile_planes = plane->tile,
                               .usw_tile_planes_magic = uswi_magic_of(plane->tile),
                               .usw_last_planes_magic = uswi_magic_of(last_tile(plane))};
  memcpy(arguments, &layout,
         (box->dimensions == 3 ? USW_SPACE_ARGUMENT_COUNT_3 : USW_SPACE_ARGUMENT_COUNT_2) * sizeof *arguments);
}

usw_status_t uswi_space_measure(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                const usw_options_t *options, uswi_box_t *box) {
  *box = (uswi_box_t){.kernel = kernel, .dimensions = dimensions};
  usw_status_t status = check_space(kernel, dimensions, space);
  if (status == USW_OK)
    status = measure(box, space);
  if (status != USW_OK || box->n == 0)
    return status;
  if (kernel->stream_count > 0)
    status = find_pitches(box, space);
  if (status == USW_OK && kernel->stream_count > 0)
    status = check_streams(box, options);
  return status;
}

usw_status_t uswi_space_describe(const usw_kernel_t *kernel, uint32_t dimensions, const usw_space_t *space,
                                 const usw_options_t *options, uint64_t *arguments, size_t *n_out) {
  uswi_box_t box;
  const usw_status_t status = uswi_space_measure(kernel, dimensions, space, options, &box);
  *n_out = box.n;
  if (status == USW_OK && box.n > 0)
    describe(&box, arguments);
  return status;
}
