// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a call fails inside the library: thrown where it is noticed, made a result and a sentence on
// stderr where the program called.
#pragma once

#include "nccl.h"

#include <string>

namespace heddle::nccl {

struct Failure {
  ncclResult_t result;
  std::string why;
};

[[noreturn]] inline void fail(ncclResult_t result, std::string why) {
  throw Failure{result, std::move(why)};
}
inline void require(bool good, ncclResult_t result, const char *why) {
  if (!good)
    fail(result, why);
}
inline void require(cudaError_t error) {
  if (error != cudaSuccess)
    fail(ncclUnhandledCudaError, cudaGetErrorString(error));
}

/// The exception that is being handled, whichever it is.
Failure currentFailure();
/// The constant's name: "ncclInvalidArgument".
const char *nameOf(ncclResult_t result);
/// Remembers the sentence for ncclGetLastError and prints it; returns the result.
ncclResult_t report(const char *call, const Failure &failure);

} // namespace heddle::nccl
