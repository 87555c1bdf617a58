// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in cublasLt's opaque descriptions, and the refusal of calls.
#pragma once

#include "cublasLt.h"

namespace heddle::cublaslt {

struct Layout {
  int32_t type;
  int32_t order;
  uint64_t rows, cols; // in groups the addresses of arrays, as ld
  int64_t ld;
  int64_t batch_stride, plane_offset;
  int32_t batch_count;
  int8_t batch_mode, size_width, ld_width;

  /// Where the element (row, column) is, in elements.
  int64_t offset(int64_t row, int64_t column) const;
  /// The step from a row to the next within a column, where it is always the same; else 0.
  int64_t rowStep() const {
    return order == CUBLASLT_ORDER_COL ? 1 : order == CUBLASLT_ORDER_ROW ? ld : 0;
  }
  /// What is wrong with it, or null.
  const char *fault() const;
};

struct Operation {
  int32_t compute, scale_type;
  int8_t pointer_mode, transa, transb, transc, fill;
  int8_t a_scale_mode, b_scale_mode;
  int8_t alpha_array, beta_array; // whether there is a pointer for each of a batch
  uint32_t epilogue;
  void *bias;
  int64_t bias_stride;
  void *aux;
  int64_t aux_ld, aux_stride, alpha_stride;
  const void *a_scale, *b_scale, *c_scale, *d_scale;
  void *amax;
  const void *aux_scale;
  void *aux_amax;
  void *sync_in, *sync_out;
  int32_t aux_type, bias_type;
  int32_t chunk_rows, chunk_cols;
  int32_t sm_count;
  const void *emulation;
  int8_t fast_accumulation;
};

struct Transformation {
  int32_t scale_type, pointer_mode, transa, transb;
};

struct Preference {
  uint32_t search_mode, reduction_mask;
  uint64_t max_workspace, impl_mask;
  uint32_t alignment[4];
  float max_waves;
  int32_t average_k, average_m, average_n;
};

struct Emulation {
  int32_t strategy, special_values, mantissa_control, max_mantissa_bits, mantissa_bit_offset;
  int32_t *mantissa_bits;
};

struct Algorithm {
  int32_t id;
  uint32_t tile, split_k, reduction, swizzle, custom, stages;
  uint16_t inner_shape, cluster_shape;
  uint64_t mark; // set in algorithms that cublasLt has made
};

template <typename T, typename Opaque> T &view(Opaque *description) {
  static_assert(sizeof(T) <= sizeof(Opaque) && alignof(T) <= alignof(Opaque));
  return *reinterpret_cast<T *>(description);
}
inline Layout &of(cublasLtMatrixLayout_t d) { return view<Layout>(d); }
inline Operation &of(cublasLtMatmulDesc_t d) { return view<Operation>(d); }
inline Transformation &of(cublasLtMatrixTransformDesc_t d) { return view<Transformation>(d); }
inline Emulation &of(cublasLtEmulationDesc_t d) { return view<Emulation>(d); }
inline Preference &of(cublasLtMatmulPreference_t d) { return view<Preference>(d); }
inline Algorithm &of(cublasLtMatmulAlgo_t *d) { return view<Algorithm>(d); }
inline const Algorithm &of(const cublasLtMatmulAlgo_t *d) { return view<const Algorithm>(d); }

bool isLive(cublasLtHandle_t handle);
cublasStatus_t refuse(const char *function, cublasStatus_t status, const char *why);
/// Writes a line for a call where the logger's settings want it.
void log(const char *function);

/// An attribute is a number of bytes at a place. Where fewer are kept, it is a signed number.
struct Field {
  int attribute;
  size_t offset, kept, size;
};
cublasStatus_t setField(const char *function, const Field *fields, size_t count, void *description,
                        int attribute, const void *from, size_t size);
cublasStatus_t getField(const char *function, const Field *fields, size_t count,
                        const void *description, int attribute, void *to, size_t size,
                        size_t *written);

} // namespace heddle::cublaslt
