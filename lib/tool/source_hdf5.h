/* What the files of the HDF5 source share. */
#ifndef USW_TOOL_SOURCE_HDF5_H
#define USW_TOOL_SOURCE_HDF5_H

#define H5_USE_110_API /* later versions have these functions with other arguments */

#include "source.h"

#include <hdf5.h>

/* The type of the elements in memory, to be closed, and the library's; -1: none has all values of the stored type. */
hid_t tool_hdf5_memory_type(hid_t stored, const tool_type_t **type_out);

/* Say why there is none; returns -1. */
int tool_hdf5_refuse_type(tool_source_t *source, hid_t stored);

#endif
