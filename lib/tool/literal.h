/* Python literals as trees: dictionaries, tuples, lists, texts, whole numbers, True, False and None. The header of a .npy
 * file is one. Nothing here depends on files or on what a literal means. */
#ifndef USW_TOOL_LITERAL_H
#define USW_TOOL_LITERAL_H

#include <stddef.h>
#include <stdint.h>

typedef enum tool_literal_kind {
  TOOL_LITERAL_NONE,
  TOOL_LITERAL_TRUTH,
  TOOL_LITERAL_NUMBER,
  TOOL_LITERAL_TEXT,
  TOOL_LITERAL_BYTES, /* b'...' */
  TOOL_LITERAL_TUPLE,
  TOOL_LITERAL_LIST,
  TOOL_LITERAL_DICTIONARY, /* its keys and values in turn */
} tool_literal_kind_t;

typedef struct tool_literal tool_literal_t;
struct tool_literal {
  tool_literal_kind_t kind;
  size_t at, end;               /* its first byte, and the one behind its last */
  uint64_t number;              /* of a truth, 0 or 1; of a number, without its sign */
  int is_negative;              /* of a number */
  int is_large;                 /* of a number: it has more than 64 bits */
  const char *text;             /* of a text or bytes; ends with its only zero byte */
  tool_literal_t *first, *next; /* of a dictionary, tuple or list, the first in it; the one behind this one */
  char *texts;                  /* of the outermost literal, the memory of all texts in it */
};

/* Why a text is no literal. */
typedef struct tool_literal_error {
  size_t at;       /* the byte of the text */
  const char *why; /* "a : is missing" */
} tool_literal_error_t;

/* The literal that the whole text is, to be freed; NULL with the error filled in. `has_long` says whether numbers may end
 * in L, as Python 2 writes them. */
tool_literal_t *tool_literal_parse(const char *text, size_t bytes, int has_long, tool_literal_error_t *error_out);

void tool_literal_free(tool_literal_t *literal);

/* The value of a key that is a text, or NULL. Of several the last one counts, as in Python. */
const tool_literal_t *tool_literal_value(const tool_literal_t *dictionary, const char *key);

#endif
