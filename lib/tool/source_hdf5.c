/* Datasets of HDF5 files, read by hyperslabs in the order of their elements. */
#include "source.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES_BYTES = 200, MOST_CHUNK_CACHE_BYTES = 256 << 20 };

typedef struct dataset {
  hid_t file, id, space;
  hid_t stored, memory; /* types: of the file; of the elements that the library reduces. HDF5 converts between them. */
  uint64_t position;    /* elements read */
  uint64_t count;
} dataset_t;

static void close_hdf5(tool_source_t *source) {
  dataset_t *dataset = source->state;
  if (!dataset)
    return;
  if (dataset->memory >= 0)
    H5Tclose(dataset->memory);
  if (dataset->stored >= 0)
    H5Tclose(dataset->stored);
  if (dataset->space >= 0)
    H5Sclose(dataset->space);
  if (dataset->id >= 0)
    H5Dclose(dataset->id);
  if (dataset->file >= 0)
    H5Fclose(dataset->file);
  free(dataset);
  source->state = NULL;
}

static int open_file(tool_source_t *source) {
  dataset_t *dataset = malloc(sizeof *dataset);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* its stack of errors is not for the user */
  source->state = dataset;
  if (!dataset)
    return tool_problem(source, "no memory");
  *dataset = (dataset_t){-1, -1, -1, -1, -1, 0, 0};
  dataset->file = H5Fopen(source->file, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (dataset->file >= 0)
    return 0;
  close_hdf5(source);
  return tool_problem(source, "cannot be opened: truncated, locked, or no HDF5 file");
}

/* ---- types: each function returns the type of the elements in memory, to be closed, or -1 if there is none that has
 * all values of the stored one ---- */

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

/* Complex numbers as NumPy's users write them: a compound of two floats, the real part first. HDF5 finds the members
 * by their names. */
static hid_t memory_of_compound(hid_t type, const tool_type_t **type_out) {
  if (H5Tget_nmembers(type) != 2 || H5Tget_member_class(type, 0) != H5T_FLOAT ||
      H5Tget_member_class(type, 1) != H5T_FLOAT)
    return -1;
  const hid_t real = H5Tget_member_type(type, 0), imaginary = H5Tget_member_type(type, 1);
  const tool_type_t *part = NULL;
  const int is_pair = H5Tequal(real, imaginary) > 0 && H5Tget_size(real) > 2;
  const hid_t memory_part = is_pair ? memory_of_float(real, &part) : -1;
  hid_t memory = -1;
  if (memory_part >= 0) {
    memory = H5Tcreate(H5T_COMPOUND, (size_t)2 * part->bytes);
    for (unsigned k = 0; k < 2; k++) {
      char *name = H5Tget_member_name(type, k);
      H5Tinsert(memory, name, (size_t)k * part->bytes, memory_part);
      H5free_memory(name);
    }
    H5Tclose(memory_part);
    *type_out = tool_type_of(part->code == USW_F32 ? USW_CF32 : USW_CF64);
  }
  H5Tclose(real);
  H5Tclose(imaginary);
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

static hid_t memory_of(hid_t type, const tool_type_t **type_out) {
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

static int refuse_type(tool_source_t *source) {
  const dataset_t *dataset = source->state;
  const H5T_class_t class = H5Tget_class(dataset->stored);
  if (class != H5T_INTEGER && class != H5T_FLOAT)
    return tool_problem(source, "its elements are of a type that has no reductions");
  return tool_problem(source, "its elements are %s of %zu bytes; no type of this machine has all their values",
                      class == H5T_INTEGER                             ? "integers"
                      : H5Tget_order(dataset->stored) == H5T_ORDER_VAX ? "VAX floating-point numbers"
                                                                       : "floating-point numbers",
                      H5Tget_size(dataset->stored));
}

/* ---- which dataset ---- */

typedef struct search {
  unsigned count;
  char *first;                  /* owned */
  char names[MOST_NAMES_BYTES]; /* as many as fit */
} search_t;

static herr_t visit(hid_t file, const char *name, const H5O_info_t *facts, void *context) {
  search_t *search = context;
  (void)file;
  if (facts->type != H5O_TYPE_DATASET)
    return 0;
  if (search->count == 0 && (search->first = strdup(name)) == NULL)
    return -1;
  const size_t used = strlen(search->names);
  if (used + strlen(name) + 8 < sizeof search->names)
    snprintf(search->names + used, sizeof search->names - used, "%s%s", used ? ", " : "", name);
  else if (used && search->names[used - 1] != '.')
    snprintf(search->names + used, sizeof search->names - used, ", ...");
  search->count++;
  return 0;
}

/* The path that was asked for, or that of the only dataset. */
static int find_name(tool_source_t *source, const char *wanted) {
  const dataset_t *dataset = source->state;
  search_t search = {0, NULL, ""};
  int failed = 0;
  if (H5Ovisit(dataset->file, H5_INDEX_NAME, H5_ITER_INC, visit, &search) < 0)
    failed = tool_problem(source, "damaged: its list of datasets cannot be read");
  else if (!wanted && search.count == 0)
    failed = tool_problem(source, "has no dataset");
  else if (!wanted && search.count > 1)
    failed = tool_problem(source, "has %u datasets, name one by --dataset: %s", search.count, search.names);
  if (!failed) {
    source->member = strdup(wanted ? wanted : search.first);
    failed = source->member ? 0 : tool_problem(source, "no memory");
  }
  free(search.first);
  return failed;
}

/* ---- one dataset ---- */

/* Room for the chunks that a row of elements crosses, so that none is unpacked twice. */
static hid_t access_list(const tool_source_t *source) {
  const dataset_t *dataset = source->state;
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS), creation = H5Dget_create_plist(dataset->id);
  hsize_t chunk[H5S_MAX_RANK];
  if (H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_chunk(creation, H5S_MAX_RANK, chunk) == source->dimensions) {
    uint64_t bytes = H5Tget_size(dataset->stored), chunks = 1;
    for (int d = 0; d < source->dimensions; d++) {
      const uint64_t across = (source->shape[d] + chunk[d] - 1) / chunk[d];
      bytes *= d ? across * chunk[d] : chunk[d];
      chunks *= d ? across : 1;
      if (bytes > MOST_CHUNK_CACHE_BYTES)
        bytes = MOST_CHUNK_CACHE_BYTES;
    }
    H5Pset_chunk_cache(access, chunks * 10 < 1000003 ? chunks * 10 + 1 : 1000003, bytes, 1.0);
  }
  H5Pclose(creation);
  return access;
}

static int open_dataset(tool_source_t *source, hid_t access) {
  dataset_t *dataset = source->state;
  dataset->id = H5Dopen2(dataset->file, source->member, access);
  if (dataset->id < 0)
    return -1;
  dataset->space = H5Dget_space(dataset->id);
  dataset->stored = H5Dget_type(dataset->id);
  if (dataset->space < 0 || dataset->stored < 0)
    return -1;
  dataset->memory = memory_of(dataset->stored, &source->type);
  return 0;
}

static int read_facts(tool_source_t *source) {
  const dataset_t *dataset = source->state;
  hsize_t shape[H5S_MAX_RANK];
  if (dataset->memory < 0)
    return refuse_type(source);
  source->dimensions = H5Sget_simple_extent_dims(dataset->space, shape, NULL);
  if (source->dimensions < 0 || H5Sget_simple_extent_type(dataset->space) == H5S_NULL)
    return tool_problem(source, "has no shape");
  for (int d = 0; d < source->dimensions; d++)
    source->shape[d] = shape[d];
  return tool_shape_count(source) ? 0 : tool_problem(source, "its shape is larger than any file");
}

static int list_hdf5(tool_source_t *source, const tool_input_t *input, tool_sources_t *sources) {
  (void)sources; /* one dataset at a time */
  if (open_file(source))
    return -1;
  int failed = find_name(source, input->dataset);
  if (!failed && open_dataset(source, H5P_DEFAULT))
    failed = tool_problem(source, "there is no such dataset");
  if (!failed)
    failed = read_facts(source);
  close_hdf5(source);
  return failed;
}

static int open_hdf5(tool_source_t *source) {
  if (open_file(source))
    return -1;
  dataset_t *dataset = source->state;
  int failed = open_dataset(source, H5P_DEFAULT);
  if (!failed) {
    const hid_t access = access_list(source);
    H5Sclose(dataset->space);
    H5Tclose(dataset->memory);
    H5Tclose(dataset->stored);
    H5Dclose(dataset->id);
    dataset->id = dataset->space = dataset->stored = dataset->memory = -1;
    failed = open_dataset(source, access);
    H5Pclose(access);
  }
  dataset->count = source->count;
  if (!failed)
    return 0;
  close_hdf5(source);
  return tool_problem(source, "the dataset cannot be opened again");
}

/* The largest box of elements that starts at the position, is contiguous in the order of the elements and has at most
 * `most` of them; returns how many it has. */
static uint64_t next_box(const tool_source_t *source, uint64_t position, uint64_t most, hsize_t *start,
                         hsize_t *extent) {
  uint64_t below = 1, box = 1; /* elements of one step along dimension d; of the box */
  int growing = 1;
  for (int d = source->dimensions - 1; d >= 0; d--) {
    start[d] = position / below % source->shape[d];
    extent[d] = 1;
    if (growing) {
      const uint64_t steps = most / below, room = source->shape[d] - start[d];
      extent[d] = steps < room ? steps : room;
      box = below * extent[d];
      /* only whole rows continue in the next dimension */
      growing = extent[d] == source->shape[d] && most / box >= 2;
    }
    below *= source->shape[d];
  }
  return box;
}

static ssize_t read_hdf5(tool_source_t *source, void *into, size_t bytes) {
  dataset_t *dataset = source->state;
  const uint64_t left = dataset->count - dataset->position, fits = bytes / source->type->bytes;
  hsize_t start[H5S_MAX_RANK], extent[H5S_MAX_RANK];
  if (left == 0 || fits == 0)
    return 0;
  const uint64_t box = next_box(source, dataset->position, left < fits ? left : fits, start, extent);
  const hsize_t box_size = box;
  const hid_t memory = H5Screate_simple(1, &box_size, NULL);
  int failed = memory < 0;
  if (!failed && source->dimensions > 0)
    failed = H5Sselect_hyperslab(dataset->space, H5S_SELECT_SET, start, NULL, extent, NULL) < 0;
  if (!failed)
    failed = H5Dread(dataset->id, dataset->memory, memory, dataset->space, H5P_DEFAULT, into) < 0;
  if (memory >= 0)
    H5Sclose(memory);
  if (failed)
    return tool_problem(source, "damaged, or packed by a filter that is not there: it cannot be read at element %llu",
                        (unsigned long long)dataset->position);
  dataset->position += box;
  return (ssize_t)(box * source->type->bytes);
}

const tool_format_t tool_format_hdf5 = {"hdf5", ".h5", list_hdf5, open_hdf5, read_hdf5, close_hdf5};
