# The documentation: `cmake --build <folder> --target docs` makes docs/output/html in the build folder, with Doxygen and Sphinx.
#
# Its tables come from two programs and the tool. usw_doc_tables asks the library; usw_doc_support is built from the library's
# own checks, so that it can ask them about devices that are not there.

option(USW_BUILD_DOCS "Build the documentation, and install it" OFF)
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
target_include_directories(usw_doc_tables PRIVATE tests)
add_executable(usw_doc_support ${docs_all} scripts/docs/support.c lib/policy/cells.c lib/policy/check.c lib/policy/choose.c lib/policy/outputs.c lib/machine/environment.c lib/base/error.c
               lib/policy/result_shares.c lib/policy/row_lanes.c lib/policy/scan.c lib/policy/segment_shares.c lib/policy/segments.c lib/policy/staging.c
               lib/policy/variant.c lib/policy/tuning.c)
usw_library(usw_doc_support)
target_compile_options(usw_doc_support PRIVATE -O0 -ffunction-sections) # functions of its kernels that need all of the library:
target_link_options(usw_doc_support PRIVATE LINKER:--gc-sections)   # nobody calls them
target_include_directories(usw_doc_support PRIVATE tests)
set_target_properties(usw_doc_tables usw_doc_support PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${USW_DOC_PROGRAMS}")

set(USW_DOXYFILE "${PROJECT_BINARY_DIR}/docs/Doxyfile")
configure_file(scripts/docs/Doxyfile.in "${USW_DOXYFILE}" @ONLY)
find_program(USW_DOXYGEN doxygen)
find_program(USW_SPHINX sphinx-build HINTS "${PROJECT_SOURCE_DIR}/.tools/python/bin" NO_DEFAULT_PATH) # of scripts/docs/requirements.txt
find_program(USW_SPHINX sphinx-build)
if(NOT USW_DOXYGEN OR NOT USW_SPHINX)
  if(USW_BUILD_DOCS)
    message(FATAL_ERROR "USW_BUILD_DOCS is ON, and doxygen or sphinx-build is not there (scripts/dependencies installs both)")
  endif()
  message(STATUS "Upsweep documentation: not built: no doxygen or no sphinx-build")
  return()
endif()

file(GLOB_RECURSE USW_DOC_INPUT CONFIGURE_DEPENDS include/upsweep/* lib/mpi/include/upsweep/* scripts/docs/* perf/ladder/*
     perf/baselines/*-ladder.* tests/examples/*)
set(docs_tool "")
if(TARGET usw)
  set(docs_tool usw)
endif()
add_custom_command(OUTPUT "${PROJECT_BINARY_DIR}/docs/output/html/index.html"
  COMMAND scripts/docs/build.sh "${USW_DOXYGEN}" "${USW_SPHINX}" "${USW_DOXYFILE}" "${USW_DOC_PROGRAMS}"
          "${PROJECT_BINARY_DIR}/docs/output"
  WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}"
  DEPENDS usw_doc_tables usw_doc_support ${docs_tool} ${USW_DOC_INPUT} offload/include/upsweep/kernel.h
          offload/include/upsweep/team.h tests/api/example.c tests/api/plan_example.c tests/api/set_example.c
          tests/api/porting.c "${USW_DOXYFILE}"
  COMMENT "Documentation" VERBATIM)
set(docs_all "")
if(USW_BUILD_DOCS)
  set(docs_all ALL)
  install(DIRECTORY "${PROJECT_BINARY_DIR}/docs/output/html" DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc)
endif()
add_custom_target(docs ${docs_all} DEPENDS "${PROJECT_BINARY_DIR}/docs/output/html/index.html")
