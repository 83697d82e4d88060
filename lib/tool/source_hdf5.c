/* Datasets of HDF5 files, read by hyperslabs in the order of their elements. */
#include "source_hdf5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CHUNK_CACHE_BYTES = 256 << 20, MOST_CHUNK_SLOTS = 100000 };

typedef struct dataset {
  hid_t file, id, space;
  hid_t stored, memory; /* types: of the file; of the elements that the library reduces. HDF5 converts between them. */
  hid_t swapped;        /* between these two, or -1 */
  uint64_t position;    /* elements read */
  uint64_t count;
} dataset_t;

static void close_hdf5(tool_source_t *source) {
  dataset_t *dataset = source->state;
  if (!dataset)
    return;
  if (dataset->swapped >= 0)
    H5Tclose(dataset->swapped);
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
  *dataset = (dataset_t){-1, -1, -1, -1, -1, -1, 0, 0};
  dataset->file = H5Fopen(source->file, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (dataset->file >= 0)
    return 0;
  close_hdf5(source);
  return tool_problem(source, "cannot be opened: truncated, locked, or no HDF5 file");
}

/* ---- which dataset ---- */

typedef struct search {
  unsigned count;
  unsigned long file_number;
  char *first;                  /* owned, as the next two; NULL: none */
  char *dangling, *other_group; /* a link that leads nowhere; one that leads to a group of another file */
  char names[TOOL_NAMES_BYTES]; /* as many as fit */
} search_t;

static herr_t keep_first(char **kept, const char *name) { return *kept || (*kept = strdup(name)) ? 0 : -1; }

static herr_t add_dataset(search_t *search, const char *name) {
  search->count++;
  tool_append_name(search->names, name);
  return keep_first(&search->first, name);
}

static herr_t visit(hid_t file, const char *name, const H5O_info_t *facts, void *context) {
  search_t *search = context;
  (void)file;
  search->file_number = facts->fileno;
  return facts->type == H5O_TYPE_DATASET ? add_dataset(search, name) : 0;
}

/* Objects of this file have been visited; links may lead to more of them in others. */
static herr_t visit_link(hid_t file, const char *name, const H5L_info_t *link, void *context) {
  search_t *search = context;
  H5O_info_t facts;
  if (link->type == H5L_TYPE_HARD)
    return 0;
  if (H5Oget_info_by_name(file, name, &facts, H5P_DEFAULT) < 0)
    return keep_first(&search->dangling, name);
  if (facts.fileno == search->file_number)
    return 0;
  return facts.type == H5O_TYPE_DATASET ? add_dataset(search, name)
         : facts.type == H5O_TYPE_GROUP ? keep_first(&search->other_group, name)
                                        : 0;
}

/* Say where a link leads. */
static int refuse_link(tool_source_t *source, const char *name) {
  const dataset_t *dataset = source->state;
  char value[512] = "";
  const char *file = "", *path = value;
  H5L_info_t link;
  const int is_known = H5Lget_info(dataset->file, name, &link, H5P_DEFAULT) >= 0 && link.u.val_size < sizeof value &&
                       H5Lget_val(dataset->file, name, value, sizeof value - 1, H5P_DEFAULT) >= 0;
  if (!is_known || link.type != H5L_TYPE_EXTERNAL)
    return tool_problem(source, "its link %s leads to %s, which is not there; name another dataset by --dataset", name,
                        is_known ? value : "a place");
  if (H5Lunpack_elink_val(value, link.u.val_size, NULL, &file, &path) < 0)
    file = path = "?";
  return tool_problem(
      source,
      "its link %s leads to %s of the file %s, which cannot be opened: put that file beside this one, or "
      "its folder into HDF5_EXT_PREFIX",
      name, path, file);
}

static int refuse_search(tool_source_t *source, const search_t *search) {
  if (search->count > 1)
    return tool_problem(source, "has %u datasets, name one by --dataset: %s", search->count, search->names);
  if (search->dangling)
    return refuse_link(source, search->dangling);
  if (search->other_group)
    return tool_problem(source, "has no dataset; its link %s leads to a group of another file: --dataset=%s/NAME",
                        search->other_group, search->other_group);
  return tool_problem(source, "has no dataset");
}

/* To be ended with end_search(). */
static int search_file(const dataset_t *dataset, search_t *search) {
  *search = (search_t){.count = 0};
  return H5Ovisit(dataset->file, H5_INDEX_NAME, H5_ITER_INC, visit, search) < 0 ||
                 H5Lvisit(dataset->file, H5_INDEX_NAME, H5_ITER_INC, visit_link, search) < 0
             ? -1
             : 0;
}

static void end_search(search_t *search) {
  free(search->first);
  free(search->dangling);
  free(search->other_group);
}

/* The path that was asked for, or that of the only dataset. */
static int find_name(tool_source_t *source, const char *wanted) {
  search_t search = {.count = 0};
  int failed = 0;
  if (!wanted && search_file(source->state, &search))
    failed = tool_problem(source, "damaged: its list of datasets cannot be read");
  else if (!wanted && search.count != 1)
    failed = refuse_search(source, &search);
  if (!failed) {
    source->member = strdup(wanted ? wanted : search.first);
    failed = source->member ? 0 : tool_problem(source, "no memory");
  }
  end_search(&search);
  return failed;
}

/* Why there is no dataset of the source's path: a link on the way may lead nowhere. */
static int refuse_path(tool_source_t *source) {
  const dataset_t *dataset = source->state;
  for (size_t length = 1; length <= strlen(source->member); length++) {
    char *path = strndup(source->member, length);
    const char next = source->member[length];
    H5L_info_t link;
    const int is_link = path && (next == '/' || next == 0) && H5Lexists(dataset->file, path, H5P_DEFAULT) > 0 &&
                        H5Lget_info(dataset->file, path, &link, H5P_DEFAULT) >= 0 && link.type != H5L_TYPE_HARD;
    const int is_dangling = is_link && H5Oexists_by_name(dataset->file, path, H5P_DEFAULT) <= 0;
    if (is_dangling)
      refuse_link(source, path);
    free(path);
    if (is_dangling)
      return -1;
  }
  search_t search;
  const int has_names = search_file(dataset, &search) == 0 && search.count > 0;
  tool_problem(source, "there is no such dataset%s%s", has_names ? "; there are: " : "", search.names);
  end_search(&search);
  return -1;
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
      const uint64_t across = d ? (source->shape[d] + chunk[d] - 1) / chunk[d] : 1;
      if (__builtin_mul_overflow(bytes, across * chunk[d], &bytes) || bytes > MOST_CHUNK_CACHE_BYTES)
        bytes = MOST_CHUNK_CACHE_BYTES;
      chunks *= across < MOST_CHUNK_SLOTS ? across : MOST_CHUNK_SLOTS;
      if (chunks > MOST_CHUNK_SLOTS)
        chunks = MOST_CHUNK_SLOTS;
    }
    H5Pset_chunk_cache(access, chunks < MOST_CHUNK_SLOTS ? chunks * 10 + 1 : 1000003, bytes, 1.0);
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
  dataset->memory = tool_hdf5_memory_type(dataset->stored, &source->type);
  return 0;
}

static int read_facts(tool_source_t *source) {
  const dataset_t *dataset = source->state;
  hsize_t shape[H5S_MAX_RANK];
  if (dataset->memory < 0)
    return tool_hdf5_refuse_type(source, dataset->stored);
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
    failed = refuse_path(source);
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
  if (!failed) {
    dataset->swapped = tool_hdf5_swapped_type(dataset->stored, dataset->memory);
    return 0;
  }
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

/* The selected elements, whose space in memory is `memory`. */
static int read_box(const dataset_t *dataset, hid_t memory, uint64_t count, void *into) {
  const hid_t type = dataset->swapped >= 0 ? dataset->swapped : dataset->memory;
  if (H5Dread(dataset->id, type, memory, dataset->space, H5P_DEFAULT, into) < 0)
    return -1;
  return type != dataset->memory && H5Tconvert(type, dataset->memory, count, into, NULL, H5P_DEFAULT) < 0 ? -1 : 0;
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
    failed = read_box(dataset, memory, box, into);
  if (memory >= 0)
    H5Sclose(memory);
  if (failed)
    return tool_problem(source, "damaged, or packed by a filter that is not there: it cannot be read at element %llu",
                        (unsigned long long)dataset->position);
  dataset->position += box;
  return (ssize_t)(box * source->type->bytes);
}

const tool_format_t tool_format_hdf5 = {"hdf5", ".h5", list_hdf5, open_hdf5, read_hdf5, close_hdf5};
