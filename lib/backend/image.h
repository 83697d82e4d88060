/* The device images that a program or shared object carries: where they are, and the entries in them.
 *
 * The compiler's linker puts every image into a read-only segment of the object, inside one of LLVM's offload binaries
 * (llvm/Object/OffloadBinary.h): a header, an entry, strings that name the architecture, the image. NVIDIA's images are ELF
 * files, whose symbols name the entries. */
#ifndef USWI_BACKEND_IMAGE_H
#define USWI_BACKEND_IMAGE_H

#include <stddef.h>

typedef struct uswi_image {
  const unsigned char *start; /* NULL: there is none */
  size_t bytes;
} uswi_image_t;

/* The image for an architecture ("sm_90") of the object that an address belongs to: that of a function of it. Reads the
 * object's read-only memory once from end to end. */
uswi_image_t uswi_image_of(const void *address, const char *architecture);

/* The entries that a host function of this name holds the region of; the last one's symbol, which is in the image. 1 is what
 * a launch needs. */
int uswi_image_entries(uswi_image_t image, const char *stub_name, const char **symbol_out);

/* Whether the image has variables of the program's: another copy of it would have others of that name. */
int uswi_image_has_variables(uswi_image_t image);

#endif
