// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in a program's descriptions. Each begins with a mark, so that one that was not
// initialised, or was destroyed, is refused.
#pragma once

#pragma GCC visibility push(default)
#include <cusparseLt.h>
#pragma GCC visibility pop

#include "common/refuse.h"

#include <cstdint>
#include <limits>
#include <type_traits>

namespace heddle::cusparselt {

struct Handle {
  static constexpr uint64_t own_mark = 0x4865436c48616e64;
  uint64_t mark = own_mark;
};

struct Matrix {
  static constexpr uint64_t own_mark = 0x4865436c4d617472;
  uint64_t mark = own_mark;
  int64_t rows = 0, cols = 0, ld = 0, batch_stride = 0;
  cudaDataType type = CUDA_R_32F;
  cusparseOrder_t order = CUSPARSE_ORDER_ROW;
  int batches = 1;
  bool structured = false;
};

struct Matmul {
  static constexpr uint64_t own_mark = 0x4865436c4d6d756c;
  uint64_t mark = own_mark;
  Matrix a, b, c, d;
  cusparseOperation_t opa = CUSPARSE_OPERATION_NON_TRANSPOSE;
  cusparseOperation_t opb = CUSPARSE_OPERATION_NON_TRANSPOSE;
  int relu = 0, gelu = 0, alpha_vector = 0, beta_vector = 0;
  float relu_upper = std::numeric_limits<float>::infinity(), relu_threshold = 0, gelu_scale = 1;
  int scale_modes[5] = {}; // A, B, C, D, what D's scale is written to
  int64_t bias_stride = 0;
  const void *bias = nullptr, *sparse = nullptr;
  const void *scales[5] = {};

  bool sparseIsA() const { return a.structured; }
  const Matrix &structuredMatrix() const { return a.structured ? a : b; }
  cusparseOperation_t structuredOperation() const { return a.structured ? opa : opb; }
  int64_t m() const { return d.rows; }
  int64_t n() const { return d.cols; }
  int64_t k() const { return opa == CUSPARSE_OPERATION_NON_TRANSPOSE ? a.cols : a.rows; }
};

struct Selection {
  static constexpr uint64_t own_mark = 0x4865436c53656c65;
  uint64_t mark = own_mark;
  int id = 0, max_id = 1, iterations = 5, split_k = 1;
  int split_k_mode = CUSPARSELT_SPLIT_K_MODE_ONE_KERNEL, split_k_buffers = 0;
};

struct Plan {
  static constexpr uint64_t own_mark = 0x4865436c506c616e;
  uint64_t mark = own_mark;
  Matmul matmul;
};

template <class Opaque> struct Description;
template <> struct Description<cusparseLtHandle_t> : std::type_identity<Handle> {};
template <> struct Description<cusparseLtMatDescriptor_t> : std::type_identity<Matrix> {};
template <> struct Description<cusparseLtMatmulDescriptor_t> : std::type_identity<Matmul> {};
template <> struct Description<cusparseLtMatmulAlgSelection_t> : std::type_identity<Selection> {};
template <> struct Description<cusparseLtMatmulPlan_t> : std::type_identity<Plan> {};

/// What the program's object holds; null if it is none.
template <class Opaque> auto *of(const Opaque *opaque) {
  using T = typename Description<std::remove_const_t<Opaque>>::type;
  static_assert(sizeof(T) <= sizeof(Opaque) && std::is_trivially_copyable_v<T>);
  auto *found = reinterpret_cast<T *>(const_cast<Opaque *>(opaque));
  return found && found->mark == T::own_mark ? found : nullptr;
}

/// Makes the program's object hold it.
template <class Opaque> void put(Opaque *opaque, const typename Description<Opaque>::type &value) {
  *reinterpret_cast<typename Description<Opaque>::type *>(opaque) = value;
}

/// The object is none from now on.
template <class Opaque> cusparseStatus_t forget(const char *call, const Opaque *opaque) {
  if (auto *found = of(opaque)) {
    found->mark = 0;
    return CUSPARSE_STATUS_SUCCESS;
  }
  library::explain(call, "CUSPARSE_STATUS_INVALID_VALUE", "the object was not initialised");
  return CUSPARSE_STATUS_INVALID_VALUE;
}

/// A status with a sentence about it on stderr.
cusparseStatus_t refuse(const char *call, cusparseStatus_t status, const char *why);

/// Ends a call if a description is none.
#define NEED(handle)                                                                               \
  if (!of(handle))                                                                                 \
  return refuse(__func__, CUSPARSE_STATUS_NOT_INITIALIZED, "the handle was not initialised")
#define NEED_ALL(condition)                                                                        \
  if (!(condition))                                                                                \
  return refuse(__func__, CUSPARSE_STATUS_INVALID_VALUE,                                           \
                "a pointer is null, or an object was not initialised")

} // namespace heddle::cusparselt
