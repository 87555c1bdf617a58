// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arrays that are larger than most CPUs' caches: what one kernel has written is there for the next,
// which reads it in another order, and for the host; and nothing beside it has changed.
#include "check.h"

constexpr int width = 4096, height = 3072; // 48 MiB of floats
constexpr int count = width * height;

// `shift` elements behind the start of a line of memory.
__global__ void fill(float *out, int shift, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i + shift] = float(i % 8191);
}

// Each block's part, last block first.
__global__ void addReversed(float *out, const float *in, float number) {
  const int block = gridDim.x - 1 - blockIdx.x;
  const int i = block * blockDim.x + threadIdx.x;
  out[i] = in[i] + number;
}

// In blocks of two dimensions, from a tile in shared memory.
__global__ void transpose(float *out, const float *in) {
  __shared__ float tile[32][33];
  const int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int row = threadIdx.y; row < 32; row += blockDim.y)
    tile[row][threadIdx.x] = in[(y + row) * width + x + threadIdx.x];
  __syncthreads();
  for (int row = threadIdx.y; row < 32; row += blockDim.y)
    out[(x + row) * height + y + threadIdx.x] = tile[threadIdx.x][row];
}

// Down the columns of the result, which begins `shift` elements behind the start of a line.
__global__ void transposeBack(float *out, const float *in, int shift) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < height && y < width)
    out[shift + x * width + y] = in[y * height + x];
}

__global__ void scaleDoubles(double *out, const float *in) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * width + x] = 2.0 * in[y * width + x];
}

// Elements that are not number(i), in all of the first `n` behind `shift`, or beside them not 0.
static int wrongElements(const std::vector<float> &elements, int shift, int n) {
  int wrong = 0;
  for (int i = 0; i < int(elements.size()); ++i)
    wrong += elements[i] != (i >= shift && i < n + shift ? float((i - shift) % 8191) : 0.0f);
  return wrong;
}

int main() {
  DeviceBuffer<float> first(count + 64), second(count), third(count);
  DeviceBuffer<double> doubles(count);
  for (int shift : {0, 16, 1, 5}) {
    const int n = count - shift;
    CHECK_CUDA(cudaMemset(first, 0, (count + 64) * sizeof(float)));
    fill<<<(n + 255) / 256, 256>>>(first, shift, n);
    CHECK_EQ(wrongElements(first.download(), shift, n), 0);
  }

  fill<<<count / 256, 256>>>(first, 0, count);
  addReversed<<<count / 512, 512>>>(second, first, 1.0f);
  transpose<<<dim3(width / 32, height / 32), dim3(32, 8)>>>(third, second);
  scaleDoubles<<<dim3(width / 16, height / 8), dim3(16, 8)>>>(doubles, second);
  const std::vector<float> transposed = third.download();
  const std::vector<double> doubled = doubles.download();
  int wrong = 0, wrong_doubles = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float expected = float((y * width + x) % 8191) + 1;
      wrong += transposed[size_t(x) * height + y] != expected;
      wrong_doubles += doubled[size_t(y) * width + x] != 2.0 * expected;
    }
  CHECK_EQ(wrong, 0);
  CHECK_EQ(wrong_doubles, 0);

  for (const dim3 block : {dim3(16, 16), dim3(32, 8)})
    for (int shift : {0, 3}) {
      CHECK_CUDA(cudaMemset(first, 0, (count + 64) * sizeof(float)));
      transposeBack<<<dim3(height / block.x, width / block.y), block>>>(first, third, shift);
      const std::vector<float> back = first.download();
      wrong = 0;
      for (int i = 0; i < count + 64; ++i)
        wrong += back[i] != (i < shift || i >= count + shift ? 0 : float((i - shift) % 8191) + 1);
      CHECK_EQ(wrong, 0);
    }
  RETURN_RESULT();
}
