// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that go up while their elements go down: arrays turned round, in whole, in pieces, in
// rows, and in parts that end somewhere.
#include "check.h"

template <class T> __global__ void turnRound(T *out, const T *in, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[n - 1 - i] = in[i];
}

template <class T> __global__ void readBackwards(T *out, const T *in, std::size_t n) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n && i % 5 != 3)
    out[i] = in[n - 1 - i];
}

// Both ways at once; unsigned.
template <class T> __global__ void copyDown(T *out, const T *in, unsigned n) {
  const unsigned i = n - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n)
    out[i] = in[i];
}

// Each block's part, through shared memory and without.
template <class T> __global__ void turnParts(T *out, const T *in) {
  __shared__ T part[128];
  const int t = threadIdx.x, first = blockIdx.x * 128;
  part[127 - t] = in[first + t];
  __syncthreads();
  out[first + t] = part[t] + in[first + (t ^ 127)];
}

// Pictures: left and right changed, top and bottom, and both.
template <class T>
__global__ void mirror(T *out, const T *in, int width, int height, bool across, bool down) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  const int to = down ? height - 1 - y : y;
  if (across)
    out[to * width + width - 1 - x] = in[y * width + x];
  else
    out[to * width + x] = in[y * width + x];
}

// The inner row's elements in reverse.
template <class T> __global__ void turnRows(T *out, const T *in, int width) {
  const int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
  out[y * width + blockDim.x - 1 - x] = in[y * width + ~x + width];
}

template <class T> static std::vector<T> numbers(std::size_t n) {
  std::vector<T> result(n);
  for (std::size_t i = 0; i < n; ++i)
    result[i] = T(i * 7 % 113 + 1);
  return result;
}

template <class T> static void checkLines(int n, int block) {
  const std::vector<T> in = numbers<T>(n);
  const int blocks = (n + block - 1) / block;
  DeviceBuffer<T> device_in(in), out(std::vector<T>(n, T(0))), read(std::vector<T>(n, T(0))),
      copied(std::vector<T>(n, T(0)));
  turnRound<<<blocks, block>>>(out.data(), device_in.data(), n);
  readBackwards<<<blocks, block>>>(read.data(), device_in.data(), std::size_t(n));
  copyDown<<<blocks, block>>>(copied.data(), device_in.data(), unsigned(n));
  const std::vector<T> turned = out.download(), found = read.download(), same = copied.download();
  for (int i = 0; i < n; ++i) {
    CHECK_EQ(turned[n - 1 - i], in[i]);
    CHECK_EQ(found[i], i % 5 == 3 ? T(0) : in[n - 1 - i]);
    CHECK_EQ(same[i], in[i]);
  }
}

template <class T> static void checkParts() {
  const std::vector<T> in = numbers<T>(128 * 9);
  DeviceBuffer<T> device_in(in), out(in);
  turnParts<<<9, 128>>>(out.data(), device_in.data());
  const std::vector<T> result = out.download();
  for (int i = 0; i < 128 * 9; ++i)
    CHECK_EQ(result[i], T(2 * in[i / 128 * 128 + 127 - i % 128]));
}

template <class T> static void checkPictures(int width, int height, dim3 block) {
  const std::vector<T> in = numbers<T>(width * height);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
  DeviceBuffer<T> device_in(in), out(in);
  for (const bool across : {false, true})
    for (const bool down : {false, true}) {
      mirror<<<grid, block>>>(out.data(), device_in.data(), width, height, across, down);
      const std::vector<T> result = out.download();
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          CHECK_EQ(result[(down ? height - 1 - y : y) * width + (across ? width - 1 - x : x)],
                   in[y * width + x]);
    }
}

template <class T> static void checkRows(int width, int lines) {
  const std::vector<T> in = numbers<T>(width * lines * 5);
  DeviceBuffer<T> device_in(in), out(in);
  turnRows<<<5, dim3(width, lines)>>>(out.data(), device_in.data(), width);
  const std::vector<T> result = out.download();
  for (std::size_t i = 0; i < in.size(); ++i)
    CHECK_EQ(result[i], in[i]); // turned twice
}

template <class T> static void checkAll() {
  for (const int n : {1, 31, 32, 33, 256, 1000, 4096})
    for (const int block : {32, 48, 256})
      checkLines<T>(n, block);
  checkParts<T>();
  for (const dim3 block : {dim3(16, 16), dim3(32, 8), dim3(8, 8), dim3(64, 2)}) {
    checkPictures<T>(128, 64, block);
    checkPictures<T>(97, 35, block);
  }
  checkRows<T>(16, 16);
  checkRows<T>(8, 8);
  checkRows<T>(32, 4);
  checkRows<T>(128, 2);
}

int main() {
  checkAll<int>();
  checkAll<float>();
  checkAll<double>();
  checkAll<unsigned char>();
  checkAll<short>();
  RETURN_RESULT();
}
