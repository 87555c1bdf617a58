// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// __shfl_up_sync and __shfl_down_sync with widths 32, 16, 8 and 4: lanes whose source is outside
// the segment keep their own value.
#include "check.h"

template <class T, int width> __global__ void shuffle(T *out, int delta) {
  const int lane = threadIdx.x;
  const T value = T(lane * lane);
  out[2 * lane] = __shfl_up_sync(0xffffffff, value, delta, width);
  out[2 * lane + 1] = __shfl_down_sync(0xffffffff, value, delta, width);
}

template <class T, int width> static void checkWidth() {
  for (int delta : {0, 1, 2, 3, 5, 17, 31}) {
    DeviceBuffer<T> out(64);
    shuffle<T, width><<<1, 32>>>(out.data(), delta);
    const std::vector<T> result = out.download();
    for (int lane = 0; lane < 32; ++lane) {
      const int up = lane % width >= delta ? lane - delta : lane;
      const int down = lane % width + delta < width ? lane + delta : lane;
      CHECK_EQ(result[2 * lane], T(up * up));
      CHECK_EQ(result[2 * lane + 1], T(down * down));
    }
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
  checkType<float>();
  checkType<double>();
  checkType<unsigned long long>();
  RETURN_RESULT();
}
