// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Casts of NaN and infinity to integers: saturation, and PTX's results for NaN (0 from float to 32
// bits, otherwise only the highest bit).
#include "check.h"
#include <climits>
#include <cmath>

__global__ void convertFloat(float x, int *i, unsigned *u, long long *l, unsigned long long *ul) {
  *i = int(x);
  *u = unsigned(x);
  *l = (long long)x;
  *ul = (unsigned long long)x;
}

__global__ void convertDouble(double x, int *i, unsigned *u, long long *l, unsigned long long *ul) {
  *i = int(x);
  *u = unsigned(x);
  *l = (long long)x;
  *ul = (unsigned long long)x;
}

struct Results {
  DeviceBuffer<int> i{1};
  DeviceBuffer<unsigned> u{1};
  DeviceBuffer<long long> l{1};
  DeviceBuffer<unsigned long long> ul{1};

  void check(int expected_i, unsigned expected_u, long long expected_l,
             unsigned long long expected_ul) {
    CHECK_EQ(i.download()[0], expected_i);
    CHECK_EQ(u.download()[0], expected_u);
    CHECK_EQ(l.download()[0], expected_l);
    CHECK_EQ(ul.download()[0], expected_ul);
  }
};

int main() {
  Results r;
  convertFloat<<<1, 1>>>(NAN, r.i, r.u, r.l, r.ul);
  r.check(0, 0u, LLONG_MIN, 1ull << 63);
  convertDouble<<<1, 1>>>(NAN, r.i, r.u, r.l, r.ul);
  r.check(INT_MIN, 1u << 31, LLONG_MIN, 1ull << 63);
  convertFloat<<<1, 1>>>(INFINITY, r.i, r.u, r.l, r.ul);
  r.check(INT_MAX, UINT_MAX, LLONG_MAX, ULLONG_MAX);
  convertDouble<<<1, 1>>>(-INFINITY, r.i, r.u, r.l, r.ul);
  r.check(INT_MIN, 0u, LLONG_MIN, 0ull);
  RETURN_RESULT();
}
