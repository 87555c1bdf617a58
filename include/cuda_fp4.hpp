// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything is in cuda_fp4.h; some programs include this name.
#ifndef __CUDA_FP4_HPP__
#define __CUDA_FP4_HPP__
#include "cuda_fp4.h"
#endif
