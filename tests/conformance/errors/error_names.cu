// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers, names and texts of the errors that programs compare, print and test for.
#include "check.h"

int main() {
  const struct {
    cudaError_t error;
    int number;
    const char *name, *text;
  } errors[] = {
      {cudaSuccess, 0, "cudaSuccess", "no error"},
      {cudaErrorInvalidValue, 1, "cudaErrorInvalidValue", "invalid argument"},
      {cudaErrorMemoryAllocation, 2, "cudaErrorMemoryAllocation", "out of memory"},
      {cudaErrorInitializationError, 3, "cudaErrorInitializationError", "initialization error"},
      {cudaErrorInvalidConfiguration, 9, "cudaErrorInvalidConfiguration",
       "invalid configuration argument"},
      {cudaErrorInvalidPitchValue, 12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
      {cudaErrorInvalidSymbol, 13, "cudaErrorInvalidSymbol", "invalid device symbol"},
      {cudaErrorInvalidMemcpyDirection, 21, "cudaErrorInvalidMemcpyDirection",
       "invalid copy direction for memcpy"},
      {cudaErrorInvalidDeviceFunction, 98, "cudaErrorInvalidDeviceFunction",
       "invalid device function"},
      {cudaErrorNoDevice, 100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
      {cudaErrorInvalidDevice, 101, "cudaErrorInvalidDevice", "invalid device ordinal"},
      {cudaErrorInvalidKernelImage, 200, "cudaErrorInvalidKernelImage",
       "device kernel image is invalid"},
      {cudaErrorNoKernelImageForDevice, 209, "cudaErrorNoKernelImageForDevice",
       "no kernel image is available for execution on the device"},
      {cudaErrorPeerAccessUnsupported, 217, "cudaErrorPeerAccessUnsupported",
       "peer access is not supported between these two devices"},
      {cudaErrorInvalidResourceHandle, 400, "cudaErrorInvalidResourceHandle",
       "invalid resource handle"},
      {cudaErrorNotReady, 600, "cudaErrorNotReady", "device not ready"},
      {cudaErrorIllegalAddress, 700, "cudaErrorIllegalAddress",
       "an illegal memory access was encountered"},
      {cudaErrorLaunchOutOfResources, 701, "cudaErrorLaunchOutOfResources",
       "too many resources requested for launch"},
      {cudaErrorLaunchTimeout, 702, "cudaErrorLaunchTimeout",
       "the launch timed out and was terminated"},
      {cudaErrorPeerAccessAlreadyEnabled, 704, "cudaErrorPeerAccessAlreadyEnabled",
       "peer access is already enabled"},
      {cudaErrorPeerAccessNotEnabled, 705, "cudaErrorPeerAccessNotEnabled",
       "peer access has not been enabled"},
      {cudaErrorAssert, 710, "cudaErrorAssert", "device-side assert triggered"},
      {cudaErrorHostMemoryAlreadyRegistered, 712, "cudaErrorHostMemoryAlreadyRegistered",
       "part or all of the requested memory range is already mapped"},
      {cudaErrorHostMemoryNotRegistered, 713, "cudaErrorHostMemoryNotRegistered",
       "pointer does not correspond to a registered memory region"},
      {cudaErrorIllegalInstruction, 715, "cudaErrorIllegalInstruction",
       "an illegal instruction was encountered"},
      {cudaErrorMisalignedAddress, 716, "cudaErrorMisalignedAddress", "misaligned address"},
      {cudaErrorLaunchFailure, 719, "cudaErrorLaunchFailure", "unspecified launch failure"},
      {cudaErrorCooperativeLaunchTooLarge, 720, "cudaErrorCooperativeLaunchTooLarge",
       "too many blocks in cooperative launch"},
      {cudaErrorNotSupported, 801, "cudaErrorNotSupported", "operation not supported"},
      {cudaErrorUnknown, 999, "cudaErrorUnknown", "unknown error"},
  };
  for (const auto &row : errors) {
    CHECK_EQ(static_cast<int>(row.error), row.number);
    if (strcmp(cudaGetErrorName(row.error), row.name) != 0 ||
        strcmp(cudaGetErrorString(row.error), row.text) != 0)
      fprintf(stderr, "%d: %s: %s\n", row.number, cudaGetErrorName(row.error),
              cudaGetErrorString(row.error));
    CHECK_EQ(strcmp(cudaGetErrorName(row.error), row.name), 0);
    CHECK_EQ(strcmp(cudaGetErrorString(row.error), row.text), 0);
  }
  CHECK_EQ(strcmp(cudaGetErrorString(static_cast<cudaError_t>(12345)), "unrecognized error code"),
           0);
  RETURN_RESULT();
}
