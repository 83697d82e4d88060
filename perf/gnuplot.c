#include "gnuplot.h"

#include <signal.h>
#include <stdlib.h>

int gnuplot_is_there(void) { return system("command -v gnuplot >/dev/null 2>&1") == 0; }

int gnuplot_can_write(const char *file) {
  FILE *stream = fopen(file, "w");
  return stream && fclose(stream) == 0;
}

FILE *gnuplot_open(void) {
  signal(SIGPIPE, SIG_IGN);
  return popen("exec gnuplot -", "w");
}

int gnuplot_close(FILE *gnuplot) { return pclose(gnuplot) == 0 ? 0 : -1; }

void gnuplot_quoted(FILE *gnuplot, const char *text) {
  fputc('\'', gnuplot);
  for (; *text; text++) {
    if (*text == '\'')
      fputc('\'', gnuplot);
    fputc(*text == '\n' || *text == '\r' ? ' ' : *text, gnuplot);
  }
  fputc('\'', gnuplot);
}
