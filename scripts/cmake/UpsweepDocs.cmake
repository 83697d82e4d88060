# The reference documentation: `cmake --build <folder> --target docs` makes docs/html in the build folder.
#
# Its tables come from two programs. usw_doc_tables asks the library; usw_doc_support is built from the library's own
# checks, so that it can ask them about devices that are not there.

option(USW_BUILD_DOCS "Build the reference documentation, and install it" OFF)
if(CMAKE_CROSSCOMPILING OR USW_SANITIZE)
  return()
endif()

set(docs_all "")
if(NOT USW_BUILD_DOCS AND NOT USW_BUILD_TESTS)
  set(docs_all EXCLUDE_FROM_ALL)
endif()
set(USW_DOC_PROGRAMS "${PROJECT_BINARY_DIR}/docs/programs")
add_executable(usw_doc_tables ${docs_all} scripts/docs/tables.c)
target_link_libraries(usw_doc_tables PRIVATE upsweep m)
usw_common_flags(usw_doc_tables)
add_executable(usw_doc_support ${docs_all} scripts/docs/support.c lib/policy/check.c lib/policy/choose.c lib/policy/outputs.c lib/machine/environment.c lib/base/error.c
               lib/policy/staging.c
               lib/policy/variant.c lib/policy/tuning.c)
usw_library(usw_doc_support)
target_compile_options(usw_doc_support PRIVATE -ffunction-sections) # functions of its kernels that need all of the library:
target_link_options(usw_doc_support PRIVATE LINKER:--gc-sections)   # nobody calls them
target_include_directories(usw_doc_support PRIVATE tests)
set_target_properties(usw_doc_tables usw_doc_support PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${USW_DOC_PROGRAMS}")

set(USW_DOXYFILE "${PROJECT_BINARY_DIR}/docs/Doxyfile")
configure_file(scripts/docs/Doxyfile.in "${USW_DOXYFILE}" @ONLY)
find_program(USW_DOXYGEN doxygen)
if(NOT USW_DOXYGEN)
  if(USW_BUILD_DOCS)
    message(FATAL_ERROR "USW_BUILD_DOCS is ON, and doxygen is not there")
  endif()
  message(STATUS "Upsweep reference documentation: no doxygen")
  return()
endif()

file(GLOB USW_DOC_INPUT CONFIGURE_DEPENDS include/upsweep/* scripts/docs/* scripts/docs/pages/* perf/ladder/*
     perf/baselines/*-ladder.*)
add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/docs/output/html/index.html"
  COMMAND scripts/docs/build.sh "${USW_DOXYGEN}" "${USW_DOXYFILE}" "${USW_DOC_PROGRAMS}"
          "${PROJECT_BINARY_DIR}/docs/output"
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
  DEPENDS usw_doc_tables usw_doc_support ${USW_DOC_INPUT} offload/include/upsweep/kernel.h offload/include/upsweep/team.h tests/api/example.c tests/api/plan_example.c tests/api/set_example.c tests/api/mpi_example.c tests/api/porting.c
          "${USW_DOXYFILE}"
  COMMENT "Reference documentation" VERBATIM)
set(docs_all "")
if(USW_BUILD_DOCS)
  set(docs_all ALL)
  install(DIRECTORY "${PROJECT_BINARY_DIR}/docs/output/html" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc)
endif()
add_custom_target(docs ${docs_all} DEPENDS "${PROJECT_BINARY_DIR}/docs/output/html/index.html")
