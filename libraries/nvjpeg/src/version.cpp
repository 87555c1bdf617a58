// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which release of nvJPEG it is: another one in each of the libraries that have these functions.
#include <nvjpeg.h>

namespace {
nvjpegStatus_t part(libraryPropertyType type, int *value, const int (&parts)[3]) {
  if (!value || unsigned(type) > PATCH_LEVEL)
    return NVJPEG_STATUS_INVALID_PARAMETER;
  *value = parts[type];
  return NVJPEG_STATUS_SUCCESS;
}
} // namespace

nvjpegStatus_t nvjpegGetProperty(libraryPropertyType type, int *value) {
  return part(type, value, {NVJPEG_VER_MAJOR, NVJPEG_VER_MINOR, NVJPEG_VER_PATCH});
}

nvjpegStatus_t nvjpegGetCudartProperty(libraryPropertyType type, int *value) {
  return part(type, value, {HEDDLE_CUDA_VERSION / 1000, HEDDLE_CUDA_VERSION % 1000 / 10, 0});
}
