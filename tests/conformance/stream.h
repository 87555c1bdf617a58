// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "check.h"

/// A stream that ends itself.
class Stream {
public:
  explicit Stream(unsigned flags = cudaStreamDefault) {
    CHECK_CUDA(cudaStreamCreateWithFlags(&stream, flags));
  }
  Stream(const Stream &) = delete;
  Stream &operator=(const Stream &) = delete;
  ~Stream() { CHECK_CUDA(cudaStreamDestroy(stream)); }
  operator cudaStream_t() const { return stream; }

private:
  cudaStream_t stream = nullptr;
};
