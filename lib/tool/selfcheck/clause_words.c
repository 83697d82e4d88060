/* Lists of words, and paths. */
#include "selfcheck/clause_parts.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <wordexp.h>

int clause_add_word(clause_words_t *words, const char *word) {
  char **grown = realloc(words->words, (size_t)(words->count + 2) * sizeof *grown);
  if (!grown)
    return -1;
  words->words = grown;
  grown[words->count] = strdup(word);
  if (!grown[words->count])
    return -1;
  grown[++words->count] = NULL;
  return 0;
}

int clause_split(clause_words_t *words, const char *text, const char *name) {
  wordexp_t parts;
  if (!text || !*text)
    return 0;
  if (wordexp(text, &parts, WRDE_NOCMD | WRDE_UNDEF) != 0) {
    fprintf(stderr, "usw-selfcheck: %s: '%s' cannot be split into words\n", name, text);
    return -1;
  }
  int failed = 0;
  for (size_t w = 0; w < parts.we_wordc && !failed; w++)
    failed = clause_add_word(words, parts.we_wordv[w]);
  wordfree(&parts);
  return failed;
}

int clause_split_list(clause_words_t *words, const char *text) {
  char *copy = strdup(text), *rest = NULL;
  int failed = !copy ? -1 : 0;
  for (char *part = copy ? strtok_r(copy, ",", &rest) : NULL; part && !failed; part = strtok_r(NULL, ",", &rest))
    failed = clause_add_word(words, part);
  free(copy);
  return failed;
}

int clause_has_word(const clause_words_t *words, const char *word) {
  for (int w = 0; w < words->count; w++)
    if (strcmp(words->words[w], word) == 0)
      return 1;
  return 0;
}

void clause_free_words(clause_words_t *words) {
  for (int w = 0; w < words->count; w++)
    free(words->words[w]);
  free(words->words);
  *words = (clause_words_t){0};
}

int clause_path(char path_out[PATH_MAX], const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(path_out, PATH_MAX, format, arguments);
  va_end(arguments);
  if (length >= 0 && length < PATH_MAX)
    return 0;
  fprintf(stderr, "usw-selfcheck: a path is longer than %d bytes: %.60s...\n", PATH_MAX - 1, path_out);
  return -1;
}
