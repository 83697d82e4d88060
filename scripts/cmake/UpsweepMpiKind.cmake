# usw_mpi_kind(<variable> <folder> ...): openmpi if the folders of an MPI library's headers are Open MPI's, else mpich, with which others are
# compatible. The library is built for one of the two. Also used by the installed package.
function(usw_mpi_kind out_kind)
  set(${out_kind} mpich PARENT_SCOPE)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${folder}/mpi.h")
      file(STRINGS "${folder}/mpi.h" found LIMIT_COUNT 1 REGEX "define OMPI_MAJOR_VERSION")
      if(found)
        set(${out_kind} openmpi PARENT_SCOPE)
      endif()
    endif()
  endforeach()
endfunction()
