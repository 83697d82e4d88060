/* What the files of the HDF5 source share. */
#ifndef USW_TOOL_SOURCE_HDF5_H
#define USW_TOOL_SOURCE_HDF5_H

#define H5_USE_110_API /* later versions have these functions with other arguments */

#include "source.h"

#include <hdf5.h>

/* The type of the elements in memory, to be closed, and the library's; -1: none has all values of the stored type. */
hid_t tool_hdf5_memory_type(hid_t stored, const tool_type_t **type_out);

/* The stored type in the byte order of memory, to be read first and then converted to `memory`; -1: HDF5 converts in
 * one step. It swaps the bytes of integers without a look at how many bits they use, so that the others and the sign
 * stay wrong (seen in 1.10.8). */
hid_t tool_hdf5_swapped_type(hid_t stored, hid_t memory);

/* Say why there is none; returns -1. */
int tool_hdf5_refuse_type(tool_source_t *source, hid_t stored);

#endif
