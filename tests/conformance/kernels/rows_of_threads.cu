// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that each go along a row of a matrix of their own, as in programs that are to show why
// this is slow on a GPU.
#include "check.h"

template <class T> __global__ void product(T *y, const T *a, const T *x, int rows, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  T sum = 0;
  for (int i = 0; i < n; ++i)
    sum += a[row * n + i] * x[i];
  y[row] = sum;
}

// Rows on x, columns on y; the matrices' rows have a pitch.
template <class T>
__global__ void matrixProduct(T *c, const T *a, const T *b, int m, int n, int k, int pitch) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < m && column < n) {
    T sum = 0;
    for (int i = 0; i < k; ++i)
      sum += a[row * pitch + i] * b[i * n + column];
    c[row * n + column] = sum;
  }
}

// The largest element and where it is; rows that begin somewhere, of lengths of their own; what is
// stored while the loop goes on.
__global__ void largest(int *place, const float *a, int rows, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows || row % 3 == 1)
    return;
  int best = 0;
  for (int i = 1; i < n; ++i)
    if (a[row * n + i] > a[row * n + best])
      best = i;
  place[row] = best;
}

__global__ void sumOfLists(int *sums, const int *numbers, const int *starts, int lists) {
  const int list = blockIdx.x * blockDim.x + threadIdx.x;
  if (list >= lists)
    return;
  int sum = 0;
  for (int i = starts[list]; i < starts[list + 1]; ++i)
    sum += numbers[i];
  sums[list] = sum;
}

__global__ void runningSums(int *a, int rows, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  for (int i = 1; i < n; ++i)
    a[row * n + i] += a[row * n + i - 1];
}

template <class T> static std::vector<T> numbers(int n, int seed) {
  std::vector<T> result(n);
  for (int i = 0; i < n; ++i)
    result[i] = T((i * 31 + seed) % 17 - 8);
  return result;
}

template <class T> static void checkProduct(int rows, int n) {
  const std::vector<T> a = numbers<T>(rows * n, 1), x = numbers<T>(n, 2);
  DeviceBuffer<T> device_a(a), device_x(x), y(std::vector<T>(rows, T(0)));
  product<<<(rows + 63) / 64, 64>>>(y.data(), device_a.data(), device_x.data(), rows, n);
  const std::vector<T> found = y.download();
  for (int row = 0; row < rows; ++row) {
    T sum = 0;
    for (int i = 0; i < n; ++i)
      sum += a[row * n + i] * x[i];
    CHECK_EQ(found[row], sum);
  }
}

template <class T> static void checkMatrices(int m, int n, int k, dim3 block) {
  const int pitch = k + 3;
  const std::vector<T> a = numbers<T>(m * pitch, 3), b = numbers<T>(k * n, 4);
  DeviceBuffer<T> device_a(a), device_b(b), c(std::vector<T>(m * n, T(0)));
  matrixProduct<<<dim3((m + block.x - 1) / block.x, (n + block.y - 1) / block.y), block>>>(
      c.data(), device_a.data(), device_b.data(), m, n, k, pitch);
  const std::vector<T> found = c.download();
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      T sum = 0;
      for (int i = 0; i < k; ++i)
        sum += a[row * pitch + i] * b[i * n + column];
      CHECK_EQ(found[row * n + column], sum);
    }
}

static void checkOthers(int rows, int n) {
  const std::vector<float> a = numbers<float>(rows * n, 5);
  DeviceBuffer<float> device_a(a);
  DeviceBuffer<int> places(std::vector<int>(rows, -1));
  largest<<<(rows + 31) / 32, 32>>>(places.data(), device_a.data(), rows, n);
  const std::vector<int> found = places.download();
  for (int row = 0; row < rows; ++row) {
    int best = 0;
    for (int i = 1; i < n; ++i)
      if (a[row * n + i] > a[row * n + best])
        best = i;
    CHECK_EQ(found[row], row % 3 == 1 ? -1 : best);
  }
  std::vector<int> starts = {0}, all = numbers<int>(rows * n, 6);
  for (int row = 0; row < rows; ++row)
    starts.push_back(starts.back() + row * 7 % (n + 1));
  DeviceBuffer<int> device_starts(starts), device_all(all), sums(std::vector<int>(rows, -1));
  sumOfLists<<<(rows + 63) / 64, 64>>>(sums.data(), device_all.data(), device_starts.data(), rows);
  const std::vector<int> found_sums = sums.download();
  for (int row = 0; row < rows; ++row) {
    int sum = 0;
    for (int i = starts[row]; i < starts[row + 1]; ++i)
      sum += all[i];
    CHECK_EQ(found_sums[row], sum);
  }
  runningSums<<<(rows + 63) / 64, 64>>>(device_all.data(), rows, n);
  const std::vector<int> running = device_all.download();
  for (int row = 0; row < rows; ++row)
    for (int i = 0, sum = 0; i < n; ++i)
      CHECK_EQ(running[row * n + i], sum += all[row * n + i]);
}

int main() {
  for (const int n : {1, 7, 8, 15, 16, 17, 33, 64, 100})
    for (const int rows : {1, 64, 200}) {
      checkProduct<float>(rows, n);
      checkProduct<double>(rows, n);
      checkProduct<int>(rows, n);
      checkProduct<short>(rows, n);
      checkOthers(rows, n);
    }
  for (const dim3 block : {dim3(16, 16), dim3(32, 8), dim3(8, 8), dim3(64, 1)}) {
    checkMatrices<float>(64, 48, 40, block);
    checkMatrices<float>(50, 33, 17, block);
    checkMatrices<double>(33, 20, 31, block);
  }
  RETURN_RESULT();
}
