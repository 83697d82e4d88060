# Flags of the library's own files.

# Flags that let the compiler change values would break what the accuracy levels promise.
function(usw_refuse_value_changing_flags)
  set(flags "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${CMAKE_BUILD_TYPE}}")
  string(TOUPPER "${CMAKE_BUILD_TYPE}" config)
  string(APPEND flags " ${CMAKE_C_FLAGS_${config}}")
  get_directory_property(options COMPILE_OPTIONS)
  list(JOIN options " " options)
  set(refused "-ffast-math|-Ofast|-funsafe-math-optimizations|-fassociative-math"
              "|-ffinite-math-only|-freciprocal-math|-fno-signed-zeros|-ffp-model=(fast|aggressive)")
  string(CONCAT refused ${refused})
  if("${flags} ${options}" MATCHES "(^| )(${refused})( |$)")
    message(FATAL_ERROR "Upsweep: ${CMAKE_MATCH_2} changes results and cannot be used to build "
                        "the library; user kernels may use it in their own files")
  endif()
endfunction()

# usw_library_type(<variable>): SHARED, or STATIC where it is wanted and there are no device images: those are linked into a shared
# library, and would have to be linked again into every program.
function(usw_library_type out_type)
  set(${out_type} SHARED PARENT_SCOPE)
  if(USW_STATIC AND USW_IMAGES)
    message(FATAL_ERROR "Upsweep: USW_STATIC is for the host alone: add -DUSW_HOST_DEVICE=OFF -DUSW_GPU_ARCHS=")
  elseif(USW_STATIC OR (DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS AND NOT USW_IMAGES))
    set(${out_type} STATIC PARENT_SCOPE)
  elseif(DEFINED BUILD_SHARED_LIBS AND NOT BUILD_SHARED_LIBS)
    message(STATUS "Upsweep library: shared, in spite of BUILD_SHARED_LIBS=OFF, because it holds device images")
  endif()
endfunction()

# Warnings, sanitizers, and nothing else: for every target of this project.
function(usw_common_flags target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wshadow -Wvla -Wno-missing-field-initializers
                         $<$<COMPILE_LANGUAGE:C>:-Wstrict-prototypes>
                         $<$<COMPILE_LANG_AND_ID:C,GNU>:-Wno-unknown-pragmas>)
  if(USW_SANITIZE)
    target_compile_options(${target} PRIVATE -fsanitize=${USW_SANITIZE} -fno-omit-frame-pointer
                           -fno-sanitize-recover=all)
    target_link_options(${target} PRIVATE -fsanitize=${USW_SANITIZE})
  endif()
endfunction()
