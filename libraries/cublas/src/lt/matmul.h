// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A matrix product of cublasLt: what is to be computed, and whether it can be.
#pragma once

#include "descriptions.h"

namespace heddle::cublaslt {

struct Matmul {
  Operation op;
  Layout a, b, c, d;

  int64_t m() const { return int64_t(d.rows); }
  int64_t n() const { return int64_t(d.cols); }
  int64_t k() const { return int64_t(op.transa == CUBLAS_OP_N ? a.cols : a.rows); }
  /// Whether it is known at the call that D has no elements.
  bool isEmpty() const {
    return d.batch_mode != CUBLASLT_BATCH_MODE_GROUPED && (m() == 0 || n() == 0);
  }
  bool has(unsigned part) const { return (op.epilogue & part) != 0; }
  /// Types that the description leaves open (documentation of cublasLtMatmulDescAttributes_t).
  cudaDataType biasType() const;
  cudaDataType auxType() const {
    return op.aux_type == -1 ? cudaDataType(d.type) : cudaDataType(op.aux_type);
  }
};

/// Parts of epilogues; CUBLASLT_EPILOGUE_… are sums of them.
enum : unsigned {
  Relu = 2,
  Bias = 4,
  DRelu = 8,
  BiasGradient = 16,
  Gelu = 32,
  DGelu = 64,
  Aux = 128,
  GradientA = 256,
  GradientB = 512
};

/// The reason for refusing a product; the status is success if there is none.
struct Verdict {
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const char *why = nullptr;
};
Verdict judge(const Matmul &matmul);

/// The types of a combination of cublasLtMatmul (documentation, "supported types").
Verdict judgeTypes(cublasComputeType_t compute, cudaDataType scale, cudaDataType a, cudaDataType b,
                   cudaDataType c, cudaDataType d);

struct MatmulData {
  const void *A, *B, *C;
  void *D;
  const void *alpha, *beta; // in memory that lives as long as the task
};

/// Computes it, on the thread that calls. The matrices of a batch are one after the other.
void compute(const Matmul &matmul, const MatmulData &data);

/// As `compute`, also where matrices, sizes and scalars of a batch come from arrays (batch_mode).
void computeBatch(const Matmul &matmul, const MatmulData &data);

} // namespace heddle::cublaslt
