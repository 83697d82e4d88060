/* upsweep._short: reductions of NumPy arrays of one stride, without options but that for NaNs, in place of ctypes. _fast.py
 * fills its table; _call.py takes what it returns None for. It has Python's stable ABI and nothing of NumPy's C interface: arrays come by __array_struct__,
 * results go through NumPy arrays of no dimension. The library comes as addresses of functions, already loaded. */
#define Py_LIMITED_API 0x03090000 /* Python 3.9 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>
#include <upsweep/upsweep.h>

enum { MOST_FUNCTIONS = 32, KINDS = 5, SIZES = 5, MOST_MEMBERS = 8, RESULT_BYTES = 128 };
enum { IGNORES_NAN = 0x100 };                                                 /* beside the number of a function */
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

/* A member of a result: bytes that become a NumPy scalar by way of an array, or a number of Python's. */
typedef struct member {
  char kind;      /* 'a': by the array, 'i': int, 'd': float, '?': bool */
  PyObject *cell; /* the array */
  void *cell_data;
  size_t offset, bytes;
} member_t;

/* What a function does with arrays of a type. */
typedef struct entry {
  usw_operation_t operation;
  usw_type_t type;
  int inputs;      /* 0: nothing was learned */
  int order_flags; /* of contiguous arrays: any of them will do */
  Py_ssize_t count;
  member_t members[MOST_MEMBERS];
  PyObject *made_by; /* is called with the members, or NULL: the only member is the result */
} entry_t;

static entry_t entries[MOST_FUNCTIONS][KINDS][SIZES];
static PyObject *array_type, *struct_name, *no_index;
static usw_status_t (*reduce_one)(usw_operation_t, usw_type_t, const void *, size_t, void *, const usw_options_t *);
static usw_status_t (*reduce_two)(usw_operation_t, usw_type_t, const void *, const void *, size_t, void *,
                                  const usw_options_t *);

static entry_t *entry_at(size_t function, char kind, int item_bytes) {
  const char *kinds = "iufcb", *found = kind ? strchr(kinds, kind) : NULL;
  int size = 0;
  while (size < SIZES && 1 << size != item_bytes)
    size++;
  return function < MOST_FUNCTIONS && found && size < SIZES ? &entries[function][found - kinds][size] : NULL;
}

/* setup(numpy.ndarray, address of usw_reduce, address of usw_reduce_pair) */
static PyObject *setup(PyObject *module, PyObject *arguments) {
  unsigned long long one, two;
  PyObject *type;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OKK", &type, &one, &two))
    return NULL;
  Py_INCREF(type);
  array_type = type;
  reduce_one =
      (usw_status_t(*)(usw_operation_t, usw_type_t, const void *, size_t, void *, const usw_options_t *))(uintptr_t)one;
  reduce_two = (usw_status_t(*)(usw_operation_t, usw_type_t, const void *, const void *, size_t, void *,
                                const usw_options_t *))(uintptr_t)two;
  Py_RETURN_NONE;
}

static int learn_members(entry_t *entry, PyObject *members) {
  entry->count = PyTuple_Size(members);
  if (entry->count < 1 || entry->count > MOST_MEMBERS)
    return 0;
  for (Py_ssize_t i = 0; i < entry->count; i++) {
    member_t *member = &entry->members[i];
    PyObject *cell;
    unsigned long long address;
    Py_ssize_t offset, bytes;
    int kind;
    if (!PyArg_ParseTuple(PyTuple_GetItem(members, i), "COKnn", &kind, &cell, &address, &offset, &bytes))
      return 0;
    if (offset < 0 || bytes < 1 || offset + bytes > RESULT_BYTES)
      return 0;
    Py_INCREF(cell);
    *member = (member_t){(char)kind, cell, (void *)(uintptr_t)address, (size_t)offset, (size_t)bytes};
  }
  return 1;
}

/* learn(function, kind, item bytes, operation, type, inputs, whether in C order, members, made by or None); a member:
 * (kind, array or None, its address, offset, bytes) */
static PyObject *learn(PyObject *module, PyObject *arguments) {
  Py_ssize_t function;
  int kind, item_bytes, operation, type, inputs, in_order;
  PyObject *members, *made_by;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "nCiiiipO!O", &function, &kind, &item_bytes, &operation, &type, &inputs, &in_order,
                        &PyTuple_Type, &members, &made_by))
    return NULL;
  entry_t *entry = function < 0 ? NULL : entry_at((size_t)function, (char)kind, item_bytes);
  entry_t learned = {(usw_operation_t)operation,
                     (usw_type_t)type,
                     inputs,
                     in_order ? C_ORDER : C_ORDER | FORTRAN_ORDER,
                     0,
                     {{0}},
                     made_by == Py_None ? NULL : made_by};
  if (!entry || inputs < 1 || inputs > 2 || !learn_members(&learned, members)) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError, "_short.learn(): no such entry");
    return NULL;
  }
  Py_INCREF(made_by);
  *entry = learned;
  Py_RETURN_NONE;
}

/* The array of an object that is a plain NumPy array of native, aligned elements; its capsule keeps it alive. */
static const array_t *array_of(PyObject *object, PyObject **capsule) {
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

static size_t length_of(const array_t *array) {
  size_t n = 1;
  for (int i = 0; i < array->dimensions; i++)
    n *= (size_t)array->shape[i];
  return n;
}

/* Whether two arrays have the same type and shape. */
static int are_alike(const array_t *x, const array_t *y) {
  return x->kind == y->kind && x->item_bytes == y->item_bytes && x->dimensions == y->dimensions &&
         !memcmp(x->shape, y->shape, (size_t)x->dimensions * sizeof *x->shape);
}

/* Put the options into a structure, and give its address; NULL: there are none. 0: no single stride visits the elements. */
static int find_options(const entry_t *entry, const array_t *const *arrays, int ignores_nan, usw_options_t *options,
                        const usw_options_t **found) {
  const int flags = arrays[0]->flags & (entry->inputs == 2 ? arrays[1]->flags : ~0);
  *found = NULL;
  if ((flags & entry->order_flags) && !ignores_nan)
    return 1;
  *options = (usw_options_t){.size = sizeof *options};
  options->nan = ignores_nan ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
  *found = options;
  if (flags & entry->order_flags)
    return 1;
  for (int i = 0; i < entry->inputs; i++) {
    if (arrays[i]->dimensions != 1 || arrays[i]->strides[0] % arrays[i]->item_bytes)
      return 0;
    const ptrdiff_t stride = arrays[i]->strides[0] / arrays[i]->item_bytes;
    options->stride[i] = stride ? stride : USW_STRIDE_NONE;
  }
  return 1;
}

static PyObject *member_value(const member_t *member, const char *result) {
  const char *from = result + member->offset;
  int64_t whole = 0; /* counts fit, too */
  double real = 0;
  switch (member->kind) {
  case 'a':
    memcpy(member->cell_data, from, member->bytes);
    return PyObject_GetItem(member->cell, no_index);
  case 'i':
    memcpy(&whole, from, sizeof whole);
    return PyLong_FromLongLong(whole);
  case 'd':
    memcpy(&real, from, sizeof real);
    return PyFloat_FromDouble(real);
  default:
    return PyBool_FromLong(*from);
  }
}

static PyObject *value_of(const entry_t *entry, const char *result) {
  if (!entry->made_by)
    return member_value(&entry->members[0], result);
  PyObject *members = PyTuple_New(entry->count);
  for (Py_ssize_t i = 0; members && i < entry->count; i++) {
    PyObject *value = member_value(&entry->members[i], result);
    if (!value || PyTuple_SetItem(members, i, value)) {
      Py_DECREF(members);
      return NULL;
    }
  }
  PyObject *made = members ? PyObject_CallObject(entry->made_by, members) : NULL;
  Py_XDECREF(members);
  return made;
}

static PyObject *call(const entry_t *entry, const array_t *x, const array_t *y, const usw_options_t *options) {
  _Alignas(16) char result[RESULT_BYTES];
  const size_t n = length_of(x);
  if (n == 0)
    Py_RETURN_NONE;
  usw_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = y ? reduce_two(entry->operation, entry->type, x->data, y->data, n, result, options)
             : reduce_one(entry->operation, entry->type, x->data, n, result, options);
  Py_END_ALLOW_THREADS;
  if (status != USW_OK)
    Py_RETURN_NONE;
  return value_of(entry, result);
}

static PyObject *reduce_arrays(size_t function, const array_t *const *arrays, int inputs) {
  const entry_t *entry = entry_at(function & ~(size_t)IGNORES_NAN, arrays[0]->kind, arrays[0]->item_bytes);
  usw_options_t options;
  const usw_options_t *given;
  if (!entry || entry->inputs != inputs || (inputs == 2 && !are_alike(arrays[0], arrays[1])) ||
      !find_options(entry, arrays, (function & IGNORES_NAN) != 0, &options, &given))
    Py_RETURN_NONE;
  return call(entry, arrays[0], inputs == 2 ? arrays[1] : NULL, given);
}

/* reduce(function, x[, y]): the result, or None for what is not taken: the usual way reduces it or tells what is wrong. */
static PyObject *reduce(PyObject *module, PyObject *arguments) {
  const int inputs = (int)PyTuple_Size(arguments) - 1;
  (void)module;
  if (inputs < 1 || inputs > 2 || !reduce_one)
    Py_RETURN_NONE;
  PyObject *capsules[2] = {NULL, NULL}, *value = NULL;
  const array_t *arrays[2] = {NULL, NULL};
  int taken = 0;
  while (taken < inputs && (arrays[taken] = array_of(PyTuple_GetItem(arguments, taken + 1), &capsules[taken])))
    taken++;
  const size_t function = PyLong_AsSize_t(PyTuple_GetItem(arguments, 0));
  if (taken < inputs && !PyErr_Occurred())
    Py_INCREF(value = Py_None);
  else if (!PyErr_Occurred())
    value = reduce_arrays(function, arrays, inputs);
  Py_XDECREF(capsules[0]);
  Py_XDECREF(capsules[1]);
  return value;
}

static PyMethodDef methods[] = {{"setup", setup, METH_VARARGS, NULL},
                                {"learn", learn, METH_VARARGS, NULL},
                                {"reduce", reduce, METH_VARARGS, NULL},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_short", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__short(void) {
  struct_name = PyUnicode_InternFromString("__array_struct__");
  no_index = PyTuple_New(0);
  return struct_name && no_index ? PyModule_Create(&definition) : NULL;
}
