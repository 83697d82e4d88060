/* The version of these headers; usw_version() gives the version of the library that was loaded. */
#ifndef UPSWEEP_VERSION_H
#define UPSWEEP_VERSION_H

#define USW_VERSION_MAJOR 0
#define USW_VERSION_MINOR 1
#define USW_VERSION_PATCH 0
#define USW_VERSION (USW_VERSION_MAJOR * 10000 + USW_VERSION_MINOR * 100 + USW_VERSION_PATCH)

#endif
