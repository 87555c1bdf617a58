// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and texts of errors, as programs print them.
#include "check.h"

#include <string>

static void expect(cudaError_t error, const char *name, const char *text) {
  CHECK_EQ(std::string(cudaGetErrorName(error)) == name, true);
  CHECK_EQ(std::string(cudaGetErrorString(error)) == text, true);
}

int main() {
  expect(cudaSuccess, "cudaSuccess", "no error");
  expect(cudaErrorInvalidValue, "cudaErrorInvalidValue", "invalid argument");
  expect(cudaErrorMemoryAllocation, "cudaErrorMemoryAllocation", "out of memory");
  expect(cudaErrorInvalidConfiguration, "cudaErrorInvalidConfiguration",
         "invalid configuration argument");
  expect(cudaErrorInvalidTexture, "cudaErrorInvalidTexture", "invalid texture reference");
  expect(cudaErrorInvalidDevice, "cudaErrorInvalidDevice", "invalid device ordinal");
  expect(cudaErrorNoKernelImageForDevice, "cudaErrorNoKernelImageForDevice",
         "no kernel image is available for execution on the device");
  expect(cudaErrorIllegalAddress, "cudaErrorIllegalAddress",
         "an illegal memory access was encountered");
  expect(cudaErrorStreamCaptureInvalidated, "cudaErrorStreamCaptureInvalidated",
         "operation failed due to a previous error during capture");
  expect(cudaErrorGraphExecUpdateFailure, "cudaErrorGraphExecUpdateFailure",
         "the graph update was not performed because it included changes which violated "
         "constraints specific to instantiated graph update");
  expect(cudaErrorUnknown, "cudaErrorUnknown", "unknown error");
  expect(static_cast<cudaError_t>(-1), "unrecognized error code", "unrecognized error code");
  RETURN_RESULT();
}
