/* What marks a symbol as part of the library's interface; how a structure says which version of itself it is. */
#ifndef UPSWEEP_EXPORT_H
#define UPSWEEP_EXPORT_H

/** @cond */
#if defined(__GNUC__)
#define USW_API __attribute__((visibility("default")))
#else
#define USW_API
#endif

#ifdef __cplusplus
#define USW_BEGIN_C extern "C" {
#define USW_END_C }
#else
#define USW_BEGIN_C
#define USW_END_C
#endif
/** @endcond */

/** First member of every structure that a caller fills: the structure's size in bytes.
 *
 *  A library that knows another size returns USW_ERROR_VERSION.
 *  @param[in] type the structure's type.
 *  @since 0.1
 *  @ingroup options */
#define USW_INIT(type) sizeof(type)

#endif
