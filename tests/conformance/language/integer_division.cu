// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Integer division and remainder, signed and unsigned, 32 and 64 bits: rounding toward zero, and
// no trap for x / 0 and INT_MIN / -1, whose values are not defined.
#include "check.h"
#include <climits>

template <class T> __global__ void divide(const T *a, const T *b, T *out, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    out[2 * i] = a[i] / b[i];
    out[2 * i + 1] = a[i] % b[i];
  }
}

template <class T> static void checkValues(const std::vector<T> &values) {
  std::vector<T> a, b;
  for (T x : values)
    for (T y : values) {
      a.push_back(x);
      b.push_back(y);
    }
  DeviceBuffer<T> deviceA(a), deviceB(b), out(2 * a.size());
  divide<<<1, int(a.size())>>>(deviceA.data(), deviceB.data(), out.data(), int(a.size()));
  const std::vector<T> result = out.download();
  for (size_t i = 0; i < a.size(); ++i) {
    if (b[i] == 0 || (b[i] == T(-1) && T(-1) < 0 && T(-a[i]) == a[i] && a[i] != 0))
      continue; // any value will do
    CHECK_EQ(result[2 * i], a[i] / b[i]);
    CHECK_EQ(result[2 * i + 1], a[i] % b[i]);
  }
}

int main() {
  checkValues<int>({0, 1, -1, 7, -7, 3, 1000000007, INT_MAX, INT_MIN, INT_MIN + 1, 10});
  checkValues<unsigned>({0, 1, 2, 7, 10, 0x7fffffff, 0x80000000, UINT_MAX, UINT_MAX - 1});
  checkValues<long long>({0, 1, -1, 9, -9, 1LL << 40, -(1LL << 33), LLONG_MAX, LLONG_MIN, 10});
  checkValues<unsigned long long>(
      {0, 1, 3, 1ull << 63, ULLONG_MAX, ULLONG_MAX - 5, 1000000000000ull});
  checkValues<short>({0, 1, -1, 300, -300, SHRT_MAX, SHRT_MIN});
  checkValues<unsigned char>({0, 1, 3, 255});
  RETURN_RESULT();
}
