/* Partial results as blocks of bytes, for files and other processes. Every number is written with its lowest byte first,
 * by shifts, so that neither the order of bytes in this machine's memory nor the padding of structures shows:
 *
 *   at  bytes
 *    0    8   "UPSWPART"
 *    8    4   version of this format
 *   12    4   bytes of the block
 *   16    4   operation      (usw_operation_t)
 *   20    4   type           (usw_type_t)
 *   24    4   accuracy       (usw_accuracy_t)
 *   28    4   NaN policy     (usw_nan_t)
 *   32    4   what the accumulator is: CRC-32 of the kernel's name and the widths of its numbers
 *   36    4   1 if the object was told where it begins, else 0
 *   40    8   elements
 *   48    8   index of the element that comes next
 *   56        the numbers of one accumulator
 *   end   4   CRC-32 of everything before (that of ISO 3309, as in zlib) */
#include <limits.h>
#include <string.h>

#include "api/library.h"
#include "api/partial.h"
#include "base/error.h"
#include "machine/arithmetic.h"
#include "policy/check.h"

enum { FORMAT = 2, MAGIC_BYTES = 8, VERSION_END = 16, HEADER_BYTES = 56, CHECKSUM_BYTES = 4 };

static const char MAGIC[MAGIC_BYTES + 1] = "UPSWPART";

/* What stands in a block before the numbers. */
typedef struct {
  uint32_t version, bytes, operation, type, accuracy, nan, accumulator, is_placed;
  uint64_t count, next_index;
} header_t;

static unsigned char *put(unsigned char *to, uint64_t number, unsigned bytes) {
  for (unsigned b = 0; b < bytes; b++)
    to[b] = (unsigned char)(number >> CHAR_BIT * b);
  return to + bytes;
}

static uint64_t get(const unsigned char **from, unsigned bytes) {
  uint64_t number = 0;
  for (unsigned b = 0; b < bytes; b++)
    number |= (uint64_t)(*from)[b] << CHAR_BIT * b;
  *from += bytes;
  return number;
}

static uint32_t crc_of(uint32_t crc, const void *data, size_t bytes) {
  const unsigned char *at = data;
  crc = ~crc;
  for (size_t k = 0; k < bytes; k++) {
    crc ^= at[k];
    for (int bit = 0; bit < CHAR_BIT; bit++)
      crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

/* A number of an accumulator, whose memory has this machine's order. */
static uint64_t load(const char *from, unsigned bytes) {
  uint8_t one;
  uint16_t two;
  uint32_t four;
  uint64_t eight;
  switch (bytes) {
  case sizeof one:
    return memcpy(&one, from, sizeof one), one;
  case sizeof two:
    return memcpy(&two, from, sizeof two), two;
  case sizeof four:
    return memcpy(&four, from, sizeof four), four;
  default:
    return memcpy(&eight, from, sizeof eight), eight;
  }
}

static void store(char *to, uint64_t number, unsigned bytes) {
  const uint8_t one = (uint8_t)number;
  const uint16_t two = (uint16_t)number;
  const uint32_t four = (uint32_t)number;
  switch (bytes) {
  case sizeof one:
    memcpy(to, &one, sizeof one);
    break;
  case sizeof two:
    memcpy(to, &two, sizeof two);
    break;
  case sizeof four:
    memcpy(to, &four, sizeof four);
    break;
  default:
    memcpy(to, &number, sizeof number);
    break;
  }
}

static size_t payload_bytes(const usw_kernel_t *kernel) {
  size_t bytes = 0;
  for (uint32_t m = 0; m < kernel->member_count; m++)
    bytes += (size_t)kernel->members[m].bytes * kernel->members[m].count;
  return bytes;
}

static size_t block_bytes(const usw_kernel_t *kernel) { return HEADER_BYTES + payload_bytes(kernel) + CHECKSUM_BYTES; }

/* Libraries whose accumulators differ have other numbers here. */
static uint32_t accumulator_number(const usw_kernel_t *kernel) {
  uint32_t crc = crc_of(0, kernel->name, strlen(kernel->name));
  for (uint32_t m = 0; m < kernel->member_count; m++)
    for (uint32_t k = 0; k < kernel->members[m].count; k++) {
      const unsigned char width = (unsigned char)kernel->members[m].bytes;
      crc = crc_of(crc, &width, 1);
    }
  return crc;
}

size_t usw_partial_export_bytes(usw_operation_t operation, usw_type_t type, const usw_options_t *options) {
  usw_status_t status = uswi_enter();
  const usw_kernel_t *kernel = status == USW_OK ? uswi_partial_kernel(operation, type, options, &status) : NULL;
  return kernel ? block_bytes(kernel) : 0;
}

static unsigned char *put_header(unsigned char *at, const usw_partial_t *partial) {
  const usw_kernel_t *kernel = partial->kernel;
  memcpy(at, MAGIC, MAGIC_BYTES);
  at = put(at + MAGIC_BYTES, FORMAT, 4);
  at = put(at, block_bytes(kernel), 4);
  at = put(at, kernel->operation, 4);
  at = put(at, kernel->type, 4);
  at = put(at, (uint64_t)partial->options.accuracy, 4);
  at = put(at, (uint64_t)partial->options.nan, 4);
  at = put(at, accumulator_number(kernel), 4);
  at = put(at, (uint64_t)partial->is_placed, 4);
  at = put(at, partial->count, 8);
  return put(at, partial->next_index, 8);
}

static header_t get_header(const unsigned char **at) {
  header_t header;
  *at += MAGIC_BYTES;
  header.version = (uint32_t)get(at, 4);
  header.bytes = (uint32_t)get(at, 4);
  header.operation = (uint32_t)get(at, 4);
  header.type = (uint32_t)get(at, 4);
  header.accuracy = (uint32_t)get(at, 4);
  header.nan = (uint32_t)get(at, 4);
  header.accumulator = (uint32_t)get(at, 4);
  header.is_placed = (uint32_t)get(at, 4);
  header.count = get(at, 8);
  header.next_index = get(at, 8);
  return header;
}

usw_status_t usw_partial_export(const usw_partial_t *partial, void *buffer_out, size_t capacity_bytes,
                                size_t *bytes_out) {
  if (!partial || (!buffer_out && !bytes_out))
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_export: %s NULL",
                     partial ? "buffer_out and bytes_out are" : "partial is");
  const usw_kernel_t *kernel = partial->kernel;
  const size_t bytes = block_bytes(kernel);
  if (buffer_out && capacity_bytes < bytes)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_export: a block of %s has %zu bytes, there is room for %zu",
                     kernel->name, bytes, capacity_bytes);
  if (buffer_out) {
    char *total = uswi_partial_work(partial);
    unsigned char *at = put_header(buffer_out, partial);
    uswi_arithmetic_t callers;
    uswi_arithmetic_begin(&callers, kernel, &partial->options);
    uswi_partial_total(partial, total);
    uswi_arithmetic_end(&callers);
    for (const usw_member_t *m = kernel->members; m < kernel->members + kernel->member_count; m++)
      for (uint32_t k = 0; k < m->count; k++)
        at = put(at, load(total + m->offset_bytes + (size_t)k * m->bytes, m->bytes), m->bytes);
    put(at, crc_of(0, buffer_out, bytes - CHECKSUM_BYTES), CHECKSUM_BYTES);
  }
  if (bytes_out)
    *bytes_out = bytes;
  return USW_OK;
}

/* What can be wrong with any bytes, before what they say is believed. */
static usw_status_t check_block(const unsigned char *block, size_t bytes) {
  if (memcmp(block, MAGIC, bytes < MAGIC_BYTES ? bytes : MAGIC_BYTES) != 0)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_import: the %zu bytes are no block of a partial result", bytes);
  if (bytes < VERSION_END)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_import: the block ends after %zu bytes", bytes);
  const unsigned char *at = block + MAGIC_BYTES;
  const uint32_t version = (uint32_t)get(&at, 4), length = (uint32_t)get(&at, 4);
  if (version != FORMAT)
    return uswi_fail(USW_ERROR_VERSION, "usw_partial_import: the block has format %u, this library knows %d", version,
                     (int)FORMAT);
  if (length != bytes || bytes < HEADER_BYTES + CHECKSUM_BYTES)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_import: there are %zu bytes of a block of %u", bytes, length);
  at = block + bytes - CHECKSUM_BYTES;
  const uint32_t said = (uint32_t)get(&at, CHECKSUM_BYTES), is = crc_of(0, block, bytes - CHECKSUM_BYTES);
  if (said != is)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_import: the block is damaged: its checksum is %08x, not %08x", is,
                     said);
  return USW_OK;
}

/* Whether the reduction is the one that the block is of. */
static usw_status_t check_header(const header_t *header, const usw_kernel_t *kernel) {
  if (header->accumulator != accumulator_number(kernel) || header->bytes != block_bytes(kernel))
    return uswi_fail(USW_ERROR_VERSION, "usw_partial_import: the block was written by a library whose %s is another",
                     kernel->name);
  if (header->is_placed > 1 || header->count > INT64_MAX || header->next_index > INT64_MAX)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_import: a block of %s counts %llu elements, the next one is %llu",
                     kernel->name, (unsigned long long)header->count, (unsigned long long)header->next_index);
  return USW_OK;
}

/* The block's numbers as the object's only part. */
static void fill(usw_partial_t *partial, const header_t *header, const unsigned char *at) {
  const usw_kernel_t *kernel = partial->kernel;
  char *part = uswi_partial_work(partial);
  partial->count = header->count;
  partial->next_index = header->next_index;
  partial->is_placed = (int)header->is_placed;
  if (header->count == 0)
    return;
  memset(part, 0, kernel->accumulator_bytes);
  for (const usw_member_t *m = kernel->members; m < kernel->members + kernel->member_count; m++)
    for (uint32_t k = 0; k < m->count; k++)
      store(part + m->offset_bytes + (size_t)k * m->bytes, get(&at, m->bytes), m->bytes);
  uswi_partial_push(partial);
}

usw_status_t usw_partial_import(usw_partial_t **partial_out, const void *block, size_t bytes,
                                const usw_options_t *options) {
  usw_status_t status = uswi_enter();
  if (status != USW_OK)
    return status;
  if (!partial_out || !block)
    return uswi_fail(USW_ERROR_INVALID, "usw_partial_import: %s is NULL", partial_out ? "block" : "partial_out");
  status = check_block(block, bytes);
  if (status != USW_OK)
    return status;
  const unsigned char *at = block;
  const header_t header = get_header(&at);
  usw_options_t copy = {.size = sizeof copy};
  status = uswi_check_size("usw_partial_import", options);
  if (status != USW_OK)
    return status;
  if (options)
    copy = *options;
  copy.accuracy = (usw_accuracy_t)header.accuracy;
  copy.nan = (usw_nan_t)header.nan;
  usw_partial_t *partial;
  status = uswi_partial_make(&partial, (usw_operation_t)header.operation, (usw_type_t)header.type, &copy);
  if (status != USW_OK)
    return status;
  status = check_header(&header, partial->kernel);
  if (status != USW_OK) {
    usw_partial_destroy(partial);
    return status;
  }
  fill(partial, &header, at);
  *partial_out = partial;
  return USW_OK;
}
