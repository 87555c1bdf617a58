// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// generated_cuda_runtime_api_meta.h: what CUpti_CallbackData::functionParams points to, for those
// functions of the runtime API whose parameters callbacks are told. For others it is null.
#ifndef HEDDLE_GENERATED_CUDA_RUNTIME_API_META_H
#define HEDDLE_GENERATED_CUDA_RUNTIME_API_META_H

#include <cuda_runtime_api.h>

typedef struct {
  const void *func;
  dim3 gridDim, blockDim;
  void **args;
  size_t sharedMem;
  cudaStream_t stream;
} cudaLaunchKernel_v7000_params;
typedef cudaLaunchKernel_v7000_params cudaLaunchKernel_ptsz_v7000_params;
typedef cudaLaunchKernel_v7000_params cudaLaunchCooperativeKernel_v9000_params;
typedef cudaLaunchKernel_v7000_params cudaLaunchCooperativeKernel_ptsz_v9000_params;

typedef struct {
  const cudaLaunchConfig_t *config;
  const void *func;
  void **args;
} cudaLaunchKernelExC_v11060_params;
typedef cudaLaunchKernelExC_v11060_params cudaLaunchKernelExC_ptsz_v11060_params;

#endif
