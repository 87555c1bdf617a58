// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "instances.h"

HEDDLE_FFT_INSTANCES(double)
