// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platform-specific parts of the runtime API. Linux has none.
#ifndef __CUDART_PLATFORM_H__
#define __CUDART_PLATFORM_H__
#include "cuda_runtime_api.h"
#endif
