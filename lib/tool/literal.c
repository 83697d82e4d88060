/* Python literals by recursive descent, a function for each form. */
#include "literal.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 32 };

typedef struct parser {
  const char *text;
  size_t bytes, at;
  int has_long, depth;
  char *texts; /* where the next text goes; all of them are shorter than what is parsed */
  tool_literal_error_t *error;
} parser_t;

/* Free `literal`, say why it is none; returns NULL. */
static tool_literal_t *fail(const parser_t *parser, tool_literal_t *literal, const char *why) {
  tool_literal_free(literal);
  *parser->error = (tool_literal_error_t){parser->at, why};
  return NULL;
}

static tool_literal_t *start(const parser_t *parser, tool_literal_kind_t kind) {
  tool_literal_t *literal = calloc(1, sizeof *literal);
  if (!literal)
    return fail(parser, NULL, "there is no memory for it");
  literal->kind = kind;
  return literal;
}

/* ---- characters ---- */

/* The byte that is `ahead` bytes on, or -1 behind the end. */
static int peek(const parser_t *parser, size_t ahead) {
  return parser->at + ahead < parser->bytes ? (unsigned char)parser->text[parser->at + ahead] : -1;
}

static int is_one_of(int c, const char *list) { return c > 0 && strchr(list, c); }

static int is_digit(int c) { return c >= '0' && c <= '9'; }

static int is_name(int c) { return c == '_' || is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* The value of a digit of any base up to 16, or 16. */
static unsigned digit_of(int c) {
  const int lower = c | 0x20;
  return is_digit(c) ? (unsigned)(c - '0') : lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a' + 10) : 16;
}

/* Blanks, ends of lines, and comments. */
static void skip_blanks(parser_t *parser) {
  for (;;) {
    const int c = peek(parser, 0);
    if (c == '#')
      while (peek(parser, 0) >= 0 && peek(parser, 0) != '\n')
        parser->at++;
    else if (c == '\\' && peek(parser, 1) == '\n')
      parser->at += 2;
    else if (is_one_of(c, " \t\n\r\f"))
      parser->at++;
    else
      return;
  }
}

/* ---- numbers ---- */

static unsigned take_base(parser_t *parser) {
  const int letter = peek(parser, 1) | 0x20;
  if (peek(parser, 0) != '0' || !is_one_of(letter, "xob"))
    return 10;
  parser->at += 2;
  return letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
}

/* Returns how many there are; an underscore may stand between two. */
static size_t take_digits(parser_t *parser, unsigned base, tool_literal_t *literal) {
  const size_t begin = parser->at;
  for (;; parser->at++) {
    if (parser->at > begin && peek(parser, 0) == '_' && digit_of(peek(parser, 1)) < base)
      parser->at++;
    const unsigned digit = digit_of(peek(parser, 0));
    if (digit >= base)
      return parser->at - begin;
    literal->is_large |= __builtin_mul_overflow(literal->number, base, &literal->number);
    literal->is_large |= __builtin_add_overflow(literal->number, digit, &literal->number);
  }
}

/* NumPy takes the L of Python 2 also behind blanks. */
static void take_long(parser_t *parser) {
  size_t ahead = 0;
  while (is_one_of(peek(parser, ahead), " \t"))
    ahead++;
  if (parser->has_long && peek(parser, ahead) == 'L' && !is_name(peek(parser, ahead + 1)))
    parser->at += ahead + 1;
}

static tool_literal_t *parse_number(parser_t *parser) {
  tool_literal_t *literal = start(parser, TOOL_LITERAL_NUMBER);
  if (!literal)
    return NULL;
  if (is_one_of(peek(parser, 0), "+-")) {
    literal->is_negative = peek(parser, 0) == '-';
    parser->at++;
    skip_blanks(parser);
  }
  const int is_zero_first = peek(parser, 0) == '0';
  const unsigned base = take_base(parser);
  if (take_digits(parser, base, literal) == 0)
    return fail(parser, literal, "a digit is missing");
  if (base == 10 && is_zero_first && (literal->number || literal->is_large))
    return fail(parser, literal, "a number has a zero before its first digit");
  take_long(parser);
  if (is_name(peek(parser, 0)) || peek(parser, 0) == '.')
    return fail(parser, literal, "a number is no whole number");
  return literal;
}

/* ---- texts ---- */

/* How many letters stand before the quote of a text; -1: this is no text. */
static int prefix_length(const parser_t *parser) {
  int length = 0;
  while (length < 2 && is_one_of(peek(parser, (size_t)length), "uUrRbB"))
    length++;
  return is_one_of(peek(parser, (size_t)length), "'\"") ? length : -1;
}

/* What a backslash begins. Forms that no header has stay as they are written. */
static void take_escape(parser_t *parser, int is_raw) {
  static const char letters[] = "\\'\"ntr", values[] = "\\'\"\n\t\r";
  const int c = peek(parser, 1);
  const char *letter = is_one_of(c, letters) ? strchr(letters, c) : NULL;
  const unsigned high = digit_of(peek(parser, 2)), low = digit_of(peek(parser, 3)), value = 16 * high + low;
  size_t length = c < 0 ? 1 : 2;
  if (letter && !is_raw) {
    *parser->texts++ = values[letter - letters];
  } else if (c == 'x' && !is_raw && high < 16 && low < 16 && value > 0) {
    *parser->texts++ = (char)value;
    length = 4;
  } else if (c != '\n' || is_raw) {
    memcpy(parser->texts, parser->text + parser->at, length);
    parser->texts += length;
  }
  parser->at += length;
}

/* One text behind its prefix; 0, or -1 where it has no end. */
static int take_quoted(parser_t *parser, int is_raw) {
  const int quote = peek(parser, 0);
  const int is_triple = peek(parser, 1) == quote && peek(parser, 2) == quote;
  parser->at += is_triple ? 3 : 1;
  for (;;) {
    const int c = peek(parser, 0);
    if (c < 0 || (c == '\n' && !is_triple))
      return -1;
    if (c == quote && (!is_triple || (peek(parser, 1) == quote && peek(parser, 2) == quote))) {
      parser->at += is_triple ? 3 : 1;
      return 0;
    }
    if (c == '\\') {
      take_escape(parser, is_raw);
    } else {
      *parser->texts++ = (char)c;
      parser->at++;
    }
  }
}

/* Texts that follow each other are one. */
static tool_literal_t *parse_text(parser_t *parser) {
  tool_literal_t *literal = start(parser, TOOL_LITERAL_TEXT);
  if (!literal)
    return NULL;
  literal->text = parser->texts;
  for (int length; (length = prefix_length(parser)) >= 0; skip_blanks(parser)) {
    int is_raw = 0;
    for (int k = 0; k < length; k++, parser->at++) {
      is_raw |= is_one_of(peek(parser, 0), "rR");
      if (is_one_of(peek(parser, 0), "bB"))
        literal->kind = TOOL_LITERAL_BYTES;
    }
    if (take_quoted(parser, is_raw))
      return fail(parser, literal, "a text has no end");
  }
  *parser->texts++ = 0;
  return literal;
}

/* ---- names, and what holds other literals ---- */

static tool_literal_t *parse_name(parser_t *parser) {
  static const struct {
    const char *name;
    tool_literal_kind_t kind;
    uint64_t number;
  } names[] = {{"True", TOOL_LITERAL_TRUTH, 1}, {"False", TOOL_LITERAL_TRUTH, 0}, {"None", TOOL_LITERAL_NONE, 0}};
  for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
    const size_t length = strlen(names[k].name);
    if (parser->bytes - parser->at < length || memcmp(parser->text + parser->at, names[k].name, length) != 0 ||
        is_name(peek(parser, length)))
      continue;
    tool_literal_t *literal = start(parser, names[k].kind);
    if (literal)
      literal->number = names[k].number;
    parser->at += length;
    return literal;
  }
  return fail(parser, NULL, "no value starts here");
}

static tool_literal_t *parse_value(parser_t *parser);

/* A key, its colon and its value, as a list of two. */
static tool_literal_t *parse_pair(parser_t *parser) {
  tool_literal_t *key = parse_value(parser);
  if (!key)
    return NULL;
  skip_blanks(parser);
  if (peek(parser, 0) != ':')
    return fail(parser, key, "a : is missing");
  parser->at++;
  skip_blanks(parser);
  key->next = parse_value(parser);
  if (key->next)
    return key;
  tool_literal_free(key); /* the value has said why */
  return NULL;
}

/* From the bracket that opens to the one that closes, each with a comma or the closing bracket behind it. */
static tool_literal_t *parse_inside(parser_t *parser, tool_literal_kind_t kind, char close, const char *missing) {
  tool_literal_t *literal = start(parser, kind), **last;
  if (!literal)
    return NULL;
  last = &literal->first;
  int has_comma = 0;
  parser->at++;
  for (skip_blanks(parser); peek(parser, 0) != close; skip_blanks(parser)) {
    *last = kind == TOOL_LITERAL_DICTIONARY ? parse_pair(parser) : parse_value(parser);
    if (!*last) {
      tool_literal_free(literal);
      return NULL;
    }
    while (*last)
      last = &(*last)->next;
    skip_blanks(parser);
    has_comma = peek(parser, 0) == ',';
    if (!has_comma && peek(parser, 0) != close)
      return fail(parser, literal, missing);
    parser->at += has_comma ? 1 : 0;
  }
  parser->at++;
  if (kind != TOOL_LITERAL_TUPLE || has_comma || !literal->first || literal->first->next)
    return literal;
  tool_literal_t *only = literal->first; /* in brackets that mean nothing */
  free(literal);
  return only;
}

static tool_literal_t *parse_form(parser_t *parser) {
  const int c = peek(parser, 0);
  if (c == '{')
    return parse_inside(parser, TOOL_LITERAL_DICTIONARY, '}', "a , or } is missing");
  if (c == '(')
    return parse_inside(parser, TOOL_LITERAL_TUPLE, ')', "a , or ) is missing");
  if (c == '[')
    return parse_inside(parser, TOOL_LITERAL_LIST, ']', "a , or ] is missing");
  if (prefix_length(parser) >= 0)
    return parse_text(parser);
  return is_digit(c) || is_one_of(c, "+-") ? parse_number(parser) : parse_name(parser);
}

static tool_literal_t *parse_value(parser_t *parser) {
  if (parser->depth == MOST_DEPTH)
    return fail(parser, NULL, "brackets are nested too deeply");
  const size_t at = parser->at;
  parser->depth++;
  tool_literal_t *literal = parse_form(parser);
  parser->depth--;
  if (literal) {
    literal->at = at;
    literal->end = parser->at;
  }
  return literal;
}

/* ---- the whole ---- */

tool_literal_t *tool_literal_parse(const char *text, size_t bytes, int has_long, tool_literal_error_t *error_out) {
  char *texts = malloc(bytes + 1);
  parser_t parser = {text, bytes, 0, has_long, 0, texts, error_out};
  tool_literal_t *literal = NULL;
  const char *zero = memchr(text, 0, bytes);
  parser.at = zero ? (size_t)(zero - text) : 0;
  if (!texts) {
    fail(&parser, NULL, "there is no memory for it");
  } else if (zero) {
    fail(&parser, NULL, "there is a zero byte");
  } else {
    skip_blanks(&parser);
    literal = parse_value(&parser);
    skip_blanks(&parser);
    if (literal && parser.at < bytes)
      literal = fail(&parser, literal, "something follows its end");
  }
  if (literal)
    literal->texts = texts;
  else
    free(texts);
  return literal;
}

void tool_literal_free(tool_literal_t *literal) {
  while (literal) {
    tool_literal_t *next = literal->next;
    tool_literal_free(literal->first);
    free(literal->texts);
    free(literal);
    literal = next;
  }
}

const tool_literal_t *tool_literal_value(const tool_literal_t *dictionary, const char *key) {
  const tool_literal_t *found = NULL;
  for (const tool_literal_t *at = dictionary->first; at; at = at->next->next)
    if (at->kind == TOOL_LITERAL_TEXT && strcmp(at->text, key) == 0)
      found = at->next;
  return found;
}
