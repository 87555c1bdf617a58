// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// libnppisu: memory for images, whose rows begin at multiples of the pitch that the device likes.
#pragma GCC visibility push(default)
#include <nppi_support_functions.h>
#pragma GCC visibility pop

#include "call.h"

namespace {

template <typename T>
T *allocate(const char *name, int channels, int width, int height, int *step) {
  void *data = nullptr;
  size_t pitch = 0;
  const char *why = "the width, height or step pointer is not valid";
  if (width > 0 && height > 0 && step) {
    const cudaError_t error = cudaMallocPitch(&data, &pitch, sizeof(T) * width * channels, height);
    if (error == cudaSuccess && pitch <= NPP_MAX_32S) {
      *step = int(pitch);
      return static_cast<T *>(data);
    }
    why = error ? cudaGetErrorString(error) : "a row is longer than an int can say";
    cudaFree(data);
  }
  heddle::library::explain(name, "null", why);
  return nullptr;
}

} // namespace

#define HEDDLE_NPP_DEFINE_MALLOC(t, c)                                                             \
  Npp##t *nppiMalloc_##t##_C##c(int nWidthPixels, int nHeightPixels, int *pStepBytes) {            \
    return allocate<Npp##t>("nppiMalloc_" #t "_C" #c, c, nWidthPixels, nHeightPixels, pStepBytes); \
  }
HEDDLE_NPPI_MALLOC(HEDDLE_NPP_DEFINE_MALLOC)

void nppiFree(void *pData) { cudaFree(pData); }
