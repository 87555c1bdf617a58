// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// As CMake's Release compiles: with NDEBUG, where libcu++ declares the function behind assert() for
// both sides. A file may still have assertions of its own. flags: -std=c++17 -O3 -DNDEBUG
#include "../check.h"

#include <cuda/std/array>
#include <cuda/std/span>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>

#undef NDEBUG
#include <cassert>

__global__ void doubled(cuda::std::span<int> values) {
  assert(threadIdx.x < values.size());
  values[threadIdx.x] *= 2;
}

int main() {
  thrust::device_vector<int> values(32, 3);
  doubled<<<1, 32>>>(cuda::std::span<int>(thrust::raw_pointer_cast(values.data()), values.size()));
  CHECK_CUDA(cudaDeviceSynchronize());
  assert(thrust::reduce(values.begin(), values.end()) == 192);
  doubled<<<1, 64>>>(cuda::std::span<int>(thrust::raw_pointer_cast(values.data()), values.size()));
  CHECK_EQ(cudaDeviceSynchronize(), cudaErrorAssert);
  std::quick_exit(check::result()); // the vector cannot be freed any more
}
