// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of what cuda_runtime.h provides; programs include it by this older name too.
#ifndef __SM_30_INTRINSICS_HPP__
#define __SM_30_INTRINSICS_HPP__
#include "sm_30_intrinsics.h"
#endif
