// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What all of NPP's functions do: both forms of each are defined from the headers' lists, arguments
// are checked, and errors of launches become statuses.
#pragma once

#include "common/refuse.h"
#include "kernels/image.h"

#include <__npp/declare.h>
#include <cmath>
#include <initializer_list>
#include <type_traits>

/// Defines NAME and NAME_Ctx as calls of the function heddle::npp::SHAPE(call, extra...,
/// arguments...).
#define HEDDLE_NPP_DEFINE(name, shape, types, ...)                                                 \
  NppStatus name##_Ctx(HEDDLE_NPP_P_##shape types, NppStreamContext nppStreamCtx) {                \
    return heddle::npp::shape({#name, nppStreamCtx.hStream}, __VA_ARGS__, HEDDLE_NPP_A_##shape);   \
  }                                                                                                \
  NppStatus name(HEDDLE_NPP_P_##shape types) {                                                     \
    return heddle::npp::shape({#name, nppGetStream()}, __VA_ARGS__, HEDDLE_NPP_A_##shape);         \
  }

namespace heddle::npp {

struct Call {
  const char *name;
  cudaStream_t stream;
};

constexpr Channels C1{1}, C2{2}, C3{3}, C4{4}, AC4{4, true};

// Complex numbers are pairs of a real type.
template <typename T> struct Number {
  using Real = T;
  static constexpr int parts = 1;
};
#define HEDDLE_NPP_PARTS(name, part)                                                               \
  template <> struct Number<name> {                                                                \
    using Real = part;                                                                             \
    static constexpr int parts = 2;                                                                \
  };
HEDDLE_NPP_PARTS(Npp16sc, Npp16s)
HEDDLE_NPP_PARTS(Npp32sc, Npp32s)
HEDDLE_NPP_PARTS(Npp32fc, Npp32f)
HEDDLE_NPP_PARTS(Npp64fc, Npp64f)

template <typename T> constexpr Type typeOf() {
  using Real = typename Number<std::remove_const_t<T>>::Real;
  if constexpr (std::is_same_v<Real, float>)
    return Type::F32;
  else if constexpr (std::is_same_v<Real, double>)
    return Type::F64;
  else if constexpr (sizeof(Real) == 1)
    return std::is_signed_v<Real> ? Type::S8 : Type::U8;
  else if constexpr (sizeof(Real) == 2)
    return std::is_signed_v<Real> ? Type::S16 : Type::U16;
  else
    return std::is_signed_v<Real> ? Type::S32 : Type::U32;
}

template <typename T> Operand operand(const T *data, long long step) {
  return {const_cast<char *>(reinterpret_cast<const char *>(data)), step, typeOf<T>()};
}

inline NppStatus refuse(const Call &call, NppStatus status, const char *name, const char *why) {
  library::explain(call.name, name, why);
  return status;
}
#define HEDDLE_NPP_REFUSE(call, status, why) ::heddle::npp::refuse(call, status, #status, why)

/// An image argument to be checked.
struct Checked {
  const void *data;
  int step;
  int size; // of a pixel's element
  template <typename T>
  Checked(const T *data, int step)
      : data(data), step(step), size(sizeof(typename Number<T>::Real)) {}
};

/// The status of bad images, or NPP_SUCCESS (General and Imaging-Processing Specific API
/// Conventions). A region without pixels is NPP_NO_OPERATION_WARNING.
HEDDLE_NPP_SHARED NppStatus checkImages(const Call &call, std::initializer_list<Checked> images,
                                        NppiSize size);
HEDDLE_NPP_SHARED NppStatus checkNotNull(const Call &call,
                                         std::initializer_list<const void *> pointers);

/// What a launch returned, as a status.
HEDDLE_NPP_SHARED NppStatus finish(const Call &call, cudaError_t error);

inline double scaleOf(int scale_factor) { return std::ldexp(1.0, -scale_factor); }

} // namespace heddle::npp
