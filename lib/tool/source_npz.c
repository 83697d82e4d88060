/* Members of .npz archives: .npy streams in a zip file, stored or deflated, read without unpacking them anywhere. */
#include "source.h"

#include <inttypes.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zip.h>

typedef struct archive {
  zip_t *zip;
  zip_file_t *stream;
} archive_t;

static void close_npz(tool_source_t *source) {
  archive_t *archive = source->state;
  if (!archive)
    return;
  if (archive->stream)
    zip_fclose(archive->stream);
  if (archive->zip)
    zip_discard(archive->zip);
  free(archive);
  source->state = NULL;
}

static ssize_t read_npz(tool_source_t *source, void *into, size_t bytes) {
  archive_t *archive = source->state;
  const zip_int64_t got = zip_fread(archive->stream, into, bytes);
  if (got >= 0)
    return (ssize_t)got;
  return tool_problem(source, "damaged: %s", zip_error_strerror(zip_file_get_error(archive->stream)));
}

static int open_zip(tool_source_t *source) {
  int code = 0;
  archive_t *archive = calloc(1, sizeof *archive);
  source->state = archive;
  if (!archive)
    return tool_problem(source, "no memory");
  archive->zip = zip_open(source->file, ZIP_RDONLY, &code);
  if (archive->zip)
    return 0;
  zip_error_t error;
  zip_error_init_with_code(&error, code);
  const int damaged = code == ZIP_ER_NOZIP || code == ZIP_ER_INCONS;
  tool_problem(source, "%s%s", zip_error_strerror(&error), damaged ? " (truncated, or no .npz file)" : "");
  zip_error_fini(&error);
  close_npz(source);
  return -1;
}

/* Start reading a member from its first byte. */
static int open_stream(tool_source_t *source, zip_uint64_t index) {
  archive_t *archive = source->state;
  if (archive->stream)
    zip_fclose(archive->stream);
  archive->stream = zip_fopen_index(archive->zip, index, 0);
  return archive->stream ? 0 : tool_problem(source, "cannot be read: %s", zip_strerror(archive->zip));
}

static int open_npz(tool_source_t *source) {
  char header[4096];
  if (open_zip(source))
    return -1;
  const char *name = zip_get_name(((archive_t *)source->state)->zip, source->index, 0);
  const int is_there = name && strcmp(name, source->member) == 0;
  int failed = is_there ? open_stream(source, source->index) : tool_problem(source, "is not there any more");
  for (uint64_t left = source->start_bytes; left > 0 && !failed;) { /* the header, which has been read before */
    const ssize_t got = read_npz(source, header, left < sizeof header ? left : sizeof header);
    if (got == 0)
      tool_problem(source, "truncated: it ends inside its .npy header");
    failed = got <= 0;
    left -= failed ? 0 : (uint64_t)got;
  }
  if (failed)
    close_npz(source);
  return failed ? -1 : 0;
}

/* The name of a member that is an array, else NULL. */
static const char *array_name(zip_t *zip, uint64_t index) {
  const char *name = zip_get_name(zip, index, 0);
  const size_t length = name ? strlen(name) : 0;
  return length > 4 && strcmp(name + length - 4, ".npy") == 0 ? name : NULL;
}

/* Look at one member and append it. `archive` is open; the member's source has its own copy of the facts. */
static int list_member(tool_source_t *archive, zip_uint64_t index, const tool_input_t *input, tool_sources_t *sources) {
  zip_stat_t facts;
  zip_t *zip = ((archive_t *)archive->state)->zip;
  if (zip_stat_index(zip, index, 0, &facts) != 0 || !(facts.valid & ZIP_STAT_SIZE))
    return tool_problem(archive, "member %" PRIu64 " cannot be read: %s", (uint64_t)index, zip_strerror(zip));
  archive->member = strdup(facts.name);
  if (!archive->member)
    return tool_problem(archive, "no memory");
  if (open_stream(archive, index) || tool_read_npy_header(archive, input, read_npz))
    return -1;
  const uint64_t bytes = archive->count * archive->type->bytes;
  const uint64_t there = facts.size > archive->start_bytes ? facts.size - archive->start_bytes : 0;
  if (there < bytes)
    return tool_problem(archive, "truncated: %" PRIu64 " of %" PRIu64 " bytes are missing", bytes - there, bytes);
  if (there > bytes)
    return tool_problem(archive, "has %" PRIu64 " bytes behind its data", there - bytes);
  tool_source_t member = *archive;
  member.state = NULL;
  member.index = index;
  if (tool_append(sources, &member))
    return tool_problem(archive, "no memory");
  archive->member = NULL; /* belongs to the list now */
  return 0;
}

/* The last member of that name, which is the one that Python takes; -1: there is none. */
static zip_int64_t find_member(zip_t *zip, const char *wanted, const char *ending) {
  const size_t length = strlen(wanted);
  zip_int64_t m = zip_get_num_entries(zip, 0) - 1;
  for (; m >= 0; m--) {
    const char *name = zip_get_name(zip, (zip_uint64_t)m, 0);
    if (name && strncmp(name, wanted, length) == 0 && strcmp(name + length, ending) == 0)
      break;
  }
  return m;
}

static int refuse_wanted(tool_source_t *source, const char *wanted) {
  zip_t *zip = ((archive_t *)source->state)->zip;
  char names[TOOL_NAMES_BYTES] = "";
  for (zip_int64_t m = 0; m < zip_get_num_entries(zip, 0); m++) {
    const char *name = array_name(zip, (uint64_t)m);
    if (name)
      tool_append_name(names, name);
  }
  return tool_problem(source, "has no member %s%s%s", wanted, *names ? "; there are: " : "", names);
}

/* NumPy adds ".npy" to the names that its users see. */
static int list_wanted(tool_source_t *source, const tool_input_t *input, tool_sources_t *sources) {
  zip_t *zip = ((archive_t *)source->state)->zip;
  zip_int64_t index = find_member(zip, input->member, "");
  if (index < 0)
    index = find_member(zip, input->member, ".npy");
  return index < 0 ? refuse_wanted(source, input->member) : list_member(source, (zip_uint64_t)index, input, sources);
}

/* The arrays in their order; of those of one name the last, as Python does. */
static int list_all(tool_source_t *source, const tool_input_t *input, tool_sources_t *sources) {
  zip_t *zip = ((archive_t *)source->state)->zip;
  const uint64_t members = (uint64_t)zip_get_num_entries(zip, 0);
  struct hsearch_data last = {0}; /* index of each name */
  ENTRY name = {NULL, NULL}, *found;
  int failed = 0;
  if (!hcreate_r(members + 1, &last))
    return tool_problem(source, "no memory");
  for (uint64_t m = 0; m < members; m++)
    if ((name.key = (char *)array_name(zip, m)) && hsearch_r(name, ENTER, &found, &last))
      found->data = (void *)(uintptr_t)m;
  for (uint64_t m = 0; m < members && !failed; m++)
    if ((name.key = (char *)array_name(zip, m)) && hsearch_r(name, FIND, &found, &last) &&
        found->data == (void *)(uintptr_t)m)
      failed = list_member(source, m, input, sources);
  hdestroy_r(&last);
  return failed;
}

static int list_npz(tool_source_t *source, const tool_input_t *input, tool_sources_t *sources) {
  const size_t before = sources->count;
  if (open_zip(source))
    return -1;
  int failed = input->member ? list_wanted(source, input, sources) : list_all(source, input, sources);
  if (!failed && sources->count == before)
    failed = tool_problem(source, "has no .npy member");
  close_npz(source);
  return failed;
}

const tool_format_t tool_format_npz = {"npz", ".npz", list_npz, open_npz, read_npz, close_npz};
