# Reads offload/kernels.def and offload/scans.def and writes sources of a few lines into the build folder: per (row, type) that of the kernel
# and of that along axes, which scans have none of, and one per kernel that the library finds by its name.
#
#   usw_generate_kernels(<files> <folder> <variable for the sources> <variable for a sample of them>)
#
# The sample has every shape, operator and level of accuracy once (the first type of each row, but for NaNs passed over at the upper levels of
# accuracy), every type once (the sums), a few kernels along axes, a few of scans, and the kernels for all types, but for the largest one.

# What keeps kernels from taking minutes to compile. A kernel without a standard region (the upper levels of accuracy, batches)
# has nothing that is globalized: without the search for that, clang 19 writes the same machine code for NVIDIA in a third of
# the time. Sets and batches are the largest kernels: for x86_64, a place for tests, they stop at -O1. In the quick tier their
# host code is for one level of the processor family: four take 30 s.
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
  # Tiles of a scan wait for each other: more teams at once hide that, fewer registers spill. (H200, us. Tiles by blocks on a stage, 2^28: sum of f64
  # 1241 at 48 registers, 1260 at 56, 1231 at 64; of i64 1200, 1252, 1219; of i16 870, 938, 915; of 2^27 cf64 1552, 1643, 1622, but compensated, of
  # 2^26, 2621 at 48, 1702 at 64. By lanes: largest of
  # f64 1459 at 64, 1473 at 56, 1675 at 72; 99 % of f64 selected 703 at 48, 725 at 64, 748 at 56; of f32 467 at 32, 489 at 40, 496 at 48; sum by
  # key of f64 878 at 56, 884 at 64, 933 at 48, of f32 584 at 48, 599 at 64.)
  if(name MATCHES "^(scan|segment|runs|select)_" AND USW_IMAGES MATCHES "sm_")
    set(registers 64)
    if(name MATCHES "^select_(u64|cf32)$" OR (name MATCHES "^segment_scan_sum$" AND type STREQUAL "f32"))
      set(registers 48)
    elseif(name STREQUAL "select_u32")
      set(registers 32)
    elseif(name MATCHES "^select_")
      set(registers 40)
    elseif(name MATCHES "^runs_u(32|64)$")
      set(registers 80)
    elseif(name MATCHES "^scan_" AND NOT name MATCHES "_arg|_compensated$" AND NOT (name MATCHES "_(min|max)$" AND NOT type MATCHES "32$")
           AND NOT (name MATCHES "_(sum|prod|count)$" AND type MATCHES "^[iu]8$")) # by blocks, on a stage
      set(registers 48)
    endif()
    list(APPEND flags "$<$<STREQUAL:$<TARGET_PROPERTY:NAME>,upsweep_kernels>:-Xcuda-ptxas;-maxrregcount=${registers}>")
  endif()
  if(name MATCHES "^reducer_(set|batch)$" AND "x86_64" IN_LIST USW_IMAGES)
    set(is_for_x86_64 "$<IN_LIST:$<TARGET_PROPERTY:NAME>,upsweep_kernels;upsweep_kernels_without_gpu>")
    list(APPEND flags "$<${is_for_x86_64}:-Xopenmp-target=x86_64-pc-linux-gnu;-Xclang=-O1>")
    if(USW_QUICK)
      list(APPEND flags "$<${is_for_x86_64}:-DUSW_NO_HOST_VARIANTS>")
    endif()
  endif()
  if(flags)
    set_source_files_properties("${source}" PROPERTIES COMPILE_OPTIONS "${flags}")
  endif()
endfunction()

# What a kernel's source defines.
set(USW_NAMES_OF_A_KERNEL USW_AXES USW_SCAN USW_RESTARTS USW_ENTRY_NAME USW_ENTRY_OPERATOR USW_ENTRY_TYPE USW_ENTRY_PASSES_NANS)

function(usw_generate_kernels list_files folder out_sources out_sample)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list_files})
  set(rows "")
  set(singles "")
  foreach(list_file IN LISTS list_files)
    file(STRINGS "${list_file}" more REGEX "^USW_ENTRY(_OF_NUMBERS)?\\(")
    list(APPEND rows ${more})
    file(STRINGS "${list_file}" more REGEX "^USW_SINGLE\\(")
    list(APPEND singles ${more})
  endforeach()
  set(sources "")
  set(sample "")
  set(sample_of_families axes_sum axes_argmax axes_dot scan_sum scan_max scan_argmax
      segment_scan_sum segment_scan_argmax) # image_manifest.py has them, too
  foreach(row IN LISTS rows)
    string(REGEX REPLACE "[ \t]" "" row "${row}")
    if(NOT row MATCHES "^USW_ENTRY(_OF_NUMBERS)?\\(([a-z0-9_]+),([a-z0-9_]+),([A-Z0-9_]+),([a-z0-9_,]+)\\)")
      message(FATAL_ERROR "not USW_ENTRY(name, shape, OPERATOR, types...): ${row}")
    endif()
    set(passes_nans 0)
    if(CMAKE_MATCH_1)
      set(passes_nans 1)
    endif()
    set(name "${CMAKE_MATCH_2}")
    set(shape "${CMAKE_MATCH_3}")
    set(operator "${CMAKE_MATCH_4}")
    string(REPLACE "," ";" types "${CMAKE_MATCH_5}")
    list(GET types 0 first_type)
    set(kernels ${name} axes_${name})
    set(is_scan 0)
    if(name MATCHES "^scan_")
      set(kernels ${name} segment_${name})
      set(is_scan 1)
    endif()
    foreach(type IN LISTS types)
      foreach(kernel IN LISTS kernels)
        set(source "${folder}/${kernel}_${type}.c")
        if(source IN_LIST sources)
          message(FATAL_ERROR "${name} of ${type} is listed twice")
        endif()
        string(REGEX MATCH "^(axes|segment)_" family "${kernel}")
        string(COMPARE EQUAL "${family}" "axes_" is_of_axes)
        string(COMPARE EQUAL "${family}" "segment_" is_of_segments)
        file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
"#define USW_AXES ${is_of_axes}
#define USW_SCAN ${is_scan}
#define USW_RESTARTS ${is_of_segments}
#define USW_ENTRY_NAME ${kernel}
#define USW_ENTRY_OPERATOR ${operator}
#define USW_ENTRY_TYPE ${type}
#define USW_ENTRY_PASSES_NANS ${passes_nans}
#include \"shapes/${shape}.h\"
")
        _usw_kernel_flags("${source}" ${kernel} ${operator} ${type})
        list(APPEND sources "${source}")
        if(kernel STREQUAL "sum" OR (type STREQUAL first_type
                                     AND (kernel IN_LIST sample_of_families OR NOT kernel MATCHES "^((axes|scan|segment)_|nan[a-z0-9]*_)")))
          list(APPEND sample "${source}")
        endif()
      endforeach()
    endforeach()
  endforeach()
  foreach(single IN LISTS singles)
    if(NOT single MATCHES "^USW_SINGLE\\(([a-z0-9_]+), +([a-z0-9_]+)(, ([a-z0-9]+))?\\)")
      message(FATAL_ERROR "not USW_SINGLE(name, shape[, type]): ${single}")
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
    if((NOT type OR type STREQUAL "u64") AND NOT name STREQUAL "reducer_set") # a GPU's code of which takes a minute
      list(APPEND sample "${source}")
    endif()
    list(PREPEND sources "${source}") # the ones that take longest: at the end of a build they would have one core busy
  endforeach()
  if(NOT sources)
    message(FATAL_ERROR "${list_files}: no entries")
  endif()
  set(${out_sources} "${sources}" PARENT_SCOPE)
  set(${out_sample} "${sample}" PARENT_SCOPE)
endfunction()

# usw_keep_families_sample(<header> <variable of sources>): without the kernels that the header's lines leave to a whole library.
function(usw_keep_families_sample header sources)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${header}")
  file(STRINGS "${header}" lines REGEX "^#define IF_(ALONG_AXES|SCANNED)_OF_[a-z0-9]+ IF_WHOLE$")
  set(left "${${sources}}")
  foreach(line IN LISTS lines)
    string(REGEX MATCH "^#define IF_(ALONG_AXES|SCANNED)_OF_([a-z0-9]+)" line "${line}")
    set(kernels "axes_")
    if(CMAKE_MATCH_1 STREQUAL "SCANNED")
      set(kernels "(segment_)?scan_")
    endif()
    list(FILTER left EXCLUDE REGEX "/${kernels}.*_${CMAKE_MATCH_2}[.]c$")
  endforeach()
  set(${sources} "${left}" PARENT_SCOPE)
endfunction()

# usw_unite_kernels(<target> [<name> ...]): several kernels per file share the reading of headers and the starting of compilers, a third of a kernel's compile
# time. Shapes with functions for the entry's type have files of one type, and so have the kernels with these names. A source with flags of its own stays alone.
function(usw_unite_kernels target)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "/(reducer|window)_[^/]*$") # the largest
  list(JOIN ARGN "|" more)
  string(REGEX REPLACE "^(.)" "|\\1" more "${more}")
  set(count 0)
  foreach(source IN LISTS sources)
    if(source MATCHES "/[a-z_]*(arg|minmax|describe|norm2|norm_inf${more})[a-z0-9_]*_([a-z]+[0-9]+)[.]c$")
      set(group ${CMAKE_MATCH_2}_${CMAKE_MATCH_1})
      if(NOT group MATCHES "_(arg|describe)$") # descriptions leave their USW_BYTES_IN_FLIGHT behind
        string(REGEX REPLACE "_.*" "" group "${group}")
      endif()
    else()
      math(EXPR group "${count} / 16")
      math(EXPR count "${count} + 1")
    endif()
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP ${group})
  endforeach()
  list(TRANSFORM USW_NAMES_OF_A_KERNEL REPLACE "(.+)" "#undef \\1\n" OUTPUT_VARIABLE before)
  list(JOIN before "" before)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP UNITY_BUILD_CODE_BEFORE_INCLUDE "${before}")
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
