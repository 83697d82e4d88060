// Containers in, values out, from C++17.
//   g++ -std=c++17 sum.cpp $(pkg-config --cflags --libs upsweep) -o sum
#include <complex>
#include <cstdio>
#include <upsweep/upsweep.hpp>
#include <vector>

int main() {
  const std::vector<std::complex<float>> z = {{3, 4}, {0, 1}};
  const float norm = usw::norm1(z); // throws usw::error
  usw_status_t status;
  const auto [value, index] = usw::argmax(std::vector<short>{1, 9, 2}, status); // does not throw
  std::printf("C++: norm %g, largest %d at %d\n", norm, value, static_cast<int>(index));
  return norm == 6 && status == USW_OK && value == 9 && index == 1 ? 0 : 1;
}
