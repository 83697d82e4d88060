# Install rules: the library, the headers, the CMake package and upsweep.pc. Relocatable.

include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/Upsweep")

install(TARGETS upsweep EXPORT UpsweepTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
foreach(folder include offload/include)
  install(DIRECTORY "${folder}/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
          FILES_MATCHING PATTERN "*.h" PATTERN "*.def" PATTERN "simt.h" EXCLUDE)
endforeach()
install(EXPORT UpsweepTargets NAMESPACE Upsweep:: DESTINATION "${package_dir}")

string(REGEX MATCH "^[0-9]+" USW_LLVM_MAJOR "${CMAKE_C_COMPILER_VERSION}")
configure_package_config_file(scripts/cmake/UpsweepConfig.cmake.in
  "${PROJECT_BINARY_DIR}/UpsweepConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/UpsweepConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/UpsweepConfig.cmake"
              "${PROJECT_BINARY_DIR}/UpsweepConfigVersion.cmake"
              scripts/cmake/UpsweepOffload.cmake scripts/cmake/probe.c
        DESTINATION "${package_dir}")
install(PROGRAMS scripts/cmake/nvlink-wrapper.sh DESTINATION "${package_dir}")

file(RELATIVE_PATH USW_PC_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" /prefix)
string(REGEX REPLACE "/$" "" USW_PC_PREFIX "${USW_PC_PREFIX}")
configure_file(scripts/cmake/upsweep.pc.in upsweep.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/upsweep.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
