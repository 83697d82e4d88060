/* Leads the calls of the shared library to points.c: by the addresses that its procedure linkage table jumps to. Calls of
 * the runtimes that it uses stay as they are. The linker leads those of the emulated library. */
#include <elf.h>
#include <link.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <upsweep/upsweep.h>

#include "faults.h"
#include "points.h"

#ifdef USW_PORT_SIMT
int faults_install(void) { return 1; }
#else
void *points_open_stub(const char *name) {
  (void)name;
  return NULL;
}
int points_is_stub(const void *library) {
  (void)library;
  return 0;
}
void *points_of_stub(const char *name) {
  (void)name;
  return NULL;
}

/* What relocations need of an object's dynamic section. */
typedef struct tables {
  const ElfW(Sym) * symbols;
  const char *names;
  const ElfW(Rela) * jumps, *others;
  size_t jump_bytes, other_bytes;
} tables_t;

static tables_t tables_of(const struct dl_phdr_info *object) {
  tables_t tables = {NULL, NULL, NULL, NULL, 0, 0};
  const ElfW(Dyn) *entry = NULL;
  for (int h = 0; h < object->dlpi_phnum; h++)
    if (object->dlpi_phdr[h].p_type == PT_DYNAMIC)
      entry = (const ElfW(Dyn) *)(object->dlpi_addr + object->dlpi_phdr[h].p_vaddr);
  for (; entry && entry->d_tag != DT_NULL; entry++) {
    const void *at = (const void *)entry->d_un.d_ptr; /* the linker has made addresses of them */
    switch (entry->d_tag) {
    case DT_SYMTAB:
      tables.symbols = at;
      break;
    case DT_STRTAB:
      tables.names = at;
      break;
    case DT_JMPREL:
      tables.jumps = at;
      break;
    case DT_PLTRELSZ:
      tables.jump_bytes = entry->d_un.d_val;
      break;
    case DT_RELA:
      tables.others = at;
      break;
    case DT_RELASZ:
      tables.other_bytes = entry->d_un.d_val;
      break;
    default:
      break;
    }
  }
  return tables;
}

static int write_address(void **at, void *function) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)at / page * page;
  if (mprotect((void *)start, page, PROT_READ | PROT_WRITE) != 0)
    return 0;
  *at = function;
  return 1;
}

static int lead(const struct dl_phdr_info *object, const tables_t *tables, const ElfW(Rela) * from, size_t bytes) {
  int led = 0;
  for (size_t r = 0; r < bytes / sizeof *from; r++) {
    const size_t symbol = ELF64_R_SYM(from[r].r_info);
    if (symbol == 0 || from[r].r_addend != 0)
      continue;
    for (const point_t *point = points; point->name; point++)
      if (strcmp(point->name, tables->names + tables->symbols[symbol].st_name) == 0)
        led += write_address((void **)(object->dlpi_addr + from[r].r_offset), point->function);
  }
  return led;
}

static int contains(const struct dl_phdr_info *object, uintptr_t address) {
  for (int h = 0; h < object->dlpi_phnum; h++)
    if (object->dlpi_phdr[h].p_type == PT_LOAD &&
        address - object->dlpi_addr - object->dlpi_phdr[h].p_vaddr < object->dlpi_phdr[h].p_memsz)
      return 1;
  return 0;
}

static int visit(struct dl_phdr_info *object, size_t bytes, void *led) {
  (void)bytes;
  if (!contains(object, (uintptr_t)&usw_version))
    return 0;
  const tables_t tables = tables_of(object);
  if (tables.symbols && tables.names)
    *(int *)led = lead(object, &tables, tables.jumps, tables.jump_bytes) +
                  lead(object, &tables, tables.others, tables.other_bytes);
  return 1;
}

int faults_install(void) {
  int led = 0;
  dl_iterate_phdr(visit, &led);
  return led > 0;
}
#endif
