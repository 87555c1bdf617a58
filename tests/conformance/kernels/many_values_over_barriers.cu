// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that keep dozens of sums, addresses and numbers of the block over a row of barriers, in
// loops and out of them, and in warps that wait at barriers of their own.
#include "check.h"

constexpr int threads = 128, blocks = 2, sums = 88, steps = 4, shared_numbers = 12;

__device__ __host__ unsigned mix(unsigned sum, unsigned other, unsigned factor) {
  return sum * 31 + (other ^ factor);
}

// Everything but the shared tile is in registers. Each step uses some sums and leaves the others.
__device__ void step(unsigned *sum, const unsigned *factor, unsigned *tile, int number) {
  const unsigned i = threadIdx.x;
  tile[i] = sum[number % sums];
  __syncthreads();
#pragma unroll
  for (int k = number % 3; k < sums; k += 3)
    sum[k] = mix(sum[k], tile[(i + 7 * k + number) % threads], factor[k % shared_numbers]);
  __syncthreads();
}

template <bool own_barriers>
__global__ void keep(unsigned *out, const unsigned *in, const unsigned *numbers, int rounds) {
  __shared__ unsigned tile[threads];
  const unsigned i = threadIdx.x, at = blockIdx.x * threads + i;
  unsigned sum[sums], factor[shared_numbers];
  for (int k = 0; k < shared_numbers; ++k)
    factor[k] = numbers[k];
  const unsigned *place = in + at;
  for (int k = 0; k < sums; ++k, place += numbers[0])
    sum[k] = *place;
  for (int round = 0; round < rounds; ++round) {
#pragma unroll
    for (int number = 0; number < steps; ++number) {
      if (own_barriers && i / 32 % 2) { // the other warps come to the same barriers by another way
        step(sum, factor, tile, number);
        sum[number] += factor[number % shared_numbers];
      } else {
        step(sum, factor, tile, number);
        factor[number % shared_numbers] += 3;
      }
    }
    sum[5] += *place;
  }
  unsigned all = 0;
  for (int k = 0; k < sums; ++k) {
    out[k * threads * blocks + at] = sum[k];
    all = mix(all, sum[k], factor[k % shared_numbers]);
  }
  out[sums * threads * blocks + at] = all;
}

// The same for a block, step by step.
void expectBlock(bool own_barriers, int block, const std::vector<unsigned> &in,
                 const std::vector<unsigned> &numbers, int rounds,
                 const std::vector<unsigned> &out) {
  std::vector<std::vector<unsigned>> sum(threads, std::vector<unsigned>(sums));
  std::vector<std::vector<unsigned>> factor(
      threads, std::vector<unsigned>(numbers.begin(), numbers.begin() + shared_numbers));
  const auto element = [&](int i, int k) { return in[block * threads + i + k * numbers[0]]; };
  for (int i = 0; i < threads; ++i)
    for (int k = 0; k < sums; ++k)
      sum[i][k] = element(i, k);
  for (int round = 0; round < rounds; ++round) {
    for (int number = 0; number < steps; ++number) {
      unsigned tile[threads];
      for (int i = 0; i < threads; ++i)
        tile[i] = sum[i][number % sums];
      for (int i = 0; i < threads; ++i) {
        for (int k = number % 3; k < sums; k += 3)
          sum[i][k] =
              mix(sum[i][k], tile[(i + 7 * k + number) % threads], factor[i][k % shared_numbers]);
        if (own_barriers && i / 32 % 2)
          sum[i][number] += factor[i][number % shared_numbers];
        else
          factor[i][number % shared_numbers] += 3;
      }
    }
    for (int i = 0; i < threads; ++i)
      sum[i][5] += element(i, sums);
  }
  for (int i = 0; i < threads; ++i) {
    unsigned all = 0;
    for (int k = 0; k < sums; ++k) {
      CHECK_EQ(out[k * threads * blocks + block * threads + i], sum[i][k]);
      all = mix(all, sum[i][k], factor[i][k % shared_numbers]);
    }
    CHECK_EQ(out[sums * threads * blocks + block * threads + i], all);
  }
}

int main() {
  std::vector<unsigned> in(threads * blocks * (sums + 1)), numbers(shared_numbers);
  for (size_t i = 0; i < in.size(); ++i)
    in[i] = unsigned(i) * 2654435761u;
  for (size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = i ? unsigned(i) * 40503u : threads * blocks;
  DeviceBuffer<unsigned> device_in(in), device_numbers(numbers), out(threads * blocks * (sums + 1));
  for (const int rounds : {0, 2}) {
    keep<false><<<blocks, threads>>>(out, device_in, device_numbers, rounds);
    std::vector<unsigned> got = out.download();
    for (int block = 0; block < blocks; ++block)
      expectBlock(false, block, in, numbers, rounds, got);
    keep<true><<<blocks, threads>>>(out, device_in, device_numbers, rounds);
    got = out.download();
    for (int block = 0; block < blocks; ++block)
      expectBlock(true, block, in, numbers, rounds, got);
  }
  RETURN_RESULT();
}
