// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The transforms themselves: what libheddlefft.so exports, once for each kind of CPU.
#pragma once
#include <cstddef>

namespace heddle::fft {

enum class Kind { Complex, RealToComplex, ComplexToReal };

// One dimension of the data. Strides count elements of the input's and of the output's type.
struct Dimension {
  size_t Size;
  ptrdiff_t In;
  ptrdiff_t Out;
};

// A transform over the last Rank of Count dimensions; those before it are batches. Sizes are the
// real side's; of the last dimension, the complex side has Size / 2 + 1 elements if the other is
// real.
struct Transform {
  static constexpr int MaxDimensions = 8;
  Kind What = Kind::Complex;
  bool Double = false;
  bool Forward = true;
  int Count = 0;
  int Rank = 0;
  Dimension Dims[MaxDimensions];
};

} // namespace heddle::fft

extern "C" {
// Computes it, not scaled. Input and output may be the same memory if each row of the batch and of
// the outer dimensions begins at the same byte in both. Returns false if memory is exhausted.
__attribute__((visibility("default"))) bool heddleFftRun(const heddle::fft::Transform &What,
                                                         const void *In, void *Out);
}
