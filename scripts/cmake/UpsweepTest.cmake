# Helpers of tests/CMakeLists.txt.

# usw_test_properties(<test> TIMEOUT <s> LABELS ...): what every test shares.
function(usw_test_properties test)
  cmake_parse_arguments(arg "" "TIMEOUT" "LABELS" ${ARGN})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  set_tests_properties(${test} PROPERTIES TIMEOUT ${arg_TIMEOUT} LABELS "${arg_LABELS}"
                       SKIP_RETURN_CODE 77)
  if("device" IN_LIST arg_LABELS OR "gpu" IN_LIST arg_LABELS)
    set_tests_properties(${test} PROPERTIES ENVIRONMENT OMP_TARGET_OFFLOAD=MANDATORY)
  endif()
endfunction()

# usw_test_program(<target> SOURCES ... LINK ...): a program that may see the library's insides.
function(usw_test_program target)
  cmake_parse_arguments(arg "" "" "SOURCES;LINK" ${ARGN})
  foreach(source IN LISTS arg_SOURCES) # INTERIM
    if(NOT EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${source}")
      message(STATUS "INTERIM: ${source} is not there yet")
      return()
    endif()
  endforeach()
  add_executable(${target} ${arg_SOURCES})
  target_compile_definitions(${target} PRIVATE _GNU_SOURCE)
  target_link_libraries(${target} PRIVATE ${arg_LINK} m)
  usw_common_flags(${target})
  set_property(TARGET ${target} PROPERTY RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
endfunction()

# usw_test(NAME area.name SOURCES a.c ... LABELS ... [LINK ...] [ARGUMENTS ...] [TIMEOUT <s>])
# LINK is usw_test_shared (the library; the default), usw_test_simt (the emulated GPU, with the
# library's internal symbols) or Upsweep::kernels (the test is a user kernel's file).
function(usw_test)
  cmake_parse_arguments(arg "" "NAME;TIMEOUT" "SOURCES;LABELS;LINK;ARGUMENTS" ${ARGN})
  if(NOT arg_LINK)
    set(arg_LINK usw_test_shared)
  endif()
  string(REPLACE "." "_" target "${arg_NAME}")
  usw_test_program(${target} SOURCES ${arg_SOURCES} LINK ${arg_LINK})
  if(NOT TARGET ${target}) # INTERIM
    return()
  endif()
  add_test(NAME ${arg_NAME} COMMAND ${target} ${arg_ARGUMENTS})
  usw_test_properties(${arg_NAME} LABELS ${arg_LABELS} TIMEOUT ${arg_TIMEOUT})
endfunction()

# usw_case_test(<program> <place> <strategy> <label>): one run of the table of cases.
function(usw_case_test program place strategy label)
  if(NOT TARGET ${program}) # INTERIM
    return()
  endif()
  string(REPLACE ":" "_" short "${place}")
  if(program STREQUAL "cases_simt")
    set(short "simt")
  endif()
  set(test "cases.${short}.${strategy}")
  add_test(NAME ${test} COMMAND ${program} --place ${place} --strategy ${strategy})
  usw_test_properties(${test} LABELS ${label} TIMEOUT 600)
endfunction()

# usw_check(NAME check.name COMMAND ... [LABELS ...]): a script that exits 0, 77 or with a failure.
function(usw_check)
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

# What tests link: the helpers of tests/support, with the library or with its emulated twin. OpenMP
# is on, without device images: tests allocate device memory and start threads.
function(usw_support_library)
  file(GLOB sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/support/*.c")
  foreach(kind shared simt)
    add_library(usw_test_${kind} STATIC ${sources})
    target_include_directories(usw_test_${kind} PUBLIC "${PROJECT_SOURCE_DIR}/tests"
                               "${PROJECT_SOURCE_DIR}/tests/support")
    target_compile_definitions(usw_test_${kind} PRIVATE _GNU_SOURCE)
    target_compile_options(usw_test_${kind} PUBLIC -fopenmp -ffp-contract=off)
    usw_common_flags(usw_test_${kind})
  endforeach()
  target_link_libraries(usw_test_shared PUBLIC upsweep)
  usw_offload_link_flags(usw_test_shared INTERFACE)
  target_link_libraries(usw_test_simt PUBLIC upsweep_simt)
  target_compile_definitions(usw_test_simt PUBLIC USW_PORT_SIMT)
  target_link_options(usw_test_simt PUBLIC -fopenmp)
endfunction()

# The library once more, with a CPU thread in the GPU's place: the same sources and kernels,
# compiled without offload, and a launch lane that runs a team's threads as fibers.
function(usw_simt_library)
  add_library(upsweep_simt STATIC ${USW_LIBRARY_SOURCES} "${PROJECT_SOURCE_DIR}/offload/table.c"
              ${USW_KERNEL_SOURCES} simt/lane_simt.c simt/fibers.c)
  usw_library(upsweep_simt)
  target_include_directories(upsweep_simt PUBLIC "${PROJECT_SOURCE_DIR}/lib"
                             "${PROJECT_SOURCE_DIR}/offload" "${PROJECT_SOURCE_DIR}/offload/include"
                             "${PROJECT_SOURCE_DIR}/tests/simt")
  target_compile_definitions(upsweep_simt PUBLIC USW_PORT_SIMT)
endfunction()
