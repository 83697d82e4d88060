/* upsweep._short: reductions of NumPy arrays of one stride, and along axes, and scans, without options but that for NaNs and compensated sums, in place of
 * ctypes. _fast.py fills its table; _call.py takes what it returns None for. It has Python's stable ABI and nothing of NumPy's C interface: arrays come
 * by __array_struct__, one result goes through a NumPy array of no dimension, many through arrays that numpy.empty() makes. The library comes
 * as addresses of functions, already loaded. */
#include "short_arrays.h"

#include <string.h>
#include <upsweep/upsweep.h>

enum { MOST_FUNCTIONS = 32, KINDS = 5, SIZES = 5, MOST_MEMBERS = 8, RESULT_BYTES = 128 };
enum { IGNORES_NAN = 0x100, COMPENSATED = 0x200, OF_FUNCTION = 0xff }; /* beside the number of a function */

/* A member of a result: bytes that become a NumPy scalar by way of an array, or a number of Python's. */
typedef struct member {
  char kind;      /* 'a': by the array, 'i': int, 'd': float, '?': bool */
  PyObject *cell; /* the array */
  void *cell_data;
  size_t offset, bytes;
  PyObject *of_many; /* the dtype of it in many results, or NULL: it is left out of these */
} member_t;

/* What a function does with arrays of a type. */
typedef struct entry {
  usw_operation_t operation;
  usw_type_t type;
  int inputs;      /* 0: nothing was learned */
  int order_flags; /* of contiguous arrays: any of them will do */
  Py_ssize_t count;
  member_t members[MOST_MEMBERS];
  PyObject *made_by;   /* is called with the members, or NULL: the only member is the result */
  size_t result_bytes; /* of the structure */
} entry_t;

static entry_t entries[MOST_FUNCTIONS][KINDS][SIZES];
static PyObject *no_index;
static __typeof__(usw_reduce) *reduce_one;
static __typeof__(usw_reduce_pair) *reduce_two;
static __typeof__(usw_reduce_axes) *reduce_axes_of_one;
static __typeof__(usw_reduce_axes_pair) *reduce_axes_of_two;
static __typeof__(usw_scan_inclusive) *scan_one;

static entry_t *entry_at(size_t function, char kind, int item_bytes) {
  const char *kinds = "iufcb", *found = kind ? strchr(kinds, kind) : NULL;
  int size = 0;
  while (size < SIZES && 1 << size != item_bytes)
    size++;
  return function < MOST_FUNCTIONS && found && size < SIZES ? &entries[function][found - kinds][size] : NULL;
}

/* setup(numpy.ndarray, numpy.empty, addresses of usw_reduce, usw_reduce_pair, usw_reduce_axes, usw_reduce_axes_pair, usw_scan_inclusive) */
static PyObject *setup(PyObject *module, PyObject *arguments) {
  unsigned long long one, two, axes_of_one, axes_of_two, scan;
  PyObject *type, *empty;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "OOKKKKK", &type, &empty, &one, &two, &axes_of_one, &axes_of_two, &scan))
    return NULL;
  set_array_types(type, empty);
  reduce_one = (__typeof__(reduce_one))(uintptr_t)one;
  reduce_two = (__typeof__(reduce_two))(uintptr_t)two;
  reduce_axes_of_one = (__typeof__(reduce_axes_of_one))(uintptr_t)axes_of_one;
  reduce_axes_of_two = (__typeof__(reduce_axes_of_two))(uintptr_t)axes_of_two;
  scan_one = (__typeof__(scan_one))(uintptr_t)scan;
  Py_RETURN_NONE;
}

static int learn_members(entry_t *entry, PyObject *members) {
  entry->count = PyTuple_Size(members);
  if (entry->count < 1 || entry->count > MOST_MEMBERS)
    return 0;
  for (Py_ssize_t i = 0; i < entry->count; i++) {
    member_t *member = &entry->members[i];
    PyObject *cell, *of_many;
    unsigned long long address;
    Py_ssize_t offset, bytes;
    int kind;
    if (!PyArg_ParseTuple(PyTuple_GetItem(members, i), "COKnnO", &kind, &cell, &address, &offset, &bytes, &of_many))
      return 0;
    if (offset < 0 || bytes < 1 || offset + bytes > RESULT_BYTES)
      return 0;
    Py_INCREF(cell);
    Py_INCREF(of_many);
    *member = (member_t){(char)kind,     cell,          (void *)(uintptr_t)address,
                         (size_t)offset, (size_t)bytes, of_many == Py_None ? NULL : of_many};
  }
  return 1;
}

/* learn(function, kind, item bytes, operation, type, inputs, whether in C order, members, made by or None, bytes of a result); a member:
 * (kind, array or None, its address, offset, bytes, dtype or None) */
static PyObject *learn(PyObject *module, PyObject *arguments) {
  Py_ssize_t function, result_bytes;
  int kind, item_bytes, operation, type, inputs, in_order;
  PyObject *members, *made_by;
  (void)module;
  if (!PyArg_ParseTuple(arguments, "nCiiiipO!On", &function, &kind, &item_bytes, &operation, &type, &inputs, &in_order,
                        &PyTuple_Type, &members, &made_by, &result_bytes))
    return NULL;
  entry_t *entry = function < 0 ? NULL : entry_at((size_t)function, (char)kind, item_bytes);
  entry_t learned = {(usw_operation_t)operation,
                     (usw_type_t)type,
                     inputs,
                     in_order ? C_ORDER : C_ORDER | FORTRAN_ORDER,
                     0,
                     {{0}},
                     made_by == Py_None ? NULL : made_by,
                     (size_t)result_bytes};
  if (!entry || inputs < 1 || inputs > 2 || !learn_members(&learned, members)) {
    if (!PyErr_Occurred())
      PyErr_SetString(PyExc_ValueError, "_short.learn(): no such entry");
    return NULL;
  }
  Py_INCREF(made_by);
  *entry = learned;
  Py_RETURN_NONE;
}

/* What is beside the number of a function. */
static usw_options_t options_of(size_t function) {
  usw_options_t options = {.size = sizeof options};
  options.nan = function & IGNORES_NAN ? USW_NAN_IGNORE : USW_NAN_PROPAGATE;
  options.accuracy = function & COMPENSATED ? USW_COMPENSATED : USW_REPEATABLE;
  return options;
}

/* Put the options into a structure, and give its address; NULL: there are none. 0: no single stride visits the elements. */
static int find_options(const entry_t *entry, const array_t *const *arrays, size_t function, usw_options_t *options,
                        const usw_options_t **found) {
  const int flags = arrays[0]->flags & (entry->inputs == 2 ? arrays[1]->flags : ~0);
  *found = NULL;
  if ((flags & entry->order_flags) && function <= OF_FUNCTION)
    return 1;
  *options = options_of(function);
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

static PyObject *reduce_arrays(size_t function, const entry_t *entry, const array_t *const *arrays) {
  usw_options_t options;
  const usw_options_t *given;
  if (!find_options(entry, arrays, function, &options, &given))
    Py_RETURN_NONE;
  return call(entry, arrays[0], entry->inputs == 2 ? arrays[1] : NULL, given);
}

/* ---- along axes ---- */

/* The axes of a call: which are reduced, and how many results there are, and items of each. */
typedef struct axes {
  uint32_t mask;
  Py_ssize_t results, items;
} axes_t;

/* One axis of an object; 0: it is none, or has been named before. */
static int add_axis(PyObject *object, int dimensions, uint32_t *mask) {
  int is_over = 0;
  const long axis = PyLong_Check(object) ? PyLong_AsLongAndOverflow(object, &is_over) : dimensions;
  const long counted = axis < 0 ? axis + dimensions : axis;
  if (is_over || counted < 0 || counted >= dimensions || (*mask >> counted & 1))
    return 0;
  *mask |= UINT32_C(1) << counted;
  return 1;
}

/* The axes that an int or a tuple of them names: some, not all, of an array that has elements. */
static int find_axes(PyObject *axis, const array_t *x, axes_t *axes) {
  const Py_ssize_t named = PyTuple_Check(axis) ? PyTuple_Size(axis) : 1;
  *axes = (axes_t){0, 1, 1};
  if (x->dimensions > USW_MAX_RANK)
    return 0;
  for (Py_ssize_t i = 0; i < named; i++)
    if (!add_axis(PyTuple_Check(axis) ? PyTuple_GetItem(axis, i) : axis, x->dimensions, &axes->mask))
      return 0;
  for (int d = 0; d < x->dimensions; d++)
    *(axes->mask >> d & 1 ? &axes->items : &axes->results) *= x->shape[d];
  return axes->mask + 1 != UINT32_C(1) << x->dimensions && axes->items > 0 && axes->results > 0;
}

/* As the library takes it; 0: strides are no multiples of elements. */
static int describe_array(const entry_t *entry, const array_t *x, usw_array_t *array) {
  *array = (usw_array_t){.size = sizeof *array, .data = x->data, .type = entry->type, .rank = (uint32_t)x->dimensions};
  for (int d = 0; d < x->dimensions; d++) {
    if (x->strides[d] % x->item_bytes)
      return 0;
    array->extent[d] = (size_t)x->shape[d];
    array->stride[d] = x->strides[d] / x->item_bytes;
  }
  return 1;
}

static PyObject *shape_of(const array_t *x, uint32_t mask, int keeps_dimensions) {
  const int kept = keeps_dimensions ? x->dimensions : x->dimensions - __builtin_popcount(mask);
  PyObject *shape = PyTuple_New(kept);
  for (int d = 0, k = 0; shape && d < x->dimensions; d++) {
    const int is_reduced = mask >> d & 1;
    if (is_reduced && !keeps_dimensions)
      continue;
    PyObject *length = PyLong_FromSsize_t(is_reduced ? 1 : x->shape[d]);
    if (!length || PyTuple_SetItem(shape, k++, length)) {
      Py_DECREF(shape);
      return NULL;
    }
  }
  return shape;
}

/* A member of many results, in an array of its own. */
static PyObject *member_of_many(const entry_t *entry, const member_t *member, const char *results, Py_ssize_t count,
                                PyObject *shape) {
  void *data;
  PyObject *array = new_array(shape, member->of_many, &data);
  const char *from = results + member->offset;
  for (Py_ssize_t r = 0; array && r < count; r++)
    memcpy((char *)data + (size_t)r * member->bytes, from + (size_t)r * entry->result_bytes, member->bytes);
  return array;
}

/* Whether a result has no index. */
static int lacks_index(const entry_t *entry, const member_t *member, const char *results, Py_ssize_t count) {
  int64_t index, least = 0;
  for (Py_ssize_t r = 0; r < count; r++) {
    memcpy(&index, results + (size_t)r * entry->result_bytes + member->offset, sizeof index);
    least = index < least ? index : least;
  }
  return least < 0;
}

/* A tuple of arrays by the function for it; of places the indices alone, or None: the usual way says what is wrong. */
static PyObject *value_of_many(const entry_t *entry, const char *results, Py_ssize_t count, PyObject *shape) {
  const member_t *const last = &entry->members[entry->count - 1];
  if (!entry->members[0].of_many && lacks_index(entry, last, results, count))
    Py_RETURN_NONE;
  if (!entry->members[0].of_many)
    return member_of_many(entry, last, results, count, shape);
  PyObject *members = PyTuple_New(entry->count), *made = NULL;
  Py_ssize_t i = 0;
  while (members && i < entry->count) {
    PyObject *array = member_of_many(entry, &entry->members[i], results, count, shape);
    if (!array || PyTuple_SetItem(members, i++, array))
      break;
  }
  if (members && i == entry->count && !PyErr_Occurred())
    made = PyObject_CallObject(entry->made_by, members);
  Py_XDECREF(members);
  return made;
}

/* What the library takes. */
typedef struct along {
  const entry_t *entry;
  usw_array_t arrays[2];
  usw_options_t options;
  axes_t axes;
} along_t;

static usw_status_t run_along(const along_t *along, void *results) {
  const entry_t *entry = along->entry;
  const uint32_t mask = along->axes.mask;
  usw_status_t status;
  Py_BEGIN_ALLOW_THREADS;
  status = entry->inputs == 2 ? reduce_axes_of_two(entry->operation, &along->arrays[0], &along->arrays[1], mask,
                                                   results, &along->options)
                              : reduce_axes_of_one(entry->operation, &along->arrays[0], mask, results, &along->options);
  Py_END_ALLOW_THREADS;
  return status;
}

/* Of one member: the library writes the array. */
static PyObject *results_in_array(const along_t *along, PyObject *shape) {
  void *data;
  PyObject *array = new_array(shape, along->entry->members[0].of_many, &data);
  if (!array || run_along(along, data) == USW_OK)
    return array;
  Py_DECREF(array);
  Py_RETURN_NONE;
}

static PyObject *results_in_arrays(const along_t *along, PyObject *shape) {
  char *results = PyMem_Malloc((size_t)along->axes.results * along->entry->result_bytes);
  PyObject *value = NULL;
  if (!results)
    return PyErr_NoMemory();
  if (run_along(along, results) == USW_OK)
    value = value_of_many(along->entry, results, along->axes.results, shape);
  else
    Py_INCREF(value = Py_None);
  PyMem_Free(results);
  return value;
}

static PyObject *reduce_along(size_t function, const entry_t *entry, const array_t *const *arrays, PyObject *axis,
                              int keeps_dimensions) {
  along_t along = {.entry = entry, .options = options_of(function)};
  if (!find_axes(axis, arrays[0], &along.axes))
    Py_RETURN_NONE;
  for (int i = 0; i < entry->inputs; i++)
    if (!describe_array(entry, arrays[i], &along.arrays[i]))
      Py_RETURN_NONE;
  PyObject *shape = shape_of(arrays[0], along.axes.mask, keeps_dimensions);
  PyObject *value = !shape              ? NULL
                    : entry->count == 1 ? results_in_array(&along, shape)
                                        : results_in_arrays(&along, shape);
  Py_XDECREF(shape);
  return value;
}

/* ---- scans ---- */

static PyObject *scan_elements(const entry_t *entry, const array_t *x, const usw_options_t *options) {
  const Py_ssize_t n = (Py_ssize_t)length_of(x);
  PyObject *shape = Py_BuildValue("(n)", n), *results;
  usw_status_t status;
  void *data;
  if (!shape)
    return NULL;
  results = new_array(shape, entry->members[0].of_many, &data);
  Py_DECREF(shape);
  if (!results)
    return NULL;
  Py_BEGIN_ALLOW_THREADS;
  status = scan_one(entry->operation, entry->type, x->data, (size_t)n, data, options);
  Py_END_ALLOW_THREADS;
  if (status == USW_OK)
    return results;
  Py_DECREF(results);
  Py_RETURN_NONE;
}

/* The elements in C order. Booleans are scanned as numbers, which is the usual way's. */
static PyObject *scan_array(size_t function, const entry_t *entry, const array_t *x) {
  usw_options_t options;
  const usw_options_t *given;
  if (entry->count != 1 || x->kind == 'b' || length_of(x) == 0 || (x->dimensions > 1 && !(x->flags & C_ORDER)) ||
      !find_options(entry, &x, function, &options, &given))
    Py_RETURN_NONE;
  return scan_elements(entry, x, given);
}

/* ---- calls ---- */

enum call { REDUCE, REDUCE_AXES, SCAN };

/* The arrays of a call behind `first` other arguments, alive by their capsules; how many, or 0: they are not taken. */
static int take_arrays(PyObject *arguments, Py_ssize_t first, const array_t **arrays, PyObject **capsules) {
  const Py_ssize_t inputs = PyTuple_Size(arguments) - first;
  int taken = 0;
  if (inputs < 1 || inputs > 2 || !reduce_one)
    return 0;
  while (taken < inputs && (arrays[taken] = array_of(PyTuple_GetItem(arguments, first + taken), &capsules[taken])))
    taken++;
  return taken == inputs && (taken == 1 || are_alike(arrays[0], arrays[1])) ? taken : 0;
}

static PyObject *reduce_along_of(size_t function, const entry_t *entry, const array_t *const *arrays,
                                 PyObject *arguments) {
  const int keeps_dimensions = PyObject_IsTrue(PyTuple_GetItem(arguments, 2));
  return keeps_dimensions < 0 ? NULL
                              : reduce_along(function, entry, arrays, PyTuple_GetItem(arguments, 1), keeps_dimensions);
}

/* The result of a call, or None. */
static PyObject *call_of(PyObject *arguments, enum call call) {
  PyObject *capsules[2] = {NULL, NULL}, *value = NULL;
  const array_t *arrays[2] = {NULL, NULL};
  const int inputs = take_arrays(arguments, call == REDUCE_AXES ? 3 : 1, arrays, capsules);
  const size_t function = inputs ? PyLong_AsSize_t(PyTuple_GetItem(arguments, 0)) : 0;
  const entry_t *entry = inputs ? entry_at(function & OF_FUNCTION, arrays[0]->kind, arrays[0]->item_bytes) : NULL;
  if (!PyErr_Occurred() && (!entry || entry->inputs != inputs))
    Py_INCREF(value = Py_None);
  else if (!PyErr_Occurred())
    value = call == REDUCE_AXES ? reduce_along_of(function, entry, arrays, arguments)
            : call == SCAN      ? scan_array(function, entry, arrays[0])
                                : reduce_arrays(function, entry, arrays);
  Py_XDECREF(capsules[0]);
  Py_XDECREF(capsules[1]);
  return value;
}

/* reduce(function, x[, y]): the result, or None for what is not taken: the usual way reduces it or tells what is wrong. */
static PyObject *reduce(PyObject *module, PyObject *arguments) {
  (void)module;
  return call_of(arguments, REDUCE);
}

/* reduce_axes(function, axis, keepdims, x[, y]): an array, or None, as of reduce(). */
static PyObject *reduce_axes(PyObject *module, PyObject *arguments) {
  (void)module;
  return call_of(arguments, REDUCE_AXES);
}

/* scan(function, x): the running results of that function in an array of one dimension, or None, as of reduce(). */
static PyObject *scan(PyObject *module, PyObject *arguments) {
  (void)module;
  return call_of(arguments, SCAN);
}

static PyMethodDef methods[] = {
    {"setup", setup, METH_VARARGS, NULL},   {"learn", learn, METH_VARARGS, NULL},
    {"reduce", reduce, METH_VARARGS, NULL}, {"reduce_axes", reduce_axes, METH_VARARGS, NULL},
    {"scan", scan, METH_VARARGS, NULL},     {NULL, NULL, 0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "_short", NULL, -1, methods, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__short(void) {
  no_index = PyTuple_New(0);
  return name_arrays() && no_index ? PyModule_Create(&definition) : NULL;
}
