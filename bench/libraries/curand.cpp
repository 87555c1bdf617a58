// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many numbers a second each generator of cuRAND fills device memory with: uniform floats, and
// normal and Poisson numbers beside them.
//
//   heddlecc -O2 bench/libraries/curand.cpp -lcurand -o curand && ./curand
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <curand.h>

namespace {

template <class Function> double bestSeconds(Function function) {
  double best = 1e9;
  for (int round = 0; round < 7; ++round) {
    const auto start = std::chrono::steady_clock::now();
    function();
    cudaDeviceSynchronize();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

} // namespace

int main() {
  constexpr size_t count = size_t(1) << 24;
  const struct {
    const char *name;
    curandRngType_t type;
  } generators[] = {
      {"XORWOW", CURAND_RNG_PSEUDO_XORWOW},        {"MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
      {"Philox", CURAND_RNG_PSEUDO_PHILOX4_32_10}, {"MTGP32", CURAND_RNG_PSEUDO_MTGP32},
      {"MT19937", CURAND_RNG_PSEUDO_MT19937},      {"Sobol32", CURAND_RNG_QUASI_SOBOL32},
      {"Sobol64", CURAND_RNG_QUASI_SOBOL64}};
  float *floats;
  cudaMalloc(&floats, count * sizeof(float));
  std::printf("millions of numbers a second, all threads\n%-10s %9s %9s %9s\n", "", "uniform",
              "normal", "Poisson");
  for (const auto &g : generators) {
    curandGenerator_t made;
    if (curandCreateGenerator(&made, g.type) != CURAND_STATUS_SUCCESS)
      continue;
    const double uniform = bestSeconds([&] { curandGenerateUniform(made, floats, count); });
    const double normal = bestSeconds([&] { curandGenerateNormal(made, floats, count, 0, 1); });
    const double poisson = bestSeconds(
        [&] { curandGeneratePoisson(made, reinterpret_cast<unsigned *>(floats), count, 20); });
    std::printf("%-10s %9.0f %9.0f %9.0f\n", g.name, count / uniform / 1e6, count / normal / 1e6,
                count / poisson / 1e6);
    curandDestroyGenerator(made);
  }
  cudaFree(floats);
  return 0;
}
