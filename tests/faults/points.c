/* What the library's calls come to in a test of faults. Linked into a program with the library's code in it (USW_PORT_SIMT), the
 * linker's option --wrap leads them here; those of the shared library are led here by install.c. */
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "faults.h"
#include "points.h"
#ifdef FAULTS_HWLOC
#include <hwloc.h>
#endif
#ifdef FAULTS_OFFLOAD
#include <omp.h>
void *llvm_omp_target_alloc_host(size_t bytes, int device);
void llvm_omp_target_free_host(void *memory, int device);
#endif

#ifdef USW_PORT_SIMT
#define REAL(name) __real_##name
#else
#define REAL(name) name
int __register_atfork(void (*before)(void), void (*parent)(void), void (*child)(void), void *object);
#endif
#define POINT_BODY(name, kind, made, result, bad, number, arguments)                                                   \
  if (faults_fail(FAULT_##kind, #name)) {                                                                              \
    errno = number;                                                                                                    \
    return bad;                                                                                                        \
  }                                                                                                                    \
  result const got = REAL(name) arguments;                                                                             \
  if (got)                                                                                                             \
    faults_hold(RESOURCE_##made, 1);                                                                                   \
  return got;

#define POINT(name, kind, made, result, number, parameters, arguments)                                                 \
  result __real_##name parameters;                                                                                     \
  result __wrap_##name parameters;                                                                                     \
  result __wrap_##name parameters { POINT_BODY(name, kind, made, result, (result)0, number, arguments) }
#define MINUS_POINT(name, kind, made, result, number, parameters, arguments)                                           \
  result __real_##name parameters;                                                                                     \
  result __wrap_##name parameters;                                                                                     \
  result __wrap_##name parameters { POINT_BODY(name, kind, made, result, (result) - 1, number, arguments) }
#define ZERO_POINT(name, kind, made, bad, parameters, arguments)                                                       \
  int __real_##name parameters;                                                                                        \
  int __wrap_##name parameters;                                                                                        \
  int __wrap_##name parameters {                                                                                       \
    if (faults_fail(FAULT_##kind, #name))                                                                              \
      return bad;                                                                                                      \
    const int error = REAL(name) arguments;                                                                            \
    if (error == 0)                                                                                                    \
      faults_hold(RESOURCE_##made, 1);                                                                                 \
    return error;                                                                                                      \
  }
#define END(name, resource, parameters, arguments, is_there)                                                           \
  void __real_##name parameters;                                                                                       \
  void __wrap_##name parameters;                                                                                       \
  void __wrap_##name parameters {                                                                                      \
    if (is_there)                                                                                                      \
      faults_hold(RESOURCE_##resource, -1);                                                                            \
    REAL(name) arguments;                                                                                              \
  }
#define END_OF_INT(name, resource, parameters, arguments)                                                              \
  int __real_##name parameters;                                                                                        \
  int __wrap_##name parameters;                                                                                        \
  int __wrap_##name parameters {                                                                                       \
    faults_hold(RESOURCE_##resource, -1);                                                                              \
    return REAL(name) arguments;                                                                                       \
  }
#define BY_HAND(name)
#include "points.def"
#undef BY_HAND

void *__real_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes) {
  if (faults_fail(FAULT_MEMORY, "realloc")) {
    errno = ENOMEM;
    return NULL;
  }
  void *got = REAL(realloc)(memory, bytes);
  if (got && !memory)
    faults_hold(RESOURCE_MEMORY, 1);
  return got;
}

long syscall(long number, ...);
long __real_syscall(long number, ...);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f);
long __wrap_syscall(long number, long a, long b, long c, long d, long e, long f) {
  if (faults_fail(FAULT_SYSTEM, "syscall")) {
    errno = ENOSYS;
    return -1;
  }
  return REAL(syscall)(number, a, b, c, d, e, f);
}

/* ---- libraries that the library opens ---- */

int __real_dladdr(const void *address, Dl_info *info);
int __wrap_dladdr(const void *address, Dl_info *info);
int __wrap_dladdr(const void *address, Dl_info *info) {
  if (faults_fail(FAULT_LOADER, "dladdr"))
    return 0;
#ifdef FAULTS_OFFLOAD
  if (address == (const void *)(uintptr_t)__wrap_omp_target_alloc) /* which stands in for the runtime's */
    address = (const void *)(uintptr_t)omp_target_alloc;
#endif
  return REAL(dladdr)(address, info);
}

void *__real_dlopen(const char *name, int how);
void *__wrap_dlopen(const char *name, int how);
void *__wrap_dlopen(const char *name, int how) {
  if (faults_fail(FAULT_LOADER, "dlopen"))
    return NULL;
  void *const stub = name ? points_open_stub(name) : NULL;
  return stub ? stub : REAL(dlopen)(name, how);
}

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name) {
  if (faults_fail(FAULT_LOADER, "dlsym"))
    return NULL;
#ifdef USW_PORT_SIMT
  if (!points_is_stub(library)) /* of the sanitizer's runtime, before it is ready */
    return REAL(dlsym)(library, name);
  void *const found = points_of_stub(name);
#else
  void *const found = REAL(dlsym)(library, name);
#endif
  void *const between = found ? faults_driver_function(name, found) : NULL;
  return between ? between : found;
}

int __real_dlclose(void *library);
int __wrap_dlclose(void *library);
int __wrap_dlclose(void *library) { return points_is_stub(library) ? 0 : REAL(dlclose)(library); }

#ifndef USW_PORT_SIMT
#undef POINT
#undef MINUS_POINT
#undef ZERO_POINT
#undef END
#undef END_OF_INT
#define AT(name) {#name, (void *)(uintptr_t)__wrap_##name},
#define POINT(name, kind, made, result, number, parameters, arguments) AT(name)
#define MINUS_POINT(name, kind, made, result, number, parameters, arguments) AT(name)
#define ZERO_POINT(name, kind, made, bad, parameters, arguments) AT(name)
#define END(name, resource, parameters, arguments, is_there) AT(name)
#define END_OF_INT(name, resource, parameters, arguments) AT(name)
#define BY_HAND(name) AT(name)
const point_t points[] = {
#include "points.def"
    {NULL, NULL}};
#endif
