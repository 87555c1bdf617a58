// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA 13's runtime where it gives another error than CUDA 12's: it hands on the driver's. The
// names in libcudart.so.13 are those without heddle13_ (core/cuda13/cudart.txt).
#include "api/entry.h"

#define IN_CUDA_13(name, parameters, arguments)                                                    \
  extern "C" HEDDLE_EXPORT cudaError_t heddle13_##name parameters { return in13(name arguments); }

extern "C" {
cudaError_t __cudaLaunchKernel(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                               size_t shared, cudaStream_t stream);
cudaError_t __cudaLaunchKernel_ptsz(cudaKernel_t kernel, dim3 grid, dim3 block, void **args,
                                    size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchCooperativeKernel_ptsz(const void *function, dim3 grid, dim3 block,
                                             void **args, size_t shared, cudaStream_t stream);
cudaError_t cudaLaunchKernelExC_ptsz(const cudaLaunchConfig_t *configuration, const void *function,
                                     void **args);
}

namespace {

/// Both seen on an H100 with CUDA 13.0 (tests/conformance/errors).
cudaError_t in13(cudaError_t error) {
  const cudaError_t other = error == cudaErrorInvalidConfiguration ? cudaErrorInvalidValue
                            : error == cudaErrorInvalidDeviceFunction
                                ? cudaErrorInvalidResourceHandle
                                : error;
  if (other != error)
    heddle::api::lastError() = other;
  return other;
}

} // namespace

#define LAUNCH(name, Function)                                                                     \
  IN_CUDA_13(                                                                                      \
      name,                                                                                        \
      (Function function, dim3 grid, dim3 block, void **args, size_t shared, cudaStream_t stream), \
      (function, grid, block, args, shared, stream))
LAUNCH(cudaLaunchKernel, const void *)
LAUNCH(cudaLaunchKernel_ptsz, const void *)
LAUNCH(cudaLaunchCooperativeKernel, const void *)
LAUNCH(cudaLaunchCooperativeKernel_ptsz, const void *)
LAUNCH(__cudaLaunchKernel, cudaKernel_t)
LAUNCH(__cudaLaunchKernel_ptsz, cudaKernel_t)
IN_CUDA_13(cudaLaunchKernelExC,
           (const cudaLaunchConfig_t *configuration, const void *function, void **args),
           (configuration, function, args))
IN_CUDA_13(cudaLaunchKernelExC_ptsz,
           (const cudaLaunchConfig_t *configuration, const void *function, void **args),
           (configuration, function, args))
IN_CUDA_13(cudaFuncGetAttributes, (cudaFuncAttributes * attributes, const void *function),
           (attributes, function))
IN_CUDA_13(cudaFuncSetAttribute, (const void *function, cudaFuncAttribute attribute, int value),
           (function, attribute, value))
IN_CUDA_13(cudaFuncSetCacheConfig, (const void *function, cudaFuncCache config), (function, config))
IN_CUDA_13(cudaOccupancyMaxActiveBlocksPerMultiprocessor,
           (int *blocks, const void *function, int threads, size_t shared),
           (blocks, function, threads, shared))
IN_CUDA_13(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
           (int *blocks, const void *function, int threads, size_t shared, unsigned flags),
           (blocks, function, threads, shared, flags))
