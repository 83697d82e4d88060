/* What the library reads of tuning files, however broken: nothing, with a reason and a line that there is, or entries within
 * all limits. */
#include <policy/tuning_file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/check.h"

enum { TEXT_BYTES = 4096, MUTATIONS = 2000 };

static char file_name[] = "/tmp/upsweep_tuning_XXXXXX";
static char good[TEXT_BYTES];

static void make_good(void) {
  char library[USWI_TUNING_WHY_BYTES];
  uswi_tuning_library(library);
  snprintf(
      good, sizeof good,
      USWI_TUNING_FORMAT
      "\n%s\ndevice nvptx sm_90, 132 multiprocessors, NVIDIA H200\nbackend driver\ndriver 1\n"
      "date 2026-11-22\ncommand usw-tune\n"
      "entry asked=auto item=8 accumulator=small from=1 to=9000 strategy=tree teams=2 at=512 ns=900 "
      "instead_ns=1000 spread_ns=3\n"
      "entry asked=auto item=8 accumulator=small from=9001 to=18446744073709551615 "
      "strategy=host_finish teams=64 at=9001 ns=1 instead_ns=2 spread_ns=0\n# comment\n\n"
      "time spread_ns=1 ns=5  teams=1 strategy=atomic bytes=1 accumulator=large item=32 \n"
      "entry results=segments asked=tree item=8 accumulator=small from=1 to=9000 strategy=tree teams=3 at=512 ns=900 "
      "instead_ns=1000 spread_ns=3\n"
      "entry asked=tree item=8 accumulator=small results=one from=1 to=9000 strategy=tree teams=3 at=512 ns=900 "
      "instead_ns=1000 spread_ns=3\n"
      "time results=axes item=8 accumulator=small bytes=1 strategy=tree teams=1 ns=5 spread_ns=1\n"
      "link pci=0000:c1:00.0 bytes=268435456 ns=4900000 spread_ns=20000\n"
      "link spread_ns=0 ns=1 bytes=1099511627776 pci=0001:1f:0a.7\nend\n",
      library);
}

static int parse(const char *text, size_t bytes, uswi_tuning_file_t *file, int *line, char why[USWI_TUNING_WHY_BYTES]) {
  FILE *stream = fopen(file_name, "wb");
  CHECK(stream && fwrite(text, 1, bytes, stream) == bytes && fclose(stream) == 0);
  memset(why, 0, USWI_TUNING_WHY_BYTES);
  return uswi_tuning_parse(file_name, file, line, why);
}

/* The text lies where its first line began. */
static void give_back(uswi_tuning_file_t *file) {
  free(file->entries);
  free(file->times);
  free(file->text);
}

static void check_good(void) {
  uswi_tuning_file_t file;
  char why[USWI_TUNING_WHY_BYTES];
  int line;
  if (!check_count(parse(good, strlen(good), &file, &line, why) == 0, __FILE__, __LINE__, "line %d: %s", line, why))
    return;
  CHECK_U64(4, file.entry_count);
  CHECK_U64(2, file.time_count);
  CHECK_U64(USWI_ONE_RESULT, file.entries[0].class.results); /* files of before have no such word */
  CHECK_U64(USWI_RESULTS_OF_SEGMENTS, file.entries[2].class.results);
  CHECK_U64(USWI_ONE_RESULT, file.entries[3].class.results);
  CHECK_U64(USWI_ONE_RESULT, file.times[0].class.results);
  CHECK_U64(USWI_RESULTS_OF_AXES, file.times[1].class.results);
  CHECK_U64(2, file.entries[0].way.share);
  CHECK_U64(9000, file.entries[0].most_bytes);
  CHECK_U64(UINT64_MAX, file.entries[1].most_bytes);
  CHECK_I64(USW_STRATEGY_HOST_FINISH, file.entries[1].way.strategy);
  CHECK_U64(9, file.entries[1].line);
  CHECK_I64(USW_STRATEGY_ATOMIC, file.times[0].way.strategy);
  CHECK_I64(USWI_LARGE_ACCUMULATOR, file.times[0].class.accumulator);
  CHECK_TEXT_HAS(file.entries[0].text, "entry asked=auto item=8 ");
  CHECK_U64(2, file.link_count);
  CHECK_AT(strcmp(file.links[0].pci_address, "0000:c1:00.0") == 0, file.links[0].pci_address);
  CHECK_AT(strcmp(file.links[1].pci_address, "0001:1f:0a.7") == 0, file.links[1].pci_address);
  CHECK_U64(268435456, file.links[0].bytes);
  CHECK_U64(4900000, file.links[0].ns);
  CHECK_U64(20000, file.links[0].spread_ns);
  give_back(&file);
}

/* The good file with one word in place of another. */
static void refused(const char *word, const char *by, const char *expected) {
  char text[2 * TEXT_BYTES], why[USWI_TUNING_WHY_BYTES];
  uswi_tuning_file_t file;
  int line;
  const char *at = strstr(good, word);
  if (!CHECK(at != NULL))
    return;
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, by, at + strlen(word));
  if (!CHECK_AT(parse(text, strlen(text), &file, &line, why) != 0, by))
    give_back(&file);
  CHECK_TEXT_HAS(why, expected);
}

static void refuse_links(void) {
  refused("pci=0000:c1:00.0", "", "pci= is missing");
  refused("pci=0000:c1:00.0", "pci=", "pci= is not possible");
  refused("pci=0000:c1:00.0", "pci=0000:C1:00.0", "pci=0000:C1:00.0 is not possible");
  refused("pci=0000:c1:00.0", "pci=00000000:c1:00.0",
          "pci=00000000:c1:00.0 is not possible"); /* 17 bytes with its end */
  refused("pci=0000:c1:00.0", "pci=0001:1f:0a.7", "is of the same device");
  refused("pci=0000:c1:00.0", "gpu=0", "'gpu=0' is no part of such a line");
  refused("ns=4900000", "ns=0", "ns=0 is not possible");
  refused("bytes=1099511627776", "bytes=1099511627777", "bytes=1099511627777 is not possible");
}

static uint32_t next_number(void) {
  static uint32_t state = 1;
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

static void check_entries(const uswi_tuning_file_t *file) {
  for (uint32_t k = 0; k < file->link_count; k++)
    CHECK(*file->links[k].pci_address && file->links[k].bytes > 0 && file->links[k].ns > 0);
  for (uint32_t r = 0; r < file->entry_count; r++) {
    const uswi_tuning_entry_t *entry = &file->entries[r];
    CHECK(entry->least_bytes <= entry->measured_bytes && entry->measured_bytes <= entry->most_bytes);
    CHECK(entry->ns > 0 && entry->ns < entry->instead_ns && entry->way.share > 0 &&
          entry->way.strategy != USW_AUTO_STRATEGY);
    CHECK(entry->asked == entry->way.strategy || entry->asked == USW_AUTO_STRATEGY);
    CHECK(entry->class.results == USWI_ONE_RESULT ||
          (entry->class.results <= USWI_RESULTS_OF_SEGMENTS && entry->asked == USW_STRATEGY_TREE));
  }
}

/* A byte changed, taken away or put in, or the file cut there. */
static size_t mutate(char text[2 * TEXT_BYTES]) {
  static const char bytes[] = "\n\n =0123456789-x\377\1 rowtimendask";
  size_t length = strlen(good);
  memcpy(text, good, length + 1);
  for (uint32_t change = 0; change < 1 + next_number() % 3; change++) {
    const size_t at = next_number() % length;
    const char byte = bytes[next_number() % (sizeof bytes - 1)];
    switch (next_number() % 4) {
    case 0:
      text[at] = byte;
      break;
    case 1:
      memmove(text + at, text + at + 1, length-- - at);
      break;
    case 2:
      memmove(text + at + 1, text + at, ++length - at);
      text[at] = byte;
      break;
    default:
      if (next_number() % 8 == 0)
        text[length = at + 1] = 0;
    }
  }
  return length;
}

static void fuzz(void) {
  int good_count = 0;
  for (int m = 0; m < MUTATIONS; m++) {
    char text[2 * TEXT_BYTES], why[USWI_TUNING_WHY_BYTES];
    uswi_tuning_file_t file;
    int line = -1;
    const size_t length = mutate(text);
    int lines = 0;
    for (size_t k = 0; k < length; k++)
      lines += text[k] == '\n';
    if (parse(text, length, &file, &line, why) == 0) {
      good_count++;
      check_entries(&file);
      give_back(&file);
    } else {
      CHECK(*why != 0 && line >= 0 && line <= lines);
    }
  }
  CHECK(good_count > 0 && good_count < MUTATIONS / 2);
}

int main(void) {
  const int descriptor = mkstemp(file_name);
  CHECK(descriptor >= 0 && close(descriptor) == 0);
  make_good();
  check_good();
  refuse_links();
  fuzz();
  unlink(file_name);
  return check_report();
}
