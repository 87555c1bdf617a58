// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables in local memory lie where their alignment says, in every thread, whether few bytes or
// many, and across barriers.
#include "../check.h"

#include <cstdint>

namespace {

template <int Align, int Bytes, bool Barrier> __global__ void place(uintptr_t *addresses, int n) {
  alignas(Align) unsigned char local[Bytes];
  for (int i = 0; i < n; ++i)
    local[i] = static_cast<unsigned char>(i + threadIdx.x);
  addresses[threadIdx.x] =
      reinterpret_cast<uintptr_t>(local); // the host looks at them, or they would be known
  if (Barrier)
    __syncthreads();
  int sum = 0;
  for (int i = 0; i < n; ++i)
    sum += local[i];
  addresses[blockDim.x + threadIdx.x] = sum;
}

template <int Align, int Bytes, bool Barrier> void check() {
  constexpr int threads = 48, n = Bytes < 100 ? Bytes : 100;
  uintptr_t *addresses;
  CHECK_CUDA(cudaMallocManaged(&addresses, 2 * threads * sizeof *addresses));
  place<Align, Bytes, Barrier><<<1, threads>>>(addresses, n);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int thread = 0; thread < threads; ++thread) {
    CHECK_EQ(int(addresses[thread] % Align), 0);
    int sum = 0;
    for (int i = 0; i < n; ++i)
      sum += (i + thread) & 255;
    CHECK_EQ(int(addresses[threads + thread]), sum);
  }
  CHECK_CUDA(cudaFree(addresses));
}

template <int Align> void checkAll() {
  check<Align, 24, false>();
  check<Align, 24, true>();
  check<Align, 3000, false>();
  check<Align, 3000, true>();
}

} // namespace

int main() {
  checkAll<4>();
  checkAll<64>();
  checkAll<256>();
  RETURN_RESULT();
}
