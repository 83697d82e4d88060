/* RANKS_LEVELS before a function's definition compiles it for the levels of the processor family that kernels are compiled for, too. */
#ifndef RANKS_LEVELS_H
#define RANKS_LEVELS_H

#if defined(__x86_64__) && defined(__clang__) && !defined(USW_NO_HOST_VARIANTS) && !defined(__NVPTX__) &&              \
    !defined(__AMDGCN__)
#define RANKS_LEVELS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define RANKS_LEVELS
#endif

#endif
