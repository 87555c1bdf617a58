// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lanes that leave an inner loop early begin the outer loop's next round while others are still in
// the inner one, where they vote. The early ones wait there, with another mask, for all. Each lane
// has its own rounds' numbers ("Independent Thread Scheduling" in the CUDA guide).
#include "check.h"

constexpr unsigned threads = 64, mixed = 2654435761u;

__host__ __device__ unsigned mix(unsigned value, unsigned outer, unsigned inner) {
  return (value ^ (outer * 16 + inner)) * mixed + value / ((value >> 28 & 3) + 1);
}

__host__ __device__ bool goesOn(unsigned value, unsigned inner) {
  return inner < (value >> 20 & 7);
}

__global__ void vote(unsigned *values, const unsigned *choices, unsigned rounds) {
  unsigned value = values[threadIdx.x];
  const unsigned choice = choices[threadIdx.x];
  const unsigned all = __ballot_sync(0xffffffffu, 1);
  for (unsigned outer = 0; outer < rounds; ++outer) {
    unsigned mask = all;
    for (unsigned inner = 0;; ++inner) {
      const bool go_on = goesOn(value, inner);
      mask = __ballot_sync(mask, go_on);
      if (!go_on)
        break;
      const bool chosen = choice & 1;
      const unsigned some = __ballot_sync(mask, chosen);
      if (chosen)
        __ballot_sync(some, choice & 2);
      value = mix(value, outer, inner);
    }
  }
  values[threadIdx.x] = value;
}

int main() {
  const unsigned rounds = 3;
  unsigned start[threads], choices[threads], values[threads];
  for (unsigned i = 0; i < threads; ++i) {
    start[i] = (i + 1) * mixed;
    choices[i] = start[i] >> 13;
  }
  unsigned *device_values, *device_choices;
  CHECK_CUDA(cudaMalloc(&device_values, sizeof start));
  CHECK_CUDA(cudaMalloc(&device_choices, sizeof choices));
  CHECK_CUDA(cudaMemcpy(device_values, start, sizeof start, cudaMemcpyHostToDevice));
  CHECK_CUDA(cudaMemcpy(device_choices, choices, sizeof choices, cudaMemcpyHostToDevice));
  vote<<<1, threads>>>(device_values, device_choices, rounds);
  CHECK_CUDA(cudaMemcpy(values, device_values, sizeof values, cudaMemcpyDeviceToHost));
  for (unsigned i = 0; i < threads; ++i) {
    unsigned expected = start[i];
    for (unsigned outer = 0; outer < rounds; ++outer)
      for (unsigned inner = 0; goesOn(expected, inner); ++inner)
        expected = mix(expected, outer, inner);
    CHECK_EQ(values[i], expected);
  }
  RETURN_RESULT();
}
