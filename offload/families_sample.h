/* Which kernels along axes and of scans a library has whose families are a sample (USW_FAMILIES_SAMPLE): those of types with ALWAYS. table.c asks,
 * and CMake compiles no others (usw_keep_families_sample(), which reads the lines with IF_WHOLE). */
#ifndef USW_OFFLOAD_FAMILIES_SAMPLE_H
#define USW_OFFLOAD_FAMILIES_SAMPLE_H

#ifdef USW_FAMILIES_SAMPLE
#define IF_WHOLE(...)
#else
#define IF_WHOLE(...) __VA_ARGS__
#endif
#define ALWAYS(...) __VA_ARGS__
#define IF_ALONG_AXES(type, ...) IF_ALONG_AXES_OF_##type(__VA_ARGS__)
#define IF_ALONG_AXES_OF_f64 ALWAYS
#define IF_ALONG_AXES_OF_f32 ALWAYS
#define IF_ALONG_AXES_OF_f16 ALWAYS
#define IF_ALONG_AXES_OF_bf16 IF_WHOLE
#define IF_ALONG_AXES_OF_cf64 ALWAYS
#define IF_ALONG_AXES_OF_cf32 IF_WHOLE
#define IF_ALONG_AXES_OF_i64 ALWAYS
#define IF_ALONG_AXES_OF_i32 ALWAYS
#define IF_ALONG_AXES_OF_i16 ALWAYS
#define IF_ALONG_AXES_OF_i8 IF_WHOLE
#define IF_ALONG_AXES_OF_u64 ALWAYS
#define IF_ALONG_AXES_OF_u32 IF_WHOLE
#define IF_ALONG_AXES_OF_u16 IF_WHOLE
#define IF_ALONG_AXES_OF_u8 ALWAYS
#define IF_SCANNED(type, ...) IF_SCANNED_OF_##type(__VA_ARGS__)
#define IF_SCANNED_OF_f64 ALWAYS
#define IF_SCANNED_OF_f32 ALWAYS
#define IF_SCANNED_OF_f16 IF_WHOLE
#define IF_SCANNED_OF_bf16 IF_WHOLE
#define IF_SCANNED_OF_cf64 IF_WHOLE
#define IF_SCANNED_OF_cf32 IF_WHOLE
#define IF_SCANNED_OF_i64 IF_WHOLE
#define IF_SCANNED_OF_i32 ALWAYS
#define IF_SCANNED_OF_i16 IF_WHOLE
#define IF_SCANNED_OF_i8 IF_WHOLE
#define IF_SCANNED_OF_u64 IF_WHOLE
#define IF_SCANNED_OF_u32 IF_WHOLE
#define IF_SCANNED_OF_u16 IF_WHOLE
#define IF_SCANNED_OF_u8 ALWAYS

#endif
