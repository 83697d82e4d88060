/* OpenBLAS as a peer, as everybody calls it. Complex asum adds the absolute values of real and imaginary parts, which is
 * no norm: it has no case. */
#include "host_threads.h"
#include "plugin.h"

#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

struct peer_case {
  const char *kernel, *type;
  void (*call)(int n, const void *x, const void *y, void *result_out);
};

/* Functions by the name of OpenBLAS: of two streams, of one, and the place of the greatest absolute value. */
#define PAIR(name, T)                                                                                                  \
  static void name(int n, const void *x, const void *y, void *result_out) {                                            \
    *(T *)result_out = cblas_##name(n, x, 1, y, 1);                                                                    \
  }
#define COMPLEX_PAIR(name)                                                                                             \
  static void name(int n, const void *x, const void *y, void *result_out) {                                            \
    cblas_##name##_sub(n, x, 1, y, 1, result_out);                                                                     \
  }
#define SINGLE(name, R)                                                                                                \
  static void name(int n, const void *x, const void *y, void *result_out) {                                            \
    (void)y;                                                                                                           \
    *(R *)result_out = cblas_##name(n, x, 1);                                                                          \
  }
#define GREATEST(name, T)                                                                                              \
  static void name(int n, const void *x, const void *y, void *result_out) {                                            \
    (void)y;                                                                                                           \
    *(T *)result_out = (T)fabs(((const T *)x)[cblas_##name(n, x, 1)]);                                                 \
  }
PAIR(sdot, float)
PAIR(ddot, double)
COMPLEX_PAIR(cdotu)
COMPLEX_PAIR(zdotu)
COMPLEX_PAIR(cdotc)
COMPLEX_PAIR(zdotc)
SINGLE(ssum, float)
SINGLE(dsum, double)
SINGLE(sasum, float)
SINGLE(dasum, double)
SINGLE(snrm2, float)
SINGLE(dnrm2, double)
SINGLE(scnrm2, float)
SINGLE(dznrm2, double)
GREATEST(isamax, float)
GREATEST(idamax, double)

static const peer_case_t cases[] = {
    {"sum", "f32", ssum},      {"sum", "f64", dsum},      {"dot", "f32", sdot},        {"dot", "f64", ddot},
    {"dot", "cf32", cdotu},    {"dot", "cf64", zdotu},    {"dotc", "cf32", cdotc},     {"dotc", "cf64", zdotc},
    {"norm1", "f32", sasum},   {"norm1", "f64", dasum},   {"norm2", "f32", snrm2},     {"norm2", "f64", dnrm2},
    {"norm2", "cf32", scnrm2}, {"norm2", "cf64", dznrm2}, {"norm_inf", "f32", isamax}, {"norm_inf", "f64", idamax},
};

static const peer_form_t forms[] = {{"openblas", "cblas", PEER_OTHER_THREADS | PEER_PLAIN_LOOP}, {NULL, NULL, 0}};

/* Threads beyond those that it started when it was loaded are started here. */
static void take_threads(void) {
  cpu_set_t bound;
  peer_host_unbind(&bound);
  openblas_set_num_threads(peer_host_threads());
  peer_host_bind(&bound);
}

static const char *version(void) {
  static char text[256];
  take_threads();
  char config[sizeof text - 32];
  snprintf(config, sizeof config, "%s", openblas_get_config());
  config[strcspn(config, "\n")] = 0;
  snprintf(text, sizeof text, "%s, %d threads", config, openblas_get_num_threads());
  return text;
}

static const peer_case_t *find(const char *kernel, const char *type) {
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    if (strcmp(cases[k].kernel, kernel) == 0 && strcmp(cases[k].type, type) == 0)
      return &cases[k];
  return NULL;
}

static int prepare(const peer_case_t *found, const void *x, const void *y, size_t n) {
  (void)found, (void)x, (void)y;
  return n > INT_MAX ? -1 : 0;
}

static int run(const peer_case_t *found, int form, const void *x, const void *y, size_t n, void *result_out) {
  (void)form;
  found->call((int)n, x, y, result_out);
  return 0;
}

static int settle(void) { return 0; }

const peer_plugin_t peer_plugin = {version, forms, find, prepare, run, settle, NULL};
