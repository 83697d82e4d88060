# Reads offload/kernels.def and writes two sources of a few lines per (row, type), of the kernel and of that along axes, and one per kernel
# for all types, into the build folder; from the rows of offload/scans.def one each.
#
#   usw_generate_kernels(<kernels.def> <folder> <variable for the sources> <variable for a sample of them>)
#   usw_generate_scans(<scans.def> <folder> <variable for the sources> <variable for a sample of them>)
#
# The sample has every shape, operator and level of accuracy once (the first type of each row), every type once (the sums), a few kernels
# along axes, a few of scans, and the kernels for all types.

# What keeps kernels from taking minutes to compile. A kernel without a standard region (the upper levels of accuracy, batches)
# has nothing that is globalized: without the search for that, clang 19 writes the same machine code for NVIDIA in a third of
# the time. Sets and batches are the largest kernels: for x86_64, a place for tests, they stop at -O1. In the quick tier their
# host code keeps its loops, because clang spends more than half of its time on unrolling them.
function(_usw_kernel_flags source name operator type)
  set(flags "")
  if("${name}_${operator}" MATCHES "_(COMPENSATED|REPRODUCIBLE)$|^reducer_batch_" AND USW_IMAGES MATCHES "sm_")
    set(is_for_gpus "$<STREQUAL:$<TARGET_PROPERTY:NAME>,upsweep_kernels>")
    list(APPEND flags
         "$<${is_for_gpus}:-Xopenmp-target=nvptx64-nvidia-cuda;-mllvm=-openmp-opt-disable-deglobalization>")
  endif()
  # Kernels along axes hold many addresses. With small accumulators more teams at once are worth what is spilled outside of their loops (sum
  # of f64, 2^14 rows and columns, axis 0, H200: 513 us at 64 registers, 586 at 76). Large ones, without a bound, would leave room for one team.
  if(name MATCHES "^axes_" AND USW_IMAGES MATCHES "sm_")
    set(registers 64)
    if(name MATCHES "describe|norm2|_(compensated|reproducible)$")
      set(registers 128)
    endif()
    list(APPEND flags "$<$<STREQUAL:$<TARGET_PROPERTY:NAME>,upsweep_kernels>:-Xcuda-ptxas;-maxrregcount=${registers}>")
  endif()
  # Tiles of a scan wait for each other: more teams at once hide that. (H100, 2^28, share of a copy's rate: sum of f32 0.88 at 64 registers, 0.85
  # at 80, of f64 0.88 and 0.90.)
  if(name MATCHES "^(scan|runs)_" AND USW_IMAGES MATCHES "sm_")
    set(registers 64)
    if(type MATCHES "64$|^[iu]32$|^cf")
      set(registers 80)
    endif()
    list(APPEND flags "$<$<STREQUAL:$<TARGET_PROPERTY:NAME>,upsweep_kernels>:-Xcuda-ptxas;-maxrregcount=${registers}>")
  endif()
  if(name MATCHES "^reducer_(set|batch)$" AND "x86_64" IN_LIST USW_IMAGES)
    set(is_for_x86_64 "$<IN_LIST:$<TARGET_PROPERTY:NAME>,upsweep_kernels;upsweep_kernels_without_gpu>")
    list(APPEND flags "$<${is_for_x86_64}:-Xopenmp-target=x86_64-pc-linux-gnu;-Xclang=-O1>")
    if(USW_QUICK)
      list(APPEND flags "$<${is_for_x86_64}:-Xarch_host;-fno-unroll-loops>")
    endif()
  endif()
  if(name MATCHES "^(axes_|scan_)?(arg|minmax|describe|(nan)?norm2)") # shapes with functions that a second copy in the file would define again
    set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  if(flags)
    set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "${flags}")
  endif()
endfunction()

# The row's parts: passes_nans, name, shape, operator, types.
macro(_usw_read_row list_file row)
  string(REGEX REPLACE "[ \t]" "" bare_row "${row}")
  if(NOT bare_row MATCHES "^USW_ENTRY(_OF_NUMBERS)?\\(([a-z0-9_]+),([a-z0-9_]+),([A-Z0-9_]+),([a-z0-9_,]+)\\)")
    message(FATAL_ERROR "${list_file}: not USW_ENTRY(name, shape, OPERATOR, types...): ${row}")
  endif()
  set(passes_nans 0)
  if(CMAKE_MATCH_1)
    set(passes_nans 1)
  endif()
  set(name "${CMAKE_MATCH_2}")
  set(shape "${CMAKE_MATCH_3}")
  set(operator "${CMAKE_MATCH_4}")
  string(REPLACE "," ";" types "${CMAKE_MATCH_5}")
endmacro()

# The source of the row's kernel `kernel` of `type`, with a family's macro: USW_AXES or USW_SCAN; appended to sources.
macro(_usw_write_kernel list_file folder kernel type is_of_axes is_scan)
  set(source "${folder}/${kernel}_${type}.c")
  if(source IN_LIST sources)
    message(FATAL_ERROR "${list_file}: ${kernel} of ${type} is listed twice")
  endif()
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"#define USW_AXES ${is_of_axes}
#define USW_SCAN ${is_scan}
#define USW_ENTRY_NAME ${kernel}
#define USW_ENTRY_OPERATOR ${operator}
#define USW_ENTRY_TYPE ${type}
#define USW_ENTRY_PASSES_NANS ${passes_nans}
#include \"shapes/${shape}.h\"
")
  _usw_kernel_flags("${source}" ${kernel} ${operator} ${type})
  list(APPEND sources "${source}")
endmacro()

function(usw_generate_scans list_file folder out_sources out_sample)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list_file}")
  file(STRINGS "${list_file}" rows REGEX "^USW_ENTRY(_OF_NUMBERS)?\\(")
  set(sources "")
  set(sample "")
  set(sampled scan_sum scan_max scan_argmax) # image_manifest.py has them, too
  foreach(row IN LISTS rows)
    _usw_read_row("${list_file}" "${row}")
    list(GET types 0 first_type)
    foreach(type IN LISTS types)
      _usw_write_kernel("${list_file}" "${folder}" ${name} ${type} 0 1)
      if(type STREQUAL first_type AND name IN_LIST sampled)
        list(APPEND sample "${source}")
      endif()
    endforeach()
  endforeach()
  set(${out_sources} "${sources}" PARENT_SCOPE)
  set(${out_sample} "${sample}" PARENT_SCOPE)
endfunction()

function(usw_generate_kernels list_file folder out_sources out_sample)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${list_file}")
  file(STRINGS "${list_file}" rows REGEX "^USW_ENTRY(_OF_NUMBERS)?\\(")
  set(sources "")
  set(sample "")
  set(sample_along_axes sum argmax describe dot) # image_manifest.py has them, too
  foreach(row IN LISTS rows)
    _usw_read_row("${list_file}" "${row}")
    list(GET types 0 first_type)
    foreach(type IN LISTS types)
      _usw_write_kernel("${list_file}" "${folder}" ${name} ${type} 0 0)
      if(name STREQUAL "sum" OR type STREQUAL first_type)
        list(APPEND sample "${source}")
      endif()
      _usw_write_kernel("${list_file}" "${folder}" axes_${name} ${type} 1 0)
      if(type STREQUAL first_type AND name IN_LIST sample_along_axes)
        list(APPEND sample "${source}")
      endif()
    endforeach()
  endforeach()
  file(STRINGS "${list_file}" singles REGEX "^USW_SINGLE\\(")
  foreach(single IN LISTS singles)
    if(NOT single MATCHES "^USW_SINGLE\\(([a-z0-9_]+), +([a-z0-9_]+)(, ([a-z0-9]+))?\\)")
      message(FATAL_ERROR "${list_file}: not USW_SINGLE(name, shape[, type]): ${single}")
    endif()
    set(name "${CMAKE_MATCH_1}")
    set(type "${CMAKE_MATCH_4}")
    set(source "${folder}/${name}.c")
    set(of_type "")
    if(type)
      set(of_type "#define USW_ENTRY_TYPE ${type}\n")
    endif()
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT "${of_type}#include \"shapes/${CMAKE_MATCH_2}.h\"\n")
    _usw_kernel_flags("${source}" ${name} "" "${type}")
    if(NOT type OR type STREQUAL "u64")
      list(APPEND sample "${source}")
    endif()
    list(PREPEND sources "${source}") # the ones that take longest: at the end of a build they would have one core busy
  endforeach()
  if(NOT sources)
    message(FATAL_ERROR "${list_file}: no entries")
  endif()
  set(${out_sources} "${sources}" PARENT_SCOPE)
  set(${out_sample} "${sample}" PARENT_SCOPE)
endfunction()

# usw_generate_window_kernels(<folder> <variable for the sources>): the host's kernels of exact sweeps, a file for each type.
function(usw_generate_window_kernels folder out_sources)
  set(sources "")
  foreach(type f64 f32 f16 bf16)
    set(source "${folder}/window_${type}.c")
    file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
         "#define USW_WINDOW_TAG ${type}\n#include \"shapes/windows_of_type.h\"\n")
    list(APPEND sources "${source}")
  endforeach()
  set(${out_sources} "${sources}" PARENT_SCOPE)
endfunction()

# The target kernel_source writes one kernel as a readable file: preprocessed, without what it does not use.
#   KERNEL=sum_f64 PLACE=nvptx cmake --build build/quick --target kernel_source      places: nvptx, x86_64, host, simt
function(usw_add_kernel_source folder)
  find_program(USW_CLANG_FORMAT clang-format-19)
  if(NOT USW_CLANG_FORMAT OR NOT CMAKE_C_COMPILER_ID STREQUAL "Clang")
    return()
  endif()
  add_custom_target(kernel_source
    COMMAND "${PROJECT_SOURCE_DIR}/scripts/docs/kernel_source.py" --compiler "${CMAKE_C_COMPILER}" --formatter
            "${USW_CLANG_FORMAT}" --source "${folder}/{}.c" --output "${PROJECT_BINARY_DIR}/{}.c"
    VERBATIM USES_TERMINAL)
endfunction()
