// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The C interface to copies in the background and to barriers with two steps: cuda_pipeline.h,
// cuda_awbarrier.h.
// flags: -arch=sm_90
// env: HEDDLE_GPU=h200
#include "check.h"

#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

__global__ void batches(const float4 *in, float4 *out, int tiles) {
  __shared__ float4 tile[3][64];
  const int i = threadIdx.x;
  for (int k = 0; k < 2; ++k) {
    __pipeline_memcpy_async(&tile[k][i], &in[64 * k + i], sizeof(float4));
    __pipeline_commit();
  }
  float4 sum = make_float4(0, 0, 0, 0);
  for (int k = 0; k < tiles; ++k) {
    if (k + 2 < tiles)
      __pipeline_memcpy_async(&tile[(k + 2) % 3][i], &in[64 * (k + 2) + i], sizeof(float4));
    __pipeline_commit();
    __pipeline_wait_prior(2);
    __syncthreads();
    const float4 value = tile[k % 3][63 - i];
    sum.x = sum.x * 2 + value.x;
    sum.y = sum.y * 2 + value.y;
    sum.z = sum.z * 2 + value.z;
    sum.w = sum.w * 2 + value.w;
    __syncthreads();
  }
  out[i] = sum;
}

__global__ void zeros(const int4 *in, int4 *out) {
  __shared__ int4 tile[32];
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], 16, 4 * (threadIdx.x % 5));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// A barrier that also waits for the copies of the threads that arrive.
__global__ void barrier(const int *in, int *out) {
  __shared__ int tile[128];
  __shared__ nvcuda::experimental::awbarrier barrier;
  nvcuda::experimental::pipeline pipe;
  const int i = threadIdx.x;
  if (i == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  memcpy_async(tile[i], in[i], pipe);
  pipe.arrive_on(barrier);
  auto token = barrier.arrive();
  const bool counted = token.pending_count() > 0;
  barrier.wait(token);
  out[i] = tile[127 - i] + counted;
  barrier.arrive_and_wait();
  tile[i] = out[i];
  if (i < 32)
    barrier.arrive_and_drop(); // they are no longer waited for
  else
    barrier.arrive_and_wait();
  if (i >= 32) {
    barrier.arrive_and_wait();
    out[i] += 1000 * (tile[(i + 40) % 128] > 0);
  }
}

int main() {
  const int tiles = 6;
  std::vector<float4> numbers(64 * tiles);
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = make_float4(float(i), float(i % 7), float(i % 11), 1);
  DeviceBuffer<float4> in(numbers), out(64);
  batches<<<1, 64>>>(in, out, tiles);
  const std::vector<float4> sums = out.download();
  for (int i = 0; i < 64; ++i) {
    float x = 0, y = 0;
    for (int k = 0; k < tiles; ++k) {
      x = x * 2 + numbers[64 * k + 63 - i].x;
      y = y * 2 + numbers[64 * k + 63 - i].y;
    }
    CHECK_EQ(sums[i].x, x);
    CHECK_EQ(sums[i].y, y);
    CHECK_EQ(sums[i].w, 63.0f);
  }
  std::vector<int> words(128);
  for (int i = 0; i < 128; ++i)
    words[i] = 3 * i + 1;
  DeviceBuffer<int> from(words), to(128);
  zeros<<<1, 32>>>(reinterpret_cast<int4 *>(from.data()), reinterpret_cast<int4 *>(to.data()));
  std::vector<int> got = to.download();
  for (int i = 0; i < 128; ++i)
    CHECK_EQ(got[i], i % 4 < 4 - i / 4 % 5 ? words[i] : 0);
  barrier<<<1, 128>>>(from, to);
  got = to.download();
  for (int i = 0; i < 128; ++i)
    CHECK_EQ(got[i], words[127 - i] + 1 + (i >= 32 ? 1000 : 0));
  RETURN_RESULT();
}
