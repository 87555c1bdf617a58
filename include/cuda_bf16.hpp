// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is in cuda_bf16.h; some programs include this name.
#include "cuda_bf16.h"
