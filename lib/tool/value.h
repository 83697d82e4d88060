/* A result taken apart: named numbers, each as text. */
#ifndef USW_TOOL_VALUE_H
#define USW_TOOL_VALUE_H

#include "words.h"

enum { TOOL_MOST_FIELDS = 8, TOOL_VALUE_BYTES = 48 };

typedef enum tool_field_kind {
  TOOL_NUMBER,  /* text is a JSON number */
  TOOL_SPECIAL, /* nan, inf, -inf */
  TOOL_TRUTH,   /* true, false */
  TOOL_COMPLEX, /* text is the real part, imaginary the other */
  TOOL_INDEX,   /* of an element; `index` is the number */
} tool_field_kind_t;

typedef struct tool_field {
  const char *name; /* "value", "index", "minimum" ... */
  tool_field_kind_t kind;
  int64_t index;
  char text[TOOL_VALUE_BYTES], imaginary[TOOL_VALUE_BYTES];
} tool_field_t;

/* The fields of an operation's result; returns how many there are. */
size_t tool_fields(const tool_operation_t *operation, const tool_type_t *type, const void *result,
                   tool_field_t *fields);

/* An element of a type as a field. */
tool_field_t tool_element(const char *name, usw_type_t type, const void *at);

/* The type of an operation's result as one number: of argmin and argmax the index. TOOL_NO_NUMBER: it has several. */
enum { TOOL_NO_NUMBER = -1 };
int tool_number_type(const tool_operation_t *operation, const tool_type_t *type);

/* Copy that number, whose type is not TOOL_NO_NUMBER. */
void tool_number(const tool_operation_t *operation, const tool_type_t *type, const void *result, void *number);

/* Change the index of a result of argmin or argmax. */
void tool_set_index(const tool_type_t *type, void *result, int64_t index);

/* The number that a text is, as an element of a type; 0, or -1: it is none of that type. A value has up to 16 bytes. */
int tool_parse_value(const char *text, usw_type_t type, void *value);

/* A double in the fewest digits that read back as it, or as float if it is one. */
void tool_write_real(char *buffer, size_t bytes, double value, int is_float);

#endif
