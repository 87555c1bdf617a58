// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvToolsExt.h: the name of nvtx3/nvToolsExt.h before NVTX 3.
#include "nvtx3/nvToolsExt.h"
