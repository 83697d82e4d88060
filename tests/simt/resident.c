/* Several resident teams on one CPU thread, in turns by chance: a wait for another team that is missing or wrong shows in the results.
 * Each team has a machine. One of them runs until its turns are used up, or until it reads or writes what other teams see; then chance
 * chooses the next one, so no team waits for ever. The chance of a launch depends on the order that tests set and on the number of the
 * launch since: the same calls give the same turns. */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  LEAST_RESIDENT = 2,
  MOST_RESIDENT =
      6, /* more, of 16 CPU threads, would have more stacks with guard pages than Linux maps for a process */
  MOST_TURNS_LOG = 8,
  ONE_IN_PAUSES = 4
};

struct residents {
  machine_t *machines[MOST_RESIDENT];
  uint32_t count;
  int turns; /* that the running team has left */
  uint64_t state;
  const usw_simt_object_t *objects;
  uint32_t object_count;
};

static uint32_t chance(residents_t *residents, uint32_t below) {
  residents->state = residents->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(((residents->state >> 32) * below) >> 32);
}

/* ---- team memory: static objects of the kernel's, one instance for all teams ---- */

static void save_team_memory(machine_t *machine) {
  const residents_t *residents = machine->residents;
  char *to = machine->team_memory;
  for (uint32_t k = 0; k < residents->object_count; to += residents->objects[k++].bytes)
    memcpy(to, residents->objects[k].start, residents->objects[k].bytes);
}

static void restore_team_memory(const machine_t *machine) {
  const residents_t *residents = machine->residents;
  const char *from = machine->team_memory;
  for (uint32_t k = 0; k < residents->object_count; from += residents->objects[k++].bytes)
    memcpy(residents->objects[k].start, from, residents->objects[k].bytes);
}

static size_t team_memory_bytes(const residents_t *residents) {
  size_t bytes = 0;
  for (uint32_t k = 0; k < residents->object_count; k++)
    bytes += residents->objects[k].bytes;
  if (bytes > MOST_TEAM_MEMORY) {
    fprintf(stderr, "simt: %zu bytes of team memory are too many\n", bytes);
    abort();
  }
  return bytes;
}

/* ---- turns ---- */

/* One sub-group after the other, from one by chance on, each as far as it can go. */
static void run_turns(machine_t *machine) {
  residents_t *residents = machine->residents;
  const uint32_t sub_groups = simt_sub_groups(machine);
  uint32_t sub_group = chance(residents, sub_groups), idle = 0;
  simt_switch_to(machine);
  restore_team_memory(machine);
  residents->turns = 1 << chance(residents, MOST_TURNS_LOG + 1);
  while (residents->turns > 0 && machine->ended < machine->threads) {
    if (simt_run_sub_group(machine, sub_group) > 0) {
      residents->turns--;
      idle = 0;
      continue;
    }
    sub_group = (sub_group + 1) % sub_groups;
    if (++idle == sub_groups)
      simt_stuck(machine);
  }
  save_team_memory(machine);
}

void usw_simt_pause(void) {
  machine_t *machine = simt_machine();
  residents_t *residents = machine->residents;
  if (!residents)
    return;
  residents->turns = 0;
  if (chance(residents, ONE_IN_PAUSES) == 0)
    simt_yield(machine);
}

void simt_be_last(void) {
  machine_t *machine = simt_machine();
  machine->is_last = 1;
  if (machine->residents)
    machine->residents->turns = 0;
  simt_yield(machine);
}

/* One by chance, but for those that are to be last while there are others. */
static uint32_t choose(residents_t *residents) {
  uint32_t others = 0;
  for (uint32_t k = 0; k < residents->count; k++)
    others += !residents->machines[k]->is_last;
  for (;;) {
    const uint32_t k = chance(residents, residents->count);
    if (others == 0 || !residents->machines[k]->is_last)
      return k;
  }
}

/* ---- launches ---- */

static void start_team(machine_t *machine, uint32_t team, size_t memory_bytes) {
  memset(machine->team_memory, 0xa5, memory_bytes); /* as on a GPU, nobody has cleared it */
  machine->is_last = 0;
  simt_begin_team(machine, team);
}

static void run(residents_t *residents, machine_t *first) {
  const size_t bytes = team_memory_bytes(residents);
  uint32_t started = 0, ended = 0;
  for (; started < residents->count; started++)
    start_team(residents->machines[started], simt_team_at(first, started), bytes);
  while (ended < first->teams) {
    const uint32_t k = choose(residents);
    machine_t *machine = residents->machines[k];
    run_turns(machine);
    if (machine->ended < machine->threads)
      continue;
    ended++;
    if (started < first->teams)
      start_team(machine, simt_team_at(first, started++), bytes);
    else
      residents->machines[k] = residents->machines[--residents->count];
  }
}

void usw_simt_launch_resident(uint32_t teams, uint32_t threads, int is_in_order, const usw_simt_object_t *objects,
                              uint32_t object_count, void (*body)(void *context), void *context) {
  machine_t *const first = simt_machine(), *machine = first;
  const uint32_t seed = simt_order();
  residents_t residents = {.objects = objects,
                           .object_count = object_count,
                           .state = 0x9e3779b97f4a7c15u * (seed + 1u) + simt_count_launch()};
  (void)chance(&residents, 1);
  residents.count = LEAST_RESIDENT + chance(&residents, MOST_RESIDENT - LEAST_RESIDENT + 1);
  residents.count = residents.count < teams ? residents.count : teams;
  for (uint32_t k = 0; k < residents.count; k++) {
    if (k > 0)
      machine = simt_machine_after(machine);
    simt_load(machine, teams, threads, seed, body, context);
    machine->residents = &residents;
    residents.machines[k] = machine;
  }
  simt_order_teams(first, is_in_order ? 0 : teams, seed);
  run(&residents, first);
  for (machine = first; machine; machine = machine->next)
    machine->residents = NULL;
  simt_switch_to(first);
}
