// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is in cuda_fp6.h; some programs include this name.
#ifndef __CUDA_FP6_HPP__
#define __CUDA_FP6_HPP__
#include "cuda_fp6.h"
#endif
