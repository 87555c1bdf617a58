// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA checks the host compiler's version here; Heddle brings its own compiler.
#include "host_defines.h"
