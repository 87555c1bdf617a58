// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops behind reduce.h. The file is compiled for several kinds of CPU, each time with another
// HEDDLE_NCCL_ARITHMETIC, the name of the table. Compilers make vector code of the loops.
#include "reduce.h"

#include "cuda_fp8.h"

#include <concepts>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace heddle::nccl {
extern const Arithmetic HEDDLE_NCCL_ARITHMETIC;

namespace {

/// How a type is computed with. Integers wrap, so their sums and products are of unsigned ones.
template <class T> struct Number {
  using Value = T;
  template <class U> struct Unsigned {
    using Type = std::conditional_t<sizeof(U) < 4, unsigned, std::make_unsigned_t<U>>;
  };
  template <std::floating_point U> struct Unsigned<U> {
    using Type = U;
  };
  using Wrapping = typename Unsigned<T>::Type;
  static T load(T value) { return value; }
  static T store(T value) { return value; }
  static T sum(T a, T b) { return T(Wrapping(a) + Wrapping(b)); }
  static T product(T a, T b) { return T(Wrapping(a) * Wrapping(b)); }
};

/// A small type that is computed with in float.
template <class T> struct Small {
  using Value = float;
  static float sum(float a, float b) { return a + b; }
  static float product(float a, float b) { return a * b; }
};

template <> struct Number<_Float16> : Small<_Float16> {
  static float load(_Float16 value) { return float(value); }
  static _Float16 store(float value) { return _Float16(value); }
};

struct Bfloat16 {
  uint16_t bits;
};
template <> struct Number<Bfloat16> : Small<Bfloat16> {
  static float load(Bfloat16 value) {
    const uint32_t bits = uint32_t(value.bits) << 16;
    float result;
    std::memcpy(&result, &bits, sizeof result);
    return result;
  }
  static Bfloat16 store(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    const uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16; // to nearest even
    return {uint16_t(value != value ? 0x7fff : rounded)};
  }
};

template <__nv_fp8_interpretation_t Format> struct Float8 {
  __nv_fp8_storage_t bits;
};
template <__nv_fp8_interpretation_t Format> struct Number<Float8<Format>> : Small<Float8<Format>> {
  static float load(Float8<Format> value) {
    const __half_raw half = __nv_cvt_fp8_to_halfraw(value.bits, Format);
    _Float16 result;
    std::memcpy(&result, &half.x, sizeof result);
    return float(result);
  }
  static Float8<Format> store(float value) {
    return {__nv_cvt_float_to_fp8(value, __NV_SATFINITE, Format)};
  }
};

template <class T> struct Type {};

template <class Function> void withType(ncclDataType_t type, Function function) {
  switch (type) {
  case ncclInt8:
    return function(Type<int8_t>());
  case ncclUint8:
    return function(Type<uint8_t>());
  case ncclInt32:
    return function(Type<int32_t>());
  case ncclUint32:
    return function(Type<uint32_t>());
  case ncclInt64:
    return function(Type<int64_t>());
  case ncclUint64:
    return function(Type<uint64_t>());
  case ncclFloat16:
    return function(Type<_Float16>());
  case ncclFloat32:
    return function(Type<float>());
  case ncclFloat64:
    return function(Type<double>());
  case ncclBfloat16:
    return function(Type<Bfloat16>());
  case ncclFloat8e4m3:
    return function(Type<Float8<__NV_E4M3>>());
  case ncclFloat8e5m2:
    return function(Type<Float8<__NV_E5M2>>());
  default:
    return;
  }
}

/// An element at any address: what comes through a socket lies wherever it came to.
template <class T> struct [[gnu::packed]] Anywhere {
  T value;
};

template <class T, class Function>
void forEach(void *to, const void *a, const void *b, size_t count, Function function) {
  using N = Number<T>;
  auto *const out = static_cast<Anywhere<T> *>(to);
  const auto *const left = static_cast<const Anywhere<T> *>(a);
  const auto *const right = static_cast<const Anywhere<T> *>(b);
  for (size_t i = 0; i < count; ++i)
    out[i].value = N::store(function(N::load(left[i].value), N::load(right[i].value)));
}

void combine(ncclDataType_t type, ncclRedOp_t op, void *to, const void *a, const void *b,
             size_t count) {
  withType(type, [=]<class T>(Type<T>) {
    using Value = typename Number<T>::Value;
    // Of a number and a NaN, the larger and the smaller one is the number, as with fmaxf and fminf.
    if (op == ncclProd)
      forEach<T>(to, a, b, count, [](Value x, Value y) { return Number<T>::product(x, y); });
    else if (op == ncclMax)
      forEach<T>(to, a, b, count, [](Value x, Value y) { return x > y || y != y ? x : y; });
    else if (op == ncclMin)
      forEach<T>(to, a, b, count, [](Value x, Value y) { return x < y || y != y ? x : y; });
    else
      forEach<T>(to, a, b, count, [](Value x, Value y) { return Number<T>::sum(x, y); });
  });
}

void scale(ncclDataType_t type, void *to, const void *from, const void *scalar, size_t count) {
  withType(type, [=]<class T>(Type<T>) {
    using N = Number<T>;
    T value;
    std::memcpy(&value, scalar, sizeof value);
    const auto factor = N::load(value);
    forEach<T>(to, from, from, count, [factor](auto x, auto) { return N::product(x, factor); });
  });
}

void divide(ncclDataType_t type, void *data, int divisor, size_t count) {
  withType(type, [=]<class T>(Type<T>) {
    if constexpr (std::is_integral_v<T>) {
      auto *const numbers = static_cast<Anywhere<T> *>(data);
      for (size_t i = 0; i < count; ++i)
        numbers[i].value = T(numbers[i].value / divisor);
    }
  });
}

void convert(ncclDataType_t type, void *to, double value) {
  withType(type, [=]<class T>(Type<T>) {
    using N = Number<T>;
    const T result = N::store(typename N::Value(value));
    std::memcpy(to, &result, sizeof result);
  });
}

} // namespace

const Arithmetic HEDDLE_NCCL_ARITHMETIC = {combine, scale, divide, convert};

} // namespace heddle::nccl
