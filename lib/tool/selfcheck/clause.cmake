# Grading the compiler's own clause: its programs, where usw-selfcheck finds them, and built ones for a bundle.

add_library(selfcheck_clause OBJECT clause_build.c clause_grade.c clause_process.c clause_run.c clause_table.c
            clause_words.c)
target_include_directories(selfcheck_clause PUBLIC "${PROJECT_SOURCE_DIR}/lib/tool")
target_compile_definitions(selfcheck_clause PRIVATE _GNU_SOURCE)
target_link_libraries(selfcheck_clause PUBLIC PkgConfig::CJSON)
usw_common_flags(selfcheck_clause)

# As in an installed prefix: share/ beside the folders of programs.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/upsweep")
file(CREATE_LINK "${CMAKE_CURRENT_SOURCE_DIR}/clause" "${PROJECT_BINARY_DIR}/share/upsweep/selfcheck"
     COPY_ON_ERROR SYMBOLIC)

# usw_clause_programs(<place> <flag> ...): they take minutes of a small machine, so that nobody gets them who does not
# ask: cmake --build <folder> --target clause_programs
set(clause_stamps "")
function(usw_clause_programs place)
  file(GLOB programs CONFIGURE_DEPENDS clause/*.c)
  set(folder "${PROJECT_BINARY_DIR}/perf/selfcheck/clause-${place}")
  list(JOIN ARGN " " flags)
  add_custom_command(OUTPUT "${folder}/compiler.txt"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${PROJECT_BINARY_DIR}/perf/selfcheck"
    COMMAND clause_programs_builder "${folder}" ${place} "${flags}" "${CMAKE_C_COMPILER}"
    DEPENDS clause_programs_builder ${programs} USES_TERMINAL VERBATIM)
  set(clause_stamps ${clause_stamps} "${folder}/compiler.txt" PARENT_SCOPE)
endfunction()

if(USW_IMAGES AND NOT USW_SANITIZE)
  add_executable(clause_programs_builder EXCLUDE_FROM_ALL clause_programs.c)
  target_link_libraries(clause_programs_builder PRIVATE selfcheck_clause)
  usw_common_flags(clause_programs_builder)
  set_property(TARGET clause_programs_builder PROPERTY RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
  if("x86_64" IN_LIST USW_IMAGES)
    usw_clause_programs(x86_64 -fopenmp-targets=x86_64-pc-linux-gnu)
  endif()
  if(USW_IMAGES MATCHES "sm_") # with the flags that find the toolkit, and none that change what the clause compiles to
    set(flags ${USW_OFFLOAD_FLAGS})
    list(FILTER flags INCLUDE REGEX "--offload-arch=sm_|--cuda-path=|--libomptarget-nvptx-bc-path=")
    list(TRANSFORM flags REPLACE "^(.* .*)$" "'\\1'") # a folder with a blank is one word
    usw_clause_programs(gpu ${flags})
  endif()
endif()
add_custom_target(clause_programs DEPENDS ${clause_stamps}) # nothing without images
