/* Between points.c and what it leads to. */
#ifndef USW_TESTS_FAULTS_POINTS_H
#define USW_TESTS_FAULTS_POINTS_H

/* Of the shared library's calls: a function's name and what takes its place; the last name is NULL. */
typedef struct point {
  const char *name;
  void *function;
} point_t;
extern const point_t points[];

/* The driver's stub, where there is one: whether a library is it, and its functions. */
void *points_open_stub(const char *name);
int points_is_stub(const void *library);
void *points_of_stub(const char *name);

/* From now on copies to this GPU of the stub's take so many nanoseconds longer for each KiB. */
void stub_slow_down(int gpu, long ns_of_kib);

#endif
