// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors: the last one of each host thread, their names and their descriptions.
#include "api/entry.h"

#include <algorithm>
#include <iterator>

using namespace heddle;
using namespace heddle::api;

namespace {

struct Description {
  int code;
  const char *name, *text;
};

// Ascending. Where Heddle can return the error, the text is the one that programs print on a GPU.
#define HEDDLE_ERROR(code, text) {code, #code, text}
const Description descriptions[] = {
    HEDDLE_ERROR(cudaSuccess, "no error"),
    HEDDLE_ERROR(cudaErrorInvalidValue, "invalid argument"),
    HEDDLE_ERROR(cudaErrorMemoryAllocation, "out of memory"),
    HEDDLE_ERROR(cudaErrorInitializationError, "initialization error"),
    HEDDLE_ERROR(cudaErrorCudartUnloading, "driver shutting down"),
    HEDDLE_ERROR(cudaErrorProfilerDisabled, "the profiler is off"),
    HEDDLE_ERROR(cudaErrorProfilerNotInitialized, "the profiler was not set up"),
    HEDDLE_ERROR(cudaErrorProfilerAlreadyStarted, "the profiler runs already"),
    HEDDLE_ERROR(cudaErrorProfilerAlreadyStopped, "the profiler does not run"),
    HEDDLE_ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
    HEDDLE_ERROR(cudaErrorInvalidPitchValue, "invalid pitch argument"),
    HEDDLE_ERROR(cudaErrorInvalidSymbol, "invalid device symbol"),
    HEDDLE_ERROR(cudaErrorInvalidHostPointer, "invalid host pointer"),
    HEDDLE_ERROR(cudaErrorInvalidDevicePointer, "invalid device pointer"),
    HEDDLE_ERROR(cudaErrorInvalidTexture, "bad texture reference"),
    HEDDLE_ERROR(cudaErrorInvalidTextureBinding, "texture without memory"),
    HEDDLE_ERROR(cudaErrorInvalidChannelDescriptor, "invalid channel descriptor"),
    HEDDLE_ERROR(cudaErrorInvalidMemcpyDirection, "invalid copy direction for memcpy"),
    HEDDLE_ERROR(cudaErrorAddressOfConstant, "address of a constant"),
    HEDDLE_ERROR(cudaErrorTextureFetchFailed, "texture read failed"),
    HEDDLE_ERROR(cudaErrorTextureNotBound, "texture is unbound"),
    HEDDLE_ERROR(cudaErrorSynchronizationError, "bad synchronization"),
    HEDDLE_ERROR(cudaErrorInvalidFilterSetting, "linear filter needs a float texture"),
    HEDDLE_ERROR(cudaErrorInvalidNormSetting, "normalized reads need an integer texture"),
    HEDDLE_ERROR(cudaErrorMixedDeviceExecution, "emulation mixed with execution"),
    HEDDLE_ERROR(cudaErrorNotYetImplemented, "not implemented yet"),
    HEDDLE_ERROR(cudaErrorMemoryValueTooLarge, "value needs more than 32 bits"),
    HEDDLE_ERROR(cudaErrorStubLibrary, "the driver library is a stub"),
    HEDDLE_ERROR(cudaErrorInsufficientDriver, "the driver is older than the runtime"),
    HEDDLE_ERROR(cudaErrorCallRequiresNewerDriver, "the driver is too old for this call"),
    HEDDLE_ERROR(cudaErrorInvalidSurface, "bad surface reference"),
    HEDDLE_ERROR(cudaErrorDuplicateVariableName, "two variables have this name"),
    HEDDLE_ERROR(cudaErrorDuplicateTextureName, "two textures have this name"),
    HEDDLE_ERROR(cudaErrorDuplicateSurfaceName, "two surfaces have this name"),
    HEDDLE_ERROR(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
    HEDDLE_ERROR(cudaErrorIncompatibleDriverContext, "context of another API version"),
    HEDDLE_ERROR(cudaErrorMissingConfiguration, "__global__ function call is not configured"),
    HEDDLE_ERROR(cudaErrorPriorLaunchFailure, "unspecified launch failure in prior launch"),
    HEDDLE_ERROR(cudaErrorLaunchMaxDepthExceeded, "kernels nested too deeply"),
    HEDDLE_ERROR(cudaErrorLaunchFileScopedTex, "file-scope texture in a nested launch"),
    HEDDLE_ERROR(cudaErrorLaunchFileScopedSurf, "file-scope surface in a nested launch"),
    HEDDLE_ERROR(cudaErrorSyncDepthExceeded, "device-side synchronization nested too deeply"),
    HEDDLE_ERROR(cudaErrorLaunchPendingCountExceeded, "too many nested launches pending"),
    HEDDLE_ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
    HEDDLE_ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
    HEDDLE_ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
    HEDDLE_ERROR(cudaErrorDeviceNotLicensed, "device has no licence"),
    HEDDLE_ERROR(cudaErrorSoftwareValidityNotEstablished, "self test failed"),
    HEDDLE_ERROR(cudaErrorStartupFailure, "the runtime could not start"),
    HEDDLE_ERROR(cudaErrorInvalidKernelImage, "device kernel image is invalid"),
    HEDDLE_ERROR(cudaErrorDeviceUninitialized, "invalid device context"),
    HEDDLE_ERROR(cudaErrorMapBufferObjectFailed, "could not map buffer"),
    HEDDLE_ERROR(cudaErrorUnmapBufferObjectFailed, "could not unmap buffer"),
    HEDDLE_ERROR(cudaErrorArrayIsMapped, "array is in use as a mapping"),
    HEDDLE_ERROR(cudaErrorAlreadyMapped, "already mapped"),
    HEDDLE_ERROR(cudaErrorNoKernelImageForDevice,
                 "no kernel image is available for execution on the device"),
    HEDDLE_ERROR(cudaErrorAlreadyAcquired, "resource is taken already"),
    HEDDLE_ERROR(cudaErrorNotMapped, "not mapped"),
    HEDDLE_ERROR(cudaErrorNotMappedAsArray, "mapped, but not as an array"),
    HEDDLE_ERROR(cudaErrorNotMappedAsPointer, "mapped, but not as a pointer"),
    HEDDLE_ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
    HEDDLE_ERROR(cudaErrorUnsupportedLimit, "limit is not supported on this architecture"),
    HEDDLE_ERROR(cudaErrorDeviceAlreadyInUse, "another thread has this device to itself"),
    HEDDLE_ERROR(cudaErrorPeerAccessUnsupported,
                 "peer access is not supported between these two devices"),
    HEDDLE_ERROR(cudaErrorInvalidPtx, "PTX could not be compiled"),
    HEDDLE_ERROR(cudaErrorInvalidGraphicsContext, "bad graphics context"),
    HEDDLE_ERROR(cudaErrorNvlinkUncorrectable, "NVLink error"),
    HEDDLE_ERROR(cudaErrorJitCompilerNotFound, "no PTX compiler"),
    HEDDLE_ERROR(cudaErrorUnsupportedPtxVersion, "PTX version is not supported"),
    HEDDLE_ERROR(cudaErrorJitCompilationDisabled, "run-time compilation is off"),
    HEDDLE_ERROR(cudaErrorUnsupportedExecAffinity, "affinity is not supported"),
    HEDDLE_ERROR(cudaErrorUnsupportedDevSideSync,
                 "device-side synchronization in PTX is not supported"),
    HEDDLE_ERROR(cudaErrorInvalidSource, "bad device code source"),
    HEDDLE_ERROR(cudaErrorFileNotFound, "no such file"),
    HEDDLE_ERROR(cudaErrorSharedObjectSymbolNotFound, "no such symbol in the library"),
    HEDDLE_ERROR(cudaErrorSharedObjectInitFailed, "the library could not be set up"),
    HEDDLE_ERROR(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
    HEDDLE_ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
    HEDDLE_ERROR(cudaErrorIllegalState, "the operation cannot be performed in the present state"),
    HEDDLE_ERROR(cudaErrorLossyQuery, "the answer would be incomplete"),
    HEDDLE_ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
    HEDDLE_ERROR(cudaErrorNotReady, "device not ready"),
    HEDDLE_ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
    HEDDLE_ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
    HEDDLE_ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
    HEDDLE_ERROR(cudaErrorLaunchIncompatibleTexturing, "incompatible texture mode"),
    HEDDLE_ERROR(cudaErrorPeerAccessAlreadyEnabled, "peer access is already enabled"),
    HEDDLE_ERROR(cudaErrorPeerAccessNotEnabled, "peer access has not been enabled"),
    HEDDLE_ERROR(cudaErrorSetOnActiveProcess, "cannot set while device is active in this process"),
    HEDDLE_ERROR(cudaErrorContextIsDestroyed, "context is destroyed"),
    HEDDLE_ERROR(cudaErrorAssert, "device-side assert triggered"),
    HEDDLE_ERROR(cudaErrorTooManyPeers, "peer mapping resources exhausted"),
    HEDDLE_ERROR(cudaErrorHostMemoryAlreadyRegistered,
                 "part or all of the requested memory range is already mapped"),
    HEDDLE_ERROR(cudaErrorHostMemoryNotRegistered,
                 "pointer does not correspond to a registered memory region"),
    HEDDLE_ERROR(cudaErrorHardwareStackError, "hardware stack error"),
    HEDDLE_ERROR(cudaErrorIllegalInstruction, "an illegal instruction was encountered"),
    HEDDLE_ERROR(cudaErrorMisalignedAddress, "misaligned address"),
    HEDDLE_ERROR(cudaErrorInvalidAddressSpace,
                 "operation not supported on global/shared address space"),
    HEDDLE_ERROR(cudaErrorInvalidPc, "invalid program counter"),
    HEDDLE_ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
    HEDDLE_ERROR(cudaErrorCooperativeLaunchTooLarge, "too many blocks in cooperative launch"),
    HEDDLE_ERROR(cudaErrorNotPermitted, "operation not permitted"),
    HEDDLE_ERROR(cudaErrorNotSupported, "operation not supported"),
    HEDDLE_ERROR(cudaErrorSystemNotReady, "system is not ready"),
    HEDDLE_ERROR(cudaErrorSystemDriverMismatch, "driver versions do not match"),
    HEDDLE_ERROR(cudaErrorCompatNotSupportedOnDevice, "hardware without forward compatibility"),
    HEDDLE_ERROR(cudaErrorMpsConnectionFailed, "no connection to MPS"),
    HEDDLE_ERROR(cudaErrorMpsRpcFailure, "MPS call failed"),
    HEDDLE_ERROR(cudaErrorMpsServerNotReady, "MPS server is not ready"),
    HEDDLE_ERROR(cudaErrorMpsMaxClientsReached, "too many MPS clients"),
    HEDDLE_ERROR(cudaErrorMpsMaxConnectionsReached, "too many MPS connections"),
    HEDDLE_ERROR(cudaErrorMpsClientTerminated, "MPS client was ended"),
    HEDDLE_ERROR(cudaErrorCdpNotSupported, "nested launches are not supported here"),
    HEDDLE_ERROR(cudaErrorCdpVersionMismatch, "nested launches of different versions"),
    HEDDLE_ERROR(cudaErrorStreamCaptureUnsupported,
                 "operation not permitted when stream is capturing"),
    HEDDLE_ERROR(cudaErrorStreamCaptureInvalidated, "stream capture has failed"),
    HEDDLE_ERROR(cudaErrorStreamCaptureMerge, "captures would merge"),
    HEDDLE_ERROR(cudaErrorStreamCaptureUnmatched, "capture ends in another stream"),
    HEDDLE_ERROR(cudaErrorStreamCaptureUnjoined, "capture has unjoined work"),
    HEDDLE_ERROR(cudaErrorStreamCaptureIsolation, "capture depends on uncaptured work"),
    HEDDLE_ERROR(cudaErrorStreamCaptureImplicit, "capture would include the legacy stream"),
    HEDDLE_ERROR(cudaErrorCapturedEvent, "event belongs to a capture"),
    HEDDLE_ERROR(cudaErrorStreamCaptureWrongThread, "capture belongs to another thread"),
    HEDDLE_ERROR(cudaErrorTimeout, "timed out"),
    HEDDLE_ERROR(cudaErrorGraphExecUpdateFailure, "graph cannot be updated this way"),
    HEDDLE_ERROR(cudaErrorExternalDevice, "error outside of CUDA"),
    HEDDLE_ERROR(cudaErrorInvalidClusterSize, "bad cluster size"),
    HEDDLE_ERROR(cudaErrorUnknown, "unknown error"),
    HEDDLE_ERROR(cudaErrorApiFailureBase, "driver error"),
};
#undef HEDDLE_ERROR

const Description *find(cudaError_t error) {
  auto it = std::lower_bound(std::begin(descriptions), std::end(descriptions), int(error),
                             [](const Description &entry, int code) { return entry.code < code; });
  return it != std::end(descriptions) && it->code == int(error) ? it : nullptr;
}

} // namespace

cudaError_t cudaGetLastError() {
  cudaError_t error = lastError();
  lastError() = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() { return lastError(); }

const char *cudaGetErrorName(cudaError_t error) {
  const Description *description = find(error);
  return description ? description->name : "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  const Description *description = find(error);
  return description ? description->text : "unrecognized error code";
}
