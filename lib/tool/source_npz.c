/* Members of .npz archives: .npy streams in a zip file, stored or deflated, read without unpacking them anywhere. */
#include "source.h"

#include <inttypes.h>
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
  const zip_int64_t index = zip_name_locate(((archive_t *)source->state)->zip, source->member, 0);
  int failed = index < 0 ? tool_problem(source, "is not there any more") : open_stream(source, (zip_uint64_t)index);
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

static int is_array(const char *name) {
  const size_t length = strlen(name);
  return length > 4 && strcmp(name + length - 4, ".npy") == 0;
}

/* NumPy adds ".npy" to the names that its users see. */
static int is_wanted(const char *name, const char *wanted) {
  const size_t length = strlen(name), wanted_length = wanted ? strlen(wanted) : 0;
  return !wanted || strcmp(name, wanted) == 0 ||
         (length == wanted_length + 4 && strncmp(name, wanted, wanted_length) == 0);
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
  const uint64_t bytes = archive->count * archive->type->bytes, there = facts.size - archive->start_bytes;
  if (there < bytes)
    return tool_problem(archive, "truncated: %" PRIu64 " of %" PRIu64 " bytes are missing", bytes - there, bytes);
  tool_source_t member = *archive;
  member.state = NULL;
  if (tool_append(sources, &member))
    return tool_problem(archive, "no memory");
  archive->member = NULL; /* belongs to the list now */
  return 0;
}

static int list_npz(tool_source_t *source, const tool_input_t *input, tool_sources_t *sources) {
  const size_t before = sources->count;
  if (open_zip(source))
    return -1;
  zip_t *zip = ((archive_t *)source->state)->zip;
  const zip_int64_t members = zip_get_num_entries(zip, 0);
  int failed = 0;
  for (zip_int64_t m = 0; m < members && !failed; m++) {
    const char *name = zip_get_name(zip, (zip_uint64_t)m, 0);
    if (name && is_array(name) && is_wanted(name, input->member))
      failed = list_member(source, (zip_uint64_t)m, input, sources);
  }
  if (!failed && sources->count == before && input->member)
    failed = tool_problem(source, "has no member %s", input->member);
  else if (!failed && sources->count == before)
    failed = tool_problem(source, "has no .npy member");
  close_npz(source);
  return failed;
}

const tool_format_t tool_format_npz = {"npz", ".npz", list_npz, open_npz, read_npz, close_npz};
