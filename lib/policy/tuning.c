/* Tables: the built-in entries, those of files before them, and what times say. */
#include "policy/tuning.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/once.h"
#include "policy/tuning.def"

/* ---- the built-in entries ---- */

#define ENTRY(how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)                                                \
  ENTRY_OF(0, 0, how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)
#define LARGE_ENTRY(how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)                                          \
  ENTRY_OF(USWI_LARGE_ACCUMULATOR, 0, how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)
#define MIDDLE_ENTRY(how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)                                         \
  ENTRY_OF(USWI_MIDDLE_ACCUMULATOR, 0, how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)
#define WIDE_ENTRY(how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)                                           \
  ENTRY_OF(USWI_WIDE_ACCUMULATOR, 0, how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)
#define MANY_ENTRY(how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)                                           \
  ENTRY_OF(0, USWI_MANY_RESULTS, how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)
#define ENTRY_OF(kind, of_results, how_asked, bytes, chosen, a_share, at_bytes, nanoseconds)                           \
  {.asked = USW_##how_asked,                                                                                           \
   .class = {0, kind, of_results},                                                                                     \
   .most_bytes = bytes,                                                                                                \
   .way = {USW_##chosen, a_share},                                                                                     \
   .measured_bytes = at_bytes,                                                                                         \
   .ns = nanoseconds,                                                                                                  \
   .source = (nanoseconds) ? USWI_TUNING_SOURCE : ""},
static const uswi_tuning_entry_t entries_of_gpus[] = {USWI_TUNING_OF_GPUS(ENTRY, LARGE_ENTRY, MIDDLE_ENTRY,
                                                                          MANY_ENTRY)},
                                 entries_of_cpus[] = {USWI_TUNING_OF_CPUS(ENTRY)},
                                 entries_of_hosts[] = {USWI_TUNING_OF_HOSTS(ENTRY, WIDE_ENTRY)};
#undef ENTRY
#undef LARGE_ENTRY
#undef MIDDLE_ENTRY
#undef WIDE_ENTRY
#undef MANY_ENTRY
#undef ENTRY_OF

/* ---- tables ---- */

typedef enum kind { OF_GPUS, OF_CPUS, OF_HOSTS, KINDS } kind_t;

#define COUNT_OF(entries) (sizeof(entries) / sizeof *(entries))
_Static_assert(COUNT_OF(entries_of_gpus) <= USWI_MOST_BUILT_IN && COUNT_OF(entries_of_cpus) <= USWI_MOST_BUILT_IN &&
                   COUNT_OF(entries_of_hosts) <= USWI_MOST_BUILT_IN,
               "there is no room for so many built-in entries");

static const struct {
  const uswi_tuning_entry_t *entries;
  uint32_t count;
} built_in[KINDS] = {{entries_of_gpus, COUNT_OF(entries_of_gpus)},
                     {entries_of_cpus, COUNT_OF(entries_of_cpus)},
                     {entries_of_hosts, COUNT_OF(entries_of_hosts)}};

static uswi_tuning_t built_in_tables[KINDS];
static uswi_tuning_entry_t built_in_rooms[KINDS][USWI_MOST_BUILT_IN];

const uswi_tuning_t *uswi_tables[USWI_TABLES];
uint64_t uswi_staging_rates[USWI_TABLES];

/* ---- the built-in entries in words ---- */

enum { TEXT_BYTES = 112, SIZE_BYTES = 24 };
static char texts[KINDS][USWI_MOST_BUILT_IN][TEXT_BYTES];
static uswi_once_t texts_once = USWI_ONCE;

/* "64 KiB", "32 MiB". */
static const char *size_words(uint64_t bytes, char words[SIZE_BYTES]) {
  const int is_mib = bytes % (1 << 20) == 0;
  snprintf(words, SIZE_BYTES, "%" PRIu64 " %s", is_mib ? bytes >> 20 : bytes >> 10, is_mib ? "MiB" : "KiB");
  return words;
}

static void write_text(char text[TEXT_BYTES], const uswi_tuning_entry_t *entry, kind_t kind) {
  static const char *const accumulators[] = {
      [USWI_LARGE_ACCUMULATOR] = "large accumulators, ",
      [USWI_WIDE_ACCUMULATOR] = "wide accumulators, ",
      [USWI_MIDDLE_ACCUMULATOR] = "middle accumulators, ",
  };
  char limit[SIZE_BYTES], chunk[SIZE_BYTES];
  const int is_bounded = entry->most_bytes != UINT64_MAX;
  const int length =
      snprintf(text, TEXT_BYTES, "asked for %s, %s%s%s%s: %s, ", uswi_strategy_name(entry->asked),
               entry->class.accumulator ? accumulators[entry->class.accumulator] : "",
               entry->class.results ? "many results, " : "", is_bounded ? "up to " : "any size",
               is_bounded ? size_words(entry->most_bytes, limit) : "", uswi_strategy_name(entry->way.strategy));
  if (kind == OF_HOSTS)
    snprintf(text + length, (size_t)(TEXT_BYTES - length), "chunks of %s", size_words(entry->way.share, chunk));
  else if (entry->way.share == USWI_ALL_AT_ONCE)
    snprintf(text + length, (size_t)(TEXT_BYTES - length), "as many teams as run at once");
  else
    snprintf(text + length, (size_t)(TEXT_BYTES - length), "%" PRIu32 " team%s a multiprocessor", entry->way.share,
             entry->way.share == 1 ? "" : "s");
}

static void write_texts(void) {
  for (int kind = 0; kind < KINDS; kind++)
    for (uint32_t r = 0; r < built_in[kind].count; r++)
      write_text(texts[kind][r], &built_in[kind].entries[r], (kind_t)kind);
}

const char *uswi_tuning_text(const uswi_tuning_entry_t *entry) {
  uswi_once(&texts_once, write_texts);
  return entry->text;
}

/* ---- making tables ---- */

static kind_t kind_of(const uswi_device_t *device) {
  return !device ? OF_HOSTS : device->runs_bare ? OF_GPUS : OF_CPUS;
}

/* Appends the entries that are for calls that ask for the strategy. The built-in ones have no text yet, but room for it. */
static uswi_tuning_entry_t *add_entries(uswi_tuning_entry_t *to, usw_strategy_t asked,
                                        const uswi_tuning_entry_t *entries, uint32_t count,
                                        char (*texts_of)[TEXT_BYTES]) {
  for (uint32_t r = 0; r < count; r++) {
    if (entries[r].asked != asked)
      continue;
    *to = entries[r];
    if (texts_of)
      to->text = texts_of[r];
    to++;
  }
  return to;
}

void uswi_tuning_make(const uswi_device_t *device, const uswi_tuning_entry_t *entries, uint32_t count,
                      uswi_tuning_t *table, uswi_tuning_entry_t *room) {
  const kind_t kind = kind_of(device);
  table->limits = (uswi_limits_t)USWI_LIMITS_OF_GPUS;
  for (int s = 0; s < USWI_STRATEGIES; s++) {
    table->first[s] = room;
    room = add_entries(room, (usw_strategy_t)s, entries, count, NULL);
    room = add_entries(room, (usw_strategy_t)s, built_in[kind].entries, built_in[kind].count, texts[kind]);
  }
  *uswi_table_of(device) = table;
}

void uswi_tuning_make_built_in(const uswi_device_t *device) {
  const kind_t kind = kind_of(device);
  uswi_tuning_make(device, NULL, 0, &built_in_tables[kind], built_in_rooms[kind]);
}

int uswi_tuning_is_built_in(const uswi_device_t *device) {
  return uswi_tuning_of(device) == &built_in_tables[kind_of(device)];
}

/* ---- times ---- */

static int is_of(const uswi_time_t *time, uswi_class_t class, uswi_way_t way) {
  return time->class.item_bytes == class.item_bytes && time->class.accumulator == class.accumulator &&
         time->class.results == class.results && time->way.strategy == way.strategy && time->way.share == way.share;
}

/* On the line between the lengths on both sides; where one side is missing, at most twice as far as the other. */
uint64_t uswi_tuning_expect(const uswi_tuning_t *tuning, uswi_class_t class, uswi_way_t way, uint64_t bytes) {
  const uswi_time_t *below = NULL, *above = NULL;
  for (uint32_t t = 0; t < tuning->time_count; t++) {
    const uswi_time_t *time = &tuning->times[t];
    if (!is_of(time, class, way))
      continue;
    if (time->bytes <= bytes && (!below || time->bytes > below->bytes))
      below = time;
    if (time->bytes >= bytes && (!above || time->bytes < above->bytes))
      above = time;
  }
  if (!below)
    return above && above->bytes / 2 <= bytes ? above->ns : 0;
  if (!above)
    return bytes / 2 <= below->bytes ? (uint64_t)((double)below->ns * ((double)bytes / (double)below->bytes)) : 0;
  const double share =
      above->bytes > below->bytes ? (double)(bytes - below->bytes) / (double)(above->bytes - below->bytes) : 0;
  return (uint64_t)((double)below->ns + share * ((double)above->ns - (double)below->ns) + 0.5);
}
