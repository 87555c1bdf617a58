// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcusolverMg
// env: HEDDLE_DEVICES=2
//
// cusolverMg: matrices whose blocks of columns are dealt to the devices there are, in four types.
#include "solver_check.h"

#include <cusolverMg.h>

namespace {

cusolverMgHandle_t handle;
cudaLibMgGrid_t grid;
int devices;
constexpr auto Lower = CUBLAS_FILL_MODE_LOWER;

/// A matrix in blocks of columns on all devices.
template <typename T> struct Dealt {
  static constexpr int block = 3;
  int m, n;
  std::vector<T *> arrays;
  cudaLibMgMatrixDesc_t desc = nullptr;
  Dealt(const Mat &from) : m(from.m), n(from.n) {
    for (int d = 0; d < devices; ++d) {
      T *pointer;
      CHECK_CUDA(cudaSetDevice(d));
      CHECK_CUDA(cudaMalloc(&pointer, sizeof(T) * m * (n + block)));
      arrays.push_back(pointer);
    }
    OK(cusolverMgCreateMatrixDesc(&desc, m, n, m, block, Traits<T>::type, grid));
    write(from);
  }
  ~Dealt() {
    for (T *pointer : arrays)
      cudaFree(pointer);
    OK(cusolverMgDestroyMatrixDesc(desc));
  }
  T *column(int j) const {
    const int b = j / block;
    return arrays[b % devices] + (b / devices * block + j % block) * m;
  }
  void write(const Mat &from) {
    for (int j = 0; j < n; ++j) {
      std::vector<T> one;
      for (int i = 0; i < m; ++i)
        one.push_back(make<T>(from(i, j)));
      CHECK_CUDA(cudaMemcpy(column(j), one.data(), m * sizeof(T), cudaMemcpyHostToDevice));
    }
  }
  Mat read() const {
    Mat r(m, n);
    std::vector<T> one(m);
    for (int j = 0; j < n; ++j) {
      CHECK_CUDA(cudaMemcpy(one.data(), column(j), m * sizeof(T), cudaMemcpyDeviceToHost));
      for (int i = 0; i < m; ++i)
        r(i, j) = value(one[i]);
    }
    return r;
  }
  void **data() { return reinterpret_cast<void **>(arrays.data()); }
};
#define PART(A) A.data(), 1, 1, A.desc

struct Work {
  int64_t size = -1;
  std::vector<void *> arrays;
  void **get(size_t element) {
    for (int d = 0; d < devices; ++d) {
      void *pointer;
      CHECK_CUDA(cudaSetDevice(d));
      CHECK_CUDA(cudaMalloc(&pointer, size * element));
      arrays.push_back(pointer);
    }
    return arrays.data() + arrays.size() - devices;
  }
  ~Work() {
    for (void *pointer : arrays)
      cudaFree(pointer);
  }
};

template <typename T> void all() {
  const auto t = Traits<T>::type;
  const int n = 11;
  const Mat S = hermitian<T>(n, 1, true), X = general<T>(n, 2, 2);
  Mat G = general<T>(n, n, 3);
  for (int i = 0; i < n; ++i)
    G(i, i) += 7;
  Work w;
  int info = -99;
  const double loose = 100 * Traits<T>::tolerance;
  {
    Dealt<T> a(S), b(S * X);
    OK(cusolverMgPotrf_bufferSize(handle, Lower, n, PART(a), t, &w.size));
    OK(cusolverMgPotrf(handle, Lower, n, PART(a), t, w.get(sizeof(T)), w.size, &info));
    CHECK_EQ(info, 0);
    const Mat L = triangle(a.read(), false);
    CHECK_NEAR(difference(L * adjoint(L), S), 0, loose);
    OK(cusolverMgPotrs_bufferSize(handle, Lower, n, 2, PART(a), PART(b), t, &w.size));
    OK(cusolverMgPotrs(handle, Lower, n, 2, PART(a), PART(b), t, w.get(sizeof(T)), w.size, &info));
    CHECK_NEAR(difference(b.read(), X), 0, loose);
    OK(cusolverMgPotri_bufferSize(handle, Lower, n, PART(a), t, &w.size));
    OK(cusolverMgPotri(handle, Lower, n, PART(a), t, w.get(sizeof(T)), w.size, &info));
    Mat inverse = triangle(a.read(), false);
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < j; ++i)
        inverse(i, j) = std::conj(inverse(j, i));
    CHECK_NEAR(difference(inverse * S, identity(n)), 0, loose);
  }
  {
    Dealt<T> a(G), b(G * X);
    Dealt<float> pivots(Mat(1, n)); // as many numbers of 32 bits on each device
    int **ipiv = reinterpret_cast<int **>(pivots.data());
    OK(cusolverMgGetrf_bufferSize(handle, n, n, PART(a), ipiv, t, &w.size));
    OK(cusolverMgGetrf(handle, n, n, PART(a), ipiv, t, w.get(sizeof(T)), w.size, &info));
    CHECK_EQ(info, 0);
    OK(cusolverMgGetrs_bufferSize(handle, CUBLAS_OP_N, n, 2, PART(a), ipiv, PART(b), t, &w.size));
    OK(cusolverMgGetrs(handle, CUBLAS_OP_N, n, 2, PART(a), ipiv, PART(b), t, w.get(sizeof(T)),
                       w.size, &info));
    NEAR(T, b.read(), X);
  }
  const Mat H = hermitian<T>(n, 4, false);
  Dealt<T> a(H);
  std::vector<Real<T>> values(n);
  OK(cusolverMgSyevd_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, Lower, n, PART(a), values.data(),
                                Traits<T>::real, t, &w.size));
  OK(cusolverMgSyevd(handle, CUSOLVER_EIG_MODE_VECTOR, Lower, n, PART(a), values.data(),
                     Traits<T>::real, t, w.get(sizeof(T)), w.size, &info));
  CHECK_EQ(info, 0);
  const Mat V = a.read();
  NEAR(T, V * diagonal({values.begin(), values.end()}, n, n) * adjoint(V), H);
#ifdef __clang__ // Heddle looks at the matrix's size here, an H100 with CUDA 13.0 does not
  CHECK(cusolverMgPotrf_bufferSize(handle, Lower, n + 1, PART(a), t, &w.size) !=
        CUSOLVER_STATUS_SUCCESS);
#endif
}

} // namespace

int main() {
  CHECK_CUDA(cudaGetDeviceCount(&devices));
  std::vector<int> ids;
  for (int d = 0; d < devices; ++d)
    ids.push_back(d);
  OK(cusolverMgCreate(&handle));
  OK(cusolverMgDeviceSelect(handle, devices, ids.data()));
  OK(cusolverMgCreateDeviceGrid(&grid, 1, devices, ids.data(), CUDALIBMG_GRID_MAPPING_COL_MAJOR));
  all<float>();
  all<double>();
  all<cuComplex>();
  all<cuDoubleComplex>();
  OK(cusolverMgDestroyGrid(grid));
  OK(cusolverMgDestroy(handle));
  RETURN_RESULT();
}
