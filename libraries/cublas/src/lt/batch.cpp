// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products whose matrices are found through arrays: each of them is a product of its own.
#include "../core/elements.h"
#include "matmul.h"

namespace heddle::cublaslt {
namespace {

int64_t number(uint64_t array, int width, int64_t index) {
  return width == CUBLASLT_INTEGER_WIDTH_64 ? reinterpret_cast<const int64_t *>(array)[index]
                                            : reinterpret_cast<const int32_t *>(array)[index];
}

template <typename Pointer> Pointer entry(const void *array, int64_t index) {
  return array ? static_cast<const Pointer *>(array)[index] : nullptr;
}

void chooseOne(Layout &layout, int64_t index) {
  if (layout.batch_mode == CUBLASLT_BATCH_MODE_GROUPED) {
    layout.rows = uint64_t(number(layout.rows, layout.size_width, index));
    layout.cols = uint64_t(number(layout.cols, layout.size_width, index));
    layout.ld = number(uint64_t(layout.ld), layout.ld_width, index);
  }
  layout.batch_mode = CUBLASLT_BATCH_MODE_STRIDED, layout.batch_count = 1;
}

/// A factor's scales: in groups an array has the address of each group's.
void chooseScale(const void *&scale, int8_t &mode, int64_t index) {
  if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F) // one for all
    return;
  scale = entry<const void *>(scale, index);
  if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_PER_BATCH_SCALAR_32F)
    mode = CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
}

} // namespace

void computeBatch(const Matmul &all, const MatmulData &data) {
  if (all.d.batch_mode == CUBLASLT_BATCH_MODE_STRIDED)
    return compute(all, data);
  const bool grouped = all.d.batch_mode == CUBLASLT_BATCH_MODE_GROUPED;
  for (int64_t i = 0; i < all.d.batch_count; ++i) {
    Matmul one = all;
    for (Layout *layout : {&one.a, &one.b, &one.c, &one.d})
      chooseOne(*layout, i);
    if (one.m() <= 0 || one.n() <= 0)
      continue;
    if (grouped) {
      chooseScale(one.op.a_scale, one.op.a_scale_mode, i);
      chooseScale(one.op.b_scale, one.op.b_scale_mode, i);
      one.op.bias = entry<void *>(all.op.bias, i);
    } else if (all.op.bias) {
      one.op.bias = cublas::at(all.biasType(), all.op.bias, i * all.op.bias_stride);
    }
    compute(one, {entry<const void *>(data.A, i), entry<const void *>(data.B, i),
                  entry<const void *>(data.C, i), entry<void *>(data.D, i),
                  all.op.alpha_array ? entry<const void *>(data.alpha, i) : data.alpha,
                  all.op.beta_array ? entry<const void *>(data.beta, i) : data.beta});
  }
}

} // namespace heddle::cublaslt
