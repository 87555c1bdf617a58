// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA checks the host compiler's version here; Heddle brings its own compiler.
#ifndef __HOST_CONFIG_H__
#define __HOST_CONFIG_H__
#include "host_defines.h"
#endif
