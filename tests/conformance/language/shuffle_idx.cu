// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shfl_sync with widths 32, 16, 8 and 4: the source lane wraps within the segment; int, float,
// double, long long and unsigned.
#include "check.h"

template <class T, int width> __global__ void shuffle(T *out) {
  const int lane = threadIdx.x;
  const T value = T(lane * 10 + 1);
  T *own = out + lane * 4;
  own[0] = __shfl_sync(0xffffffff, value, 3, width);
  own[1] = __shfl_sync(0xffffffff, value, lane + 1, width);
  own[2] = __shfl_sync(0xffffffff, value, lane * 7 + 40, width);
  own[3] = __shfl_sync(0xffffffff, value, width - 1 - lane % width, width);
}

template <class T, int width> static void checkWidth() {
  DeviceBuffer<T> out(128);
  shuffle<T, width><<<1, 32>>>(out.data());
  const std::vector<T> result = out.download();
  for (int lane = 0; lane < 32; ++lane) {
    const int first = lane / width * width;
    const int sources[4] = {3, lane + 1, lane * 7 + 40, width - 1 - lane % width};
    for (int i = 0; i < 4; ++i)
      CHECK_EQ(result[lane * 4 + i], T((first + sources[i] % width) * 10 + 1));
  }
}

template <class T> static void checkType() {
  checkWidth<T, 32>();
  checkWidth<T, 16>();
  checkWidth<T, 8>();
  checkWidth<T, 4>();
}

int main() {
  checkType<int>();
  checkType<unsigned>();
  checkType<float>();
  checkType<double>();
  checkType<long long>();
  checkType<unsigned long>();
  RETURN_RESULT();
}
