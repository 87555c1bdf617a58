// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices in double, which oneDNN has not. Those of float are in onednn/loader.cpp.
#include "gemm.h"

#include "parallel.h"

namespace heddle::cudnn {

void gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, double alpha,
          const double *a, int64_t lda, const double *b, int64_t ldb, double beta, double *c,
          int64_t ldc) {
  parallelEach(m, std::max<int64_t>(1, 16384 / std::max<int64_t>(1, n * k)), [&](int64_t i) {
    double *row = c + i * ldc;
    for (int64_t j = 0; j < n; ++j)
      row[j] = beta == 0 ? 0 : beta * row[j];
    for (int64_t l = 0; l < k; ++l) {
      const double factor = alpha * (transpose_a ? a[l * lda + i] : a[i * lda + l]);
      if (transpose_b)
        for (int64_t j = 0; j < n; ++j)
          row[j] += factor * b[j * ldb + l];
      else
        for (int64_t j = 0; j < n; ++j)
          row[j] += factor * b[l * ldb + j];
    }
  });
}

} // namespace heddle::cudnn
