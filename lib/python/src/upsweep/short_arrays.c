#include "short_arrays.h"

#include <string.h>

static PyObject *array_type, *empty_array, *struct_name;

int name_arrays(void) {
  struct_name = PyUnicode_InternFromString("__array_struct__");
  return struct_name != NULL;
}

void set_array_types(PyObject *type, PyObject *empty) {
  Py_INCREF(type);
  Py_INCREF(empty);
  array_type = type;
  empty_array = empty;
}

const array_t *array_of(PyObject *object, PyObject **capsule) {
  if ((PyObject *)Py_TYPE(object) != array_type)
    return NULL;
  *capsule = PyObject_GetAttr(object, struct_name);
  const array_t *array = *capsule ? (const array_t *)PyCapsule_GetPointer(*capsule, NULL) : NULL;
  if (!array) {
    PyErr_Clear();
    return NULL;
  }
  return array->two == 2 && (array->flags & (ALIGNED | NATIVE)) == (ALIGNED | NATIVE) ? array : NULL;
}

size_t length_of(const array_t *array) {
  size_t n = 1;
  for (int i = 0; i < array->dimensions; i++)
    n *= (size_t)array->shape[i];
  return n;
}

int are_alike(const array_t *x, const array_t *y) {
  return x->kind == y->kind && x->item_bytes == y->item_bytes && x->dimensions == y->dimensions &&
         !memcmp(x->shape, y->shape, (size_t)x->dimensions * sizeof *x->shape);
}

PyObject *new_array(PyObject *shape, PyObject *dtype, void **data_out) {
  PyObject *array = PyObject_CallFunctionObjArgs(empty_array, shape, dtype, NULL);
  PyObject *capsule = array ? PyObject_GetAttr(array, struct_name) : NULL;
  const array_t *made = capsule ? (const array_t *)PyCapsule_GetPointer(capsule, NULL) : NULL;
  if (made)
    *data_out = made->data;
  else
    Py_CLEAR(array);
  Py_XDECREF(capsule); /* the elements are the array's */
  return array;
}
