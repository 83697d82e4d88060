/* The tables by which calls run where nobody says how: the built-in entries of tuning.def, and before them those of the files
 * that USW_TUNING names. Tables are made when the library and its devices are set up, and stay as they are. */
#ifndef USWI_POLICY_TUNING_H
#define USWI_POLICY_TUNING_H

#include "backend/backend.h"
#include "base/strategy.h"

/* Kernels that an entry is for: those that load and fold alike. */
enum {
  USWI_MOST_ITEM_CLASS = 32, /* bytes; larger items count as so many */
  USWI_SMALL_ACCUMULATOR = 1,
  USWI_LARGE_ACCUMULATOR = 2,
  USWI_WIDE_ACCUMULATOR = 3,   /* of built-in entries for the host: at least twice an item; no class of a kernel */
  USWI_MIDDLE_ACCUMULATOR = 4, /* the same for GPUs: more than 32 bytes, and a team waits for them */
  USWI_LEAST_MIDDLE_BYTES = 33,
  USWI_SMALL_ACCUMULATOR_BYTES = 48 /* or those of which a team waits */
};

/* Results of the calls that an entry is for. Scans count as calls with one result. */
enum {
  USWI_ONE_RESULT = 1,
  USWI_RESULTS_OF_AXES = 2,
  USWI_RESULTS_OF_SEGMENTS = 3,
  USWI_MANY_RESULTS = 4 /* of built-in entries for GPUs: along axes and of segments; no class of a call */
};

typedef struct uswi_class {
  uint32_t item_bytes;  /* 1, 2, 4 ... 32: up to so many, and more than half; of an entry 0: all */
  uint32_t accumulator; /* USWI_SMALL_ACCUMULATOR, USWI_LARGE_ACCUMULATOR; of an entry 0: both */
  uint32_t results;     /* USWI_ONE_RESULT ...; of an entry 0: any */
} uswi_class_t;

enum { USWI_ALL_AT_ONCE = 0 /* a share of built-in entries for GPUs: as many teams as run at once */ };

/* A way to run: a share is a number of teams for each multiprocessor, on the host the bytes of a chunk. */
typedef struct uswi_way {
  usw_strategy_t strategy;
  uint32_t share;
} uswi_way_t;

typedef struct uswi_entry {
  usw_strategy_t asked;
  uswi_class_t class;
  uint64_t least_bytes, most_bytes; /* of a call's elements */
  uswi_way_t way;
  /* The measurement that earned it: what a call of so many bytes took, what it took before, and how far times were apart; 0
   * where nobody has said. */
  uint64_t measured_bytes, ns, instead_ns, spread_ns;
  const char *text, *source; /* the entry in its own words (uswi_tuning_text()), and where it comes from */
  uint32_t line;             /* of the file; 0: built in */
} uswi_tuning_entry_t;

/* What a way took that was tried. */
typedef struct uswi_time {
  uswi_class_t class;
  uint64_t bytes;
  uswi_way_t way;
  uint64_t ns, spread_ns;
} uswi_time_t;

/* What staging to one GPU took, which is alone then: the rate of its link. */
typedef struct uswi_link {
  char pci_address[16]; /* as usw_device_info_t has it */
  uint64_t bytes, ns, spread_ns;
  uint32_t line; /* of the file */
} uswi_link_t;

/* Bounds of the number of teams on a GPU, whatever the entry says. */
typedef struct uswi_limits {
  /* Teams a multiprocessor with cells of spans in their memory: those of up to small_team threads, and larger ones. */
  uint32_t small_team, small_span_teams, span_teams;
  /* Of kernels that read so many arrays or more: teams a multiprocessor. */
  uint32_t many_streams, many_streams_teams;
  /* For what teams with cells leave behind. */
  uint64_t span_records_bytes;
} uswi_limits_t;

typedef struct uswi_tuning {
  uswi_limits_t limits;
  const uswi_tuning_entry_t
      *first[USWI_STRATEGIES]; /* by the strategy asked for; others follow, and one of them fits every call */
  const uswi_time_t *times;
  uint32_t time_count;
} uswi_tuning_t;

/* By OpenMP's number of the device; the last one is the host's. */
enum { USWI_TABLES = 64 + 1 };
extern const uswi_tuning_t *uswi_tables[USWI_TABLES];

static inline const uswi_tuning_t **uswi_table_of(const uswi_device_t *device) {
  return &uswi_tables[device ? (uint32_t)device->number % (USWI_TABLES - 1) : USWI_TABLES - 1];
}

/* The table of a device, or of the host (NULL). */
static inline const uswi_tuning_t *uswi_tuning_of(const uswi_device_t *device) { return *uswi_table_of(device); }

/* Bytes in a millisecond that are staged to each device, by OpenMP's number; 0: no table says. */
extern uint64_t uswi_staging_rates[USWI_TABLES];

/* 0 of a link that is slower than that. */
static inline uint64_t uswi_link_rate(const uswi_link_t *link) {
  return (uint64_t)((double)link->bytes / (double)link->ns * 1e6);
}

/* The device's table, or the host's, from so many entries of a file and the built-in ones; `room` is for all of them, and stays. */
enum { USWI_MOST_BUILT_IN = 32 };
void uswi_tuning_make(const uswi_device_t *device, const uswi_tuning_entry_t *entries, uint32_t count,
                      uswi_tuning_t *table, uswi_tuning_entry_t *room);

/* The same of the built-in entries alone; whether it is that. */
void uswi_tuning_make_built_in(const uswi_device_t *device);
int uswi_tuning_is_built_in(const uswi_device_t *device);

/* An entry in words, which live for ever: a file's line, or what is written of the built-in ones when one is first asked for. */
const char *uswi_tuning_text(const uswi_tuning_entry_t *entry);

/* Nanoseconds of a call of so many bytes, by what calls of about as many took the same way; 0: the table does not say. */
uint64_t uswi_tuning_expect(const uswi_tuning_t *tuning, uswi_class_t class, uswi_way_t way, uint64_t bytes);

#endif
