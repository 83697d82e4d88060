# Tests of what a program brings along: its OpenMP regions, its environment, its stacks.

# Calls from inside the caller's OpenMP regions: of libomp, and of libgomp beside the library's libomp.
usw_test(NAME api.regions SOURCES api/regions.c PLACES host x86_64 gpu TIMEOUT 60)
if(NOT USW_SANITIZE)
  set(regions_gcc "${CMAKE_CURRENT_SOURCE_DIR}/api/regions_gcc.sh" "${PROJECT_BINARY_DIR}")
  usw_check(NAME api.regions_gcc.host LABELS api TIMEOUT 60 COMMAND ${regions_gcc} host)
  if(USW_IMAGES)
    usw_check(NAME api.regions_gcc.x86_64 LABELS device TIMEOUT 60 COMMAND ${regions_gcc} device:x86_64)
  endif()
endif()

# Under variables of the OpenMP runtimes that change what a device or a thread is.
if(NOT CMAKE_CROSSCOMPILING) # it starts itself
  usw_test(NAME device.runtime_variables SOURCES device/runtime_variables.c PLACES x86_64 gpu)
endif()
if(NOT CMAKE_CROSSCOMPILING)
  usw_test(NAME api.log SOURCES api/log.c LABELS api)
endif()

# From threads with little stack. The x86_64 device shares the host's memory, so that data need not be allocated there.
if(NOT CMAKE_CROSSCOMPILING AND NOT USW_SANITIZE) # whose frames are larger
  usw_test(NAME api.stacks SOURCES api/stacks.c PLACES host x86_64)
endif()

# Where a call of another library fails: memory, files, threads, hwloc, the OpenMP runtime, the driver.
add_subdirectory(faults)

# Where many threads call at once, and where they go on while the library ends.
add_subdirectory(concurrency)
