// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores of numbers whose type is known at run time.
#pragma once

#include "image.h"
#include <cuda_runtime.h>

namespace heddle::npp {

template <class R> __device__ R loadAt(const char *row, Type type, long long x) {
  switch (type) {
  case Type::U8:
    return R(reinterpret_cast<const Npp8u *>(row)[x]);
  case Type::S8:
    return R(reinterpret_cast<const Npp8s *>(row)[x]);
  case Type::U16:
    return R(reinterpret_cast<const Npp16u *>(row)[x]);
  case Type::S16:
    return R(reinterpret_cast<const Npp16s *>(row)[x]);
  case Type::U32:
    return R(reinterpret_cast<const Npp32u *>(row)[x]);
  case Type::S32:
    return R(reinterpret_cast<const Npp32s *>(row)[x]);
  case Type::F32:
    return R(reinterpret_cast<const Npp32f *>(row)[x]);
  case Type::F64:
    return R(reinterpret_cast<const Npp64f *>(row)[x]);
  }
  return R(0);
}

template <class R> __device__ R loadPixel(const Operand &from, long long x, long long y) {
  return loadAt<R>(from.data + y * from.step, from.type, x);
}

__device__ inline float roundAs(float v, Round round) {
  switch (round) {
  case Round::TiesToEven:
    return rintf(v);
  case Round::TowardZero:
    return truncf(v);
  default:
    return roundf(v);
  }
}
__device__ inline double roundAs(double v, Round round) {
  switch (round) {
  case Round::TiesToEven:
    return rint(v);
  case Round::TowardZero:
    return trunc(v);
  default:
    return round == Round::TiesAway ? ::round(v) : v;
  }
}

/// The nearest number of an integer type; NaN becomes 0.
template <class T, class R> __device__ T saturate(R v, double low, double high) {
  if (v != v)
    return T(0);
  if (v <= R(low))
    return T(low);
  if (v >= R(high))
    return T(high);
  return T(v);
}

/// Stores a result as `type`: rounded and saturated if that is an integer type.
template <class R>
__device__ void storeAt(char *row, Type type, long long x, R v, Round round = Round::TiesToEven) {
  if (type == Type::F32) {
    reinterpret_cast<Npp32f *>(row)[x] = Npp32f(v);
    return;
  }
  if (type == Type::F64) {
    reinterpret_cast<Npp64f *>(row)[x] = Npp64f(v);
    return;
  }
  v = roundAs(v, round);
  switch (type) {
  case Type::U8:
    reinterpret_cast<Npp8u *>(row)[x] = saturate<Npp8u>(v, 0, 255);
    break;
  case Type::S8:
    reinterpret_cast<Npp8s *>(row)[x] = saturate<Npp8s>(v, -128, 127);
    break;
  case Type::U16:
    reinterpret_cast<Npp16u *>(row)[x] = saturate<Npp16u>(v, 0, 65535);
    break;
  case Type::S16:
    reinterpret_cast<Npp16s *>(row)[x] = saturate<Npp16s>(v, -32768, 32767);
    break;
  case Type::U32:
    reinterpret_cast<Npp32u *>(row)[x] = saturate<Npp32u>(v, 0, 4294967295.0);
    break;
  default:
    reinterpret_cast<Npp32s *>(row)[x] = saturate<Npp32s>(v, -2147483648.0, 2147483647.0);
  }
}

template <class R>
__device__ void storePixel(const Operand &to, long long x, long long y, R v,
                           Round round = Round::TiesToEven) {
  storeAt<R>(to.data + y * to.step, to.type, x, v, round);
}

/// The channel of a row's element.
__device__ inline int channelOf(long long x, int channels) {
  return channels == 1   ? 0
         : channels == 3 ? int(unsigned(x) % 3u)
                         : int(unsigned(x) & (channels - 1));
}

/// Blocks of 256 threads for rows of `width` elements; the kernel goes down the rows in steps of
/// gridDim.y.
inline dim3 gridFor(long long width, int height) {
  const long long columns = (width + 255) / 256;
  const long long rows = height < 32 ? height : 32;
  return dim3(unsigned(columns), unsigned(rows));
}

} // namespace heddle::npp
