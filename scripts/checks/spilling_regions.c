/* Regions that need more registers than a thread has, one that keeps an array in local memory, and one whose loads wait
 * for each other. image_manifest_fails.sh wants to see that seen. */
enum { COUNT = 160 };

#pragma omp begin declare target
static void use_many(const double *x, long worker, double *out) {
  double values[COUNT], result = 0;
#pragma unroll
  for (int i = 0; i < COUNT; i++) {
    values[i] = x[worker * COUNT + i];
  }
#pragma unroll
  for (int i = 0; i < COUNT; i++) {
    result = result * result + values[i];
  }
#pragma unroll
  for (int i = 0; i < COUNT; i++) {
    result = result * result + values[COUNT - 1 - i];
  }
  out[worker] = result;
}

static void use_array(const double *x, long n, double *out) {
  double bins[COUNT] = {0};
  for (long i = 0; i < n; i++) {
    bins[(long)x[i] % COUNT] += x[i];
  }
  out[0] = bins[n % COUNT];
}

static void use_one_by_one(const double *x, long n, double *out) {
  double sum = 0;
#pragma clang loop unroll(disable)
  for (long i = 0; i < n; i++) {
    sum += x[i];
  }
  out[0] = sum;
}
#pragma omp end declare target

void trap_many_bare(const double *x, long n, double *out);
void trap_many_bare(const double *x, long n, double *out) {
#pragma omp target teams ompx_bare num_teams(2) thread_limit(64) is_device_ptr(x, out)
  use_many(x, n, out);
}

void trap_array_bare(const double *x, long n, double *out);
void trap_array_bare(const double *x, long n, double *out) {
#pragma omp target teams ompx_bare num_teams(2) thread_limit(64) is_device_ptr(x, out)
  use_array(x, n, out);
}

void trap_slow_bare(const double *x, long n, double *out);
void trap_slow_bare(const double *x, long n, double *out) {
#pragma omp target teams ompx_bare num_teams(2) thread_limit(64) is_device_ptr(x, out)
  use_one_by_one(x, n, out);
}

void trap_many_standard(const double *x, long n, double *out);
void trap_many_standard(const double *x, long n, double *out) {
#pragma omp target teams distribute parallel for num_teams(2) thread_limit(64) is_device_ptr(x, out)
  for (long worker = 0; worker < n; worker++) {
    use_many(x, worker, out);
  }
}
