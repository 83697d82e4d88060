/* NumPy arrays by their array interface (version 3), without NumPy's C interface. */
#ifndef UPSWEEP_PYTHON_SHORT_ARRAYS_H
#define UPSWEEP_PYTHON_SHORT_ARRAYS_H

#define Py_LIMITED_API 0x03090000 /* Python 3.9 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

enum { C_ORDER = 0x1, FORTRAN_ORDER = 0x2, ALIGNED = 0x100, NATIVE = 0x200 }; /* flags of array_t */

/* What __array_struct__ points to: PyArrayInterface of NumPy's array interface protocol, version 3. */
typedef struct array {
  int two; /* 2 */
  int dimensions;
  char kind; /* as in typestr */
  int item_bytes;
  int flags;
  Py_intptr_t *shape, *strides;
  void *data;
  PyObject *description;
} array_t;

/* Once, before the other functions: the name that they look up; 0: it cannot be made. Then numpy.ndarray and numpy.empty, which are kept. */
int name_arrays(void);
void set_array_types(PyObject *type, PyObject *empty);

/* The array of an object that is a plain NumPy array of native, aligned elements; its capsule keeps it alive. NULL: it is none. */
const array_t *array_of(PyObject *object, PyObject **capsule);

/* A new array, and where its elements are. */
PyObject *new_array(PyObject *shape, PyObject *dtype, void **data_out);

size_t length_of(const array_t *array);

/* Whether two arrays have the same type and shape. */
int are_alike(const array_t *x, const array_t *y);

#endif
