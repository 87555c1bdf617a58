// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices: float by oneDNN, double, which it has not, by loops.
#include "gemm.h"

#include "core.h"
#include "parallel.h"

#include <dnnl.h>

namespace heddle::cudnn {

void gemm(bool transpose_a, bool transpose_b, int64_t m, int64_t n, int64_t k, float alpha,
          const float *a, int64_t lda, const float *b, int64_t ldb, float beta, float *c,
          int64_t ldc) {
  if (m == 0 || n == 0)
    return;
  const ThreadsFor threads(2.0 * double(m) * double(n) * double(k));
  const auto status = dnnl_sgemm(transpose_a ? 'T' : 'N', transpose_b ? 'T' : 'N', m, n, k, alpha,
                                 a, lda, b, ldb, beta, c, ldc);
  need(status == dnnl_success, "oneDNN has refused a product of matrices",
       CUDNN_STATUS_EXECUTION_FAILED);
}

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
