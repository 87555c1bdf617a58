// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of what cuda_runtime.h provides; programs include it by this older name too.
#ifndef __SM_20_ATOMIC_FUNCTIONS_HPP__
#define __SM_20_ATOMIC_FUNCTIONS_HPP__
#include "sm_20_atomic_functions.h"
#endif
