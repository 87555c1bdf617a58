// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cupti_version.h: the version of the interface, which is that of CUDA 12.8.
#ifndef HEDDLE_CUPTI_VERSION_H
#define HEDDLE_CUPTI_VERSION_H

#include <cuda_stdint.h>
#include <cupti_result.h>

#define CUPTI_API_VERSION 26

#ifdef __cplusplus
extern "C" {
#endif

CUptiResult CUPTIAPI cuptiGetVersion(uint32_t *version);

#ifdef __cplusplus
}
#endif

#endif
