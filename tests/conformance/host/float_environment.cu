// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a host thread says about floating point (exceptions that trap, a rounding mode) is its own
// affair: kernels, in small and large grids, with and without barriers, compute as ever, and the
// thread finds all as it left it. AMReX's programs trap invalid operations while kernels run.
#include "check.h"

#include <cfenv>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

constexpr int threads = 64;
constexpr int traps = FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW;

// Also what only some lanes may compute.
__global__ void compute(const float *in, float *quotient, double *third, float *tiny, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  quotient[i] = in[i] / in[(i + 1) % n];
  third[i] = in[i] != 0 ? 1.0 / (3.0 * in[i]) : 0.0;
  tiny[i] = in[i] * 1e-40f;
}

__device__ __noinline__ float thirdOf(float x, int depth) {
  return depth == 0 ? 1.0f / (3.0f * x) : thirdOf(x, depth - 1);
}

// Threads that wait for each other, and call what has no form for several of them.
__global__ void waitAndDivide(float *out) {
  __shared__ float shared[threads];
  const int i = threadIdx.x;
  shared[i] = float(i);
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    out[round * threads + i] = thirdOf(shared[(i + round) % threads], round);
    __syncthreads();
  }
}

__global__ void writeAt(int *where) { *where = 1; }

struct Results {
  std::vector<float> quotient, tiny, waited;
  std::vector<double> third;
};

Results run(int n) {
  std::vector<float> values(n);
  for (int i = 0; i < n; ++i)
    values[i] = float(i % 5) - 1.0f;
  DeviceBuffer<float> in(values), quotient(n), tiny(n), waited(3 * threads);
  DeviceBuffer<double> third(n);
  compute<<<(n + threads - 1) / threads, threads>>>(in, quotient, third, tiny, n);
  waitAndDivide<<<1, threads>>>(waited);
  CHECK_CUDA(cudaDeviceSynchronize());
  return {quotient.download(), tiny.download(), waited.download(), third.download()};
}

template <class T> bool sameBits(const std::vector<T> &a, const std::vector<T> &b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

// Some CPUs cannot trap; fegetexcept tells.
void checkIn(int rounding, int trapped, const Results &expected, int n) {
  std::feclearexcept(FE_ALL_EXCEPT);
  CHECK_EQ(std::fesetround(rounding), 0);
  feenableexcept(trapped);
  const int enabled = fegetexcept();
  const Results results = run(n);
  const int rounding_after = std::fegetround(), enabled_after = fegetexcept(),
            raised = std::fetestexcept(FE_DIVBYZERO);
  fedisableexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);
  CHECK_EQ(rounding_after, rounding);
  CHECK_EQ(enabled_after, enabled);
  CHECK_EQ(raised, 0); // no kernel raises anything on the host
  CHECK(sameBits(results.quotient, expected.quotient));
  CHECK(sameBits(results.third, expected.third));
  CHECK(sameBits(results.tiny, expected.tiny));
  CHECK(sameBits(results.waited, expected.waited));
}

int main() {
  // Before any other launch: threads that are started now inherit it.
  feenableexcept(traps);
  std::fesetround(FE_UPWARD);
  run(1 << 16);
  fedisableexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);

  for (int n : {threads, 1 << 16}) {
    const Results expected = run(n);
    const float a = 3.0f;
    CHECK_EQ(expected.third[4], 1.0 / (3.0 * a));
    CHECK(std::isinf(expected.quotient[0])); // -1 / 0
    CHECK_EQ(expected.tiny[4], a * 1e-40f);
    checkIn(FE_TONEAREST, traps, expected, n);
    checkIn(FE_UPWARD, 0, expected, n);
    checkIn(FE_TOWARDZERO, traps, expected, n);
#if defined(__x86_64__)
    const unsigned before = _mm_getcsr();
    _mm_setcsr(before | 0x8040); // denormals are zeros, as after a link with -ffast-math
    const Results flushed = run(n);
    _mm_setcsr(before);
    CHECK(sameBits(flushed.tiny, expected.tiny));
#endif
  }

  // An exception that the host raised stays raised.
  std::feraiseexcept(FE_INVALID);
  run(threads);
  CHECK(std::fetestexcept(FE_INVALID) != 0);
  std::feclearexcept(FE_ALL_EXCEPT);

  // Behind a kernel that fails, too.
  std::fesetround(FE_DOWNWARD);
  feenableexcept(traps);
  writeAt<<<1, 1>>>(nullptr);
  const cudaError_t error = cudaDeviceSynchronize();
  const int rounding = std::fegetround();
  fedisableexcept(FE_ALL_EXCEPT);
  CHECK_EQ(error, cudaErrorIllegalAddress);
  CHECK_EQ(rounding, FE_DOWNWARD);
  RETURN_RESULT();
}
