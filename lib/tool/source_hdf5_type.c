/* Types of HDF5: for each the type that its elements have in memory, in which HDF5 converts them. Functions return -1 where
 * no type has all values of the stored one. */
#include "source_hdf5.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct float_layout {
  size_t exponent_bits, fraction_bits;
  size_t bias;
} float_layout_t;

/* -1: no layout that HDF5's conversions keep exactly. VAX has no infinities: what HDF5 takes for them are numbers. */
static int read_layout(hid_t type, float_layout_t *layout_out) {
  size_t sign, exponent, fraction;
  if (H5Tget_fields(type, &sign, &exponent, &layout_out->exponent_bits, &fraction, &layout_out->fraction_bits) < 0)
    return -1;
  layout_out->bias = H5Tget_ebias(type);
  const H5T_order_t order = H5Tget_order(type);
  return (order == H5T_ORDER_LE || order == H5T_ORDER_BE) && H5Tget_norm(type) == H5T_NORM_IMPLIED ? 0 : -1;
}

/* Whether every number of `layout` is one of a standard format, the subnormal ones too. */
static int fits(const float_layout_t *layout, size_t fraction_bits, int64_t lowest, int64_t highest) {
  if (layout->exponent_bits > 11 || layout->bias > 1 << 12 || layout->fraction_bits > fraction_bits)
    return 0;
  const int64_t bias = (int64_t)layout->bias, largest = (INT64_C(1) << layout->exponent_bits) - 2 - bias;
  return largest <= highest && 1 - bias - (int64_t)layout->fraction_bits >= lowest;
}

/* A standard two-byte format in the given byte order; HDF5 has no name for it in all its versions. */
static hid_t half_type(size_t exponent_bits, H5T_order_t order) {
  const size_t fraction_bits = 15 - exponent_bits;
  const hid_t type = H5Tcopy(H5T_IEEE_F32LE);
  H5Tset_fields(type, 15, fraction_bits, exponent_bits, 0, fraction_bits);
  H5Tset_size(type, 2);
  H5Tset_ebias(type, ((size_t)1 << (exponent_bits - 1)) - 1);
  H5Tset_order(type, order);
  return type;
}

static hid_t memory_of_half(hid_t type, const tool_type_t **type_out) {
  static const struct {
    size_t exponent_bits;
    usw_type_t code;
  } halves[] = {{5, USW_F16}, {8, USW_BF16}};
  for (size_t k = 0; k < sizeof halves / sizeof halves[0]; k++) {
    const hid_t standard = half_type(halves[k].exponent_bits, H5Tget_order(type));
    const int is_equal = H5Tequal(type, standard) > 0;
    H5Tclose(standard);
    if (!is_equal)
      continue;
    *type_out = tool_type_of(halves[k].code);
    return half_type(halves[k].exponent_bits, H5Tget_order(H5T_NATIVE_FLOAT));
  }
  return -1;
}

/* The smaller of float and double that has all values. */
static hid_t memory_of_float(hid_t type, const tool_type_t **type_out) {
  float_layout_t layout;
  if (read_layout(type, &layout))
    return -1;
  const int is_float = fits(&layout, 23, -149, 127);
  if (!is_float && !fits(&layout, 52, -1074, 1023))
    return -1;
  *type_out = tool_type_of(is_float ? USW_F32 : USW_F64);
  return H5Tcopy(is_float ? H5T_NATIVE_FLOAT : H5T_NATIVE_DOUBLE);
}

/* By the bytes that an element takes in the file, whatever bits of them it uses. */
static hid_t memory_of_integer(hid_t type, const tool_type_t **type_out) {
  static const usw_type_t codes[2][4] = {{USW_U8, USW_U16, USW_U32, USW_U64}, {USW_I8, USW_I16, USW_I32, USW_I64}};
  const hid_t natives[2][4] = {{H5T_NATIVE_UINT8, H5T_NATIVE_UINT16, H5T_NATIVE_UINT32, H5T_NATIVE_UINT64},
                               {H5T_NATIVE_INT8, H5T_NATIVE_INT16, H5T_NATIVE_INT32, H5T_NATIVE_INT64}};
  const int is_signed = H5Tget_sign(type) == H5T_SGN_2;
  const size_t bytes = H5Tget_size(type);
  size_t k = 0;
  while (k < 4 && bytes > (size_t)1 << k)
    k++;
  if (k == 4)
    return -1;
  *type_out = tool_type_of(codes[is_signed][k]);
  return H5Tcopy(natives[is_signed][k]);
}

/* Which of two members is the real part, by the names that h5py, PyTables, MATLAB, Octave and others give them; -1: the
 * names are not those of a complex number. */
static int find_real_part(hid_t type) {
  static const char *const parts[][2] = {{"r", "i"}, {"re", "im"}, {"real", "imag"}, {"real", "imaginary"}};
  char *names[2] = {H5Tget_member_name(type, 0), H5Tget_member_name(type, 1)};
  int real = -1;
  for (size_t k = 0; k < sizeof parts / sizeof parts[0] && names[0] && names[1]; k++)
    for (int first = 0; first < 2; first++)
      if (strcasecmp(names[first], parts[k][0]) == 0 && strcasecmp(names[!first], parts[k][1]) == 0)
        real = first;
  H5free_memory(names[0]);
  H5free_memory(names[1]);
  return real;
}

/* Complex numbers: a compound of two floats of one type. HDF5 finds the members by their names. */
static hid_t memory_of_compound(hid_t type, const tool_type_t **type_out) {
  if (H5Tget_nmembers(type) != 2 || H5Tget_member_class(type, 0) != H5T_FLOAT ||
      H5Tget_member_class(type, 1) != H5T_FLOAT)
    return -1;
  const int real = find_real_part(type);
  const hid_t first = H5Tget_member_type(type, 0), second = H5Tget_member_type(type, 1);
  const tool_type_t *part = NULL;
  const int is_pair = real >= 0 && H5Tequal(first, second) > 0 && H5Tget_size(first) > 2;
  const hid_t memory_part = is_pair ? memory_of_float(first, &part) : -1;
  hid_t memory = -1;
  if (memory_part >= 0) {
    memory = H5Tcreate(H5T_COMPOUND, (size_t)2 * part->bytes);
    for (unsigned k = 0; k < 2; k++) {
      char *name = H5Tget_member_name(type, k);
      H5Tinsert(memory, name, k == (unsigned)real ? 0 : part->bytes, memory_part);
      H5free_memory(name);
    }
    H5Tclose(memory_part);
    *type_out = tool_type_of(part->code == USW_F32 ? USW_CF32 : USW_CF64);
  }
  H5Tclose(first);
  H5Tclose(second);
  return memory;
}

/* h5py's bool: an enumeration of FALSE and TRUE over bytes. */
static hid_t memory_of_enumeration(hid_t type, const tool_type_t **type_out) {
  int8_t no = 1, yes = 0;
  if (H5Tget_size(type) != 1 || H5Tget_precision(type) != 8 || H5Tget_nmembers(type) != 2 ||
      H5Tenum_valueof(type, "FALSE", &no) < 0 || H5Tenum_valueof(type, "TRUE", &yes) < 0 || no != 0 || yes != 1)
    return -1;
  *type_out = tool_type_of(USW_BOOL);
  return H5Tcopy(type);
}

hid_t tool_hdf5_memory_type(hid_t type, const tool_type_t **type_out) {
  hid_t memory;
  switch (H5Tget_class(type)) {
  case H5T_INTEGER:
    return memory_of_integer(type, type_out);
  case H5T_FLOAT:
    memory = memory_of_half(type, type_out);
    return memory >= 0 ? memory : memory_of_float(type, type_out);
  case H5T_COMPOUND:
    return memory_of_compound(type, type_out);
  case H5T_ENUM:
    return memory_of_enumeration(type, type_out);
  default:
    return -1;
  }
}

hid_t tool_hdf5_swapped_type(hid_t stored, hid_t memory) {
  const size_t bytes = H5Tget_size(stored);
  if (H5Tget_class(stored) != H5T_INTEGER || H5Tget_order(stored) == H5Tget_order(memory) ||
      H5Tget_size(memory) != bytes || H5Tget_precision(stored) == 8 * bytes)
    return -1;
  const hid_t swapped = H5Tcopy(stored);
  H5Tset_order(swapped, H5Tget_order(memory));
  return swapped;
}

static int refuse_compound(tool_source_t *source, hid_t type) {
  char names[TOOL_NAMES_BYTES] = "";
  for (int k = 0; k < H5Tget_nmembers(type); k++) {
    char *name = H5Tget_member_name(type, (unsigned)k);
    tool_append_name(names, name ? name : "?");
    H5free_memory(name);
  }
  return tool_problem(
      source,
      "its elements are compounds (%s), no numbers; a complex number has two floats of one type, named r "
      "and i, re and im, or real and imag",
      names);
}

int tool_hdf5_refuse_type(tool_source_t *source, hid_t type) {
  const H5T_class_t class = H5Tget_class(type);
  if (class == H5T_COMPOUND)
    return refuse_compound(source, type);
  if (class != H5T_INTEGER && class != H5T_FLOAT)
    return tool_problem(source, "its elements are %s, of which there are no reductions; store them as numbers",
                        class == H5T_STRING      ? "texts"
                        : class == H5T_ARRAY     ? "arrays"
                        : class == H5T_VLEN      ? "sequences"
                        : class == H5T_REFERENCE ? "references"
                        : class == H5T_ENUM      ? "enumerated, but not by FALSE = 0 and TRUE = 1"
                                                 : "bytes without a meaning");
  return tool_problem(source, "its elements are %s of %zu bytes; no type of this machine has all their values",
                      class == H5T_INTEGER                  ? "integers"
                      : H5Tget_order(type) == H5T_ORDER_VAX ? "VAX floating-point numbers"
                                                            : "floating-point numbers",
                      H5Tget_size(type));
}
