// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library's handle. Memory is the library's own: allocators of the program's are accepted and
// not called.
#include "objects.h"

#include "common/refuse.h"

#include <iterator>

namespace heddle::nvjpeg {

nvjpegStatus_t refuse(const char *call, nvjpegStatus_t status, const std::string &why) {
  static const char *const names[] = {"SUCCESS",
                                      "NOT_INITIALIZED",
                                      "INVALID_PARAMETER",
                                      "BAD_JPEG",
                                      "JPEG_NOT_SUPPORTED",
                                      "ALLOCATOR_FAILURE",
                                      "EXECUTION_FAILED",
                                      "ARCH_MISMATCH",
                                      "INTERNAL_ERROR",
                                      "IMPLEMENTATION_NOT_SUPPORTED",
                                      "INCOMPLETE_BITSTREAM"};
  const std::string name = std::string("NVJPEG_STATUS_") +
                           (size_t(status) < std::size(names) ? names[status] : "INTERNAL_ERROR");
  library::explain(call, name.c_str(), why.c_str());
  return status;
}

namespace {

nvjpegStatus_t create(const char *call, nvjpegBackend_t backend, unsigned flags,
                      nvjpegHandle_t *handle) {
  if (unsigned(backend) > NVJPEG_BACKEND_LOSSLESS_JPEG)
    return refuse(call, NVJPEG_STATUS_INVALID_PARAMETER, "there is no such backend");
  if (backend == NVJPEG_BACKEND_LOSSLESS_JPEG || backend == NVJPEG_BACKEND_HARDWARE_DEVICE ||
      backend == NVJPEG_BACKEND_HARDWARE)
    return refuse(call, NVJPEG_STATUS_ARCH_MISMATCH,
                  "there is no decoder of that kind: neither in hardware nor for lossless files");
  return make(call, handle, ::nvjpegHandle{flags});
}

} // namespace
} // namespace heddle::nvjpeg

using namespace heddle::nvjpeg;

nvjpegStatus_t nvjpegCreate(nvjpegBackend_t backend, nvjpegDevAllocator_t *,
                            nvjpegHandle_t *handle) {
  return create(__func__, backend, NVJPEG_FLAGS_DEFAULT, handle);
}

nvjpegStatus_t nvjpegCreateSimple(nvjpegHandle_t *handle) {
  return create(__func__, NVJPEG_BACKEND_DEFAULT, NVJPEG_FLAGS_DEFAULT, handle);
}

nvjpegStatus_t nvjpegCreateEx(nvjpegBackend_t backend, nvjpegDevAllocator_t *,
                              nvjpegPinnedAllocator_t *, unsigned flags, nvjpegHandle_t *handle) {
  return create(__func__, backend, flags, handle);
}

nvjpegStatus_t nvjpegCreateExV2(nvjpegBackend_t backend, nvjpegDevAllocatorV2_t *,
                                nvjpegPinnedAllocatorV2_t *, unsigned flags,
                                nvjpegHandle_t *handle) {
  return create(__func__, backend, flags, handle);
}

nvjpegStatus_t nvjpegDestroy(nvjpegHandle_t handle) {
  NEED_LIBRARY(handle);
  return destroy(__func__, handle);
}

#define PADDING(Set, Get, member)                                                                  \
  nvjpegStatus_t Set(size_t padding, nvjpegHandle_t handle) {                                      \
    NEED_LIBRARY(handle);                                                                          \
    handle->member = padding;                                                                      \
    return NVJPEG_STATUS_SUCCESS;                                                                  \
  }                                                                                                \
  nvjpegStatus_t Get(size_t *padding, nvjpegHandle_t handle) {                                     \
    NEED_LIBRARY(handle);                                                                          \
    NEED_POINTER(padding);                                                                         \
    *padding = handle->member;                                                                     \
    return NVJPEG_STATUS_SUCCESS;                                                                  \
  }
PADDING(nvjpegSetDeviceMemoryPadding, nvjpegGetDeviceMemoryPadding, device_padding)
PADDING(nvjpegSetPinnedMemoryPadding, nvjpegGetPinnedMemoryPadding, pinned_padding)

// None is there.
#define HARDWARE(Get)                                                                              \
  nvjpegStatus_t Get(nvjpegHandle_t handle, unsigned *engines, unsigned *cores) {                  \
    NEED_LIBRARY(handle);                                                                          \
    NEED_POINTER(engines);                                                                         \
    NEED_POINTER(cores);                                                                           \
    *engines = *cores = 0;                                                                         \
    return NVJPEG_STATUS_SUCCESS;                                                                  \
  }
HARDWARE(nvjpegGetHardwareDecoderInfo)
HARDWARE(nvjpegGetHardwareEncoderInfo)
