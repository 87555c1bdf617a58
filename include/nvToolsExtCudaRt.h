// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvToolsExtCudaRt.h: the name of nvtx3/nvToolsExtCudaRt.h before NVTX 3.
#include "nvtx3/nvToolsExtCudaRt.h"
