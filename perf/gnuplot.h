/* gnuplot at the other end of a pipe. */
#ifndef BENCH_GNUPLOT_H
#define BENCH_GNUPLOT_H

#include <stdio.h>

/* Whether there is a gnuplot on the path. */
int gnuplot_is_there(void);

/* Whether the file can be written, which makes it empty: gnuplot would draw to its standard output instead. */
int gnuplot_can_write(const char *file);

/* A stream of commands to a new gnuplot, or NULL and errno. Where gnuplot ends early the close says so: SIGPIPE is ignored
 * from now on. */
FILE *gnuplot_open(void);

/* 0 where gnuplot did all that it was told. */
int gnuplot_close(FILE *gnuplot);

/* A text in gnuplot's single quotes, where two of them stand for one; what would end the line becomes a space. */
void gnuplot_quoted(FILE *gnuplot, const char *text);

#endif
