/* Reads a tuning file. Nothing of it counts before all of it is checked. */

#include "policy/tuning_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <upsweep/version.h>

#include "base/number.h"
#include "base/strategy.h"
#include "base/text.h"

enum {
  MOST_BYTES = 4 << 20,
  MOST_ENTRIES = 1024,
  MOST_TIMES = 8192,
  MOST_TEAMS = 64, /* for each multiprocessor */
  LEAST_CHUNK_BYTES = 1 << 10,
  MOST_CHUNK_BYTES = 1 << 30,
  SHOWN = 60 /* bytes of a file that a message quotes */
};

#define MOST_NS (UINT64_C(1) << 50)
#define MOST_LINK_BYTES (UINT64_C(1) << 40)

typedef struct reader {
  uswi_tuning_file_t *file;
  char *next; /* behind the present line */
  int line;
  int is_host, has_ended;
  char *why;
} reader_t;

/* Returns -1. */
static int complain(reader_t *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));
static int complain(reader_t *reader, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(reader->why, USWI_TUNING_WHY_BYTES, format, arguments);
  va_end(arguments);
  return -1;
}

/* ---- lines ---- */

/* Lines are quoted in messages and explanations. */
static int has_control(const char *text) {
  while (*text && (*text == '\n' || !uswi_is_control(*text)))
    text++;
  return *text != 0;
}

/* The whole file as text, or NULL. */
static char *read_text(reader_t *reader, const char *name) {
  FILE *stream = fopen(name, "rb");
  char *text = stream ? malloc(MOST_BYTES + 1) : NULL;
  if (!text) {
    complain(reader, "cannot be read: %s", strerror(errno));
    if (stream)
      fclose(stream);
    return NULL;
  }
  const size_t bytes = fread(text, 1, MOST_BYTES, stream);
  const int failed = ferror(stream), is_long = bytes == MOST_BYTES;
  fclose(stream);
  text[bytes] = 0;
  if (failed)
    complain(reader, "cannot be read");
  else if (is_long)
    complain(reader, "is longer than %d bytes", MOST_BYTES - 1);
  else if (strlen(text) != bytes)
    complain(reader, "has a byte 0: it is no text");
  else if (has_control(text))
    complain(reader, "has a control character other than the end of a line");
  else
    return text;
  free(text);
  return NULL;
}

/* The next line without its end; NULL: there is none that ends. */
static char *next_line(reader_t *reader) {
  char *line = reader->next, *end = strchr(line, '\n');
  if (!end)
    return NULL;
  *end = 0;
  reader->next = end + 1;
  reader->line++;
  return line;
}

static int starts_with(const char *text, const char *word) { return strncmp(text, word, strlen(word)) == 0; }

/* ---- words of a line ---- */

typedef enum kind { STRATEGY, ACCUMULATOR, NUMBER, SMALL_NUMBER, SHARE, RESULTS, ADDRESS } kind_t;

/* All but RESULTS have to be there. */
typedef struct field {
  const char *name; /* NULL: teams, or chunk on the host */
  kind_t kind;
  size_t offset;
  uint64_t least, most;
} field_t;

static const char *name_of(const reader_t *reader, const field_t *field) {
  return field->name ? field->name : reader->is_host ? "chunk" : "teams";
}

/* A number of decimal digits alone within the field's limits; 0: it is none. */
static int number_of(const field_t *field, const char *word, size_t length, uint64_t *number_out) {
  return uswi_read_number(word, length, field->most, number_out) && *number_out >= field->least;
}

/* The limits of a share are those of its place. */
static field_t limits_of(const reader_t *reader, const field_t *field) {
  field_t limits = *field;
  if (field->kind == SHARE) {
    limits.least = reader->is_host ? LEAST_CHUNK_BYTES : 1;
    limits.most = reader->is_host ? MOST_CHUNK_BYTES : MOST_TEAMS;
  }
  return limits;
}

/* The code of a word; -1: it has none. */
static int code_of(kind_t kind, const char *word, size_t length) {
  static const char *const accumulators[] = {[USWI_SMALL_ACCUMULATOR] = "small", [USWI_LARGE_ACCUMULATOR] = "large"};
  static const char *const results[] = {
      [USWI_ONE_RESULT] = "one", [USWI_RESULTS_OF_AXES] = "axes", [USWI_RESULTS_OF_SEGMENTS] = "segments"};
  const char *const *const words = kind == RESULTS ? results : accumulators;
  int code = kind == RESULTS ? USWI_RESULTS_OF_SEGMENTS : USWI_LARGE_ACCUMULATOR;
  while (code > 0 && (strlen(words[code]) != length || strncmp(words[code], word, length) != 0))
    code--;
  return code > 0 ? code : -1;
}

static int refuse(reader_t *reader, const field_t *field, const char *word, size_t length) {
  return complain(reader, "%s=%.*s is not possible", name_of(reader, field), (int)(length < SHOWN ? length : SHOWN),
                  word);
}

/* An address on the PCI bus, in small letters as Linux has it. */
static int store_address(reader_t *reader, const field_t *field, const char *word, size_t length, char *out) {
  if (length == 0 || length >= sizeof(((uswi_link_t *)0)->pci_address) || strspn(word, "0123456789abcdef:.") < length)
    return refuse(reader, field, word, length);
  memcpy(out + field->offset, word, length);
  return 0;
}

/* The value of a field, which is stored where the field says. */
static int store(reader_t *reader, const field_t *field, const char *word, size_t length, char *out) {
  const field_t limits = limits_of(reader, field);
  uint64_t number = 0;
  int code = -1;
  if (field->kind == ADDRESS)
    return store_address(reader, field, word, length, out);
  if (field->kind == STRATEGY)
    code = uswi_strategy_named(word, length);
  else if (field->kind == ACCUMULATOR || field->kind == RESULTS)
    code = code_of(field->kind, word, length);
  else if (number_of(&limits, word, length, &number))
    code = 0;
  if (code < 0)
    return refuse(reader, field, word, length);
  const usw_strategy_t strategy = (usw_strategy_t)code;
  const int is_word = field->kind == ACCUMULATOR || field->kind == RESULTS;
  const uint32_t small = is_word ? (uint32_t)code : (uint32_t)number;
  if (field->kind == STRATEGY)
    memcpy(out + field->offset, &strategy, sizeof strategy);
  else if (field->kind == NUMBER)
    memcpy(out + field->offset, &number, sizeof number);
  else
    memcpy(out + field->offset, &small, sizeof small);
  return 0;
}

/* Words name=value, each field once. */
static int read_fields(reader_t *reader, const char *text, const field_t *fields, int count, void *out) {
  uint32_t seen = 0;
  for (text += strspn(text, " "); *text; text += strspn(text, " ")) {
    const size_t length = strcspn(text, " "), name_length = strcspn(text, "= ");
    int f = 0;
    while (f < count && (strlen(name_of(reader, &fields[f])) != name_length ||
                         strncmp(name_of(reader, &fields[f]), text, name_length) != 0))
      f++;
    if (f == count || name_length == length)
      return complain(reader, "'%.*s' is no part of such a line", (int)(length < SHOWN ? length : SHOWN), text);
    if (seen >> f & 1)
      return complain(reader, "%s= comes twice", name_of(reader, &fields[f]));
    seen |= 1u << f;
    if (store(reader, &fields[f], text + name_length + 1, length - name_length - 1, out))
      return -1;
    text += length;
  }
  for (int f = 0; f < count; f++)
    if (!(seen >> f & 1) && fields[f].kind != RESULTS)
      return complain(reader, "%s= is missing", name_of(reader, &fields[f]));
  return 0;
}

/* ---- entries, times and links ---- */

#define AT(type, member) offsetof(type, member)

static const field_t entry_fields[] = {
    {"asked", STRATEGY, AT(uswi_tuning_entry_t, asked), 0, 0},
    {"item", SMALL_NUMBER, AT(uswi_tuning_entry_t, class.item_bytes), 1, USWI_MOST_ITEM_CLASS},
    {"accumulator", ACCUMULATOR, AT(uswi_tuning_entry_t, class.accumulator), 0, 0},
    {"results", RESULTS, AT(uswi_tuning_entry_t, class.results), 0, 0},
    {"from", NUMBER, AT(uswi_tuning_entry_t, least_bytes), 1, UINT64_MAX},
    {"to", NUMBER, AT(uswi_tuning_entry_t, most_bytes), 1, UINT64_MAX},
    {"strategy", STRATEGY, AT(uswi_tuning_entry_t, way.strategy), 0, 0},
    {NULL, SHARE, AT(uswi_tuning_entry_t, way.share), 0, 0},
    {"at", NUMBER, AT(uswi_tuning_entry_t, measured_bytes), 1, UINT64_MAX},
    {"ns", NUMBER, AT(uswi_tuning_entry_t, ns), 1, MOST_NS},
    {"instead_ns", NUMBER, AT(uswi_tuning_entry_t, instead_ns), 1, MOST_NS},
    {"spread_ns", NUMBER, AT(uswi_tuning_entry_t, spread_ns), 0, MOST_NS},
};

static const field_t time_fields[] = {
    {"item", SMALL_NUMBER, AT(uswi_time_t, class.item_bytes), 1, USWI_MOST_ITEM_CLASS},
    {"accumulator", ACCUMULATOR, AT(uswi_time_t, class.accumulator), 0, 0},
    {"results", RESULTS, AT(uswi_time_t, class.results), 0, 0},
    {"bytes", NUMBER, AT(uswi_time_t, bytes), 1, UINT64_MAX},
    {"strategy", STRATEGY, AT(uswi_time_t, way.strategy), 0, 0},
    {NULL, SHARE, AT(uswi_time_t, way.share), 0, 0},
    {"ns", NUMBER, AT(uswi_time_t, ns), 1, MOST_NS},
    {"spread_ns", NUMBER, AT(uswi_time_t, spread_ns), 0, MOST_NS},
};

static const field_t link_fields[] = {
    {"pci", ADDRESS, AT(uswi_link_t, pci_address), 0, 0},
    {"bytes", NUMBER, AT(uswi_link_t, bytes), 1, MOST_LINK_BYTES},
    {"ns", NUMBER, AT(uswi_link_t, ns), 1, MOST_NS},
    {"spread_ns", NUMBER, AT(uswi_link_t, spread_ns), 0, MOST_NS},
};

static int check_class(reader_t *reader, uswi_class_t class) {
  if (class.item_bytes & (class.item_bytes - 1))
    return complain(reader, "item=%u is no power of 2", class.item_bytes);
  return 0;
}

static int check_way(reader_t *reader, usw_strategy_t strategy) {
  if (strategy == USW_AUTO_STRATEGY || (strategy == USW_STRATEGY_HOST) != reader->is_host)
    return complain(reader, "its strategy is none of the %s", reader->is_host ? "host" : "device");
  return 0;
}

/* What an entry chooses where nobody has named a strategy, every kernel at every level of accuracy must have. Calls with many
 * results on devices have the tree alone, whether they name it or not. */
static int check_choice(reader_t *reader, const uswi_tuning_entry_t *entry) {
  const usw_strategy_t s = entry->way.strategy;
  if (entry->asked != USW_AUTO_STRATEGY && entry->asked != s)
    return complain(reader, "a strategy that is asked for by its name cannot become another one");
  if (!reader->is_host && entry->class.results != USWI_ONE_RESULT && entry->asked != USW_STRATEGY_TREE)
    return complain(reader, "calls with many results take asked=tree strategy=tree alone, on devices");
  if (entry->asked == USW_AUTO_STRATEGY &&
      (reader->is_host || (s != USW_STRATEGY_TREE && s != USW_STRATEGY_HOST_FINISH && s != USW_STRATEGY_MULTIPASS)))
    return complain(reader, "asked=auto takes tree, host_finish or multipass, on devices: what all kernels have");
  return 0;
}

static int overlap(const uswi_tuning_entry_t *a, const uswi_tuning_entry_t *b) {
  return a->asked == b->asked && a->class.item_bytes == b->class.item_bytes &&
         a->class.accumulator == b->class.accumulator && a->class.results == b->class.results &&
         a->least_bytes <= b->most_bytes && b->least_bytes <= a->most_bytes;
}

static int check_entry(reader_t *reader, const uswi_tuning_entry_t *entry) {
  if (check_class(reader, entry->class) || check_way(reader, entry->way.strategy) || check_choice(reader, entry))
    return -1;
  if (entry->measured_bytes < entry->least_bytes || entry->measured_bytes > entry->most_bytes)
    return complain(reader, "it was not measured between from= and to=");
  if (entry->ns >= entry->instead_ns)
    return complain(reader, "ns= is not less than instead_ns=: the entry gains nothing");
  for (uint32_t r = 0; r < reader->file->entry_count; r++)
    if (overlap(entry, &reader->file->entries[r]))
      return complain(reader, "line %u is for some of the same calls", reader->file->entries[r].line);
  return 0;
}

static int read_entry(reader_t *reader, const char *text) {
  enum { FIELDS = sizeof entry_fields / sizeof *entry_fields };
  uswi_tuning_entry_t entry = {.class.results = USWI_ONE_RESULT, .text = text, .line = (uint32_t)reader->line};
  if (reader->file->entry_count == MOST_ENTRIES)
    return complain(reader, "there are more than %d entries", MOST_ENTRIES);
  if (read_fields(reader, text + strlen("entry"), entry_fields, FIELDS, &entry) || check_entry(reader, &entry))
    return -1;
  reader->file->entries[reader->file->entry_count++] = entry;
  return 0;
}

static int read_time(reader_t *reader, const char *text) {
  enum { FIELDS = sizeof time_fields / sizeof *time_fields };
  uswi_time_t time = {.class.results = USWI_ONE_RESULT};
  if (reader->file->time_count == MOST_TIMES)
    return complain(reader, "there are more than %d times", MOST_TIMES);
  if (read_fields(reader, text + strlen("time"), time_fields, FIELDS, &time) || check_class(reader, time.class) ||
      check_way(reader, time.way.strategy))
    return -1;
  reader->file->times[reader->file->time_count++] = time;
  return 0;
}

static int read_link(reader_t *reader, const char *text) {
  enum { FIELDS = sizeof link_fields / sizeof *link_fields };
  uswi_link_t link = {.line = (uint32_t)reader->line};
  if (reader->is_host)
    return complain(reader, "links are those of devices, and the file is of the host");
  if (reader->file->link_count == USWI_MAX_DEVICES)
    return complain(reader, "there are more than %d links", USWI_MAX_DEVICES);
  if (read_fields(reader, text + strlen("link"), link_fields, FIELDS, &link))
    return -1;
  for (uint32_t k = 0; k < reader->file->link_count; k++)
    if (strcmp(reader->file->links[k].pci_address, link.pci_address) == 0)
      return complain(reader, "line %u is of the same device", reader->file->links[k].line);
  reader->file->links[reader->file->link_count++] = link;
  return 0;
}

/* ---- the file ---- */

void uswi_tuning_library(char line[USWI_TUNING_WHY_BYTES]) {
  snprintf(line, USWI_TUNING_WHY_BYTES, "library %d.%d.%d, descriptors %u", USW_VERSION_MAJOR, USW_VERSION_MINOR,
           USW_VERSION_PATCH, USW_DESCRIPTOR_ABI);
}

/* The seven lines that say for what, and from where, the others are. */
static int read_head(reader_t *reader) {
  static const char *const words[] = {"upsweep-tuning ", "library ", "device ", "backend ",
                                      "driver ",         "date ",    "command "};
  const char *lines[sizeof words / sizeof *words];
  char library[USWI_TUNING_WHY_BYTES];
  uswi_tuning_library(library);
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    lines[k] = next_line(reader);
    if (!lines[k] || !starts_with(lines[k], words[k]) || strlen(lines[k]) == strlen(words[k]))
      return complain(reader, k ? "there is no line '%s...'" : "is no tuning file: it does not begin with '%s...'",
                      words[k]);
    if (k == 0 && strcmp(lines[0], USWI_TUNING_FORMAT) != 0)
      return complain(reader, "is '%.*s', this library reads '%s'", SHOWN, lines[0], USWI_TUNING_FORMAT);
    if (k == 1 && strcmp(lines[1], library) != 0)
      return complain(reader, "was measured with '%.*s', this is '%s'", SHOWN, lines[1], library);
  }
  reader->file->device = lines[2];
  reader->file->backend = lines[3];
  reader->file->driver = lines[4];
  reader->file->date = lines[5];
  reader->is_host = starts_with(lines[2], USWI_TUNING_HOST);
  return 0;
}

static int read_line(reader_t *reader, const char *text) {
  if (*text == 0 || *text == '#')
    return 0;
  if (starts_with(text, "entry "))
    return read_entry(reader, text);
  if (starts_with(text, "time "))
    return read_time(reader, text);
  if (starts_with(text, "link "))
    return read_link(reader, text);
  reader->has_ended = strcmp(text, "end") == 0;
  return reader->has_ended ? 0 : complain(reader, "'%.*s' is no line of a tuning file", SHOWN, text);
}

static int read_lines(reader_t *reader) {
  const char *text;
  while (!reader->has_ended && (text = next_line(reader)) != NULL)
    if (read_line(reader, text))
      return -1;
  if (!reader->has_ended)
    return complain(reader, "ends without a line 'end': it was cut");
  return *reader->next ? complain(reader, "goes on behind its line 'end'") : 0;
}

int uswi_tuning_parse(const char *name, uswi_tuning_file_t *file_out, int *line_out,
                      char why_out[USWI_TUNING_WHY_BYTES]) {
  reader_t reader = {.file = file_out, .why = why_out};
  *line_out = 0;
  *file_out = (uswi_tuning_file_t){.entry_count = 0};
  file_out->text = reader.next = read_text(&reader, name);
  if (!file_out->text)
    return -1;
  file_out->entries = calloc(MOST_ENTRIES, sizeof *file_out->entries);
  file_out->times = calloc(MOST_TIMES, sizeof *file_out->times);
  int failed = file_out->entries && file_out->times ? 0 : complain(&reader, "there is no memory for its entries");
  if (!failed)
    failed = read_head(&reader) || read_lines(&reader);
  *line_out = reader.line;
  if (failed) {
    free(file_out->entries);
    free(file_out->times);
    free(file_out->text);
  }
  return failed ? -1 : 0;
}
