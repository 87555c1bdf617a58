// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvToolsExtCuda.h: the name of nvtx3/nvToolsExtCuda.h before NVTX 3.
#include "nvtx3/nvToolsExtCuda.h"
