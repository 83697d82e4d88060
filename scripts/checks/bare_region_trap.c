/* Compiled without -fopenmp-cuda-mode, clang 19 makes nothing of the bare region of trap_lost, and says nothing: a local
 * in a called function has its address taken. Only in a file of bare regions: a standard one beside it saves it.
 * trap_idle loads, but no thread hands anything to another. image_manifest_fails.sh wants to see both seen. */
typedef struct {
  double sum, square;
} pair_t;

#pragma omp begin declare target
static void add(pair_t *pair, double x) {
  pair->sum += x;
  pair->square += x * x;
}

static void lost(const double *x, long n, double *out) {
  pair_t pair = {0, 0};
  for (long i = 0; i < n; i++) {
    add(&pair, x[i]);
  }
  out[0] = pair.sum;
  out[1] = pair.square;
}
#pragma omp end declare target

void trap_lost_bare(const double *x, long n, double *out);
void trap_lost_bare(const double *x, long n, double *out) {
#pragma omp target teams ompx_bare num_teams(2) thread_limit(64) is_device_ptr(x, out)
  lost(x, n, out);
}

void trap_idle_bare(const double *x, long n, double *out);
void trap_idle_bare(const double *x, long n, double *out) {
#pragma omp target teams ompx_bare num_teams(2) thread_limit(64) is_device_ptr(x, out)
  for (long i = 0; i < n; i++) {
    out[0] += x[i];
  }
}
