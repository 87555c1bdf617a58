// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cublasSgemm and cublasDgemm against OpenBLAS called directly, in the same run: products of square
// matrices, queued back to back and waited for once, as a program does it. The best of several
// rounds of each, which take turns. bench/libraries/cublas.sh builds and runs it.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>

extern "C" {
void cblas_sgemm(int, int, int, int, int, int, float, const float *, int, const float *, int, float,
                 float *, int);
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int,
                 double, double *, int);
void openblas_set_num_threads(int);
}

namespace {

constexpr int column_major = 102, as_it_is = 111, rounds = 15;

void direct(int n, float a, const float *A, const float *B, float *C) {
  cblas_sgemm(column_major, as_it_is, as_it_is, n, n, n, a, A, n, B, n, 0, C, n);
}
void direct(int n, double a, const double *A, const double *B, double *C) {
  cblas_dgemm(column_major, as_it_is, as_it_is, n, n, n, a, A, n, B, n, 0, C, n);
}
void ours(cublasHandle_t h, int n, float a, const float *A, const float *B, float *C) {
  const float zero = 0;
  cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &a, A, n, B, n, &zero, C, n);
}
void ours(cublasHandle_t h, int n, double a, const double *A, const double *B, double *C) {
  const double zero = 0;
  cublasDgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &a, A, n, B, n, &zero, C, n);
}

template <typename F> double seconds(F f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

template <typename T> void measure(cublasHandle_t h, const char *name, int n) {
  T *A, *B, *C;
  for (T **matrix : {&A, &B, &C}) {
    cudaMalloc(matrix, sizeof(T) * n * n);
    for (int i = 0; i < n * n; ++i)
      (*matrix)[i] = T(i % 7) / 8;
  }
  const double work = 2.0 * n * n * n;
  const int count = std::max(3, int(3e9 / work));
  double best_direct = 1e9, best_ours = 1e9;
  for (int round = 0; round < rounds; ++round) {
    best_direct = std::min(best_direct, seconds([&] {
                             for (int i = 0; i < count; ++i)
                               direct(n, T(1), A, B, C);
                           }));
    best_ours = std::min(best_ours, seconds([&] {
                           for (int i = 0; i < count; ++i)
                             ours(h, n, T(1), A, B, C);
                           cudaDeviceSynchronize();
                         }));
  }
  std::printf("%s  n = %4d  OpenBLAS %7.1f Gflop/s  cuBLAS %7.1f Gflop/s  ratio %.3f\n", name, n,
              work * count / best_direct * 1e-9, work * count / best_ours * 1e-9,
              best_direct / best_ours);
  for (T *matrix : {A, B, C})
    cudaFree(matrix);
}

} // namespace

int main() {
  openblas_set_num_threads(2);
  cublasHandle_t handle;
  if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
    return 1;
  for (int n = 64; n <= 2048; n *= 2) {
    measure<float>(handle, "Sgemm", n);
    measure<double>(handle, "Dgemm", n);
  }
  cublasDestroy(handle);
}
