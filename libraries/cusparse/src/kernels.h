// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The products that programs spend their time in, as kernels: matrices in compressed rows whose
// numbers all have one type.
#pragma once

#include "matrix.h"

#include <driver_types.h>

namespace heddle::cusparse {

/// A scalar for a kernel: the pointer, if it is not null.
struct KernelScalar {
  const void *pointer;
  double re, im;
};

/// c = alpha a b + beta c for rows of any format whose rows are compressed. Returns false if there
/// is no kernel for the types: nothing has been done then.
bool launchRows(cudaStream_t stream, const Matrix &a, const Dense &b, const Dense &c,
                KernelScalar alpha, KernelScalar beta, cudaError_t &error);

/// c = alpha (a b at c's places) + beta c for compressed rows c; false if there is no kernel.
bool launchSampled(cudaStream_t stream, const Dense &a, const Dense &b, const Matrix &c,
                   KernelScalar alpha, KernelScalar beta, cudaError_t &error);

} // namespace heddle::cusparse
