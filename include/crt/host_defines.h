// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where newer CUDA releases keep host_defines.h.
#include "../host_defines.h"
