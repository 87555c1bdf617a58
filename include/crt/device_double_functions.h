// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of what cuda_runtime.h provides; programs include it by this older name too.
#ifndef HEDDLE_CRT_DEVICE_DOUBLE_FUNCTIONS_H
#define HEDDLE_CRT_DEVICE_DOUBLE_FUNCTIONS_H
#include "../cuda_runtime.h"
#endif
