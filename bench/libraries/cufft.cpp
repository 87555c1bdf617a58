// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuFFT beside FFTW (Debian package libfftw3-dev, for measuring only) in the same run, complex
// floats in and out of place, two threads, in turn, the best of each; the ratio is cuFFT's speed by
// FFTW's.
//
//   heddlecc -O2 bench/libraries/cufft.cpp -lcufft -lfftw3f -lfftw3f_threads -o cufft && ./cufft
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cuda_runtime.h>
#include <cufft.h>
#include <fftw3.h>

namespace {

template <class Function> double bestSeconds(Function function) {
  double best = 1e9, total = 0;
  for (int round = 0; round < 200 && total < 0.1; ++round) {
    const auto start = std::chrono::steady_clock::now();
    function();
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
    total += time.count();
  }
  return best;
}

} // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  fftwf_init_threads();
  fftwf_plan_with_nthreads(2);
  const struct {
    int rank, size, batch;
  } cases[] = {{1, 256, 4096},  {1, 1024, 1024}, {1, 16384, 64},  {1, 1 << 20, 1},
               {1, 1 << 22, 1}, {1, 1000, 1024}, {1, 1155, 1024}, {1, 10007, 64},
               {1, 360360, 4},  {2, 512, 8},     {2, 1024, 1},    {2, 2048, 1},
               {2, 1000, 2},    {2, 1023, 2},    {3, 128, 1},     {3, 100, 1}};
  std::printf("%-6s %9s %6s %12s %12s %7s\n", "rank", "size", "batch", "cuFFT, ms", "FFTW, ms",
              "ratio");
  for (const auto &c : cases) {
    int n[3] = {c.size, c.size, c.size};
    size_t count = c.batch;
    for (int i = 0; i < c.rank; ++i)
      count *= n[i];
    cufftComplex *in, *out;
    cudaMalloc(&in, count * sizeof(*in));
    cudaMalloc(&out, count * sizeof(*out));
    cudaMemset(in, 0, count * sizeof(*in));
    auto *const from = fftwf_alloc_complex(count), *const to = fftwf_alloc_complex(count);
    const int each = int(count / c.batch);
    const fftwf_plan peer = fftwf_plan_many_dft(c.rank, n, c.batch, from, nullptr, 1, each, to,
                                                nullptr, 1, each, FFTW_FORWARD, FFTW_MEASURE);
    std::fill_n(&from[0][0], 2 * count, 0.0f);
    cufftHandle plan;
    cufftPlanMany(&plan, c.rank, n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, c.batch);
    double ours = 1e9, theirs = 1e9;
    for (int turn = 0; turn < 5; ++turn) {
      ours = std::min(ours, bestSeconds([&] {
                        cufftExecC2C(plan, in, out, CUFFT_FORWARD);
                        cudaDeviceSynchronize();
                      }));
      theirs = std::min(theirs, bestSeconds([&] { fftwf_execute(peer); }));
    }
    std::printf("%-6d %9d %6d %12.3f %12.3f %7.2f\n", c.rank, c.size, c.batch, ours * 1e3,
                theirs * 1e3, theirs / ours);
    cufftDestroy(plan);
    fftwf_destroy_plan(peer);
    fftwf_free(from);
    fftwf_free(to);
    cudaFree(in);
    cudaFree(out);
  }
  return 0;
}
