/* Text that came from outside, an environment variable's value or a file's name, on its way into a message. */
#ifndef USWI_BASE_TEXT_H
#define USWI_BASE_TEXT_H

/* Whether a byte is a control character of ASCII: a line's end, or what terminals obey. */
static inline int uswi_is_control(char byte) { return (unsigned char)byte < ' ' || byte == 0x7f; }

/* Turn control characters into question marks, so that a message stays one line. */
static inline void uswi_keep_one_line(char *text) {
  for (; *text; text++)
    if (uswi_is_control(*text))
      *text = '?';
}

#endif
