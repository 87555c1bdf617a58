// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Divisions that only some threads execute, by numbers that are zero in the others. That a lane's
// divisor follows from its number must not let its zero spoil the quotients of its neighbours.
#include "check.h"

template <typename T> __global__ void divideBySmall(T dividend, T *quotients, T *remainders) {
  const T divisor = T(threadIdx.x & 3);
  if ((threadIdx.x & 6) == 6) {
    quotients[threadIdx.x] = dividend / divisor;
    remainders[threadIdx.x] = dividend % divisor;
  }
}

// The quotient is handed to one place, whose old value goes on.
__global__ void exchangeQuotients(unsigned *kept) {
  __shared__ unsigned place, seen;
  if (threadIdx.x == 0)
    place = seen = 1;
  __syncthreads();
  if ((threadIdx.x & 6) == 6) {
    const unsigned old = atomicExch(&place, 0x80000000u % (threadIdx.x & 3));
    atomicXor(&seen, old);
  }
  __syncthreads();
  if (threadIdx.x == 0)
    *kept = place ^ seen;
}

template <typename T> void checkQuotients(T dividend) {
  T *quotients, *remainders;
  CHECK_CUDA(cudaMallocManaged(&quotients, 64 * sizeof(T)));
  CHECK_CUDA(cudaMallocManaged(&remainders, 64 * sizeof(T)));
  for (int i = 0; i < 64; ++i)
    quotients[i] = remainders[i] = 99;
  divideBySmall<<<1, 64>>>(dividend, quotients, remainders);
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int i = 0; i < 64; ++i) {
    const bool divides = (i & 6) == 6;
    CHECK(quotients[i] == (divides ? T(dividend / T(i & 3)) : T(99)));
    CHECK(remainders[i] == (divides ? T(dividend % T(i & 3)) : T(99)));
  }
  CHECK_CUDA(cudaFree(quotients));
  CHECK_CUDA(cudaFree(remainders));
}

int main() {
  checkQuotients<unsigned>(0x80000000u);
  checkQuotients<int>(-1000003);
  checkQuotients<unsigned long long>(0x8000000000000001ull);
  checkQuotients<long long>(-1000000000039ll);
  checkQuotients<unsigned short>(65535);
  unsigned *kept;
  CHECK_CUDA(cudaMallocManaged(&kept, sizeof *kept));
  exchangeQuotients<<<1, 256>>>(kept);
  CHECK_CUDA(cudaDeviceSynchronize());
  unsigned expected = 0; // each number that was put in is taken out once, except for the last
  for (unsigned i = 0; i < 256; ++i)
    if ((i & 6) == 6)
      expected ^= 0x80000000u % (i & 3);
  CHECK(*kept == expected);
  CHECK_CUDA(cudaFree(kept));
  RETURN_RESULT();
}
