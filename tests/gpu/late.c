/* Runs a program that was linked as a shared object:  late PROGRAM.so [arguments]
 * libomptarget starts CUDA in a static initializer, before main() of whatever is linked with it. compute-sanitizer
 * refuses such programs: it wants to be there before CUDA. Here it is, because everything is loaded in main().
 * RTLD_GLOBAL: images of the x86_64 device find the OpenMP runtime among the program's symbols. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv) {
  int (*program)(int, char **);
  if (argc < 2) {
    fprintf(stderr, "usage: late PROGRAM.so [arguments]\n");
    return 2;
  }
  void *object = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  void *symbol = object ? dlsym(object, "main") : NULL;
  if (!symbol) {
    fprintf(stderr, "late: %s\n", dlerror());
    return 2;
  }
  memcpy(&program, &symbol, sizeof program); /* C has no conversion from an object's address to a function's */
  return program(argc - 1, argv + 1);
}
