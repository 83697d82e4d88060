# The Fortran module: upsweep_fortran, written from the C headers and built where there are a Fortran compiler
# and Python 3. Included by the top folder, because a language is enabled for the folder that asks and those below.

option(USW_BUILD_FORTRAN "Build the Fortran module, if it can be" ON)
include(CheckLanguage)
if(NOT CMAKE_CROSSCOMPILING) # else only the one that is named
  if("${CMAKE_Fortran_COMPILER}" MATCHES "NOTFOUND$") # it may have been installed since
    unset(CMAKE_Fortran_COMPILER CACHE)
  endif()
  check_language(Fortran)
endif()
find_package(Python3 QUIET COMPONENTS Interpreter)
set(missing "")
if(NOT USW_BUILD_FORTRAN OR USW_SANITIZE)
  set(missing "not asked for, or sanitizers are on")
elseif(NOT CMAKE_Fortran_COMPILER)
  set(missing "no Fortran compiler (gfortran, or scripts/dependencies)")
elseif(NOT Python3_FOUND)
  set(missing "no Python 3")
endif()
if(missing)
  message(STATUS "Upsweep Fortran module: not built: ${missing}")
  return() # from this file
endif()
enable_language(Fortran)
message(STATUS "Upsweep Fortran module: built (${CMAKE_Fortran_COMPILER_ID} ${CMAKE_Fortran_COMPILER_VERSION})")

set(USW_FORTRAN_FOLDER "${PROJECT_BINARY_DIR}/fortran") # the source and the module file
set(source "${USW_FORTRAN_FOLDER}/upsweep.f90")
set(generator "${PROJECT_SOURCE_DIR}/lib/fortran/generate.py")
set(template "${PROJECT_SOURCE_DIR}/lib/fortran/upsweep.f90.in")
file(GLOB headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/include/upsweep/*.h"
     "${PROJECT_SOURCE_DIR}/include/upsweep/*.def")
add_custom_command(
  OUTPUT "${source}"
  COMMAND Python3::Interpreter "${generator}" "${CMAKE_C_COMPILER}" "${PROJECT_SOURCE_DIR}/include" "${template}"
          "${source}"
  DEPENDS "${generator}" "${template}" ${headers} VERBATIM)

add_library(upsweep_fortran STATIC "${source}")
add_library(Upsweep::fortran ALIAS upsweep_fortran)
target_link_libraries(upsweep_fortran PUBLIC upsweep)
target_include_directories(upsweep_fortran PUBLIC "$<BUILD_INTERFACE:${USW_FORTRAN_FOLDER}>")
set_target_properties(upsweep_fortran PROPERTIES EXPORT_NAME fortran
  Fortran_MODULE_DIRECTORY "${USW_FORTRAN_FOLDER}")
if(CMAKE_Fortran_COMPILER_ID STREQUAL "GNU")
  target_compile_options(upsweep_fortran PRIVATE -std=f2018 -Wall -Wextra)
endif()
if(USW_QUICK) # most of its time: procedures that pass arguments on
  target_compile_options(upsweep_fortran PRIVATE -O0)
endif()
