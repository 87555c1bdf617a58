// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// generated_cuda_meta.h: what CUpti_CallbackData::functionParams points to, for those functions of
// the driver API whose parameters callbacks are told. For others it is null.
#ifndef HEDDLE_GENERATED_CUDA_META_H
#define HEDDLE_GENERATED_CUDA_META_H

#include <cuda.h>

typedef struct {
  CUfunction f;
  unsigned int gridDimX, gridDimY, gridDimZ;
  unsigned int blockDimX, blockDimY, blockDimZ;
  unsigned int sharedMemBytes;
  CUstream hStream;
  void **kernelParams;
  void **extra;
} cuLaunchKernel_params;
typedef cuLaunchKernel_params cuLaunchKernel_ptsz_params;

typedef struct {
  const CUlaunchConfig *config;
  CUfunction f;
  void **kernelParams;
  void **extra;
} cuLaunchKernelEx_params;
typedef cuLaunchKernelEx_params cuLaunchKernelEx_ptsz_params;

#endif
