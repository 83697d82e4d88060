# Over ranks in C++, Fortran and Python. Included by CMakeLists.txt.

# usw_mpi_door_tests(<area.name> <mpiexec> COMMAND ... [LABELS ...]): with 1 and 3 ranks.
function(usw_mpi_door_tests name mpiexec)
  foreach(ranks 1 3)
    add_test(NAME ${name}.${ranks} COMMAND "${mpiexec}" -n ${ranks} ${ARGN})
    # Open MPI refuses root and more ranks than cores unless told.
    usw_test_properties(${name}.${ranks} LABELS api TIMEOUT 60 ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1
                        OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1)
  endforeach()
endfunction()

foreach(tested IN LISTS USW_MPI_TESTED)
  string(REGEX MATCH "^([^:]*):(.*)$" tested "${tested}")
  set(suffix "${CMAKE_MATCH_1}")
  set(mpiexec "${CMAKE_MATCH_2}")
  if(USW_CXX)
    usw_test_program(mpi_cxx${suffix} SOURCES cxx.cpp LINK usw_test_shared upsweep_mpi${suffix})
    usw_mpi_door_tests(mpi.cxx${suffix} "${mpiexec}" $<TARGET_FILE:mpi_cxx${suffix}>)
  endif()
endforeach()
if(USW_QUICK) # optimizing its many instances takes longer than they run
  set_source_files_properties(cxx.cpp PROPERTIES COMPILE_OPTIONS -O0)
endif()
