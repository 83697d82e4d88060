/* Arrays of a rank where its vectors are, and the loops over them on a device. Devices are OpenMP's; CG_HOST is the host. */
#ifndef RANKS_CG_DEVICE_H
#define RANKS_CG_DEVICE_H

#include <stddef.h>
#include <stdint.h>

enum { CG_HOST = -1 };

/* Memory for `count` elements there, whose contents are undefined. Without memory all ranks end. */
void *cg_allocate(int device, size_t count, size_t bytes);
void cg_free(int device, void *memory);

/* Copies; errors end all ranks. */
void cg_copy(void *to, int to_device, const void *from, int from_device, size_t bytes);

/* The loops that the host has in cg_problem.c and cg_sums.c, with the same arithmetic; of sums the clause chooses the order. */
void cg_multiply_on_device(int device, size_t rows, const uint32_t *begins, const int32_t *columns,
                           const double *values, const double *x, double *product);
void cg_step_on_device(int device, size_t n, const double *p, double step, double *x);
void cg_turn_on_device(int device, size_t n, const double *residual, double ratio, double *p);
void cg_step_back_on_device(int device, size_t n, const double *product, double step, double *residual);
double cg_dot_on_device(int device, size_t n, const double *x, const double *y);
double cg_update_on_device(int device, size_t n, const double *product, double step, double *residual);

#endif
