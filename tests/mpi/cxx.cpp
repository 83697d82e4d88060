// C++ over ranks: every function over every type against C, forms of calls, arrays, requests, mistakes that one rank makes.
#include <cxx/elements.hpp>

#include <array>
#include <cmath>
#include <cstdlib>
#include <upsweep/mpi.hpp>
#include <vector>

#define USW_KERNEL residual
#define USW_MPI 1
#define USW_ARGS(IN, ARRAY, VALUE) IN(double, b) IN(double, ax)
#define USW_REDUCERS(R, S) R(double, sum2, USW_PLUS) R(double, worst, USW_MAXIMUM)
#include <upsweep/kernel.h>
USW_VISIT(i) {
  const double r = b - ax;
  sum2 += r * r;
  worst.combine(r);
}
#include <upsweep/kernel_end.h>

namespace {

const MPI_Comm world = MPI_COMM_WORLD;
constexpr int total = 42; // elements of all ranks
int rank, ranks;

/* This rank's part of 0 ... total - 1: rank 1 has none where there are more than two. */
std::vector<double> own_part() {
  const int others = ranks > 2 ? ranks - 1 : ranks, place = ranks > 2 && rank > 1 ? rank - 1 : rank;
  std::vector<double> part;
  if (ranks <= 2 || rank != 1)
    for (int i = total * place / others; i < total * (place + 1) / others; i++)
      part.push_back(i);
  return part;
}

template <class T> std::array<T, 7> data() {
  std::array<T, 7> memory;
  for (std::size_t i = 0; i < memory.size(); i++)
    memory[i] = element<T>(1 + static_cast<int>((i + 3 * static_cast<std::size_t>(rank)) % 5));
  return memory;
}

// ---- every function ----

#define ARRAYS_1 x
#define ARRAYS_2 x, x
#define IN_C_1 usw_mpi_allreduce
#define IN_C_2 usw_mpi_allreduce_pair
#define ADDRESSES_1 x.data()
#define ADDRESSES_2 x.data(), x.data()
/* Over several ranks a few types will do: where cores are few, each exchange takes turns of the scheduler. */
bool is_checked(usw_type_t type) { return ranks == 1 || type == USW_I16 || type == USW_F64 || type == USW_CF32; }
#define CHECK_TYPED(tag, CODE, code, type, value_type, sum, real, key, class_, name, OPERATION, streams, RESULT,       \
                    GROUP)                                                                                             \
  USW_HAS_##GROUP##_##class_(if (is_checked(USW_##CODE)) {                                                             \
    using value = USW_RESULT_##RESULT(tag);                                                                            \
    const auto x = data<usw_##tag##_t>();                                                                              \
    value expected{};                                                                                                  \
    CHECK_STATUS(USW_OK, IN_C_##streams(USW_##OPERATION, USW_##CODE, ADDRESSES_##streams, x.size(), &expected, world,  \
                                        nullptr));                                                                     \
    usw_status_t status = USW_ERROR_STATE;                                                                             \
    const auto found = usw::mpi::name(world, ARRAYS_##streams, status);                                                \
    static_assert(std::is_same_v<decltype(found), const value>);                                                       \
    CHECK_STATUS(USW_OK, status);                                                                                      \
    check_same(expected, found, #name "_" #tag);                                                                       \
  })
#define CHECK_FUNCTION(name, OPERATION, streams, RESULT, GROUP, ...)                                                   \
  USW_TYPES(CHECK_TYPED, name, OPERATION, streams, RESULT, GROUP)

void every_function() { USW_FUNCTIONS(CHECK_FUNCTION, ) }

// ---- values, forms, arrays ----

void forms() {
  const std::vector<double> x = own_part();
  const double all = total * (total - 1) / 2.0;
  usw_status_t status = USW_ERROR_STATE;
  usw::options how;
  usw::report ran;
  how.report = &ran;
  CHECK_F64(all, usw::mpi::sum(world, x));
  CHECK_F64(all, usw::mpi::sum(world, x, how));
  CHECK_U64(x.size() * sizeof(double), ran.bytes);
  CHECK_F64(all, usw::mpi::sum(world, x, status));
  CHECK_STATUS(USW_OK, status);
  how.accuracy = USW_REPRODUCIBLE;
  CHECK_F64(all, usw::mpi::sum(world, x, how, status));
  CHECK_F64(total - 1, usw::mpi::max(world, usw::span<const double>(x.data(), x.size())));
  CHECK_F64((total - 1) * total * (2 * total - 1) / 6.0, usw::mpi::dot(world, x, x, usw::options(), status));
  const auto [value, index] = usw::mpi::argmax(world, x);
  CHECK_F64(total - 1, value);
  CHECK_I64(total - 1, index);
  const usw::mpi::location found = usw::mpi::locate(world, x.size(), index);
  CHECK_I64(ranks - 1, found.rank);
  CHECK_I64(static_cast<std::int64_t>(own_part().size()) - 1,
            rank == ranks - 1 ? found.index : static_cast<std::int64_t>(own_part().size()) - 1);
  const usw::mpi::location nowhere = usw::mpi::locate(world, x.size(), -1, status);
  CHECK_I64(-1, nowhere.rank);
  CHECK_I64(-1, nowhere.index);
  const double table[] = {1, 2, 3, 4, 5, 6};
  const usw::view<const double> backward(table + 5, {3}, {-2}); // 6, 4, 2
  CHECK_F64(12.0 * ranks, usw::mpi::sum(world, backward));
  CHECK_F64((6 * 1 + 4 * 2 + 2 * 3.0) * ranks, usw::mpi::dot(world, backward, usw::span<const double>(table, 3)));
  how.stride[0] = 2;
  CHECK_F64(9.0 * ranks, usw::mpi::sum(world, table, how));
  usw::mpi::check(USW_OK);
  CHECK(usw::mpi::device(world) >= -1);
  CHECK(usw::mpi::device(world, status) >= -1);
  CHECK_STATUS(USW_OK, status);
}

void rooted_and_running() {
  const std::vector<double> own(static_cast<std::size_t>(rank + 2), rank + 1.0);
  usw_status_t status = USW_ERROR_STATE;
  double before = 0, all = 0;
  for (int r = 0; r < ranks; r++) {
    before += r < rank ? (r + 2) * (r + 1.0) : 0;
    all += (r + 2) * (r + 1.0);
  }
  CHECK_F64(rank == ranks - 1 ? all : 0, usw::mpi::reduce(world, ranks - 1, own));
  CHECK_F64(rank == 0 ? ranks : 0, usw::mpi::reduce<USW_MAXIMUM>(world, 0, own, usw::options(), status));
  CHECK_F64(before + (rank + 2) * (rank + 1.0), usw::mpi::scan(world, own));
  CHECK_F64(rank + 1, usw::mpi::scan<USW_MAXIMUM>(world, own, status));
  CHECK_F64(before, usw::mpi::exscan(world, own));
  CHECK_F64(rank == 0 ? 1 : std::pow(2.0, rank),
            usw::mpi::exscan<USW_MULTIPLIES>(world, std::array<double, 1>{2}, usw::options()));
  CHECK_STATUS(USW_OK, status);
}

// ---- requests ----

void requests() {
  std::vector<double> x = own_part();
  const double all = total * (total - 1) / 2.0;
  usw_status_t status = USW_ERROR_STATE;
  usw::mpi::request<double> sum = usw::mpi::iallreduce(world, x);
  auto most = usw::mpi::iallreduce<USW_MAXIMUM>(world, x, usw::options());
  auto both = usw::mpi::iallreduce<USW_DOT>(world, x, x, usw::options(), status);
  CHECK_STATUS(USW_OK, status);
  usw::mpi::request<double> moved(std::move(sum));
  CHECK_F64(0, sum.wait(status)); // moved: nothing is under way there
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_F64(total - 1, most.wait());
  CHECK_F64(all, moved.wait(status));
  CHECK_STATUS(USW_OK, status);
  CHECK_F64((total - 1) * total * (2 * total - 1) / 6.0, both.wait());
  most = usw::mpi::allreduce_init<USW_MAXIMUM>(world, x, status);
  auto again = usw::mpi::allreduce_init<USW_DOT>(world, x, x);
  for (int k = 0; k < 3; k++) {
    for (double &e : x)
      e += 1;
    most.start();
    again.start(status);
    CHECK_STATUS(USW_OK, status);
    most.start(status);
    CHECK_STATUS(USW_ERROR_BUSY, status);
    while (!most.test())
      ;
    CHECK_F64(total + k, most.wait());
    CHECK(again.wait() > 0);
  }
  const std::vector<double> zeros(x.size());
  double sum2 = 0, worst = 0;
  usw::mpi::request<> of_kernel;
  usw::mpi::check(
      residual_mpi_start(x.size(), x.data(), zeros.data(), &sum2, &worst, world, nullptr, of_kernel.for_c()));
  of_kernel.wait();
  CHECK_F64(total + 2, worst);
  CHECK_F64(usw::mpi::dot(world, x, x), sum2);
  auto left = usw::mpi::iallreduce(world, x); // its destructor waits
}

// ---- parts ----

void parts() {
  const std::vector<double> x = {1.0 + rank, 2, 3.5}, y = {0.25, 9}, none;
  std::vector<double> all = x;
  usw::parts<double> blocks;
  usw_status_t status = USW_OK;
  usw::options reproducible;
  reproducible.accuracy = USW_REPRODUCIBLE;
  all.insert(all.end(), y.begin(), y.end());
  CHECK_F64(usw::mpi::sum(world, all, reproducible), usw::mpi::sum(world, usw::parts(x, y), reproducible));
  CHECK_F64(usw::mpi::dot(world, all, all), usw::mpi::dot(world, usw::parts(x, y), usw::parts(x, y)));
  blocks.add(none).add(x, USW_HOST).add(y);
  CHECK_I64(usw::mpi::argmax(world, all).index, usw::mpi::argmax(world, blocks).index);
  CHECK_F64(0, usw::mpi::sum(world, usw::parts<double>(), status));
  CHECK_STATUS(USW_OK, status);
  const double table[] = {1, 2, 3, 4, 5, 6};
  const usw::view<const double> plane(table, {2, 3}), line(table, {6});
  const bool is_wrong = rank == ranks - 1;
  CHECK_F64(0, usw::mpi::sum(world, usw::parts(is_wrong ? plane : line), status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), is_wrong ? "a view of several dimensions" : "rank ");
  CHECK_F64(0, usw::mpi::dot(world, usw::parts(x, y), is_wrong ? usw::parts(x, x) : usw::parts(x, y), status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), is_wrong ? "different numbers of elements" : "rank ");
}

void parts_in_other_forms() {
  std::vector<double> x = {1.0 + rank, 2, 3.5}, y = {0.25, 9};
  const double own = x[0] + 14.75, before = 15.75 * rank + rank * (rank - 1) / 2.0;
  const double all = 15.75 * ranks + ranks * (ranks - 1) / 2.0;
  const usw::parts<double> both(x, y);
  usw_status_t status = USW_ERROR_STATE;
  CHECK_F64(rank == ranks - 1 ? all : 0, usw::mpi::reduce(world, ranks - 1, both));
  CHECK_F64(before + own, usw::mpi::scan(world, both, status));
  CHECK_STATUS(USW_OK, status);
  CHECK_F64(before, usw::mpi::exscan(world, both));
  CHECK_I64(rank == 0 ? -1 : 4, usw::mpi::exscan<USW_ARGMAX>(world, both).index);
  auto once = usw::mpi::iallreduce(world, usw::parts(x, y)); // which are gone then
  auto again = usw::mpi::allreduce_init<USW_DOT>(world, usw::parts(x, y), usw::parts(x, y), usw::options(), status);
  CHECK_STATUS(USW_OK, status);
  CHECK_F64(all, once.wait());
  for (int run = 0; run < 2; run++) {
    x = {0, 0, 2.0 + run};
    y = {1, 1};
    again.start();
    CHECK_F64(((2 + run) * (2 + run) + 2.0) * ranks, again.wait());
  }
}

void mistakes_of_parts() {
  const std::vector<double> x = {1, 2}, y = {3};
  const double table[] = {1, 2, 3, 4, 5, 6};
  const usw::view<const double> plane(table, {2, 3}), line(table, {6});
  const bool is_wrong = rank == ranks - 1;
  const usw::parts<double> wrong(is_wrong ? plane : line);
  usw_status_t status = USW_OK;
  CHECK_F64(0, usw::mpi::reduce(world, 0, wrong, status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), is_wrong ? "a view of several dimensions" : "rank ");
  CHECK_F64(0, usw::mpi::exscan(world, wrong, status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  auto late =
      usw::mpi::iallreduce<USW_DOT>(world, usw::parts(x, y), is_wrong ? usw::parts(y, x) : usw::parts(x, y), status);
  CHECK_F64(0, late.wait(status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
}

// ---- mistakes: every rank fails ----

void mistakes() {
  const std::vector<double> x = {1, 2, 3}, few = {1};
  const double table[] = {1, 2, 3, 4, 5, 6};
  const bool is_wrong = rank == ranks - 1;
  usw_status_t status = USW_OK;
  CHECK_F64(0, usw::mpi::dot(world, x, is_wrong ? few : x, status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), is_wrong ? "different numbers of elements" : "rank ");
  const usw::view<const double> plane(table, {2, 3}), line(table, {6});
  CHECK_F64(0, usw::mpi::sum(world, is_wrong ? plane : line, status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_TEXT_HAS(usw_error_text(), is_wrong ? "view of 2 dimensions" : "rank ");
  auto late = usw::mpi::iallreduce<USW_DOT>(world, x, is_wrong ? few : x, status);
  CHECK_F64(0, late.wait(status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  CHECK_F64(0, usw::mpi::sum(MPI_COMM_NULL, x, status));
  CHECK_STATUS(USW_ERROR_INVALID, status);
  usw::options exact;
  exact.accuracy = USW_EXACT;
  try {
    usw::mpi::sum(world, x, exact);
    CHECK(false);
  } catch (const usw::error &failure) {
    CHECK_STATUS(USW_ERROR_UNSUPPORTED, failure.status());
  }
  try {
    usw::mpi::dot(world, x, is_wrong ? few : x);
    CHECK(false);
  } catch (const usw::error &failure) {
    CHECK_STATUS(USW_ERROR_INVALID, failure.status());
  }
}

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &ranks);
  CHECK_I64(argc > 1 ? std::atoi(argv[1]) : 1, ranks); // started by another library's mpiexec each is alone
  every_function();
  forms();
  rooted_and_running();
  requests();
  parts();
  parts_in_other_forms();
  mistakes_of_parts();
  mistakes();
  const int failed = check_report();
  MPI_Finalize();
  return failed;
}
