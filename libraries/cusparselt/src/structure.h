// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structured matrices: of each four elements along the sum, two at most are not zero; of 32-bit
// elements, one of each two. Compressed, a matrix is first what stays of each line along the sum,
// line after line; then four bits for each group that say where these elements were, so that the
// sizes are NVIDIA's.
#pragma once

#include "descriptions.h"

namespace heddle::cusparselt {

/// A structured matrix as lines along the sum.
struct Lines {
  cudaDataType type;
  size_t element;              // bytes
  int64_t count, length;       // lines and elements of each
  int64_t line_step, step;     // elements between lines, and between neighbours in one
  int64_t group, kept;         // 4 and 2, or 2 and 1
  int64_t batches, batch_step; // elements; a step of 0: there is one

  int64_t groups() const { return length / group; }
  int64_t storedBatches() const { return batch_step ? batches : 1; }
  size_t valueBytes() const { return size_t(count * groups() * kept) * element; }
  /// Of one matrix.
  size_t compressedBytes() const { return valueBytes() + size_t(count * groups()) / 2; }
};
Lines linesOf(const Matrix &matrix, bool is_a, cusparseOperation_t op);

/// Keeps what is largest and makes the rest zero; `in` and `out` may be the same.
void prune(const Lines &lines, cusparseLtPruneAlg_t how, const void *in, void *out);
bool isStructured(const Lines &lines, const void *data);
void compress(const Lines &lines, const void *dense, void *compressed);
/// One matrix of a batch, line after line.
void expand(const Lines &lines, const void *compressed, void *dense);

} // namespace heddle::cusparselt
