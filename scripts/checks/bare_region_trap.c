/* Compiled without -fopenmp-cuda-mode, clang 19 makes nothing of this bare region, and says nothing:
 * a local in a called function has its address taken. image_manifest_fails.sh wants to see that seen. */
typedef struct {
  double sum, square;
} pair_t;

#pragma omp begin declare target
static void add(pair_t *pair, double x) {
  pair->sum += x;
  pair->square += x * x;
}

static void bare_region_trap_body(const double *x, long n, double *out) {
  pair_t pair = {0, 0};
  for (long i = 0; i < n; i++) {
    add(&pair, x[i]);
  }
  out[0] = pair.sum;
  out[1] = pair.square;
}
#pragma omp end declare target

void bare_region_trap_bare(const double *x, long n, double *out);
void bare_region_trap_bare(const double *x, long n, double *out) {
#pragma omp target teams ompx_bare num_teams(2) thread_limit(64) is_device_ptr(x, out)
  bare_region_trap_body(x, n, out);
}
