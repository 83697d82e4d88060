/* Scans on the host beside oneTBB's parallel_scan, the C++ library's inclusive_scan on one core, and two copies by as many threads as the
 * scan has: memcpy, and stores past the caches, which no scan can be faster than. Sums of doubles; all take turns in each round. What the
 * C++ library computes is compared with all others, to the last bit: elements are integers.
 *   clang-19 -O3 -fopenmp -Iperf -Iinclude -c perf/peers/quiet_host.c && \
 *   clang++-19 -O3 -march=native -fopenmp -std=c++17 perf/scans/host.cpp quiet_host.o -Iinclude -Lbuild/release -lupsweep \
 *     -Wl,-rpath,$PWD/build/release -ltbb -o host && ./host [--rounds N] [--json FILE --commit HASH] [LOGARITHM...]
 * By clang, so that program and library have one OpenMP runtime. */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <numeric>
#include <omp.h>
#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/global_control.h>
#include <oneapi/tbb/parallel_scan.h>
#include <oneapi/tbb/version.h>
#include <string>
#include <upsweep/upsweep.h>
#include <vector>

extern "C" void peer_quiet_host(void); // perf/peers/peers.h, which is C

namespace {

using range = tbb::blocked_range<size_t>;
using vector_t = double __attribute__((vector_size(16), may_alias));
constexpr size_t little = 1 << 16, at_once = sizeof(vector_t) / sizeof(double);

const double *x;
double *y;

void scan(size_t n) {
  if (usw_scan_inclusive(USW_PLUS, USW_F64, x, n, y, nullptr) != USW_OK) {
    std::fprintf(stderr, "%s\n", usw_error_text());
    std::exit(1);
  }
}

void scan_in_place(size_t n) {
  if (usw_scan_inclusive(USW_PLUS, USW_F64, y, n, y, nullptr) != USW_OK)
    std::exit(1);
}

void by_tbb(size_t n) {
  tbb::parallel_scan(
      range(0, n), 0.0,
      [](const range &part, double sum, bool is_final) {
        for (size_t i = part.begin(); i < part.end(); i++) {
          sum += x[i];
          if (is_final)
            y[i] = sum;
        }
        return sum;
      },
      std::plus<double>());
}

void by_one_core(size_t n) { std::inclusive_scan(x, x + n, y); }

/* Each thread's part, from a multiple of what is stored at once on. */
template <class Copy> void copy_by_threads(size_t n, Copy copy) {
#pragma omp parallel if (n >= little)
  {
    const size_t threads = static_cast<size_t>(omp_get_num_threads()), t = static_cast<size_t>(omp_get_thread_num());
    const size_t first = n * t / threads / at_once * at_once, last = n * (t + 1) / threads / at_once * at_once;
    copy(first, last - first);
  }
}

void copy(size_t n) {
  copy_by_threads(n, [](size_t first, size_t count) { std::memcpy(y + first, x + first, count * sizeof *y); });
}

void copy_past_caches(size_t n) {
  copy_by_threads(n, [](size_t first, size_t count) {
    const auto *from = reinterpret_cast<const vector_t *>(x + first);
    auto *to = reinterpret_cast<vector_t *>(y + first);
    for (size_t k = 0; k < count / at_once; k++)
      __builtin_nontemporal_store(from[k], to + k);
  });
}

struct way {
  const char *name;
  void (*run)(size_t n);
  bool is_scan, is_in_place;
};
const way ways[] = {{"upsweep", scan, true, false}, {"upsweep_in_place", scan_in_place, true, true},
                    {"tbb", by_tbb, true, false},   {"inclusive_scan", by_one_core, true, false},
                    {"copy", copy, false, false},   {"copy_past_caches", copy_past_caches, false, false}};
constexpr size_t way_count = sizeof ways / sizeof *ways;

struct cell {
  int logarithm;
  double median[way_count], least[way_count];
  bool is_right;
};

bool is_right(const way &which, size_t n, const std::vector<double> &expected) {
  std::fill_n(y, n, -1.0);
  if (which.is_in_place)
    std::copy_n(x, n, y);
  which.run(n);
  return !which.is_scan || std::memcmp(y, expected.data(), n * sizeof *y) == 0;
}

cell measure(int logarithm, int rounds) {
  const size_t n = static_cast<size_t>(1) << logarithm;
  const int repeats = n < little ? 2000 : 1;
  cell found = {logarithm, {}, {}, true};
  std::vector<double> expected(n), times[way_count];
  std::partial_sum(x, x + n, expected.begin());
  for (const way &which : ways)
    found.is_right = found.is_right && is_right(which, n, expected);
  for (int round = 0; round < rounds; round++)
    for (size_t w = 0; w < way_count; w++) {
      peer_quiet_host();
      ways[w].run(n); /* wakes its threads */
      const double start = omp_get_wtime();
      for (int k = 0; k < repeats; k++)
        ways[w].run(n);
      times[w].push_back((omp_get_wtime() - start) / repeats * 1e6);
    }
  for (size_t w = 0; w < way_count; w++) {
    std::sort(times[w].begin(), times[w].end());
    found.median[w] = times[w][times[w].size() / 2];
    found.least[w] = times[w][0];
  }
  return found;
}

void print(const cell &found) {
  std::printf("2^%d doubles, us (least):", found.logarithm);
  for (size_t w = 0; w < way_count; w++)
    std::printf(" %s %.2f (%.2f)", ways[w].name, found.median[w], found.least[w]);
  std::printf("%s\n", found.is_right ? "" : "  WRONG");
  std::fflush(stdout);
}

std::string processor() {
  std::ifstream stream("/proc/cpuinfo");
  for (std::string line; std::getline(stream, line);)
    if (line.rfind("model name", 0) == 0)
      return line.substr(line.find(':') + 2);
  return "unknown";
}

void write_json(const char *file, const std::string &commit, const std::string &command, int rounds,
                const std::vector<cell> &cells) {
  std::FILE *stream = std::fopen(file, "w");
  if (!stream) {
    std::perror(file);
    std::exit(1);
  }
  std::fprintf(stream, "{\n \"device\": \"%s\",\n \"commit\": \"%s\",\n", processor().c_str(), commit.c_str());
  std::fprintf(stream, " \"threads\": %d,\n \"upsweep\": %d,\n \"tbb\": \"%s\",\n \"compiler\": \"clang %s\",\n",
               omp_get_max_threads(), usw_version(), TBB_runtime_version(), __clang_version__);
  std::fprintf(stream, " \"command\": \"%s\",\n \"unit\": \"us, medians of %d rounds, and the least\",\n \"cells\": [",
               command.c_str(), rounds);
  for (size_t c = 0; c < cells.size(); c++) {
    std::fprintf(stream, "%s\n  {\n   \"cell\": \"sum f64 2^%d\",\n   \"right\": %s", c ? "," : "", cells[c].logarithm,
                 cells[c].is_right ? "true" : "false");
    for (size_t w = 0; w < way_count; w++)
      std::fprintf(stream, ",\n   \"%s\": %.2f,\n   \"%s_least\": %.2f", ways[w].name, cells[c].median[w], ways[w].name,
                   cells[c].least[w]);
    std::fprintf(stream, "\n  }");
  }
  std::fprintf(stream, "\n ]\n}\n");
  std::fclose(stream);
}

} // namespace

int main(int argc, char **argv) {
  int rounds = 21;
  const char *json = nullptr;
  std::string command = "perf/scans/host.cpp", commit;
  std::vector<int> logarithms;
  for (int a = 1; a < argc; a++) {
    if (std::strcmp(argv[a], "--commit") == 0 && a + 1 < argc) {
      commit = argv[++a];
      continue;
    }
    command += std::string(" ") + argv[a];
    if (std::strcmp(argv[a], "--rounds") == 0 && a + 1 < argc)
      rounds = std::max(1, std::atoi(argv[a + 1]));
    else if (std::strcmp(argv[a], "--json") == 0 && a + 1 < argc)
      json = argv[a + 1];
    else if (std::atoi(argv[a]) > 0 && argv[a - 1][0] != '-')
      logarithms.push_back(std::min(std::atoi(argv[a]), 32));
  }
  if (logarithms.empty())
    logarithms = {10, 14, 16, 18, 20, 22, 24, 26};
  const size_t most = static_cast<size_t>(1) << *std::max_element(logarithms.begin(), logarithms.end());
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<size_t>(omp_get_max_threads()));
  auto *const elements = static_cast<double *>(std::aligned_alloc(4096, most * sizeof(double)));
  y = static_cast<double *>(std::aligned_alloc(4096, most * sizeof(double)));
  if (!elements || !y)
    return 1;
#pragma omp parallel for
  for (size_t i = 0; i < most; i++) {
    elements[i] = static_cast<double>(i % 1000) - 499;
    y[i] = 0;
  }
  x = elements;
  std::vector<cell> cells;
  bool are_right = true;
  for (const int logarithm : logarithms) {
    cells.push_back(measure(logarithm, rounds));
    print(cells.back());
    are_right = are_right && cells.back().is_right;
  }
  if (json)
    write_json(json, commit, command, rounds, cells);
  std::free(elements);
  std::free(y);
  return !are_right;
}
