// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shfl_xor_sync: butterflies over 32 lanes, and with a width the lane may read an earlier
// segment but keeps its own value instead of a later one.
#include "check.h"

template <class T, int width> __global__ void shuffle(T *out, int mask) {
  out[threadIdx.x] = __shfl_xor_sync(0xffffffff, T(threadIdx.x + 100), mask, width);
}

__global__ void butterfly(int *out) {
  int sum = threadIdx.x;
  for (int mask = 1; mask < 32; mask *= 2)
    sum += __shfl_xor_sync(0xffffffff, sum, mask);
  out[threadIdx.x] = sum;
}

template <class T, int width> static void checkWidth() {
  for (int mask : {1, 2, 5, 8, 16, 31}) {
    DeviceBuffer<T> out(32);
    shuffle<T, width><<<1, 32>>>(out.data(), mask);
    const std::vector<T> result = out.download();
    for (int lane = 0; lane < 32; ++lane) {
      // PTX ISA, shfl.bfly: valid while the source is not above the segment's last lane.
      const int source = lane ^ mask, last = lane / width * width + width - 1;
      CHECK_EQ(result[lane], T((source <= last ? source : lane) + 100));
    }
  }
}

int main() {
  checkWidth<int, 32>();
  checkWidth<int, 16>();
  checkWidth<int, 8>();
  checkWidth<int, 4>();
  checkWidth<double, 32>();
  checkWidth<double, 8>();
  checkWidth<float, 16>();
  DeviceBuffer<int> out(32);
  butterfly<<<1, 32>>>(out);
  for (int sum : out.download())
    CHECK_EQ(sum, 496);
  RETURN_RESULT();
}
