/* Messages of command-line programs stay one line, whatever names and values from outside they quote. */
#ifndef MEASURE_ONE_LINE_H
#define MEASURE_ONE_LINE_H

/* Turn control characters, line ends and what terminals obey, into question marks. */
static inline void keep_one_line(char *text) {
  for (; *text; text++)
    if ((unsigned char)*text < ' ' || *text == 0x7f)
      *text = '?';
}

#endif
