// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Half a warp reads a word before a lane of the other half writes it, and that half behind it:
// plain reads of one address by one instruction, ordered by __syncwarp(), with different values.
// After that, the whole warp shuffles (CUDA guide, "Independent Thread Scheduling").
#include "check.h"

// `early`: the lanes that read before the write, 0 even or 1 odd ones.
template <int early> __global__ void halves(const int *in, int *out) {
  __shared__ int word[64];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32 * 32;
  word[threadIdx.x] = 1;
  __syncwarp();
  if ((lane & 1) != early) {
    __syncwarp();
    if (lane == 31 - early)
      word[warp] = in[warp];
    __syncwarp(early ? 0x55555555u : 0xaaaaaaaau);
  }
  const int seen = word[warp];
  if ((lane & 1) == early)
    __syncwarp();
  const int both = __shfl_xor_sync(~0u, seen, 1) + seen;
  __syncwarp();
  const int third = __shfl_sync(~0u, in[threadIdx.x], 2);
  int sum = seen;
  for (int distance = 16; distance > 0; distance /= 2)
    sum += __shfl_xor_sync(~0u, sum, distance);
  const unsigned early_lanes = __ballot_sync(~0u, seen == 1);
  out[threadIdx.x * 4] = both;
  out[threadIdx.x * 4 + 1] = third;
  out[threadIdx.x * 4 + 2] = sum;
  out[threadIdx.x * 4 + 3] = int(early_lanes);
}

template <int early> void checkHalves() {
  constexpr int threads = 64;
  int *in, *out;
  CHECK_CUDA(cudaMallocManaged(&in, threads * sizeof(int)));
  CHECK_CUDA(cudaMallocManaged(&out, threads * 4 * sizeof(int)));
  for (int i = 0; i < threads; ++i)
    in[i] = 100 + i * 7;
  halves<early><<<1, threads>>>(in, out);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < threads; ++i) {
    const int warp = i / 32 * 32, written = in[warp];
    CHECK_EQ(out[i * 4], 1 + written);
    CHECK_EQ(out[i * 4 + 1], in[warp + 2]);
    CHECK_EQ(out[i * 4 + 2], 16 * (1 + written));
    CHECK_EQ(unsigned(out[i * 4 + 3]), early ? 0xaaaaaaaau : 0x55555555u);
  }
  CHECK_CUDA(cudaFree(in));
  CHECK_CUDA(cudaFree(out));
}

int main() {
  checkHalves<0>();
  checkHalves<1>();
  RETURN_RESULT();
}
