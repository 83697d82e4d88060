/* Datasets of HDF5 files, read by hyperslabs in the order of their elements. */
#include "source.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NAMES_BYTES = 200, MOST_CHUNK_CACHE_BYTES = 256 << 20 };

typedef struct dataset {
  hid_t file, id, space, type;
  uint64_t position; /* elements read */
  uint64_t count;
} dataset_t;

static void close_hdf5(tool_source_t *source) {
  dataset_t *dataset = source->state;
  if (!dataset)
    return;
  if (dataset->type >= 0)
    H5Tclose(dataset->type);
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
  *dataset = (dataset_t){-1, -1, -1, -1, 0, 0};
  dataset->file = H5Fopen(source->file, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (dataset->file >= 0)
    return 0;
  close_hdf5(source);
  return tool_problem(source, "cannot be opened: truncated, locked, or no HDF5 file");
}

/* ---- types ---- */

static const tool_type_t *type_of_float(hid_t type) {
  size_t sign, exponent, exponent_bits, fraction, fraction_bits;
  const size_t bytes = H5Tget_size(type);
  if (H5Tget_fields(type, &sign, &exponent, &exponent_bits, &fraction, &fraction_bits) < 0)
    return NULL;
  if (bytes == 2 && exponent_bits == 5)
    return tool_type_of(USW_F16);
  if (bytes == 2 && exponent_bits == 8)
    return tool_type_of(USW_BF16);
  return bytes == 4 && exponent_bits == 8    ? tool_type_of(USW_F32)
         : bytes == 8 && exponent_bits == 11 ? tool_type_of(USW_F64)
                                             : NULL;
}

static const tool_type_t *type_of_integer(hid_t type) {
  static const usw_type_t types[2][9] = {{0, USW_U8, USW_U16, 0, USW_U32, 0, 0, 0, USW_U64},
                                         {0, USW_I8, USW_I16, 0, USW_I32, 0, 0, 0, USW_I64}};
  const size_t bytes = H5Tget_size(type);
  return bytes <= 8 ? tool_type_of(types[H5Tget_sign(type) == H5T_SGN_2][bytes]) : NULL;
}

/* Complex numbers as NumPy's users write them: a compound of two floats, the real part first. */
static const tool_type_t *type_of_compound(hid_t type, H5T_order_t *order_out) {
  if (H5Tget_nmembers(type) != 2 || H5Tget_member_class(type, 0) != H5T_FLOAT ||
      H5Tget_member_class(type, 1) != H5T_FLOAT)
    return NULL;
  const hid_t real = H5Tget_member_type(type, 0), imaginary = H5Tget_member_type(type, 1);
  const size_t bytes = H5Tget_size(real);
  const int fits = H5Tequal(real, imaginary) > 0 && H5Tget_size(type) == 2 * bytes &&
                   H5Tget_member_offset(type, 0) == 0 && H5Tget_member_offset(type, 1) == bytes;
  const tool_type_t *part = fits ? type_of_float(real) : NULL;
  *order_out = H5Tget_order(real);
  H5Tclose(real);
  H5Tclose(imaginary);
  if (!part || part->bytes < 4)
    return NULL;
  return tool_type_of(part->code == USW_F32 ? USW_CF32 : USW_CF64);
}

/* h5py's bool: an enumeration of FALSE and TRUE over bytes. */
static const tool_type_t *type_of_enumeration(hid_t type) {
  int8_t value = 0;
  const int is_bool =
      H5Tget_size(type) == 1 && H5Tget_nmembers(type) == 2 && H5Tenum_valueof(type, "TRUE", &value) >= 0 && value == 1;
  return is_bool ? tool_type_of(USW_BOOL) : NULL;
}

static const tool_type_t *type_of(hid_t type, H5T_order_t *order_out) {
  *order_out = H5Tget_order(type);
  switch (H5Tget_class(type)) {
  case H5T_INTEGER:
    return type_of_integer(type);
  case H5T_FLOAT:
    return type_of_float(type);
  case H5T_COMPOUND:
    return type_of_compound(type, order_out);
  case H5T_ENUM:
    return type_of_enumeration(type);
  default:
    return NULL;
  }
}

/* ---- which dataset ---- */

typedef struct search {
  unsigned count;
  char first[MOST_NAMES_BYTES];
  char names[MOST_NAMES_BYTES]; /* as many as fit */
} search_t;

static herr_t visit(hid_t file, const char *name, const H5O_info_t *facts, void *context) {
  search_t *search = context;
  (void)file;
  if (facts->type != H5O_TYPE_DATASET)
    return 0;
  if (search->count == 0)
    snprintf(search->first, sizeof search->first, "%s", name);
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
  search_t search = {0, "", ""};
  if (H5Ovisit(dataset->file, H5_INDEX_NAME, H5_ITER_INC, visit, &search) < 0)
    return tool_problem(source, "damaged: its list of datasets cannot be read");
  if (!wanted && search.count == 0)
    return tool_problem(source, "has no dataset");
  if (!wanted && search.count > 1)
    return tool_problem(source, "has %u datasets, name one by --dataset: %s", search.count, search.names);
  source->member = strdup(wanted ? wanted : search.first);
  return source->member ? 0 : tool_problem(source, "no memory");
}

/* ---- one dataset ---- */

/* Room for the chunks that a row of elements crosses, so that none is unpacked twice. */
static hid_t access_list(hid_t id, const tool_source_t *source) {
  const hid_t access = H5Pcreate(H5P_DATASET_ACCESS), creation = H5Dget_create_plist(id);
  hsize_t chunk[H5S_MAX_RANK];
  if (H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_chunk(creation, H5S_MAX_RANK, chunk) == source->dimensions) {
    uint64_t bytes = source->type->bytes, chunks = 1;
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
  dataset->type = H5Dget_type(dataset->id);
  return dataset->space < 0 || dataset->type < 0 ? -1 : 0;
}

static int read_facts(tool_source_t *source) {
  const dataset_t *dataset = source->state;
  H5T_order_t order = H5T_ORDER_LE;
  hsize_t shape[H5S_MAX_RANK];
  source->type = type_of(dataset->type, &order);
  if (!source->type)
    return tool_problem(source, "its elements are of a type that has no reductions");
  source->swapped = order == H5T_ORDER_BE && source->type->word_bytes > 1;
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
    const hid_t access = access_list(dataset->id, source);
    H5Sclose(dataset->space);
    H5Tclose(dataset->type);
    H5Dclose(dataset->id);
    dataset->id = dataset->space = dataset->type = -1;
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
    failed = H5Dread(dataset->id, dataset->type, memory, dataset->space, H5P_DEFAULT, into) < 0;
  if (memory >= 0)
    H5Sclose(memory);
  if (failed)
    return tool_problem(source, "damaged, or packed by a filter that is not there: it cannot be read at element %llu",
                        (unsigned long long)dataset->position);
  dataset->position += box;
  return (ssize_t)(box * source->type->bytes);
}

const tool_format_t tool_format_hdf5 = {"hdf5", ".h5", list_hdf5, open_hdf5, read_hdf5, close_hdf5};
