// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Elements whose type is known when the program runs (cudaDataType). Computation is in float,
// double, cuComplex or cuDoubleComplex; other types are converted to one of them and back, rounded
// once.
#pragma once

#include "openblas.h"

#include <algorithm>
#include <cstddef>
#include <memory>

namespace heddle::cublas {

/// Bytes of an element; 0 for types that cuBLAS does not compute with.
size_t elementSize(cudaDataType type);
bool isComplex(cudaDataType type);

template <typename Acc> constexpr cudaDataType typeOf = CUDA_R_32F;
template <> inline constexpr cudaDataType typeOf<double> = CUDA_R_64F;
template <> inline constexpr cudaDataType typeOf<cuComplex> = CUDA_C_32F;
template <> inline constexpr cudaDataType typeOf<cuDoubleComplex> = CUDA_C_64F;
template <> inline constexpr cudaDataType typeOf<__half> = CUDA_R_16F;
template <> inline constexpr cudaDataType typeOf<__nv_bfloat16> = CUDA_R_16BF;

/// Converts n elements, `stride` elements apart, to n neighbours, and back. Acc is one of the four
/// types of computation. What real types cannot hold of complex ones is dropped.
template <typename Acc>
void load(cudaDataType type, const void *from, int64_t stride, Acc *to, int64_t n);
template <typename Acc>
void store(cudaDataType type, const Acc *from, void *to, int64_t stride, int64_t n);

inline const void *at(cudaDataType type, const void *base, int64_t index) {
  return static_cast<const char *>(base) + index * int64_t(elementSize(type));
}
inline void *at(cudaDataType type, void *base, int64_t index) {
  return static_cast<char *>(base) + index * int64_t(elementSize(type));
}

/// One element.
template <typename Acc> Acc loadOne(cudaDataType type, const void *from) {
  Acc value;
  load(type, from, 1, &value, 1);
  return value;
}

/// A matrix or vector as the type of computation: the memory itself if it has that type, else a
/// converted copy whose columns lie close together.
template <typename Acc> class Panel {
public:
  Panel(cudaDataType type, const void *data, int64_t rows, int64_t columns, int64_t ld) {
    if (type == typeOf<Acc>) {
      data_ = static_cast<const Acc *>(data);
      ld_ = ld;
      return;
    }
    copy_.reset(new Acc[size_t(rows * columns)]);
    for (int64_t column = 0; column < columns; ++column)
      load(type, at(type, data, column * ld), 1, copy_.get() + column * rows, rows);
    data_ = copy_.get();
    ld_ = std::max<int64_t>(1, rows);
  }
  const Acc *data() const { return data_; }
  int64_t ld() const { return ld_; }

private:
  const Acc *data_;
  int64_t ld_;
  std::unique_ptr<Acc[]> copy_;
};

} // namespace heddle::cublas
