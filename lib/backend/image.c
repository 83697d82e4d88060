/* Device images: see image.h. */

#include "backend/image.h"

#include <ctype.h>
#include <elf.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC = 0xAD10FF10u, VERSION = 1, STEP = 8, CUDA_MACHINE = 190, NUMBER_BYTES = 24 };

/* The start of an offload binary, whose offsets count from there. */
typedef struct binary {
  uint32_t magic, version;
  uint64_t bytes, entry_offset, entry_bytes;
} binary_t;

typedef struct entry {
  uint16_t image_kind, offload_kind;
  uint32_t flags;
  uint64_t strings_offset, strings, image_offset, image_bytes;
} entry_t;

typedef struct string {
  uint64_t key_offset, value_offset;
} string_t;

/* ---- offload binaries ---- */

typedef struct search {
  uintptr_t address;
  const char *architecture;
  uswi_image_t image;
} search_t;

/* Memory is read by copies: nothing says that it is aligned, or that what looks like a binary is one. */
static int take(void *to, size_t bytes, const unsigned char *from, uint64_t offset, uint64_t limit) {
  if (offset > limit || limit - offset < bytes)
    return 0;
  memcpy(to, from + offset, bytes);
  return 1;
}

static int is_text(const unsigned char *start, uint64_t offset, uint64_t limit, const char *text) {
  const size_t bytes = strlen(text) + 1;
  return offset <= limit && limit - offset >= bytes && memcmp(start + offset, text, bytes) == 0;
}

static int is_for(const unsigned char *start, const binary_t *binary, const entry_t *e, const char *architecture) {
  string_t string;
  for (uint64_t s = 0; s < e->strings; s++)
    if (take(&string, sizeof string, start, e->strings_offset + s * sizeof string, binary->bytes) &&
        is_text(start, string.key_offset, binary->bytes, "arch") &&
        is_text(start, string.value_offset, binary->bytes, architecture))
      return 1;
  return 0;
}

/* The image of a binary that starts here, or nothing. */
static uswi_image_t image_at(const unsigned char *start, size_t room, const char *architecture) {
  const uswi_image_t none = {NULL, 0};
  binary_t binary;
  entry_t e;
  if (!take(&binary, sizeof binary, start, 0, room) || binary.magic != MAGIC || binary.version != VERSION ||
      binary.bytes > room || !take(&e, sizeof e, start, binary.entry_offset, binary.bytes) ||
      e.image_offset > binary.bytes || e.image_bytes > binary.bytes - e.image_offset ||
      !is_for(start, &binary, &e, architecture))
    return none;
  return (uswi_image_t){start + e.image_offset, e.image_bytes};
}

/* What may be a binary. A sanitizer of the program's keeps memory between its variables that must not be read otherwise. */
__attribute__((no_sanitize("address"))) static int has_magic(const unsigned char *at) {
  uint32_t magic;
  memcpy(&magic, at, sizeof magic);
  return magic == MAGIC;
}

static int contains(const struct dl_phdr_info *object, uintptr_t address) {
  for (int h = 0; h < object->dlpi_phnum; h++) {
    const uintptr_t start = object->dlpi_addr + object->dlpi_phdr[h].p_vaddr;
    if (object->dlpi_phdr[h].p_type == PT_LOAD && address >= start && address - start < object->dlpi_phdr[h].p_memsz)
      return 1;
  }
  return 0;
}

static int search_object(struct dl_phdr_info *object, size_t bytes, void *context) {
  search_t *search = context;
  (void)bytes;
  if (!contains(object, search->address))
    return 0;
  for (int h = 0; h < object->dlpi_phnum && !search->image.start; h++) {
    const ElfW(Phdr) *segment = &object->dlpi_phdr[h];
    if (segment->p_type != PT_LOAD || (segment->p_flags & PF_W))
      continue;
    const unsigned char *start = (const unsigned char *)(object->dlpi_addr + segment->p_vaddr);
    for (size_t k = 0; k + sizeof(binary_t) <= segment->p_filesz && !search->image.start; k += STEP)
      if (has_magic(start + k))
        search->image = image_at(start + k, segment->p_filesz - k, search->architecture);
  }
  return 1;
}

uswi_image_t uswi_image_of(const void *address, const char *architecture) {
  search_t search = {(uintptr_t)address, architecture, {NULL, 0}};
  dl_iterate_phdr(search_object, &search);
  return search.image;
}

/* ---- symbols ---- */

/* What follows a hexadecimal number and an underscore, or NULL. */
static const char *behind_number(const char *text) {
  const size_t digits = strspn(text, "0123456789abcdef");
  return digits > 0 && text[digits] == '_' ? text + digits + 1 : NULL;
}

/* Whether a symbol is __omp_offloading_<device>_<file>_<function>_l<line>, of a function of this name; in C++ its name is
 * mangled, that of a static function: _ZL<length><name>... */
static int is_entry_of(const char *symbol, const char *name) {
  static const char prefix[] = "__omp_offloading_";
  const size_t length = strlen(name);
  char mangled[NUMBER_BYTES];
  if (strncmp(symbol, prefix, sizeof prefix - 1) != 0)
    return 0;
  const char *function = behind_number(symbol + sizeof prefix - 1);
  function = function ? behind_number(function) : NULL;
  if (!function)
    return 0;
  const int from = snprintf(mangled, sizeof mangled, "_ZL%zu", length);
  if (strncmp(function, mangled, (size_t)from) == 0)
    return strncmp(function + from, name, length) == 0;
  const char *line = function + length;
  return strncmp(function, name, length) == 0 && strncmp(line, "_l", 2) == 0 && isdigit((unsigned char)line[2]) &&
         line[2 + strspn(line + 2, "0123456789")] == 0;
}

/* A part of the image, or NULL where it ends before. */
static const unsigned char *part_of(uswi_image_t image, uint64_t offset, uint64_t bytes) {
  return offset <= image.bytes && image.bytes - offset >= bytes ? image.start + offset : NULL;
}

/* Section number `index` of an NVIDIA image. */
static int section_of(uswi_image_t image, unsigned index, Elf64_Shdr *section_out) {
  Elf64_Ehdr header;
  return take(&header, sizeof header, image.start, 0, image.bytes) && memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == CUDA_MACHINE && index < header.e_shnum &&
         take(section_out, sizeof *section_out, image.start, header.e_shoff + index * sizeof *section_out, image.bytes);
}

/* A text of a section of texts, or "". */
static const char *text_of(uswi_image_t image, unsigned section, uint64_t offset) {
  Elf64_Shdr texts;
  if (!section_of(image, section, &texts) || offset >= texts.sh_size)
    return "";
  const unsigned char *start = part_of(image, texts.sh_offset, texts.sh_size);
  return start && memchr(start + offset, 0, texts.sh_size - offset) ? (const char *)start + offset : "";
}

/* Whether a section holds variables that a kernel can change: one of each for all teams. */
static int holds_variables(uswi_image_t image, unsigned section) {
  Elf64_Ehdr header;
  Elf64_Shdr found;
  if (!section_of(image, section, &found) || !take(&header, sizeof header, image.start, 0, image.bytes))
    return 0;
  return strncmp(text_of(image, header.e_shstrndx, found.sh_name), ".nv.global", sizeof ".nv.global" - 1) == 0;
}

/* Calls visit with the name of each symbol of a kind, and its section. */
static void each_symbol(uswi_image_t image, unsigned char kind,
                        void (*visit)(uswi_image_t image, const char *name, unsigned section, void *context),
                        void *context) {
  Elf64_Shdr table;
  Elf64_Sym symbol;
  for (unsigned s = 0; section_of(image, s, &table); s++)
    for (uint64_t k = 0; table.sh_type == SHT_SYMTAB && k < table.sh_size / sizeof symbol; k++)
      if (take(&symbol, sizeof symbol, image.start, table.sh_offset + k * sizeof symbol, image.bytes) &&
          ELF64_ST_TYPE(symbol.st_info) == kind && symbol.st_shndx != SHN_UNDEF)
        visit(image, text_of(image, table.sh_link, symbol.st_name), symbol.st_shndx, context);
}

typedef struct found {
  const char *stub_name, *symbol;
  int count;
} found_t;

static void count_entry(uswi_image_t image, const char *name, unsigned section, void *context) {
  found_t *found = context;
  (void)image, (void)section;
  if (!is_entry_of(name, found->stub_name))
    return;
  found->symbol = name;
  found->count++;
}

int uswi_image_entries(uswi_image_t image, const char *stub_name, const char **symbol_out) {
  found_t found = {stub_name, NULL, 0};
  each_symbol(image, STT_FUNC, count_entry, &found);
  *symbol_out = found.symbol;
  return found.count;
}

static int ends_with(const char *text, const char *end) {
  const size_t length = strlen(text), end_length = strlen(end);
  return length >= end_length && strcmp(text + length - end_length, end) == 0;
}

/* The compiler's runtime has variables, and so has each entry; constants are unnamed, and texts have names that no variable of a
 * program's can have. */
static void look_for_variable(uswi_image_t image, const char *name, unsigned section, void *context) {
  int *has = context;
  if (*has || !holds_variables(image, section) || strncmp(name, "__omp_rtl_", 10) == 0 ||
      strncmp(name, "__llvm_", 7) == 0 || strncmp(name, "__unnamed_", 10) == 0 || strncmp(name, "_$_str", 6) == 0 ||
      ends_with(name, "_kernel_environment") || ends_with(name, "_dynamic_environment"))
    return;
  *has = 1;
}

int uswi_image_has_variables(uswi_image_t image) {
  int has = 0;
  each_symbol(image, STT_OBJECT, look_for_variable, &has);
  return has;
}
