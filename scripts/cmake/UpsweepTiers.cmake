# Tiers: USW_TEST_TIER is quick or full (CONTRIBUTING.md, "Two tiers"). What the quick tier leaves out in a build:
#   USW_QUICK       the quick tier: tests with FULL are left out
#   USW_TEST_GPU    tests have NVIDIA images: in the full tier, and where there is an NVIDIA driver
#   USW_TEST_SIMT   tests run on the emulated GPU: in the full tier, and under sanitizers
#   USW_ONE_LIBRARY the emulated library serves all tests, those of the place host, too: the quick tier under sanitizers
#   USW_FAMILIES_SAMPLE there are kernels along axes and of scans for a sample of types: the quick tier but for preset quick, whose host code has all
#   USW_GPU_SAMPLE  GPU images hold a sample of the kernels: without USW_TEST_GPU, where the x86_64 image holds most of them
#   USW_FAMILIES_ON_DEVICES types of which device images have the kernels along axes and of scans, where a sample has to do; else empty: all types
#   USW_TYPES_OF_LEVELS types whose kernels the host has at every level of the processor family, beside all sums; or all
#   USW_TESTS_OPTIMIZED programs of preset quick that are optimized: those that a GPU's images are looked at, that take long without, or whose bytes
#                   depend on it. All others compile in a third of the time without
#   USW_TESTS_SOON_DONE programs that take longer to optimize than they run: not optimized in the quick tier under sanitizers
set(USW_QUICK OFF)
set(USW_TEST_GPU ON)
set(USW_TEST_SIMT ON)
set(USW_ONE_LIBRARY OFF)
set(USW_FAMILIES_SAMPLE OFF)
set(USW_GPU_SAMPLE OFF)
set(USW_FAMILIES_ON_DEVICES "")
set(USW_TYPES_OF_LEVELS all)
set(USW_TESTS_SOON_DONE "")
set(USW_TESTS_OPTIMIZED "")
if(USW_BUILD_TESTS AND USW_TEST_TIER STREQUAL "quick")
  set(USW_QUICK ON)
  if(NOT EXISTS /dev/nvidiactl)
    set(USW_TEST_GPU OFF)
  endif()
  if(USW_SANITIZE)
    set(USW_TESTS_SOON_DONE api_exact_spans_simt api_support_table_simt fuzz_kernels_simt api_outputs_simt api_collectives_simt
                            api_porting_simt api_by_value_simt api_many_results_simt api_checked_simt simt_faults_simt
                            seeds_identities_of_kernels_simt seeds_structures_simt)
    set(USW_ONE_LIBRARY ON)
    set(USW_FAMILIES_SAMPLE ON)
  else()
    set(USW_TEST_SIMT OFF)
  endif()
  if(CMAKE_CROSSCOMPILING)
    set(USW_FAMILIES_SAMPLE ON)
  endif()
  if(NOT USW_TEST_GPU AND "x86_64" IN_LIST USW_IMAGES)
    set(USW_GPU_SAMPLE ON)
    set(USW_TYPES_OF_LEVELS f64,f32,f16,cf64,i32,u32,u8)
    set(USW_TESTS_OPTIMIZED cases api_user_kernel api_in_step api_large_spans api_accurate_kernels api_scan_kernels api_spaces unit_bins unit_image
                            api_parts mpi_parts mpi_parts_mpich) # these recheck structures with padding, which is left as it is without
    set(USW_FAMILIES_ON_DEVICES f64 i32 u32) # u32 is there for the bits of i32: USW_SAME of kernels.def
  endif()
endif()

# Flags of kernels outside the sample, and of programs where there is one: the x86_64 image alone.
set(USW_PROGRAM_OFFLOAD_FLAGS "${USW_OFFLOAD_FLAGS}")
if(USW_GPU_SAMPLE)
  _usw_images_to_flags(x86_64 USW_PROGRAM_OFFLOAD_FLAGS)
endif()

# usw_program_offload_flags(<target> <scope>): usw_offload_flags() with these flags.
function(usw_program_offload_flags target scope)
  if(USW_GPU_SAMPLE)
    set(USW_IMAGES x86_64)
  endif()
  set(USW_OFFLOAD_FLAGS "${USW_PROGRAM_OFFLOAD_FLAGS}")
  usw_offload_flags(${target} ${scope})
endfunction()

# usw_no_offload_flags(<target> <scope>): usw_offload_flags() without images, for what runs on the host alone.
function(usw_no_offload_flags target scope)
  set(USW_IMAGES "")
  set(USW_OFFLOAD_FLAGS "")
  usw_offload_flags(${target} ${scope})
endfunction()
