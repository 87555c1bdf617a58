// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Platform-specific parts of the runtime API. Linux has none.
#include "cuda_runtime_api.h"
