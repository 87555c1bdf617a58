// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is in cuda_fp16.h; some programs include this name.
#include "cuda_fp16.h"
