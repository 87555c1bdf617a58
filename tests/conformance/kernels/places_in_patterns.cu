// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that load neighbours in another order than their own: each element twice or four times,
// pairs exchanged, the first of four. Pictures that grow, colours at half the size of a picture,
// and numbers that are packed. In blocks that begin where such a group does, and elsewhere.
#include "check.h"
#include <cstdint>

__host__ __device__ int placeOf(int order, int i, int n) {
  switch (order) {
  case 0:
    return i / 2;
  case 1:
    return i >> 2;
  case 2:
    return i ^ 1;
  case 3:
    return i ^ 5;
  case 4:
    return i & ~3;
  case 5:
    return (i + 1) / 2; // pairs lie in two groups
  case 6:
    return i / 8 * 8 + 7 - i % 8;
  case 7:
    return (i * 3) / 4;
  default:
    return (n - 1 - i) / 2;
  }
}

template <class T, int Order> __global__ void reorder(T *out, const T *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[placeOf(Order, i, n)];
}

// Only some threads look, and what the others would see may not exist.
template <int Order>
__global__ void reorderSome(int *out, const int *in, const uint8_t *wanted, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && wanted[i])
    out[i] = in[placeOf(Order, i, n)];
}

template <int Order> __global__ void reorderShared(short *out, const short *in) {
  __shared__ short tile[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  tile[t] = in[i];
  __syncthreads();
  out[i] = tile[placeOf(Order, t, blockDim.x)];
}

__global__ void toColours(uint8_t *out, const uint8_t *y, const uint8_t *u, const uint8_t *v,
                          int width, int height) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x,
            row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column >= width || row >= height)
    return;
  const int i = row * width + column, half = row / 2 * (width / 2) + column / 2;
  out[i] = uint8_t(y[i] + 2 * u[half] - v[half]);
}

// Rows that the block does not have would begin before the array, or 16 GB behind it.
__global__ void fromTheEnd(float *out, const float *in, unsigned width, unsigned count) {
  const unsigned column = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned row = blockIdx.y * blockDim.y + threadIdx.y, i = row * width + column;
  out[i] = in[count - 1 - i];
}

__global__ void unpack(float *out, const uint8_t *packed, float scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = scale * float((packed[i / 2] >> (i % 2 * 4) & 15) - 8);
}

template <class T, int Order> static void checkOrder(int n, int threads) {
  std::vector<T> values(n + 8);
  for (int i = 0; i < n + 8; ++i)
    values[i] = T(i * 37 % 113);
  const DeviceBuffer<T> in(values);
  DeviceBuffer<T> out(n);
  reorder<T, Order><<<(n + threads - 1) / threads, threads>>>(out, in, n);
  const auto result = out.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(result[i], values[placeOf(Order, i, n)]);
}

template <int Order> static void checkOrders() {
  for (const int n : {32, 1000, 4096}) {
    checkOrder<uint8_t, Order>(n, 256);
    checkOrder<short, Order>(n, 64);
    checkOrder<int, Order>(n, 256);
    checkOrder<float, Order>(n, 32);
    checkOrder<double, Order>(n, 128);
    checkOrder<int, Order>(n, 48);
  }

  // At the very end of an allocation, which ends with a page.
  constexpr int n = 16384;
  std::vector<int> values(n);
  std::vector<uint8_t> wanted(n);
  for (int i = 0; i < n; ++i) {
    values[i] = i * 7;
    wanted[i] = i % 5 < 2 && placeOf(Order, i, n) < n - 3;
  }
  const DeviceBuffer<int> in(values);
  const DeviceBuffer<uint8_t> who(wanted);
  DeviceBuffer<int> out(std::vector<int>(n, -1));
  reorderSome<Order><<<n / 256, 256>>>(out, in, who, n);
  const auto some = out.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(some[i], wanted[i] ? values[placeOf(Order, i, n)] : -1);

  std::vector<short> shorts(1024);
  for (int i = 0; i < 1024; ++i)
    shorts[i] = short(i * 11);
  const DeviceBuffer<short> from(shorts);
  DeviceBuffer<short> to(1024);
  reorderShared<Order><<<4, 256>>>(to, from);
  const auto shared = to.download();
  for (int i = 0; i < 1024; ++i)
    CHECK_EQ(shared[i], shorts[i / 256 * 256 + placeOf(Order, i % 256, 256)]);
}

static void checkPicture(int width, int height, dim3 threads) {
  std::vector<uint8_t> y(width * height), u(width * height / 4 + width), v(u.size());
  for (size_t i = 0; i < y.size(); ++i)
    y[i] = uint8_t(i * 31);
  for (size_t i = 0; i < u.size(); ++i) {
    u[i] = uint8_t(i * 17);
    v[i] = uint8_t(i * 5 + 1);
  }
  const DeviceBuffer<uint8_t> in_y(y), in_u(u), in_v(v);
  DeviceBuffer<uint8_t> out(y.size());
  const dim3 blocks((width + threads.x - 1) / threads.x, (height + threads.y - 1) / threads.y);
  toColours<<<blocks, threads>>>(out, in_y, in_u, in_v, width, height);
  const auto result = out.download();
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const int i = row * width + column, half = row / 2 * (width / 2) + column / 2;
      CHECK_EQ(int(result[i]), int(uint8_t(y[i] + 2 * u[half] - v[half])));
    }
}

int main() {
  checkOrders<0>();
  checkOrders<1>();
  checkOrders<2>();
  checkOrders<3>();
  checkOrders<4>();
  checkOrders<5>();
  checkOrders<6>();
  checkOrders<7>();
  checkOrders<8>();
  for (const dim3 threads : {dim3(16, 16), dim3(32, 8), dim3(8, 8), dim3(64, 4), dim3(10, 10),
                             dim3(2, 8), dim3(4, 4), dim3(16, 3), dim3(8, 5)}) {
    checkPicture(160, 96, threads);
    checkPicture(101, 67, threads);
  }
  for (const dim3 threads : {dim3(2, 8), dim3(4, 4), dim3(16, 3), dim3(8, 2)}) {
    const dim3 blocks(33, 16);
    const unsigned width = blocks.x * threads.x, count = width * blocks.y * threads.y;
    std::vector<float> values(count);
    for (unsigned i = 0; i < count; ++i)
      values[i] = float(i);
    const DeviceBuffer<float> from(values);
    DeviceBuffer<float> to(count);
    fromTheEnd<<<blocks, threads>>>(to, from, width, count);
    const auto turned = to.download();
    for (unsigned i = 0; i < count; ++i)
      CHECK_EQ(turned[i], float(count - 1 - i));
  }

  constexpr int n = 5000;
  std::vector<uint8_t> packed(n / 2);
  for (int i = 0; i < n / 2; ++i)
    packed[i] = uint8_t(i * 73);
  const DeviceBuffer<uint8_t> in(packed);
  DeviceBuffer<float> out(n);
  unpack<<<(n + 255) / 256, 256>>>(out, in, 0.5f, n);
  const auto result = out.download();
  for (int i = 0; i < n; ++i)
    CHECK_EQ(result[i], 0.5f * float((packed[i / 2] >> (i % 2 * 4) & 15) - 8));
  RETURN_RESULT();
}
