// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Float and double to 32- and 64-bit integers with each rounding mode: halfway cases, negative
// values and saturation (PTX ISA, cvt).
#include "check.h"
#include <cfenv>
#include <limits>

// The four modes in the order rn, rz, rd, ru.
__global__ void convert(const float *f, const double *d, long long *out, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  long long *own = out + 32 * i;
  own[0] = __float2int_rn(f[i]);
  own[1] = __float2int_rz(f[i]);
  own[2] = __float2int_rd(f[i]);
  own[3] = __float2int_ru(f[i]);
  own[4] = __float2uint_rn(f[i]);
  own[5] = __float2uint_rz(f[i]);
  own[6] = __float2uint_rd(f[i]);
  own[7] = __float2uint_ru(f[i]);
  own[8] = __float2ll_rn(f[i]);
  own[9] = __float2ll_rz(f[i]);
  own[10] = __float2ll_rd(f[i]);
  own[11] = __float2ll_ru(f[i]);
  own[12] = (long long)__float2ull_rn(f[i]);
  own[13] = (long long)__float2ull_rz(f[i]);
  own[14] = (long long)__float2ull_rd(f[i]);
  own[15] = (long long)__float2ull_ru(f[i]);
  own[16] = __double2int_rn(d[i]);
  own[17] = __double2int_rz(d[i]);
  own[18] = __double2int_rd(d[i]);
  own[19] = __double2int_ru(d[i]);
  own[20] = __double2uint_rn(d[i]);
  own[21] = __double2uint_rz(d[i]);
  own[22] = __double2uint_rd(d[i]);
  own[23] = __double2uint_ru(d[i]);
  own[24] = __double2ll_rn(d[i]);
  own[25] = __double2ll_rz(d[i]);
  own[26] = __double2ll_rd(d[i]);
  own[27] = __double2ll_ru(d[i]);
  own[28] = (long long)__double2ull_rn(d[i]);
  own[29] = (long long)__double2ull_rz(d[i]);
  own[30] = (long long)__double2ull_rd(d[i]);
  own[31] = (long long)__double2ull_ru(d[i]);
}

static double roundAs(double x, int mode) {
  return mode == 0   ? std::nearbyint(x)
         : mode == 1 ? std::trunc(x)
         : mode == 2 ? std::floor(x)
                     : std::ceil(x);
}

template <class T> static long long saturate(double whole) {
  const double low = double(std::numeric_limits<T>::min());
  const double high = std::ldexp(1.0, std::numeric_limits<T>::digits);
  return (long long)(whole <= low    ? std::numeric_limits<T>::min()
                     : whole >= high ? std::numeric_limits<T>::max()
                                     : T(whole));
}

int main() {
  const std::vector<double> d = {0,     -0.0,  0.5,        -0.5,   1.5,    2.5,  -2.5,  3.25,
                                 -3.75, 1e9,   -1e9,       4e9,    -4e9,   1e18, -1e18, 1.5e19,
                                 1e30,  -1e30, 2147483647, 0.9375, -0.125, 7};
  const int n = int(d.size());
  std::vector<float> f(d.begin(), d.end());
  DeviceBuffer<float> floats(f);
  DeviceBuffer<double> doubles(d);
  DeviceBuffer<long long> out(32 * n);
  convert<<<1, 32>>>(floats, doubles, out, n);
  const std::vector<long long> result = out.download();
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 32; ++k) {
      const double whole = roundAs(k < 16 ? f[i] : d[i], k % 4);
      const int type = k / 4 % 4;
      const long long expected = type == 0   ? saturate<int>(whole)
                                 : type == 1 ? saturate<unsigned>(whole)
                                 : type == 2 ? saturate<long long>(whole)
                                             : saturate<unsigned long long>(whole);
      if (result[32 * i + k] != expected)
        fprintf(stderr, "value %g, conversion %d\n", k < 16 ? double(f[i]) : d[i], k);
      CHECK_EQ(result[32 * i + k], expected);
    }
  RETURN_RESULT();
}
