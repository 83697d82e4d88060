/* Reads arrays out of NumPy's .npz files: a zip archive with one .npy file per array. */
#ifndef LAND_NPZ_H
#define LAND_NPZ_H

#include <stddef.h>

/* An array in C order. `rows` times `columns` elements; a one-dimensional array has one column. */
typedef struct npz_array {
  void *data; /* from malloc */
  size_t rows, columns;
} npz_array_t;

/* Reads the member `member` ("mask.npy") of `file`, which has to hold `dimensions` (1 or 2)
 * dimensions of elements of NumPy's type `dtype` ("|b1", "<f8"), `element_bytes` each. Returns 0,
 * or -1 with one line in error_out that says what is wrong with which file. */
int npz_read(const char *file, const char *member, const char *dtype, size_t element_bytes, int dimensions,
             npz_array_t *array_out, char *error_out, size_t error_bytes);

#endif
