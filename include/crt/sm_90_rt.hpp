// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of what cuda_runtime.h provides; programs include it by this older name too.
#ifndef __SM_90_RT_HPP__
#define __SM_90_RT_HPP__
#include "../cuda_runtime.h"
#endif
