/* What tests of parts share: parts.c begins, parts_kernels.c has those of user kernels. */
#ifndef USW_TESTS_PARTS_KERNELS_H
#define USW_TESTS_PARTS_KERNELS_H

#include "oracle/place.h"

/* Kernels over parts that are dealt to these places, by calls and by plans. */
void parts_of_kernels(const test_place_t *places, int count);

#endif
