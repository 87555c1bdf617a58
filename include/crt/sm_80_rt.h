// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of what cuda_runtime.h provides; programs include it by this older name too.
#ifndef __SM_80_RT_H__
#define __SM_80_RT_H__
#include "../cuda_runtime.h"
#endif
