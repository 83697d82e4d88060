/** @addtogroup library
 *  @{ */
#ifndef UPSWEEP_VERSION_H
#define UPSWEEP_VERSION_H

/** The version of these headers; usw_version() gives the version of the library that is loaded. */
#define USW_VERSION_MAJOR 0
#define USW_VERSION_MINOR 3 /**< Grows with every release that adds or changes something. */
#define USW_VERSION_PATCH 0 /**< Grows with every release that only repairs. */
/** All three as one number that grows: 0.1.0 is 100. */
#define USW_VERSION (USW_VERSION_MAJOR * 10000 + USW_VERSION_MINOR * 100 + USW_VERSION_PATCH)

/** @} */
#endif
