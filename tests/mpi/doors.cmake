# Over ranks in C++, Fortran and Python. Included by CMakeLists.txt.

# usw_mpi_door_properties(<test>)
function(usw_mpi_door_properties test)
  # Open MPI refuses root and more ranks than cores unless told.
  usw_test_properties(${test} LABELS api TIMEOUT 60 ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
                      OMPI_MCA_rmaps_base_oversubscribe=1)
endfunction()

# usw_mpi_door_tests(<area.name> <mpiexec> <command> ...): with 1 and 3 ranks; the last argument of the command is their number.
function(usw_mpi_door_tests name mpiexec)
  foreach(ranks 1 3)
    add_test(NAME ${name}.${ranks} COMMAND "${mpiexec}" -n ${ranks} ${ARGN} ${ranks})
    usw_mpi_door_properties(${name}.${ranks})
  endforeach()
endfunction()

set(libraries "") # for python.sh
foreach(tested IN LISTS USW_MPI_TESTED)
  string(REGEX MATCH "^([^:]*):(.*)$" tested "${tested}")
  set(suffix "${CMAKE_MATCH_1}")
  set(mpiexec "${CMAKE_MATCH_2}")
  string(REGEX REPLACE "^_" "" kind "${suffix}")
  if(NOT kind)
    set(kind ${USW_MPI_KIND})
  endif()
  list(APPEND libraries ${kind} $<TARGET_FILE:upsweep_mpi${suffix}> "${mpiexec}")
  if(USW_CXX)
    usw_test_program(mpi_cxx${suffix} SOURCES cxx.cpp LINK usw_test_shared usw_host_kernels upsweep_mpi${suffix})
    usw_mpi_door_tests(mpi.cxx${suffix} "${mpiexec}" $<TARGET_FILE:mpi_cxx${suffix}>)
  endif()
  if(TARGET upsweep_mpi_fortran${suffix} AND USW_MPI_F08)
    add_executable(mpi_fortran${suffix} ../fortran/check.f90 fortran.f90)
    target_link_libraries(mpi_fortran${suffix} PRIVATE upsweep_mpi_fortran${suffix})
    if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
      target_compile_options(mpi_fortran${suffix} PRIVATE -Wall -Wextra -fcheck=all)
    endif()
    set_target_properties(mpi_fortran${suffix} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests"
                          Fortran_MODULE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/mpi_fortran${suffix}")
    usw_mpi_door_tests(mpi.fortran${suffix} "${mpiexec}" $<TARGET_FILE:mpi_fortran${suffix}>)
  endif()
endforeach()
if(libraries)
  foreach(ranks 0 1 3)
    add_test(NAME mpi.python.${ranks} COMMAND "${CMAKE_CURRENT_SOURCE_DIR}/python.sh" ${ranks} $<TARGET_FILE:upsweep> ${libraries})
    usw_mpi_door_properties(mpi.python.${ranks})
  endforeach()
endif()
if(USW_QUICK) # optimizing its many instances takes longer than they run
  set_source_files_properties(cxx.cpp PROPERTIES COMPILE_OPTIONS -O0)
endif()
