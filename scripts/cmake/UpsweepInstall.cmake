# Install rules, by component: runtime, development, tools, fortran, mpi, mpi_fortran, doc. The prefix may be moved: nothing
# that is installed names it, nor the build tree; what stays absolute is the folder of LLVM's OpenMP runtime, and of an MPI library
# outside the system's folders.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Upsweep")
set(pc_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# ---- the library and its headers ----

install(TARGETS upsweep EXPORT UpsweepTargets
        LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime NAMELINK_COMPONENT development
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT development)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT runtime)
foreach(folder include offload/include)
  install(DIRECTORY "${folder}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development
          FILES_MATCHING PATTERN "*.h" PATTERN "*.hpp" PATTERN "*.def" PATTERN "simt.h" EXCLUDE)
endforeach()
install(FILES README.md CHANGELOG.md SECURITY.md DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT doc)
install(DIRECTORY tests/examples/ DESTINATION "${CMAKE_INSTALL_DATADIR}/upsweep/examples" COMPONENT development)

# usw_install_targets(<export set> <component>): a file of the CMake package for one component's targets.
function(usw_install_targets set component)
  install(EXPORT ${set} NAMESPACE Upsweep:: DESTINATION "${package_dir}" COMPONENT ${component})
endfunction()
usw_install_targets(UpsweepTargets development)

# ---- the tools ----

file(RELATIVE_PATH to_lib "/prefix/${CMAKE_INSTALL_BINDIR}" "/prefix/${CMAKE_INSTALL_LIBDIR}")
file(RELATIVE_PATH helper_to_lib "/prefix/${CMAKE_INSTALL_LIBEXECDIR}/upsweep" "/prefix/${CMAKE_INSTALL_LIBDIR}")
if(TARGET usw)
  set_target_properties(usw PROPERTIES INSTALL_RPATH "$ORIGIN/${to_lib};${USW_LLVM_LIBRARY_DIR}")
  install(TARGETS usw EXPORT UpsweepToolsTargets RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
  usw_install_targets(UpsweepToolsTargets tools)
  if(TARGET usw_manual)
    get_target_property(manual usw_manual BINARY_DIR)
    install(FILES "${manual}/usw.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tools)
    install(FILES "${manual}/usw.bash" RENAME usw DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions"
            COMPONENT tools)
    install(FILES "${manual}/_usw" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/site-functions" COMPONENT tools)
    install(FILES "${manual}/usw.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT tools)
  endif()
  foreach(command usw-bench usw-selfcheck) # `usw bench`, `usw selfcheck`
    if(TARGET ${command})
      # An x86_64 image keeps the build tree's RPATH for ever: let that name no folder.
      set_target_properties(${command} PROPERTIES BUILD_RPATH_USE_ORIGIN ON
                            INSTALL_RPATH "$ORIGIN/${helper_to_lib};${USW_LLVM_LIBRARY_DIR}")
      install(TARGETS ${command} RUNTIME DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/upsweep" COMPONENT tools)
    endif()
  endforeach()
  if(TARGET usw-bench)
    install(PROGRAMS lib/tool/tune/usw-tune DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/upsweep" COMPONENT tools) # `usw tune`
    install(PROGRAMS perf/report/usw-report DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/upsweep" COMPONENT tools) # `usw report`
    install(DIRECTORY perf/report/ DESTINATION "${CMAKE_INSTALL_LIBEXECDIR}/upsweep" COMPONENT tools
            FILES_MATCHING PATTERN "*.py" PATTERN "*.j2" PATTERN "__pycache__" EXCLUDE)
    install(PROGRAMS scripts/slurm/upsweep-suite.sbatch scripts/slurm/upsweep-ranks.sbatch scripts/slurm/collect
            DESTINATION "${CMAKE_INSTALL_DATADIR}/upsweep/slurm" COMPONENT tools)
  endif()
endif()

if(TARGET selfcheck_clause) # `usw selfcheck --compiler`
  install(DIRECTORY lib/tool/selfcheck/clause/ DESTINATION "${CMAKE_INSTALL_DATADIR}/upsweep/selfcheck" COMPONENT tools
          FILES_MATCHING PATTERN "*.c")
endif()

# ---- Fortran ----

# usw_pc_file(<name> <component>): pkg-config's file, which finds the prefix from its own place.
file(RELATIVE_PATH USW_PC_PREFIX "/prefix/${pc_dir}" /prefix)
string(REGEX REPLACE "/$" "" USW_PC_PREFIX "${USW_PC_PREFIX}")
function(usw_pc_file name component)
  configure_file("scripts/cmake/${name}.pc.in" "${PROJECT_BINARY_DIR}/${name}.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/${name}.pc" DESTINATION "${pc_dir}" COMPONENT ${component})
endfunction()
string(REGEX MATCH "^[0-9]+" USW_LLVM_MAJOR "${CMAKE_C_COMPILER_VERSION}")
set(USW_PC_PRIVATE "-fopenmp -lm -ldl") # of programs that link a static library
if(USW_HAS_HWLOC)
  string(APPEND USW_PC_PRIVATE " -lhwloc")
endif()
usw_pc_file(upsweep development)

# Flags for the library's images, but for the place of the CUDA toolkit: pkg-config --define-variable=cuda_path=FOLDER. The images'
# names are a string of C, which no line of flags holds safely: a header has them.
_usw_host_flags(USW_PC_KERNEL_FLAGS)
list(JOIN USW_OFFLOAD_FLAGS " " flags)
string(REPLACE "${CMAKE_BINARY_DIR}/usw_cuda" "\${cuda_path}" flags "${flags}")
string(PREPEND USW_PC_KERNEL_FLAGS "${flags}")
# Of compilation alone: twice in one line it would be an error.
string(REGEX REPLACE "-Xopenmp-target=[^ ]+ -mllvm=[^ ]+|-f(fp-contract|openmp-cuda-)[^ ]+|-fwrapv|-Werror[^ ]+" "" USW_PC_LINK_FLAGS
       "${flags}")
string(REGEX REPLACE "  +" " " USW_PC_LINK_FLAGS "${USW_PC_LINK_FLAGS}")
set(USW_PC_CUDA_PATH /usr/local/cuda)
set(USW_PC_RUNPATH "")
set(USW_PC_IMAGES "")
if(USW_IMAGES)
  list(JOIN USW_IMAGES " " images)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/package_images.h" CONTENT
       "/* Included by the flags of upsweep-kernels.pc: the library's device images. */\n#define USW_IMAGES \"${images}\"\n")
  install(FILES "${PROJECT_BINARY_DIR}/package_images.h" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/upsweep" COMPONENT development)
  set(USW_PC_IMAGES "-include upsweep/package_images.h")
  set(USW_PC_RUNPATH "-Wl,-rpath,${USW_LLVM_LIBRARY_DIR}")
endif()
usw_pc_file(upsweep-kernels development)

if(TARGET upsweep_fortran)
  # Module files are read by the compiler that wrote them; others compile the source, which is installed too.
  string(REGEX MATCH "^[0-9]+" USW_FORTRAN_MAJOR "${CMAKE_Fortran_COMPILER_VERSION}")
  set(USW_FORTRAN_DIR "${CMAKE_INSTALL_LIBDIR}/upsweep/${CMAKE_Fortran_COMPILER_ID}-${USW_FORTRAN_MAJOR}")
  target_include_directories(upsweep_fortran INTERFACE "$<INSTALL_INTERFACE:${USW_FORTRAN_DIR}>")
  install(TARGETS upsweep_fortran EXPORT UpsweepFortranTargets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT fortran)
  install(FILES "${USW_FORTRAN_FOLDER}/upsweep.mod" DESTINATION "${USW_FORTRAN_DIR}" COMPONENT fortran)
  install(FILES "${USW_FORTRAN_FOLDER}/upsweep.f90" DESTINATION "${CMAKE_INSTALL_DATADIR}/upsweep" COMPONENT fortran)
  usw_install_targets(UpsweepFortranTargets fortran)
  usw_pc_file(upsweep-fortran fortran)
endif()

# ---- MPI ----

if(TARGET upsweep_mpi)
  set_target_properties(upsweep_mpi PROPERTIES INSTALL_RPATH "$ORIGIN" INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS upsweep_mpi EXPORT UpsweepMpiTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT mpi
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT mpi)
  install(DIRECTORY lib/mpi/include/ DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT mpi)
  install(FILES scripts/cmake/UpsweepMpiKind.cmake DESTINATION "${package_dir}" COMPONENT mpi)
  usw_install_targets(UpsweepMpiTargets mpi)
  usw_pc_file(upsweep-mpi mpi)
endif()
if(TARGET upsweep_mpi_fortran)
  target_include_directories(upsweep_mpi_fortran INTERFACE "$<INSTALL_INTERFACE:${USW_FORTRAN_DIR}>")
  install(TARGETS upsweep_mpi_fortran EXPORT UpsweepMpiFortranTargets
          ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT mpi_fortran)
  install(FILES "${USW_FORTRAN_FOLDER}/mpi/upsweep_mpi.mod" DESTINATION "${USW_FORTRAN_DIR}" COMPONENT mpi_fortran)
  install(FILES "${USW_FORTRAN_FOLDER}/mpi/upsweep_mpi.f90" DESTINATION "${CMAKE_INSTALL_DATADIR}/upsweep" COMPONENT mpi_fortran)
  install(FILES lib/mpi/fortran/calls.c RENAME upsweep_mpi.c DESTINATION "${CMAKE_INSTALL_DATADIR}/upsweep" COMPONENT mpi_fortran)
  usw_install_targets(UpsweepMpiFortranTargets mpi_fortran)
  usw_pc_file(upsweep-mpi-fortran mpi_fortran)
endif()

# ---- the CMake package ----

# A toolkit that scripts/dependencies unpacked into this tree is no hint for another machine.
set(USW_CUDA_HINT_INSTALLED "${USW_CUDA_ROOT}")
cmake_path(IS_PREFIX PROJECT_SOURCE_DIR "${USW_CUDA_ROOT}" NORMALIZE inside)
if(inside)
  set(USW_CUDA_HINT_INSTALLED "")
endif()
configure_package_config_file(scripts/cmake/UpsweepConfig.cmake.in
  "${PROJECT_BINARY_DIR}/UpsweepConfig.cmake" INSTALL_DESTINATION "${package_dir}"
  PATH_VARS CMAKE_INSTALL_DATADIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/UpsweepConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/UpsweepConfig.cmake"
              "${PROJECT_BINARY_DIR}/UpsweepConfigVersion.cmake"
              scripts/cmake/UpsweepOffload.cmake scripts/cmake/probe.c
        DESTINATION "${package_dir}" COMPONENT development)
install(PROGRAMS scripts/cmake/nvlink-wrapper.sh DESTINATION "${package_dir}" COMPONENT development)

if(PROJECT_IS_TOP_LEVEL)
  include(scripts/cmake/UpsweepPackages.cmake)
endif()
