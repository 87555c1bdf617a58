// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bessel functions of doubles. The CUDA C++ Programming Guide, "Mathematical Functions Appendix",
// bounds those of the first and second kind by ulps below 8, so that each interval there has a
// polynomial that is exactly zero at the function's zero; above 8 by an absolute error, for which
// the expansion in inverse powers of x serves.
#include "double_exp_log.h"
#include "double_trig.h"

using namespace heddle;

namespace {

// (x - zero) as precisely as the zero is known.
HEDDLE_INLINE double fromZero(double x, double zero, double zero_low) {
  return (x - zero) - zero_low;
}

// The modulus and phase of the functions of order 0 and 1 for x >= 7: P and Q of
//   J(x) = sqrt(2/(pi*x)) * (P*cos(a) - Q*sin(a)), Y(x) = sqrt(2/(pi*x)) * (P*sin(a) + Q*cos(a))
// with a = x - pi/4 for order 0 and x - 3*pi/4 for order 1. Sines and cosines of a are sums of
// those of x.
struct BesselPair {
  double j, y;
};

HEDDLE_INLINE BesselPair largeOrder0(double x) {
  double inverse = 1.0 / x, z = inverse * inverse;
  double p = poly(z, -0x1.6117d6478aefbp+32, 0x1.95cfa9e9b000dp+29, -0x1.b67a6df419536p+25,
                  0x1.333def3184b8fp+21, -0x1.516c6ed8903d3p+16, 0x1.6079fbb895801p+11,
                  -0x1.b3da71dd3e9e1p+6, 0x1.84855c299f2bep+2, -0x1.251e06ac92074p-1,
                  0x1.cb5ffe1d3b6aap-4, -0x1.1fffffffcc500p-4, 0x1.ffffffffffffep-1);
  double q = inverse * poly(z, 0x1.43f97e6bc1884p+35, -0x1.6fa14fd406f03p+32, 0x1.853c67c455477p+28,
                            -0x1.078e6b6e288ffp+24, 0x1.10a2b4d733949p+19, -0x1.0116c1d8b3dcdp+14,
                            0x1.0f5ff8806d63ep+9, -0x1.85a6215fe6ccbp+4, 0x1.ba48d121a02f0p+0,
                            -0x1.d11df8754c106p-3, 0x1.2bfffffe635cap-4, -0x1.fffffffffff89p-4);
  SinCos t = sinCosOf(reduceAngle(x));
  double sum = t.cos + t.sin, difference = t.sin - t.cos;
  double scale = 0x1.20dd750429b6dp-1 / sqrt(x);
  return {scale * fma(p, sum, -q * difference), scale * fma(p, difference, q * sum)};
}

HEDDLE_INLINE BesselPair largeOrder1(double x) {
  double inverse = 1.0 / x, z = inverse * inverse;
  double p = poly(z, 0x1.79689a452da8dp+32, -0x1.b22582b5ad6d4p+29, 0x1.d5c98dda939d3p+25,
                  -0x1.4a09139bd478fp+21, 0x1.6c32d69f9ccf1p+16, -0x1.7fd392bcbb26ap+11,
                  0x1.e1ea1a71e06b3p+6, -0x1.b856d0c175d58p+2, 0x1.5a69687bd7eb5p-1,
                  -0x1.274ffeff5d205p-3, 0x1.dfffffffc90a7p-4, 0x1.0000000000001p+0);
  double q =
      inverse * poly(z, -0x1.595a53a705b63p+35, 0x1.8830b43a5b0ecp+32, -0x1.9fc16646e6086p+28,
                     0x1.1a1dee8554392p+24, -0x1.24f9d392cfd05p+19, 0x1.1640f4171f830p+14,
                     -0x1.295f7e1dc38edp+9, 0x1.b383e8bf67221p+4, -0x1.fe54596c54101p+0,
                     0x1.1c3cfc000c00bp-2, -0x1.a3fffffe4a443p-4, 0x1.7ffffffffffe0p-2);
  SinCos t = sinCosOf(reduceAngle(x));
  double sum = t.cos + t.sin, difference = t.sin - t.cos;
  double scale = 0x1.20dd750429b6dp-1 / sqrt(x);
  return {scale * fma(p, difference, q * sum), scale * fma(q, difference, -p * sum)};
}

// J0(x) for 0 <= x < 1.6.
HEDDLE_INLINE double smallJ0(double x) {
  double z = x * x;
  return fma(z,
             poly(z, -0x1.039a5a1252aa4p-55, 0x1.520600f076a4cp-47, -0x1.5229e64f7d994p-39,
                  0x1.02e85b7b7f9dep-31, -0x1.23456788b1efcp-24, 0x1.c71c71c71a808p-18,
                  -0x1.c71c71c71c6fdp-12, 0x1p-6, -0x1p-2),
             1.0);
}

// J1(x) for 0 <= x < 2.2.
HEDDLE_INLINE double smallJ1(double x) {
  double z = x * x;
  return x * poly(z, 0x1.d8fb3bdbf0b4bp-69, -0x1.aaf655ad79eaep-60, 0x1.2c95954eac32fp-51,
                  -0x1.522a3cdd51e49p-43, 0x1.27e4fb652d711p-35, -0x1.845c8a0ca8097p-28,
                  0x1.6c16c16c1642ep-21, -0x1.c71c71c71c709p-15, 0x1.5555555555555p-9, -0x1p-4,
                  0x1p-1);
}

// The functions of orders 0 and 1 for x >= 0.
HEDDLE_INLINE double j0Of(double x) {
  if (x < 1.6)
    return smallJ0(x);
  if (x < 4.0) {
    double d = fromZero(x, 0x1.33d152e971b40p+1, -0x1.0f539d7da258ep-53);
    return d * poly(d, -0x1.2a074a3f04389p-47, 0x1.028857b41bc25p-43, 0x1.cd3f25a970889p-40,
                    -0x1.bde051718d3e4p-36, -0x1.5c2ac520e3e55p-32, 0x1.2951cd0a88a4dp-28,
                    0x1.7ff98e3850e34p-25, -0x1.1cce302a3b355p-21, -0x1.232c77cf47999p-18,
                    0x1.6ed3b9f071903p-15, 0x1.15382ba06a4a6p-12, -0x1.1f992590d11d1p-9,
                    -0x1.1bb1cbe1a4053p-7, 0x1.cfae864368d6fp-5, 0x1.ba1deea029493p-4,
                    -0x1.09cdb36551280p-1);
  }
  if (x < 7.1) {
    double d = fromZero(x, 0x1.6148f5b2c2e45p+2, 0x1.75054cd60a517p-54);
    return d * poly(d, -0x1.46c808b35f7b4p-56, 0x1.d0980380c5d0fp-52, 0x1.915b3c5176f91p-48,
                    -0x1.1028ed6a1c933p-43, -0x1.849a38f6aef2fp-40, 0x1.e2f2a64eefa44p-36,
                    0x1.1d0436a21107bp-32, -0x1.41d72cc6f4b01p-28, -0x1.2da37e3f2bae8p-25,
                    0x1.32e6d99b1a16fp-21, 0x1.ad77d748b371cp-19, -0x1.863f481a40933p-15,
                    -0x1.6f641f41958adp-13, 0x1.27e31fe9a9755p-9, 0x1.2f7ffe90256bdp-8,
                    -0x1.b2150cb41e8c1p-5, -0x1.f8f72e7a848e0p-6, 0x1.5c6e60a097823p-2);
  }
  return largeOrder0(x).j;
}

HEDDLE_INLINE double j1Of(double x) {
  if (x < 2.2)
    return smallJ1(x);
  if (x < 5.4) {
    double d = fromZero(x, 0x1.ea75575af6f09p+1, -0x1.60155a9d1b256p-53);
    return d * poly(d, 0x1.0d5da014752ebp-56, -0x1.df2949e8a0164p-52, -0x1.67261c6a69d10p-48,
                    0x1.177fc883d3b96p-43, 0x1.5ec5db5b9ee63p-40, -0x1.ec617753dce7bp-36,
                    -0x1.03b9e442298e1p-32, 0x1.4569b1151f759p-28, 0x1.17069227775a9p-25,
                    -0x1.33825cd0f94cep-21, -0x1.9799d4c9cffc3p-19, 0x1.83a06e30c0461p-15,
                    0x1.6e4c2d5353f01p-13, -0x1.24b3409959028p-9, -0x1.537544c331da3p-8,
                    0x1.b589d1da13904p-5, 0x1.ae8a39f51ad04p-5, -0x1.9c6cf582cbf7fp-2);
  }
  if (x < 8.5) {
    double d = fromZero(x, 0x1.c0ff5f3b47250p+2, -0x1.b226d9d243827p-54);
    return d * poly(d, -0x1.013ada2fc0d97p-56, 0x1.e0380e74d1fd1p-52, 0x1.4a80973790767p-48,
                    -0x1.1819e2b8d1314p-43, -0x1.3bb525c019877p-40, 0x1.ecadd442cd7ecp-36,
                    0x1.c62cc5aaca092p-33, -0x1.44639c600b6d9p-28, -0x1.d48dcda14ac58p-26,
                    0x1.3026e0cc9c11fp-21, 0x1.4255b0159bf40p-19, -0x1.796a751f85135p-15,
                    -0x1.07358bbdbfdf4p-13, 0x1.13fbc7d6981d8p-9, 0x1.9a4b292e3de3ep-9,
                    -0x1.80c83bdeee5b0p-5, -0x1.5e70dc60362bfp-6, 0x1.33518b3874e8ap-2);
  }
  return largeOrder1(x).j;
}

constexpr double two_over_pi = 0x1.45f306dc9c883p-1;

HEDDLE_INLINE double y0Of(double x) {
  if (x < 2.3) {
    // Y0(x) = 2/pi * log(x / z) * J0(x) + (x^2 - z^2) * R(x^2), z the first zero.
    constexpr Dd zero = {0x1.c982eb8d417eap-1, 0x1.ea9d270347f83p-56};
    constexpr double log_zero = -0x1.cce4b73e6f025p-4;
    double d = fromZero(x, zero.hi, zero.lo);
    double ratio = d * (1.0 / zero.hi);
    bool near = abs(ratio) < 0.25;
    double log_ratio = select(near, log1pOf({near ? ratio : 0.0, 0.0}).hi,
                              roundedLogOf(near ? 1.0 : x) - log_zero);
    double z = x * x;
    double rest = d * (x + zero.hi) *
                  poly(z, 0x1.62a31fdb02c8ap-72, -0x1.56af8068f455bp-63, 0x1.037df32277a97p-54,
                       -0x1.3c55d4d0206dep-46, 0x1.2eb3f45883beep-38, -0x1.b797036d255cbp-31,
                       0x1.cf0413da6970dp-24, -0x1.4c030d99a8668p-17, 0x1.268a9aaaeb0c7p-11,
                       -0x1.12583f4a4abcfp-6, 0x1.750811790a13cp-3);
    return fma(two_over_pi * log_ratio, j0Of(x), rest);
  }
  if (x < 5.5) {
    double d = fromZero(x, 0x1.fa9534d98569cp+1, -0x1.f06ae7804384ep-54);
    return d * poly(d, 0x1.fe9ed5580927cp-50, -0x1.6418ab3f0e982p-48, -0x1.2e8687ed6c2ddp-48,
                    -0x1.f9f47d1e35e39p-47, 0x1.d4859bf7e68d9p-43, -0x1.82a8d029b66ccp-41,
                    0x1.4a5650d9100c0p-39, -0x1.6e83bfb51984dp-37, 0x1.8bb737f0eb570p-35,
                    -0x1.99f15f2587105p-33, 0x1.a566ae93e06c6p-31, -0x1.f689618cf4338p-29,
                    0x1.4530167196b28p-26, -0x1.777128a9db5c2p-26, -0x1.3b2173cef1c75p-22,
                    -0x1.48637194e2a08p-18, 0x1.ab2c1ff3860d8p-15, 0x1.99827650d6ecbp-13,
                    -0x1.1e32bc4efc91cp-9, -0x1.c116fdc597953p-8, 0x1.df6d59bf50ef6p-5,
                    0x1.a09c9290367e8p-5, -0x1.9c34256a12a0cp-2);
  }
  if (x < 8.5) {
    double d = fromZero(x, 0x1.c581dc4e72103p+2, -0x1.9774a495f56cfp-54);
    return d * poly(d, 0x1.b8c038b7e7a67p-60, -0x1.4c598f3235ec9p-55, 0x1.3790c499a111fp-51,
                    0x1.34c1040a42db9p-48, -0x1.067723bdebc9ep-43, -0x1.7150061348ce3p-40,
                    0x1.f14e501ccba85p-36, 0x1.fa6c5d8926638p-33, -0x1.442a3d326d441p-28,
                    -0x1.0a2814e4bbf8dp-25, 0x1.34aa7573f560dp-21, 0x1.6a9227354e73fp-19,
                    -0x1.8177e4fe5248fp-15, -0x1.26dd71e391f02p-13, 0x1.1d35e85fde2a5p-9,
                    0x1.b2f14a95527d1p-9, -0x1.8969c64cbf452p-5, -0x1.5aef611fc4d57p-6,
                    0x1.334cca0697a5bp-2);
  }
  return largeOrder0(x).y;
}

HEDDLE_INLINE double y1Of(double x) {
  if (x < 1.3) {
    // Y1(x) = 2/pi * (log(x) * J1(x) - 1/x) + x * R(x^2)
    double z = x * x;
    double rest = fma(two_over_pi * roundedLogOf(x), smallJ1(x),
                      x * poly(z, 0x1.2316b466f643ep-42, -0x1.f0a6b87440d64p-35,
                               0x1.32e56c8193e40p-27, -0x1.0a780a6e42e3ep-20, 0x1.2c7dbffc45321p-14,
                               -0x1.835b97894ae29p-9, 0x1.bd3975c75b492p-5, -0x1.91866143cbc8ap-3));
    return rest - two_over_pi / x;
  }
  if (x < 3.6) {
    double d = fromZero(x, 0x1.193bed4dff243p+1, -0x1.bd1e50d219bfdp-55);
    return d * poly(d, 0x1.920962160cfb5p-35, -0x1.c57bf32209502p-32, 0x1.a2d2dab1f1d14p-30,
                    -0x1.928b4ae26b83bp-29, 0x1.e1b09ec573035p-29, -0x1.8b62a5ff513a0p-28,
                    0x1.2c8d0f98fbc09p-26, -0x1.8319fe10a2d6fp-25, 0x1.9a4c3db0c78ffp-24,
                    -0x1.ae4c04cdc73d4p-23, 0x1.d8356573ca730p-22, -0x1.051e5b5fdfcb4p-20,
                    0x1.1eb79843c5be4p-19, -0x1.3a2ec83c3260ep-18, 0x1.585fcd01827cdp-17,
                    -0x1.7955b2de5e148p-16, 0x1.9d17a3d93aeabp-15, -0x1.c3faf529cc554p-14,
                    0x1.eea7b8a99303dp-13, -0x1.0b2d8727433bbp-11, 0x1.17ab4b02c361ep-10,
                    -0x1.5429dc5c05cdcp-9, 0x1.e671c7d103b25p-8, -0x1.3a6dec3720d95p-8,
                    -0x1.0d2af4e9322c8p-5, -0x1.e56f82217b908p-4, 0x1.0aa48442f014bp-1);
  }
  if (x < 7.0) {
    double d = fromZero(x, 0x1.5b7fe4e87b02ep+2, 0x1.dfe7bac228e8cp-52);
    return d * poly(d, 0x1.1c31c7786fa8dp-53, -0x1.7e8300bdc57a4p-52, 0x1.a08a791672d56p-52,
                    -0x1.bcb6c9686d150p-48, 0x1.680e6cca17fbdp-45, -0x1.c2603e85f39cbp-43,
                    0x1.45df73e493ed0p-40, -0x1.38355ce066f08p-38, 0x1.43a6e88520c8fp-39,
                    -0x1.a7ee05abf1fb0p-32, 0x1.80b135c4461c4p-28, 0x1.b62ccf208ba88p-26,
                    -0x1.255e6c55ac700p-21, -0x1.8061914602a2fp-19, 0x1.85b940ea5f258p-15,
                    0x1.337c7e138cffep-13, -0x1.1be6db9922dbap-9, -0x1.10a329e2c23d6p-8,
                    0x1.a15d92dfe3e16p-5, 0x1.00b9f8571ca1fp-5, -0x1.5c7c556f0c19ap-2);
  }
  return largeOrder1(x).y;
}

// Jn(x) for n >= 2 and 0 < x < inf, where n exceeds x: the recurrence towards smaller orders from
// far above n, where any start will do, normalised by J0 + 2*(J2 + J4 + ...) = 1 (Miller).
HEDDLE_INLINE double downwardJn(int n, double x) {
  double two_over_x = 2.0 / x;
  int start = (n + int(sqrt(200.0 * n)) + 40) / 2 * 2;
  double above = 0.0, current = 1.0, sum = 0.0, result = 0.0;
  for (int k = start; k > 0; --k) {
    double below = fma(k * two_over_x, current, -above);
    above = current;
    current = below;
    bool big = abs(current) > 0x1p300;
    double scale = big ? 0x1p-300 : 1.0;
    above *= scale;
    current *= scale;
    sum *= scale;
    result *= scale;
    // current is now of order k - 1.
    sum += (k & 1) != 0 ? current : 0.0;
    result = k - 1 == n ? current : result;
  }
  return result / (2.0 * sum - current);
}

HEDDLE_INLINE double upwardJn(int n, double x) {
  double two_over_x = 2.0 / x;
  double below = j0Of(x), current = j1Of(x);
  for (int k = 1; k < n; ++k) {
    double next = fma(k * two_over_x, current, -below);
    below = current;
    current = next;
  }
  return current;
}

// (x/2)^n / n!, all that is left of the series for small x.
HEDDLE_INLINE double leadingTermJn(int n, double x) {
  double r = 1.0;
  for (int k = 1; k <= n && r != 0.0; ++k)
    r *= 0.5 * x / k;
  return r;
}

// The modified functions for x < 8, as functions of x^2, and above as exp(x)/sqrt(x) times one of
// 1/x. exp(x) alone overflows before they do.
HEDDLE_INLINE double scaledExp(double x, double factor) {
  double limited = x > 800.0 ? 800.0 : x;
  double e = expOf(add(mul(ln_2, -16.0), limited));
  return e * (factor / sqrt(limited)) * 0x1p16;
}

HEDDLE_INLINE double inverseAbove8(double x) { return 1.0 / (x > 8.0 ? x : 8.0); }

} // namespace

HEDDLE_API double __nv_j0(double x) {
  double ax = abs(x);
  double r = j0Of(ax < infinity<double>() ? ax : 0.0);
  r = isInf(x) ? 0.0 : r;
  return select(isNan(x), x + x, r);
}

HEDDLE_API double __nv_j1(double x) {
  double ax = abs(x);
  double r = j1Of(ax < infinity<double>() ? ax : 0.0);
  double sign = doubleOf(bitsOf(r) ^ (bitsOf(x) & 0x8000000000000000));
  return select(isNan(x), x + x, select(isInf(x), copysign(0.0, x), sign));
}

HEDDLE_API double __nv_jn(int n, double x) {
  if (n == 0)
    return __nv_j0(x);
  if (n == 1)
    return __nv_j1(x);
  double ax = abs(x);
  double r = 0.0;
  // Orders this far above x are below the smallest double: Jn(x) < (e*x / (2*n))^n.
  if (n > 1 && ax < infinity<double>() && n - 2000.0 < 2.0 * ax)
    r = ax < 0x1p-20 ? leadingTermJn(n, ax) : n > ax ? downwardJn(n, ax) : upwardJn(n, ax);
  r = isNegative(x) && (n & 1) != 0 ? -r : r;
  return n < 0 || isNan(x) ? quietNan<double>() : r;
}

// What the functions of the second kind share: they are defined for x > 0 only.
HEDDLE_INLINE double selectSecondKind(double x, double result) {
  double r = select(x == 0.0, -infinity<double>(), result);
  r = isInf(x) ? 0.0 : r;
  return select(x < 0.0, quietNan<double>(), select(isNan(x), x + x, r));
}

HEDDLE_API double __nv_y0(double x) {
  bool inside = both(x > 0.0, x < infinity<double>());
  return selectSecondKind(x, y0Of(inside ? x : 1.0));
}

HEDDLE_API double __nv_y1(double x) {
  bool inside = both(x > 0.0, x < infinity<double>());
  return selectSecondKind(x, y1Of(inside ? x : 1.0));
}

HEDDLE_API double __nv_yn(int n, double x) {
  bool inside = both(x > 0.0, x < infinity<double>());
  double limited = inside ? x : 1.0;
  double below = y0Of(limited), current = y1Of(limited);
  double two_over_x = 2.0 / limited;
  for (int k = 1; k < n && current > -infinity<double>(); ++k) {
    double next = fma(k * two_over_x, current, -below);
    below = current;
    current = next;
  }
  double r = selectSecondKind(x, n == 0 ? below : current);
  return n < 0 ? quietNan<double>() : r;
}

HEDDLE_API double __nv_cyl_bessel_i0(double x) {
  double ax = abs(x);
  double z = ax < 8.0 ? ax * ax : 0.0;
  double small = poly(z, 0x1.81195045582f4p-141, 0x1.1a2ca347d54c1p-131, 0x1.7099a6665014cp-121,
                      0x1.69329ab81b047p-111, 0x1.3e334c6a83723p-101, 0x1.e7234e30227f6p-92,
                      0x1.4197c09ab0918p-82, 0x1.69ca9b2be85d4p-73, 0x1.56018877b43b7p-64,
                      0x1.0b313288aa584p-55, 0x1.522a43f66652fp-47, 0x1.522a43f653ab2p-39,
                      0x1.02e85c0898becp-31, 0x1.23456789abcd9p-24, 0x1.c71c71c71c71dp-18,
                      0x1.c71c71c71c71cp-12, 0x1p-6, 0x1p-2, 0x1p+0);
  double large =
      scaledExp(ax, poly(inverseAbove8(ax), 0x1.de985e80c26e1p+54, -0x1.443064483cae9p+55,
                         0x1.964c81dec531fp+54, -0x1.387922eb5b04ap+53, 0x1.4a0a480773f88p+51,
                         -0x1.fbce3f715eeb9p+48, 0x1.26a838187aa8bp+46, -0x1.07a50fe7a6bcdp+43,
                         0x1.70d7c440e7cdep+39, -0x1.96c1db38a9ad8p+35, 0x1.62ee121c2daf7p+31,
                         -0x1.ea0614d7a06fbp+26, 0x1.0a88881f5fa8cp+22, -0x1.c523399f45493p+16,
                         0x1.297fc45c5e599p+11, -0x1.2187ca3cee5dcp+5, 0x1.4cbb2cfb59962p-1,
                         0x1.651fc19d4a5a7p-4, 0x1.6eae19f0c3ad4p-5, 0x1.debacf1d39dfap-6,
                         0x1.cb94ddc31a58fp-6, 0x1.9884533d40a92p-5, 0x1.9884533d43651p-2));
  return select(isNan(x), x + x, ax < 8.0 ? small : large);
}

HEDDLE_API double __nv_cyl_bessel_i1(double x) {
  double ax = abs(x);
  double z = ax < 8.0 ? ax * ax : 0.0;
  double small =
      ax * poly(z, 0x1.3dab290145249p-146, 0x1.fd4a47e405e28p-137, 0x1.59e77b84e7fd9p-126,
                0x1.695c7cc428093p-116, 0x1.536551af66e45p-106, 0x1.165dae5ada9a1p-96,
                0x1.8bce6bf3a2ef5p-87, 0x1.e2637a8923222p-78, 0x1.f17697e304b40p-69,
                0x1.ab81ea75241bbp-60, 0x1.2c9758dafccbfp-51, 0x1.522a43f654305p-43,
                0x1.27e4fb7789f8dp-35, 0x1.845c8a0ce5127p-28, 0x1.6c16c16c16c17p-21,
                0x1.c71c71c71c71cp-15, 0x1.5555555555555p-9, 0x1p-4, 0x1p-1);
  double large =
      scaledExp(ax, poly(inverseAbove8(ax), -0x1.f23ff1f27dca9p+54, 0x1.520e382ddc53fp+55,
                         -0x1.a86b40714efc8p+54, 0x1.4704830181be5p+53, -0x1.5a1629b613d4cp+51,
                         0x1.0ace3a78f573fp+49, -0x1.36507da910c2bp+46, 0x1.164bd720ef623p+43,
                         -0x1.86472d5cfa3abp+39, 0x1.af77be8b46957p+35, -0x1.797437f327007p+31,
                         0x1.053caa49e4e85p+27, -0x1.1cecc330a8900p+22, 0x1.e5a7867a0f422p+16,
                         -0x1.3faaec0d78cb2p+11, 0x1.3768a5420d06cp+5, -0x1.732154ce153f9p-1,
                         -0x1.b673c5d3ffe74p-4, -0x1.d76a43b824017p-5, -0x1.4f1c683f73040p-5,
                         -0x1.7efc0e19d248cp-5, -0x1.32633e6df1cdbp-3, 0x1.9884533d43650p-2));
  return select(isNan(x), x + x, copysign(ax < 8.0 ? small : large, x));
}
