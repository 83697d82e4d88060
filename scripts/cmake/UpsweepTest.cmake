# Helpers of tests/CMakeLists.txt.

# Hundreds of programs: lld links each in a sixth of the time. gfortran does not find clang's lld.
if(USW_QUICK AND CMAKE_C_COMPILER_ID STREQUAL "Clang" AND NOT CMAKE_CROSSCOMPILING)
  add_link_options("$<$<LINK_LANGUAGE:C,CXX>:-fuse-ld=lld>")
endif()

# usw_program_kernels is what files with kernels of this tree's own programs link: Upsweep::kernels, but in the quick tier,
# where there is no GPU, without images for GPUs. A test that has to compile for all of them links Upsweep::kernels.
if(USW_GPU_SAMPLE)
  add_library(usw_program_kernels INTERFACE)
  target_include_directories(usw_program_kernels INTERFACE "${PROJECT_SOURCE_DIR}/offload/include")
  target_link_libraries(usw_program_kernels INTERFACE upsweep m)
  usw_program_offload_flags(usw_program_kernels INTERFACE)
else()
  add_library(usw_program_kernels ALIAS upsweep_for_kernels)
endif()

# usw_host_kernels: the same without images, for programs that run on the host alone.
add_library(usw_host_kernels INTERFACE)
target_include_directories(usw_host_kernels INTERFACE "${PROJECT_SOURCE_DIR}/offload/include")
target_link_libraries(usw_host_kernels INTERFACE upsweep m)
usw_no_offload_flags(usw_host_kernels INTERFACE)

# usw_test_properties(<test> TIMEOUT <s> LABELS ...): what every test shares.
function(usw_test_properties test)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS;ENVIRONMENT" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  list(APPEND arg_ENVIRONMENT USW_TEST_TIER=${USW_TEST_TIER})
  set_tests_properties(${test} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
                       SKIP_RETURN_CODE 77)
  if("device" IN_LIST arg_LABELS OR "gpu" IN_LIST arg_LABELS OR "sanitizer" IN_LIST arg_LABELS)
    list(APPEND arg_ENVIRONMENT OMP_TARGET_OFFLOAD=MANDATORY)
  endif()
  if(USW_SANITIZE)
    list(APPEND arg_ENVIRONMENT
         "LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/scripts/checks/leaks.supp:print_suppressions=0")
  endif()
  set_tests_properties(${test} PROPERTIES ENVIRONMENT "${arg_ENVIRONMENT}")
endfunction()

# usw_test_program(<target> SOURCES ... LINK ...): a program that may see the library's insides.
function(usw_test_program target)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${target} ${arg_SOURCES})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_link_libraries(${target} PRIVATE ${arg_LINK} m)
  if(USW_QUICK)
    set(level -O1) # half of the compile time less
    if(target IN_LIST USW_TESTS_SOON_DONE)
      set(level -O0)
    elseif(USW_GPU_SAMPLE AND NOT target IN_LIST USW_TESTS_OPTIMIZED)
      set(level -O0 -DUSW_SMALL_CODE)
    endif()
    target_compile_options(${target} PRIVATE ${level})
    if(NOT target STREQUAL "api_accurate_kernels") # api.host_variants runs these
      target_compile_definitions(${target} PRIVATE USW_NO_HOST_VARIANTS)
    endif()
  endif()
  usw_common_flags(${target})
  set_property(TARGET ${target} PROPERTY RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
endfunction()

# The launcher of what runs under compute-sanitizer, where an NVIDIA image is built and the host's code is as it is.
function(usw_sanitizer_launcher)
  if(USW_IMAGES MATCHES "sm_" AND USW_TEST_GPU AND NOT USW_SANITIZE)
    add_executable(late gpu/late.c)
    target_link_libraries(late PRIVATE ${CMAKE_DL_LIBS})
    usw_common_flags(late)
    set_property(TARGET late PROPERTY RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
    configure_file(gpu/sanitize.sh "${PROJECT_BINARY_DIR}/tests/sanitize.sh" COPYONLY)
  endif()
endfunction()

# usw_sanitized(<program's target>): the program once more as tests/sanitized/<program>.so, for compute-sanitizer, which
# needs it loaded late (tests/gpu/late.c). The two share their objects, so that this costs a link and no compilation. Line
# tables let reports name lines of the source; registers stay, some instructions change places. Without the launcher it
# does nothing.
function(usw_sanitized target)
  if(NOT TARGET late)
    return()
  endif()
  target_compile_options(${target} PRIVATE -fPIC -gline-tables-only)
  add_library(${target}_sanitized MODULE $<TARGET_OBJECTS:${target}>)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  get_target_property(sources ${target} SOURCES)
  if(sources MATCHES "[.]cpp")
    set(language CXX)
  else()
    set(language C)
  endif()
  target_link_libraries(${target}_sanitized PRIVATE ${libraries})
  set_target_properties(${target}_sanitized PROPERTIES LINKER_LANGUAGE ${language} PREFIX "" OUTPUT_NAME ${target}
                        LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/sanitized")
endfunction()

# usw_sanitizer_tests(<area.name> <program's target> TOOLS <tool> ... [MUST_REPORT] [ARGUMENTS ...]): the module made by
# usw_sanitized under each tool, as sanitizer.<area.name>.<tool> with the labels sanitizer and <tool>. It passes when the
# tool reports nothing; with MUST_REPORT when it reports something.
function(usw_sanitizer_tests name target)
  cmake_parse_arguments(arg "MUST_REPORT" "" "TOOLS;ARGUMENTS" ${ARGN})
  if(NOT TARGET ${target}_sanitized)
    return()
  endif()
  set(must_report "")
  if(arg_MUST_REPORT)
    set(must_report --must-report)
  endif()
  foreach(tool IN LISTS arg_TOOLS)
    set(test sanitizer.${name}.${tool})
    add_test(NAME ${test} COMMAND "${PROJECT_BINARY_DIR}/tests/sanitize.sh" ${must_report} ${tool} "$<TARGET_FILE:late>"
                                  "$<TARGET_FILE:${target}_sanitized>" --place device:gpu ${arg_ARGUMENTS})
    usw_test_properties(${test} LABELS sanitizer ${tool} TIMEOUT 600)
  endforeach()
endfunction()

# usw_has_test(<area.name> <variable>): whether this build has the test. A cross build of the quick tier has a few, of what
# another processor may do otherwise: conversions, numbers, layouts, and the host's kernels. The emulated library cannot serve
# what needs describe and sets on the host, and devices with images.
function(usw_has_test name out_has)
  set(${out_has} ON PARENT_SCOPE)
  if(USW_QUICK AND CMAKE_CROSSCOMPILING AND
     NOT name MATCHES "^unit[.]|^api[.](user_kernel|partial_blocks)$")
    set(${out_has} OFF PARENT_SCOPE)
  endif()
  if(USW_ONE_LIBRARY AND name MATCHES "^(api[.](short_calls|typed|typed_cxx|set_example)|tool[.]library)$")
    set(${out_has} OFF PARENT_SCOPE)
  endif()
endfunction()

# usw_test(NAME area.name SOURCES a.c ... [PLACES ...] [LABELS ...] [LINK ...] [TIMEOUT <s>]
#          [ENVIRONMENT ...] [SANITIZED] [INSIDE] [FULL [<place> ...]])
# Without PLACES the program runs once, without arguments. With PLACES it runs as `--place NAME` for
# each: host, x86_64 and gpu with the library, simt with the emulated GPU instead of it. LINK adds to
# that: usw_program_kernels where the test is a user kernel's file. SANITIZED runs it on the GPU under compute-sanitizer, too.
# INSIDE puts the emulated library's code into the program. FULL leaves it out of the quick tier, or out of some places there.
function(usw_test)
  cmake_parse_arguments(arg "SANITIZED;INSIDE" "NAME;TIMEOUT" "SOURCES;PLACES;LABELS;LINK;ENVIRONMENT;FULL" ${ARGN})
  string(REPLACE "." "_" target "${arg_NAME}")
  usw_has_test(${arg_NAME} has_test)
  if(NOT has_test OR (USW_QUICK AND "FULL" IN_LIST ARGN AND NOT arg_FULL))
    return()
  endif()
  if(USW_ONE_LIBRARY) # it has all that the library has: check.one_library
    list(REMOVE_ITEM arg_LINK usw_program_kernels)
  endif()
  if(NOT arg_PLACES)
    usw_test_program(${target} SOURCES ${arg_SOURCES} LINK usw_test_shared ${arg_LINK})
    add_test(NAME ${arg_NAME} COMMAND ${target})
    usw_test_properties(${arg_NAME} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT}
                        ENVIRONMENT ${arg_ENVIRONMENT})
    return()
  endif()
  usw_places_here(arg_PLACES "${arg_FULL}")
  if(USW_QUICK AND NOT "x86_64" IN_LIST arg_PLACES AND NOT "gpu" IN_LIST arg_PLACES)
    list(TRANSFORM arg_LINK REPLACE "^usw_program_kernels$" usw_host_kernels)
  endif()
  if("simt" IN_LIST arg_PLACES OR (USW_ONE_LIBRARY AND arg_PLACES))
    usw_test_program(${target}_simt SOURCES ${arg_SOURCES} LINK usw_test_simt$<$<BOOL:${arg_INSIDE}>:_inside>)
  endif()
  if(arg_PLACES AND NOT "${arg_PLACES}" STREQUAL "simt" AND NOT USW_ONE_LIBRARY)
    usw_test_program(${target} SOURCES ${arg_SOURCES} LINK usw_test_shared ${arg_LINK})
  endif()
  if(arg_SANITIZED)
    usw_sanitized(${target})
    usw_sanitizer_tests(${arg_NAME} ${target} TOOLS memcheck racecheck synccheck)
  endif()
  foreach(place IN LISTS arg_PLACES)
    set(program ${target})
    set(label ${place})
    set(argument "device:${place}")
    if(place STREQUAL "host")
      set(label api)
      set(argument host)
      if(USW_ONE_LIBRARY)
        set(program ${target}_simt)
      endif()
    elseif(place STREQUAL "simt")
      set(program ${target}_simt)
      set(argument device:any)
    elseif(place STREQUAL "x86_64")
      set(label device)
    endif()
    add_test(NAME ${arg_NAME}.${place} COMMAND ${program} --place ${argument})
    usw_test_properties(${arg_NAME}.${place} LABELS ${label} ${arg_LABELS}
                        TIMEOUT ${arg_TIMEOUT} ENVIRONMENT ${arg_ENVIRONMENT})
  endforeach()
endfunction()

# usw_places_here(<list of places> <places that are for the full tier>): what this build has of them.
function(usw_places_here places of_full_tier)
  set(left "${${places}}")
  if(NOT USW_IMAGES OR USW_SANITIZE) # sanitizers cannot look into device code
    list(REMOVE_ITEM left x86_64 gpu)
  endif()
  if(NOT USW_TEST_GPU)
    list(REMOVE_ITEM left gpu)
  endif()
  if(NOT USW_TEST_SIMT)
    list(REMOVE_ITEM left simt)
  endif()
  if(USW_QUICK AND of_full_tier)
    list(REMOVE_ITEM left ${of_full_tier})
  endif()
  set(${places} "${left}" PARENT_SCOPE)
endfunction()

# usw_as_cxx(<variable> <file.c>): a C++ source that is the C file, for tests of both languages.
function(usw_as_cxx out_source file)
  get_filename_component(name "${file}" NAME_WE)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/${name}_as_cxx.cpp")
  file(CONFIGURE OUTPUT "${source}" CONTENT
       "#include \"${CMAKE_CURRENT_SOURCE_DIR}/${file}\"\n" @ONLY)
  set(${out_source} "${source}" PARENT_SCOPE)
endfunction()

# usw_enable_cxx(): the C++ compiler that belongs to the C compiler; without one USW_CXX is off.
macro(usw_enable_cxx)
  if(NOT DEFINED CMAKE_CXX_COMPILER AND "$ENV{CXX}" STREQUAL "")
    foreach(version "\\1" "") # LLVM's own folder has clang-19 beside clang++
      string(REGEX REPLACE "clang(-?[0-9]*)$" "clang++${version}" cxx_compiler "${CMAKE_C_COMPILER}")
      string(REGEX REPLACE "gcc(-?[0-9]*)$" "g++${version}" cxx_compiler "${cxx_compiler}")
      if(EXISTS "${cxx_compiler}" AND NOT CMAKE_CXX_COMPILER)
        set(CMAKE_CXX_COMPILER "${cxx_compiler}")
      endif()
    endforeach()
  endif()
  set(USW_CXX OFF)
  if(CMAKE_CXX_COMPILER OR NOT CMAKE_CROSSCOMPILING) # a cross build must not find this machine's own
    include(CheckLanguage)
    if("${CMAKE_CXX_COMPILER}" MATCHES "NOTFOUND$") # it may have been installed since
      unset(CMAKE_CXX_COMPILER CACHE)
    endif()
    check_language(CXX)
  endif()
  if(CMAKE_CXX_COMPILER)
    enable_language(CXX)
    set(CMAKE_CXX_STANDARD 17)
    set(USW_CXX ON)
  else()
    message(STATUS "Upsweep tests in C++: not built: no C++ compiler")
  endif()
endmacro()

# usw_check(NAME check.name COMMAND ... [LABELS ...]): a script that exits 0, 77 or with a failure. It uses this
# machine's own compilers and programs, so a cross build has none.
function(usw_check)
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  cmake_parse_arguments(arg "" "NAME;TIMEOUT" "COMMAND;LABELS" ${ARGN})
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  usw_test_properties(${arg_NAME} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
endfunction()

# What tests link: the helpers of tests/support, with the library, with its emulated twin, or with that inside. OpenMP
# is on, without device images: tests allocate device memory and start threads.
function(usw_support_library)
  set(sources support/check.c support/place.c ${USW_ORACLE_SOURCES})
  set(kinds shared)
  if(USW_ONE_LIBRARY)
    set(kinds simt simt_inside)
  elseif(USW_TEST_SIMT)
    list(APPEND kinds simt simt_inside)
  endif()
  foreach(kind IN LISTS kinds)
    add_library(usw_test_${kind} STATIC ${sources})
    target_include_directories(usw_test_${kind} PUBLIC "${PROJECT_SOURCE_DIR}/tests"
                               "${PROJECT_SOURCE_DIR}/offload/include")
    target_compile_definitions(usw_test_${kind} PRIVATE _GNU_SOURCE)
    target_compile_options(usw_test_${kind} PUBLIC -fopenmp -ffp-contract=off)
    usw_common_flags(usw_test_${kind})
  endforeach()
  if(USW_ONE_LIBRARY)
    add_library(usw_test_shared ALIAS usw_test_simt)
  else()
    target_link_libraries(usw_test_shared PUBLIC upsweep)
    if(USW_FAMILIES_ON_DEVICES)
      list(TRANSFORM USW_FAMILIES_ON_DEVICES TOUPPER OUTPUT_VARIABLE types)
      list(TRANSFORM types PREPEND USW_)
      list(JOIN types "," types)
      target_compile_definitions(usw_test_shared PRIVATE "USW_FAMILIES_ON_DEVICES=${types}")
    endif()
    set(USW_OFFLOAD_FLAGS "${USW_PROGRAM_OFFLOAD_FLAGS}") # of this function alone
    usw_offload_link_flags(usw_test_shared INTERFACE)
  endif()
  foreach(kind simt simt_inside)
    if(TARGET usw_test_${kind})
      target_link_libraries(usw_test_${kind} PUBLIC upsweep_${kind})
      target_compile_definitions(usw_test_${kind} PUBLIC USW_PORT_SIMT)
    endif()
  endforeach()
endfunction()

# The library once more, with a CPU thread in the GPU's place: the same sources and kernels,
# compiled without offload, and a backend that runs a team's threads as fibers.
function(usw_simt_library)
  if(NOT USW_TEST_SIMT)
    return()
  endif()
  set(of_few_tests ${USW_KERNEL_SOURCES})
  list(FILTER of_few_tests INCLUDE REGEX "/(axes_|(segment_)?scan_|nan)[^/]*$")
  list(FILTER of_few_tests EXCLUDE REGEX "/(axes_(sum|sum_reproducible|argmin|dot)|scan_sum)_f64[.]c$|/axes_sum_i64[.]c$")
  set(kernels ${USW_KERNEL_SOURCES})
  list(REMOVE_ITEM kernels ${of_few_tests})
  set(of_few_types ${kernels})
  list(FILTER of_few_types INCLUDE REGEX "_(f16|bf16|cf32|i16|i8|u64|u32|u16)[.]c$")
  list(REMOVE_ITEM kernels ${of_few_types})
  add_library(upsweep_simt_kernels OBJECT ${kernels})
  add_library(upsweep_simt_kernels_of_few_tests OBJECT ${of_few_tests})
  add_library(upsweep_simt_kernels_of_few_types OBJECT ${of_few_types})
  set(objects upsweep_simt_kernels upsweep_simt_kernels_of_few_tests upsweep_simt_kernels_of_few_types)
  foreach(target IN LISTS objects)
    usw_unite_kernels(${target} axes_min axes_max) # which have columns, as on a GPU
    if(USW_ONE_LIBRARY AND NOT target STREQUAL upsweep_simt_kernels) # optimizing takes four times as long, and spares their tests seconds
      target_compile_options(${target} PRIVATE -O0)
    endif()
  endforeach()
  add_library(upsweep_simt_code OBJECT ${USW_LIBRARY_SOURCES} simt/backend_simt.c simt/fibers.c simt/resident.c)
  list(APPEND objects upsweep_simt_code)
  foreach(target IN LISTS objects)
    usw_library(${target})
    target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}/lib"
                               "${PROJECT_SOURCE_DIR}/offload" "${PROJECT_SOURCE_DIR}/offload/include"
                               "${PROJECT_SOURCE_DIR}/tests/simt")
    target_compile_definitions(${target} PUBLIC USW_PORT_SIMT)
    if(CMAKE_C_COMPILER_ID STREQUAL "GNU") # does not see that items are loaded where they are visited
      target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized)
    endif()
    set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET default) # tests call the library's parts
  endforeach()
  if(USW_ONE_LIBRARY AND USW_SANITIZE MATCHES "address") # every word that threads exchange passes these two
    set_source_files_properties(simt/fibers.c simt/resident.c PROPERTIES COMPILE_OPTIONS "-O2;-fno-sanitize=all"
                                COMPILE_DEFINITIONS WITH_ASAN=1)
  endif()
  if(USW_QUICK) # a launch takes as long as it has teams: as many as its multiprocessors hold
    target_compile_definitions(upsweep_simt_code PRIVATE SIMT_MULTIPROCESSORS=2)
  endif()
  # Shared: a hundred programs with all of it inside would be eight gigabytes under sanitizers. Inside: where the linker
  # is to lead its calls elsewhere, or a fuzzer replaces some of its objects.
  add_library(upsweep_simt SHARED)
  add_library(upsweep_simt_inside STATIC)
  foreach(library upsweep_simt upsweep_simt_inside)
    target_link_libraries(${library} PUBLIC ${objects})
    target_link_options(${library} PUBLIC -fopenmp)
    set_target_properties(${library} PROPERTIES LINKER_LANGUAGE C)
    usw_common_flags(${library})
  endforeach()
endfunction()
