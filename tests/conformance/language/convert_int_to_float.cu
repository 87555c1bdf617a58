// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// 32- and 64-bit integers to float and double, and double to float, with each rounding mode.
#include "check.h"
#include <cfenv>

// The four modes in the order rn, rz, rd, ru.
__global__ void convert(const long long *in, double *out, int n) {
  const int i = threadIdx.x;
  if (i >= n)
    return;
  const long long v = in[i];
  const double d = __longlong_as_double(0x3ff0000000000000LL + v); // a double near 1 or beyond
  double *own = out + 28 * i;
  own[0] = __int2float_rn(int(v));
  own[1] = __int2float_rz(int(v));
  own[2] = __int2float_rd(int(v));
  own[3] = __int2float_ru(int(v));
  own[4] = __uint2float_rn(unsigned(v));
  own[5] = __uint2float_rz(unsigned(v));
  own[6] = __uint2float_rd(unsigned(v));
  own[7] = __uint2float_ru(unsigned(v));
  own[8] = __ll2float_rn(v);
  own[9] = __ll2float_rz(v);
  own[10] = __ll2float_rd(v);
  own[11] = __ll2float_ru(v);
  own[12] = __ull2double_rn((unsigned long long)v);
  own[13] = __ull2double_rz((unsigned long long)v);
  own[14] = __ull2double_rd((unsigned long long)v);
  own[15] = __ull2double_ru((unsigned long long)v);
  own[16] = __ll2double_rn(v);
  own[17] = __ll2double_rz(v);
  own[18] = __ll2double_rd(v);
  own[19] = __ll2double_ru(v);
  own[20] = __double2float_rn(d);
  own[21] = __double2float_rz(d);
  own[22] = __double2float_rd(d);
  own[23] = __double2float_ru(d);
  own[24] = __int2double_rn(int(v));
  own[25] = __uint2double_rn(unsigned(v));
  own[26] = float(v);
  own[27] = double((unsigned long long)v);
}

int main() {
  const std::vector<long long> values = {0,
                                         1,
                                         -1,
                                         16777217,
                                         -16777219,
                                         0x7fffffff,
                                         -0x7fffffff,
                                         0x7fffffc0,
                                         0x123456789abcdefLL,
                                         -0x123456789abcdefLL,
                                         (1LL << 53) + 1,
                                         -(1LL << 53) - 1,
                                         0x7fffffffffffffffLL};
  const int n = int(values.size());
  DeviceBuffer<long long> in(values);
  DeviceBuffer<double> out(28 * n);
  convert<<<1, 32>>>(in, out, n);
  const std::vector<double> result = out.download();
  const int modes[4] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
  for (int i = 0; i < n; ++i) {
    double expected[28];
    for (int mode = 0; mode < 4; ++mode) {
      // volatile: the conversions must happen here, in this mode
      volatile long long v = values[i];
      long long bits = 0x3ff0000000000000LL + values[i];
      double asDouble;
      memcpy(&asDouble, &bits, sizeof asDouble);
      volatile double d = asDouble;
      volatile int v32 = int(values[i]);
      volatile unsigned u32 = unsigned(values[i]);
      volatile unsigned long long u64 = (unsigned long long)values[i];
      fesetround(modes[mode]);
      volatile float fromInt = float(v32), fromUnsigned = float(u32), fromLong = float(v),
                     fromDouble = float(d);
      // through long double, which holds all 64 bits: the conversion itself then rounds once
      volatile long double exact = u64, exactSigned = v;
      volatile double fromUnsignedLong = double(exact), doubleFromLong = double(exactSigned);
      fesetround(FE_TONEAREST);
      expected[mode] = fromInt;
      expected[4 + mode] = fromUnsigned;
      expected[8 + mode] = fromLong;
      expected[12 + mode] = fromUnsignedLong;
      expected[16 + mode] = doubleFromLong;
      expected[20 + mode] = fromDouble;
    }
    expected[24] = int(values[i]);
    expected[25] = unsigned(values[i]);
    expected[26] = float(values[i]);
    expected[27] = double((unsigned long long)values[i]);
    for (int k = 0; k < 28; ++k) {
      const bool bothNan = std::isnan(result[28 * i + k]) && std::isnan(expected[k]);
      if (!bothNan && result[28 * i + k] != expected[k])
        fprintf(stderr, "value %lld, conversion %d\n", values[i], k);
      CHECK(bothNan || result[28 * i + k] == expected[k]);
    }
  }
  RETURN_RESULT();
}
