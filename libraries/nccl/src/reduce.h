// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Arithmetic on arrays of NCCL's data types. Small floating-point types are computed in float and
// rounded once for each sum of two.
#pragma once

#include "nccl.h"

namespace heddle::nccl {

struct Arithmetic {
  /// to[i] = a[i] OP b[i], for the operations Sum, Prod, Max and Min. `to` may be a or b.
  void (*combine)(ncclDataType_t type, ncclRedOp_t op, void *to, const void *a, const void *b,
                  size_t count);
  /// to[i] = from[i] * *scalar, a number of the same type. `to` may be `from`.
  void (*scale)(ncclDataType_t type, void *to, const void *from, const void *scalar, size_t count);
  /// data[i] /= divisor, for integers.
  void (*divide)(ncclDataType_t type, void *data, int divisor, size_t count);
  /// *to = value.
  void (*convert)(ncclDataType_t type, void *to, double value);
};

/// As compiled for this CPU.
const Arithmetic &arithmetic();

/// Bytes of an element; 0 for what is not a data type.
size_t elementSize(ncclDataType_t type);
bool isInteger(ncclDataType_t type);

} // namespace heddle::nccl
