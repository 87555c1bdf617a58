// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types that elements of tensors have in memory, as C++ types that convert to and from double.
#pragma once

#include "core.h"

#include <bit>
#include <cmath>
#include <limits>

namespace heddle::cudnn {

/// bfloat16: the upper half of a float; rounded to the nearest, ties to even.
struct BFloat16 {
  uint16_t bits;
  BFloat16() = default;
  explicit BFloat16(float value) {
    const uint32_t all = std::bit_cast<uint32_t>(value);
    bits =
        uint16_t(std::isnan(value) ? (all >> 16) | 0x40 : (all + 0x7fff + ((all >> 16) & 1)) >> 16);
  }
  operator float() const { return std::bit_cast<float>(uint32_t(bits) << 16); }
};

/// Calls `body` with the element type as its template argument.
template <typename Body> void byType(cudnnDataType_t type, Body body) {
  switch (type) {
  case CUDNN_DATA_FLOAT:
    return body.template operator()<float>();
  case CUDNN_DATA_DOUBLE:
    return body.template operator()<double>();
  case CUDNN_DATA_HALF:
    return body.template operator()<_Float16>();
  case CUDNN_DATA_BFLOAT16:
    return body.template operator()<BFloat16>();
  case CUDNN_DATA_INT8:
  case CUDNN_DATA_INT8x4:
  case CUDNN_DATA_INT8x32:
    return body.template operator()<int8_t>();
  case CUDNN_DATA_UINT8:
  case CUDNN_DATA_UINT8x4:
    return body.template operator()<uint8_t>();
  case CUDNN_DATA_BOOLEAN:
    return body.template operator()<bool>();
  case CUDNN_DATA_INT32:
    return body.template operator()<int32_t>();
  case CUDNN_DATA_INT64:
    return body.template operator()<int64_t>();
  default:
    refuse(CUDNN_STATUS_NOT_SUPPORTED,
           "tensors of 8- and 4-bit floating-point numbers are not supported");
  }
}

/// Conversion to an element: integers are rounded to the nearest and saturate.
template <typename E, typename T> E toElement(T value) {
  if constexpr (std::is_same_v<E, bool>) {
    return value != 0;
  } else if constexpr (std::is_integral_v<E>) {
    if (std::isnan(value))
      return 0;
    const double rounded = std::nearbyint(double(value));
    if (rounded >= double(std::numeric_limits<E>::max()))
      return std::numeric_limits<E>::max();
    if (rounded <= double(std::numeric_limits<E>::min()))
      return std::numeric_limits<E>::min();
    return E(rounded);
  } else if constexpr (std::is_same_v<E, BFloat16>) {
    return BFloat16(float(value));
  } else {
    return E(value);
  }
}

} // namespace heddle::cudnn
