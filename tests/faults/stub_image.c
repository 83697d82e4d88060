/* An image as the compiler would embed one for a GPU, with nothing in it but the names of entries: the library looks them up in
 * it, and the stub of the driver finds kernels by them. */
#include <elf.h>
#include <stddef.h>
#include <stdint.h>

#include "stub_image.h"

#ifdef USW_PORT_SIMT
enum { MAGIC = 0xAD10FF10u, CUDA_MACHINE = 190, NAME_BYTES = 64 };

typedef struct symbol_names {
  char of_section[8];
#define ROOM(name) char name[NAME_BYTES];
  STUB_KERNELS(ROOM)
} symbol_names_t;

#define COUNT(name) +1
enum { KERNELS = 0 STUB_KERNELS(COUNT) };

typedef struct image {
  Elf64_Ehdr header;
  Elf64_Shdr sections[3];
  Elf64_Sym symbols[KERNELS];
  symbol_names_t names;
} image_t;

typedef struct binary {
  uint32_t magic, version;
  uint64_t bytes, entry_offset, entry_bytes;
  struct {
    uint16_t image_kind, offload_kind;
    uint32_t flags;
    uint64_t strings_offset, strings, image_offset, image_bytes;
  } entry;
  struct {
    uint64_t key_offset, value_offset;
  } string;
  char key[8], value[8];
  image_t image;
} binary_t;

extern const binary_t stub_binary;
__attribute__((used, aligned(8))) const binary_t stub_binary = {
    .magic = MAGIC,
    .version = 1,
    .bytes = sizeof(binary_t),
    .entry_offset = offsetof(binary_t, entry),
    .entry_bytes = sizeof stub_binary.entry,
    .entry = {.strings_offset = offsetof(binary_t, string),
              .strings = 1,
              .image_offset = offsetof(binary_t, image),
              .image_bytes = sizeof(image_t)},
    .string = {offsetof(binary_t, key), offsetof(binary_t, value)},
    .key = "arch",
    .value = "simt",
    .image = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                   .e_machine = CUDA_MACHINE,
                   .e_shoff = offsetof(image_t, sections),
                   .e_shnum = 3,
                   .e_shstrndx = 2},
        .sections = {{.sh_type = SHT_NULL},
                     {.sh_type = SHT_SYMTAB,
                      .sh_offset = offsetof(image_t, symbols),
                      .sh_size = sizeof stub_binary.image.symbols,
                      .sh_link = 2},
                     {.sh_type = SHT_STRTAB, .sh_offset = offsetof(image_t, names), .sh_size = sizeof(symbol_names_t)}},
#define SYMBOL(kernel)                                                                                                 \
  {.st_name = offsetof(symbol_names_t, kernel), .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), .st_shndx = 1},
        .symbols = {STUB_KERNELS(SYMBOL)},
#define NAME(kernel) .kernel = STUB_SYMBOL(kernel),
        .names = {STUB_KERNELS(NAME)}}};
#endif
