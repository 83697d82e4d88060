/* HDF5 files that libhdf5 itself writes, of what the tool interprets: any types of integers, floats, complex
 * numbers, truth values and others, any shapes, layouts and filters, links, more and fewer datasets. The tool reads
 * the elements that are there, bit for bit, or says on one line why not. Damaged files are not made here: what
 * libhdf5 does with them is its own. */
#include <hdf5.h>
#include <math.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

#include "input.h"
#include "tool/source.h"

enum { MOST_DIMENSIONS = 5, MOST_COUNT = 400, MOST_ELEMENT = 40, BUFFER_BYTES = 4096 };

/* How a number lies in an element; of a complex one both parts do. */
typedef struct {
  int is_float, is_signed, is_big; /* is_big: highest byte first */
  unsigned bytes, offset, precision;
  unsigned sign_at, exponent_at, exponent_bits, fraction_at, fraction_bits, bias;
} layout_t;

typedef struct {
  hid_t type;
  layout_t layout;
  unsigned parts;   /* 0: no numbers */
  unsigned at[2];   /* bytes from the element to its real and its imaginary part */
  int must_be_read; /* every program reads such a type */
  size_t bytes;
} element_t;

typedef struct {
  element_t element;
  int dimensions;
  hsize_t shape[MOST_DIMENSIONS];
  size_t count;
  uint8_t data[MOST_COUNT * MOST_ELEMENT];
} dataset_t;

static char path[64]; /* libhdf5 asks for a file's real path, which one of memfd_create() has not */

static void remove_file(void) { unlink(path); }

/* ---- types ---- */

static layout_t take_integer(input_t *input, hid_t *type_out) {
  static const unsigned sizes[] = {1, 2, 4, 8, 3, 5, 9, 16};
  layout_t layout = {.is_signed = (int)take_below(input, 2), .is_big = (int)take_below(input, 2)};
  const hid_t type = H5Tcopy(layout.is_signed ? H5T_STD_I32LE : H5T_STD_U32LE);
  layout.bytes = sizes[take_below(input, 8)];
  H5Tset_size(type, layout.bytes);
  H5Tset_precision(type, 8 * layout.bytes);
  H5Tset_order(type, layout.is_big ? H5T_ORDER_BE : H5T_ORDER_LE);
  layout.precision = 8 * layout.bytes;
  if (take_below(input, 2)) {
    layout.precision = 1 + (unsigned)take_below(input, 8 * layout.bytes);
    layout.offset = (unsigned)take_below(input, 8 * layout.bytes - layout.precision + 1);
    H5Tset_offset(type, 0);
    H5Tset_precision(type, layout.precision);
    H5Tset_offset(type, layout.offset);
  }
  *type_out = type;
  return layout;
}

static layout_t take_float(input_t *input, hid_t *type_out) {
  static const layout_t known[] = {{1, 1, 0, 4, 0, 32, 31, 23, 8, 0, 23, 127},
                                   {1, 1, 0, 8, 0, 64, 63, 52, 11, 0, 52, 1023},
                                   {1, 1, 0, 2, 0, 16, 15, 10, 5, 0, 10, 15},
                                   {1, 1, 0, 2, 0, 16, 15, 7, 8, 0, 7, 127}};
  layout_t layout = known[take_below(input, 4)];
  layout.is_big = (int)take_below(input, 2);
  if (take_below(input, 2)) {
    layout.bytes = 1 + (unsigned)take_below(input, 8);
    layout.exponent_bits = 1 + (unsigned)take_below(input, 12);
    layout.fraction_bits = 1 + (unsigned)take_below(input, 54);
    layout.precision = 1 + layout.exponent_bits + layout.fraction_bits;
    layout.bias = (unsigned)take_below(input, 1u << layout.exponent_bits);
    layout.exponent_at = layout.fraction_bits;
    layout.sign_at = layout.precision - 1;
  }
  hid_t type = H5Tcopy(H5T_IEEE_F64LE);
  H5Tset_order(type, layout.is_big ? H5T_ORDER_BE : H5T_ORDER_LE);
  const int failed =
      layout.precision > 8 * layout.bytes ||
      H5Tset_fields(type, layout.sign_at, layout.exponent_at, layout.exponent_bits, 0, layout.fraction_bits) < 0 ||
      H5Tset_precision(type, layout.precision) < 0 || H5Tset_size(type, layout.bytes) < 0 ||
      H5Tset_ebias(type, layout.bias) < 0;
  if (failed) {
    H5Tclose(type);
    type = H5Tcopy(H5T_IEEE_F64LE);
    layout = known[1];
  }
  *type_out = type;
  return layout;
}

/* Of bytes that are no number to the tool. */
static hid_t take_other(input_t *input) {
  const hsize_t three = 3;
  hid_t type;
  switch (take_below(input, 6)) {
  case 0:
    type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, 1 + take_below(input, 8));
    return type;
  case 1:
    return H5Tcreate(H5T_OPAQUE, 1 + take_below(input, 8));
  case 2:
    return H5Tarray_create2(H5T_NATIVE_FLOAT, 1, &three);
  case 3:
    return H5Tcopy(H5T_STD_B16LE);
  case 4:
    return H5Tcopy(H5T_VAX_F32);
  default:
    type = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(type, "x\n", 0, H5T_NATIVE_INT);
    H5Tinsert(type, "y", 8, H5T_NATIVE_DOUBLE);
    return type;
  }
}

/* A truth value, or an enumeration that is nearly one. */
static hid_t take_enumeration(input_t *input, int *is_truth_out) {
  const hid_t base = take_rarely(input, 4) ? H5T_STD_I16LE : H5T_STD_I8LE, type = H5Tenum_create(base);
  const int16_t no = 0, yes = take_rarely(input, 4) ? 2 : 1;
  const char *name = take_rarely(input, 4) ? "True" : "TRUE";
  H5Tenum_insert(type, "FALSE", &no);
  H5Tenum_insert(type, name, &yes);
  *is_truth_out = base == H5T_STD_I8LE && yes == 1 && *name == 'T' && name[1] == 'R';
  return type;
}

static element_t take_complex(input_t *input) {
  static const char *const names[][2] = {{"r", "i"}, {"re", "im"}, {"real", "imag"}, {"Real", "Imaginary"}, {"x", "y"}};
  element_t element = {.parts = 2};
  hid_t part;
  element.layout = take_float(input, &part);
  const size_t size = H5Tget_size(part);
  const unsigned gap = (unsigned)take_below(input, 3), swapped = (unsigned)take_below(input, 2);
  const uint64_t kind = take_below(input, 5);
  const hid_t type = H5Tcreate(H5T_COMPOUND, 2 * size + 2 * gap);
  element.at[0] = swapped ? (unsigned)size + gap : 0;
  element.at[1] = swapped ? 0 : (unsigned)size + gap;
  for (unsigned k = 0; k < 2; k++) {
    const unsigned which = k ^ swapped;
    H5Tinsert(type, names[kind][which], element.at[which], part);
  }
  if (kind == 4)
    element.parts = 0;
  H5Tclose(part);
  element.type = type;
  return element;
}

static element_t take_element(input_t *input) {
  element_t element = {.parts = 1};
  const uint64_t kind = take_below(input, 8);
  int is_truth = 0;
  if (kind < 3) {
    element.layout = take_integer(input, &element.type);
  } else if (kind < 5) {
    element.layout = take_float(input, &element.type);
  } else if (kind == 5) {
    element = take_complex(input);
  } else if (kind == 6) {
    element.type = take_enumeration(input, &is_truth);
    element.layout = (layout_t){.bytes = 1, .precision = 8};
    element.parts = (unsigned)is_truth;
  } else {
    element.type = take_other(input);
    element.parts = 0;
  }
  const layout_t *layout = &element.layout;
  element.bytes = H5Tget_size(element.type);
  element.must_be_read =
      element.parts == 1 && layout->bytes <= 8 && (!layout->is_float || layout->precision == 8 * layout->bytes) &&
      (!layout->is_float || (layout->bytes == 4 && layout->exponent_bits == 8 && layout->bias == 127) ||
       (layout->bytes == 8 && layout->exponent_bits == 11 && layout->bias == 1023));
  return element;
}

/* ---- numbers ---- */

/* `count` bits of a number from bit `from`, where bit 0 is the lowest of the element. */
static uint64_t bits_of(const uint8_t *bytes, const layout_t *layout, unsigned from, unsigned count) {
  uint64_t bits = 0;
  for (unsigned k = 0; k < count && k < 64; k++) {
    const unsigned bit = from + k, byte = layout->is_big ? layout->bytes - 1 - bit / 8 : bit / 8;
    bits |= (uint64_t)(bytes[byte] >> bit % 8 & 1) << k;
  }
  return bits;
}

static long double float_at(const uint8_t *bytes, const layout_t *layout) {
  const uint64_t fraction = bits_of(bytes, layout, layout->fraction_at, layout->fraction_bits);
  const uint64_t exponent = bits_of(bytes, layout, layout->exponent_at, layout->exponent_bits);
  const uint64_t most = (UINT64_C(1) << layout->exponent_bits) - 1;
  const long double sign = bits_of(bytes, layout, layout->sign_at, 1) ? -1 : 1;
  if (exponent == most)
    return fraction ? NAN : sign * INFINITY;
  const int power = (int)(exponent ? exponent : 1) - (int)layout->bias - (int)layout->fraction_bits;
  return sign * ldexpl((long double)(fraction | (uint64_t)(exponent != 0) << layout->fraction_bits), power);
}

static long double integer_at(const uint8_t *bytes, const layout_t *layout) {
  const uint64_t bits = bits_of(bytes, layout, layout->offset, layout->precision);
  if (!layout->is_signed || !(bits >> (layout->precision - 1) & 1))
    return (long double)bits;
  return layout->precision == 64 ? (long double)(int64_t)bits : (long double)bits - ldexpl(1, (int)layout->precision);
}

static const layout_t f16 = {1, 1, 0, 2, 0, 16, 15, 10, 5, 0, 10, 15}, bf16 = {1, 1, 0, 2, 0, 16, 15, 7, 8, 0, 7, 127};

/* A number as the tool hands it to the library. */
static long double number_read(usw_type_t type, const uint8_t *at, unsigned part) {
  union {
    uint8_t u8;
    uint16_t u16;
    uint32_t u32;
    uint64_t u64;
    float f32[2];
    double f64[2];
  } v;
  memcpy(&v, at, type == USW_CF64 ? 16 : 8);
  switch (type) {
  case USW_I8:
    return (int8_t)v.u8;
  case USW_I16:
    return (int16_t)v.u16;
  case USW_I32:
    return (int32_t)v.u32;
  case USW_I64:
    return (int64_t)v.u64;
  case USW_BOOL:
  case USW_U8:
    return v.u8;
  case USW_U16:
    return v.u16;
  case USW_U32:
    return v.u32;
  case USW_U64:
    return v.u64;
  case USW_F16:
    return float_at(at, &f16);
  case USW_BF16:
    return float_at(at, &bf16);
  case USW_F32:
  case USW_CF32:
    return v.f32[part];
  default:
    return v.f64[part];
  }
}

static void check_element(const dataset_t *dataset, usw_type_t type, size_t index, const uint8_t *read) {
  const element_t *element = &dataset->element;
  for (unsigned part = 0; part < element->parts; part++) {
    const uint8_t *at = dataset->data + index * element->bytes + element->at[part];
    const long double stored =
        element->layout.is_float ? float_at(at, &element->layout) : integer_at(at, &element->layout);
    const long double got = number_read(type, read, part);
    require((stored != stored && got != got) || (stored == got && signbit(stored) == signbit(got)),
            "element %zu of %u bytes, %u bits from bit %u, is %.20Lg; the tool reads %.20Lg as type %d", index,
            element->layout.bytes, element->layout.precision, element->layout.offset, stored, got, (int)type);
  }
}

/* ---- files ---- */

static hid_t take_properties(input_t *input, const dataset_t *dataset) {
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  hsize_t chunk[MOST_DIMENSIONS];
  const uint64_t kind = take_below(input, 4);
  if (kind == 1)
    H5Pset_layout(properties, H5D_COMPACT);
  if (kind < 2 || dataset->dimensions < 1)
    return properties;
  for (int d = 0; d < dataset->dimensions; d++)
    chunk[d] = 1 + take_below(input, dataset->shape[d] ? dataset->shape[d] : 1);
  H5Pset_chunk(properties, dataset->dimensions, chunk);
  if (take_below(input, 2))
    H5Pset_shuffle(properties);
  if (take_below(input, 2))
    H5Pset_deflate(properties, 1);
  if (take_below(input, 2))
    H5Pset_fletcher32(properties);
  return properties;
}

/* -1: a null space. */
static hid_t take_space(input_t *input, dataset_t *dataset) {
  dataset->dimensions = (int)take_below(input, MOST_DIMENSIONS + 2) - 1;
  dataset->count = 1;
  for (int d = 0; d < dataset->dimensions; d++) {
    dataset->shape[d] = take_below(input, 8) + (take_rarely(input, 32) ? 0 : 1);
    if (dataset->count * dataset->shape[d] > MOST_COUNT)
      dataset->shape[d] = 1;
    dataset->count *= dataset->shape[d];
  }
  if (dataset->dimensions > 0)
    return H5Screate_simple(dataset->dimensions, dataset->shape, NULL);
  return H5Screate(dataset->dimensions == 0 ? H5S_SCALAR : H5S_NULL);
}

/* Bits that belong to no number are 0, as the types say. */
static void clear_padding(dataset_t *dataset) {
  const layout_t *layout = &dataset->element.layout;
  for (size_t k = 0; k < dataset->count * dataset->element.parts; k++) {
    uint8_t *at = dataset->data + k / dataset->element.parts * dataset->element.bytes +
                  dataset->element.at[k % dataset->element.parts];
    for (unsigned bit = 0; bit < 8 * layout->bytes; bit++)
      if (bit < layout->offset || bit >= layout->offset + layout->precision)
        at[layout->is_big ? layout->bytes - 1 - bit / 8 : bit / 8] &= (uint8_t)~(1u << bit % 8);
  }
}

/* Whether the dataset is in the file. */
static int write_dataset(input_t *input, hid_t file, const char *name, dataset_t *dataset) {
  const hid_t space = take_space(input, dataset), properties = take_properties(input, dataset);
  const hid_t id = H5Dcreate2(file, name, dataset->element.type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  const size_t bytes = dataset->count * dataset->element.bytes;
  take_into(input, dataset->data, bytes < sizeof dataset->data ? bytes : 0);
  if (dataset->element.bytes == 1 && H5Tget_class(dataset->element.type) == H5T_ENUM)
    for (size_t k = 0; k < bytes; k++)
      dataset->data[k] &= 1;
  clear_padding(dataset);
  const int is_there =
      id >= 0 && (dataset->dimensions < 0 || dataset->count == 0 ||
                  H5Dwrite(id, dataset->element.type, H5S_ALL, H5S_ALL, H5P_DEFAULT, dataset->data) >= 0);
  if (id >= 0)
    H5Dclose(id);
  H5Pclose(properties);
  H5Sclose(space);
  return is_there;
}

/* Links and groups beside the dataset; returns whether more datasets are in the file. */
static int write_others(input_t *input, hid_t file) {
  int more = 0;
  if (take_rarely(input, 4))
    H5Lcreate_soft("/nowhere", file, "soft", H5P_DEFAULT, H5P_DEFAULT);
  if (take_rarely(input, 4))
    H5Lcreate_external("none.h5", "/x", file, "outside\n", H5P_DEFAULT, H5P_DEFAULT);
  if (take_rarely(input, 4))
    H5Lcreate_hard(file, "data", file, "alias", H5P_DEFAULT, H5P_DEFAULT);
  if (take_rarely(input, 4)) {
    static dataset_t other;
    other.element = take_element(input);
    more = write_dataset(input, file, "second", &other);
    H5Tclose(other.element.type);
  }
  return more;
}

/* ---- reading ---- */

static void check_problem(const tool_source_t *source) {
  require(is_one_line(source->problem), "a failure says '%s'", source->problem);
}

static void check_source(tool_source_t *source, const dataset_t *dataset) {
  static uint8_t buffer[BUFFER_BYTES + 16];
  size_t done = 0;
  require(dataset->element.parts > 0 && source->count == dataset->count && source->dimensions == dataset->dimensions,
          "%d dimensions, %zu elements of %u parts are read as %d, %zu", dataset->dimensions, dataset->count,
          dataset->element.parts, source->dimensions, (size_t)source->count);
  const int failed = source->format->open(source);
  require(!failed, "what was listed cannot be opened: %s", source->problem);
  const size_t most = 16 + dataset->count % 5 * 1000; /* odd sizes, so that boxes end in rows */
  for (;;) {
    const ssize_t got = source->format->read(source, buffer, most);
    require(got >= 0 && got % source->type->bytes == 0, "cannot be read: %s", source->problem);
    if (got == 0)
      break;
    for (ssize_t k = 0; k < got; k += source->type->bytes)
      check_element(dataset, source->type->code, done++, buffer + k);
  }
  require(done == dataset->count, "%zu of %zu elements are read", done, dataset->count);
  source->format->close(source);
}

static void read_back(input_t *input, const dataset_t *dataset, int is_there, int has_more) {
  tool_input_t command = {.format = take_below(input, 2) ? "hdf5" : NULL};
  tool_sources_t sources = {NULL, 0};
  tool_source_t failed;
  command.dataset = has_more || take_below(input, 2) ? "data" : NULL;
  if (take_rarely(input, 16))
    command.dataset = "data/none";
  if (tool_list_file(path, &command, &sources, &failed)) {
    const int is_plain = command.dataset && strcmp(command.dataset, "data") == 0 && is_there;
    check_problem(&failed);
    require(!is_plain || !dataset->element.must_be_read || dataset->dimensions < 0, "refused: %s", failed.problem);
    free(failed.member);
  } else {
    require(sources.count == 1 && is_there, "%zu datasets are listed", sources.count);
    check_source(&sources.list[0], dataset);
  }
  tool_free_sources(&sources);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes) {
  static dataset_t dataset;
  static int is_made;
  input_t input = input_of(data, bytes);
  if (!is_made++) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    snprintf(path, sizeof path, "%s/upsweep_fuzz_XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    close(mkstemp(path));
    atexit(remove_file);
  }
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  require(file >= 0, "%s cannot be written", path);
  dataset.element = take_element(&input);
  const int has_more = write_others(&input, file), is_there = write_dataset(&input, file, "data", &dataset);
  if (take_rarely(&input, 8))
    H5Lcreate_hard(file, "data", file, "alias", H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(file);
  read_back(&input, &dataset, is_there, has_more);
  H5Tclose(dataset.element.type);
  return 0;
}
