// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = alpha op(A) op(B) + beta C of matrices of any type: the one way to multiply for cuBLAS's gemm
// functions and for cublasLt.
#pragma once

#include "elements.h"

namespace heddle::cublas {

/// In what a product is computed: also the type that alpha and beta are converted to.
enum class Computation { F32, F64, C32, C64, I32 };

struct Product {
  cublasOperation_t opa = CUBLAS_OP_N, opb = CUBLAS_OP_N;
  int64_t m = 0, n = 0, k = 0;
  cudaDataType atype = CUDA_R_32F, btype = CUDA_R_32F, ctype = CUDA_R_32F;
  int64_t lda = 1, ldb = 1, ldc = 1;
  Computation computation = Computation::F32;
  cudaDataType scale_type = CUDA_R_32F; // of alpha and beta
};

/// Whether cuBLAS has this combination of types, and in what it computes; sets `computation` and
/// `scale_type` (cuBLAS documentation, table of cublasGemmEx).
bool chooseComputation(Product &product, cublasComputeType_t compute);

/// Computes the product. What is multiplied by beta = 0 is not read.
void multiply(const Product &product, const void *alpha, const void *A, const void *B,
              const void *beta, void *C);

} // namespace heddle::cublas
