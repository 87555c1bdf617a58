// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc's host code calls to register kernels; Clang declares it by itself.
#ifndef HEDDLE_CRT_HOST_RUNTIME_H
#define HEDDLE_CRT_HOST_RUNTIME_H
#include "../cuda_runtime_api.h"
#endif
