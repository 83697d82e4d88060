/* What marks a symbol as part of the library's interface. */
#ifndef UPSWEEP_EXPORT_H
#define UPSWEEP_EXPORT_H

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

/** First member of every structure that a caller fills: the structure's size in bytes. */
#define USW_INIT(type) sizeof(type)

#endif
