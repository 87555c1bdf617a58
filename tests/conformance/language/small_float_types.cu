// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The types and conversions of cuda_fp8.h, cuda_fp6.h and cuda_fp4.h: kernels give what the host
// gives, from all halves and bfloat16s, floats and doubles of every exponent, and integers; and all
// results together have the digest that is written here. Prints a table of digests, one for each
// conversion.
// flags: -std=c++17
#include "check.h"

#include <cuda_fp4.h>
#include <cuda_fp6.h>
#include <cuda_fp8.h>

typedef unsigned long long Word;
constexpr unsigned many = 1 << 17;

template <class To, class From> __host__ __device__ To bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "");
  To to;
  memcpy(&to, &from, sizeof(to));
  return to;
}

// ---- Inputs -----------------------------------------------------------------------------------

__host__ __device__ __half_raw halfNumber(unsigned i) {
  __half_raw raw;
  raw.x = (unsigned short)i;
  return raw;
}
__host__ __device__ __nv_bfloat16_raw bfloatNumber(unsigned i) {
  __nv_bfloat16_raw raw;
  raw.x = (unsigned short)i;
  return raw;
}
/// Each sign and exponent with the upper six bits of the mantissa, and what lies just beside these.
__host__ __device__ float floatNumber(unsigned i) {
  const unsigned p = i >> 9, low = (p & 1) * 1 + (p >> 1 & 1) * 0x1fffe;
  return bits<float>((i & 511) << 23 | (p >> 2) << 17 | low);
}
__host__ __device__ double doubleNumber(unsigned i) {
  const unsigned p = i >> 12;
  return bits<double>(Word(i & 4095) << 52 | Word(p >> 1) << 48 | (p & 1));
}
/// All powers of two with something more, of both signs.
__host__ __device__ long long integer(unsigned i) {
  const long long value = (1ll << (i & 63)) + (i >> 7 & 0xff) - 3;
  return i & 64 ? -value : value;
}

// ---- Conversions: each gives bytes, in the order of its names ---------------------------------

template <class T> struct Constructors {
  static constexpr unsigned count = many;
  static constexpr const char *names[8] = {"__half", "__nv_bfloat16", "float", "double",
                                           "int",    "unsigned",      "long",  "unsigned long"};
  __host__ __device__ Word operator()(unsigned i) const {
    const Word codes[8] = {T(__half(halfNumber(i))).__x, T(__nv_bfloat16(bfloatNumber(i))).__x,
                           T(floatNumber(i)).__x,        T(doubleNumber(i)).__x,
                           T(int(integer(i))).__x,       T(unsigned(integer(i))).__x,
                           T((long long)integer(i)).__x, T((unsigned long)integer(i)).__x};
    Word all = 0;
    for (int k = 0; k < 8; ++k)
      all |= codes[k] << 8 * k;
    return all;
  }
};

__host__ __device__ inline Word mix(Word hash, Word value) {
  return (hash ^ value) * 1099511628211ull;
}

/// Everything that an encoding can be converted to, mixed.
template <class T> struct Operators {
  static constexpr unsigned count = 256;
  static constexpr const char *names[1] = {"operators"};
  __host__ __device__ Word operator()(unsigned i) const {
    T value;
    value.__x = (unsigned char)(i % (1u << width));
    Word hash = bits<unsigned>(float(value));
    hash = mix(hash, bits<Word>(double(value)));
    hash = mix(hash, bits<unsigned short>(__half(value)));
    hash = mix(hash, bits<unsigned short>(__nv_bfloat16(value)));
    hash = mix(hash, Word(static_cast<char>(value)));
    hash = mix(hash, Word(static_cast<signed char>(value)));
    hash = mix(hash, Word(static_cast<unsigned char>(value)));
    hash = mix(hash, Word(static_cast<short>(value)));
    hash = mix(hash, Word(static_cast<unsigned short>(value)));
    hash = mix(hash, Word(static_cast<int>(value)));
    hash = mix(hash, Word(static_cast<unsigned>(value)));
    hash = mix(hash, Word(static_cast<long>(value)));
    hash = mix(hash, Word(static_cast<unsigned long>(value)));
    hash = mix(hash, Word(static_cast<long long>(value)));
    hash = mix(hash, Word(static_cast<unsigned long long>(value)));
    return mix(hash, bool(value));
  }
  static constexpr unsigned width =
      std::is_same_v<T, __nv_fp4_e2m1>                                       ? 4
      : std::is_same_v<T, __nv_fp6_e2m3> || std::is_same_v<T, __nv_fp6_e3m2> ? 6
                                                                             : 8;
};

/// Fours from floats, doubles, halves and bfloat16s, and back to floats; pairs back to halves.
template <class Two, class Four> struct Vectors {
  static constexpr unsigned count = many;
  static constexpr const char *names[1] = {"vectors"};
  __host__ __device__ Word operator()(unsigned i) const {
    const unsigned j = i * 7919u % many;
    const float2 a = make_float2(floatNumber(i), floatNumber(j));
    const Four floats(make_float4(a.x, a.y, 1.25f, -a.x));
    const double2 b = make_double2(doubleNumber(j), doubleNumber(i));
    const __half2 halves(__half(halfNumber(i)), __half(halfNumber(j)));
    const __nv_bfloat162 bfloats(__nv_bfloat16(bfloatNumber(j)), __nv_bfloat16(bfloatNumber(i)));
    const float4 back = float4(floats);
    const Two two(halves);
    Word hash = floats.__x;
    hash = mix(hash, Four(halves, __half2(two)).__x);
#if CUDART_VERSION >= 13000 && !defined(__clang__) // 13.0's header has no operator for it
    const __nv_bfloat162 exact = __floats2bfloat162_rn(float2(two).x, float2(two).y);
#else
    const __nv_bfloat162 exact(two);
#endif
    hash = mix(hash, Four(bfloats, exact).__x);
    hash = mix(hash, Two(a).__x);
    hash = mix(hash, Two(b).__x);
    hash = mix(hash, Two(bfloats).__x);
    hash = mix(hash, bits<unsigned>(float2(two).x));
    hash = mix(hash, bits<unsigned>(float2(two).y));
    hash = mix(hash, bits<unsigned>(back.y));
    return mix(hash, bits<unsigned>(back.w));
  }
};

template <__nv_fp8_interpretation_t Format> struct Fp8 {
  static constexpr unsigned count = many;
  static constexpr const char *names[6] = {"half, no saturation",
                                           "bfloat16, no saturation",
                                           "float, no saturation",
                                           "double, no saturation",
                                           "float",
                                           "double"};
  __host__ __device__ Word operator()(unsigned i) const {
    return Word(__nv_cvt_halfraw_to_fp8(halfNumber(i), __NV_NOSAT, Format)) |
           Word(__nv_cvt_bfloat16raw_to_fp8(bfloatNumber(i), __NV_NOSAT, Format)) << 8 |
           Word(__nv_cvt_float_to_fp8(floatNumber(i), __NV_NOSAT, Format)) << 16 |
           Word(__nv_cvt_double_to_fp8(doubleNumber(i), __NV_NOSAT, Format)) << 24 |
           Word(__nv_cvt_float_to_fp8(floatNumber(i), __NV_SATFINITE, Format)) << 32 |
           Word(__nv_cvt_double_to_fp8(doubleNumber(i), __NV_SATFINITE, Format)) << 40;
  }
};

template <cudaRoundMode Mode> struct E8M0 {
  static constexpr unsigned count = many;
  static constexpr const char *names[6] = {"bfloat16", "bfloat16, no saturation",
                                           "float",    "float, no saturation",
                                           "double",   "double, no saturation"};
  __host__ __device__ Word operator()(unsigned i) const {
    Word all = 0;
    for (int k = 0; k < 2; ++k) {
      const __nv_saturation_t how = k == 0 ? __NV_SATFINITE : __NV_NOSAT;
      all |= Word(__nv_cvt_bfloat16raw_to_e8m0(bfloatNumber(i), how, Mode)) << 8 * k |
             Word(__nv_cvt_float_to_e8m0(floatNumber(i), how, Mode)) << (16 + 8 * k) |
             Word(__nv_cvt_double_to_e8m0(doubleNumber(i), how, Mode)) << (32 + 8 * k);
    }
    return all;
  }
};

template <__nv_fp6_interpretation_t Format, cudaRoundMode Mode> struct Fp6 {
  static constexpr unsigned count = many;
  static constexpr const char *names[4] = {"half", "bfloat16", "float", "double"};
  __host__ __device__ Word operator()(unsigned i) const {
    return Word(__nv_cvt_halfraw_to_fp6(halfNumber(i), Format, Mode)) |
           Word(__nv_cvt_bfloat16raw_to_fp6(bfloatNumber(i), Format, Mode)) << 8 |
           Word(__nv_cvt_float_to_fp6(floatNumber(i), Format, Mode)) << 16 |
           Word(__nv_cvt_double_to_fp6(doubleNumber(i), Format, Mode)) << 24;
  }
};

template <cudaRoundMode Mode> struct Fp4 {
  static constexpr unsigned count = many;
  static constexpr const char *names[4] = {"half", "bfloat16", "float", "double"};
  __host__ __device__ Word operator()(unsigned i) const {
    return Word(__nv_cvt_halfraw_to_fp4(halfNumber(i), __NV_E2M1, Mode)) |
           Word(__nv_cvt_bfloat16raw_to_fp4(bfloatNumber(i), __NV_E2M1, Mode)) << 8 |
           Word(__nv_cvt_float_to_fp4(floatNumber(i), __NV_E2M1, Mode)) << 16 |
           Word(__nv_cvt_double_to_fp4(doubleNumber(i), __NV_E2M1, Mode)) << 24;
  }
};

// ---- Comparisons ------------------------------------------------------------------------------

template <class Conversion> __global__ void convert(Word *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < Conversion::count)
    out[i] = Conversion()(i);
}

Word total = 14695981039346656037ull;

/// The digests of what is in each byte, or of the words if the conversion gives one number.
template <class Conversion> void compare(const char *title) {
  DeviceBuffer<Word> out(Conversion::count);
  convert<Conversion><<<(Conversion::count + 127) / 128, 128>>>(out);
  const std::vector<Word> device = out.download();
  long long different = 0;
  for (unsigned i = 0; i < Conversion::count; ++i) {
    const Word host = Conversion()(i);
    if (host != device[i] && different++ == 0)
      std::fprintf(stderr, "%s: number %u: the host gives %016llx, the device %016llx\n", title, i,
                   host, device[i]);
  }
  CHECK_EQ(different, 0);
  constexpr int columns = int(sizeof(Conversion::names) / sizeof(Conversion::names[0]));
  for (int k = 0; k < columns; ++k) {
    Word hash = 14695981039346656037ull;
    for (const Word word : device)
      hash = mix(hash, columns == 1 ? word : word >> 8 * k & 0xff);
    std::printf("%-28s %-24s %016llx\n", title, Conversion::names[k], hash);
    total = mix(total, hash);
  }
}

/// CUDA 13 has other names for vectors of four doubles.
template <class Four> void compareDoubles() {
  const Word expected = Four(make_float4(1, -2, 3.3f, 1000)).__x;
  CHECK_EQ(Four(double4{1, -2, 3.3, 1000}).__x, expected);
#if CUDART_VERSION >= 13000
  CHECK_EQ(Four(double4_16a{1, -2, 3.3, 1000}).__x, expected);
  CHECK_EQ(Four(double4_32a{1, -2, 3.3, 1000}).__x, expected);
#endif
}

template <class One, class Two, class Four> void compareTypes(const char *title) {
  compare<Constructors<One>>(title);
  compare<Operators<One>>(title);
  compare<Vectors<Two, Four>>(title);
  compareDoubles<Four>();
}

int main() {
  compareTypes<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>("__nv_fp8_e4m3");
  compareTypes<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>("__nv_fp8_e5m2");
  compareTypes<__nv_fp8_e8m0, __nv_fp8x2_e8m0, __nv_fp8x4_e8m0>("__nv_fp8_e8m0");
  compareTypes<__nv_fp6_e2m3, __nv_fp6x2_e2m3, __nv_fp6x4_e2m3>("__nv_fp6_e2m3");
  compareTypes<__nv_fp6_e3m2, __nv_fp6x2_e3m2, __nv_fp6x4_e3m2>("__nv_fp6_e3m2");
  compareTypes<__nv_fp4_e2m1, __nv_fp4x2_e2m1, __nv_fp4x4_e2m1>("__nv_fp4_e2m1");
  compare<Fp8<__NV_E4M3>>("to E4M3");
  compare<Fp8<__NV_E5M2>>("to E5M2");
  compare<E8M0<cudaRoundZero>>("to E8M0, to zero");
  compare<E8M0<cudaRoundPosInf>>("to E8M0, up");
  compare<Fp6<__NV_E2M3, cudaRoundZero>>("to E2M3, to zero");
  compare<Fp6<__NV_E3M2, cudaRoundNearest>>("to E3M2, to nearest");
  compare<Fp4<cudaRoundNearest>>("to E2M1, to nearest");
  compare<Fp4<cudaRoundZero>>("to E2M1, to zero");
  CHECK_EQ(total, 0xb877fd169982dbcfull);
#if defined(__clang__) || CUDART_VERSION >= 13050 // CUDA 13.0 refuses the other modes by assertions
  compare<Fp6<__NV_E2M3, cudaRoundPosInf>>("to E2M3, up");
  compare<Fp6<__NV_E3M2, cudaRoundMinInf>>("to E3M2, down");
  compare<Fp4<cudaRoundPosInf>>("to E2M1, up");
  compare<Fp4<cudaRoundMinInf>>("to E2M1, down");
  CHECK_EQ(total, 0x3e80eb3c07a0e9efull);
#endif
  RETURN_RESULT();
}
