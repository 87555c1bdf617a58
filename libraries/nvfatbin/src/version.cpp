// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which release of nvFatbin it is: another one in each of the libraries that have this function.
#include "api.h"

#include <__heddle_host/release.h>

nvFatbinResult nvFatbinVersion(unsigned *major, unsigned *minor) {
  if (!major || !minor)
    return NVFATBIN_ERROR_NULL_POINTER;
  *major = HEDDLE_CUDA_VERSION / 1000;
  *minor = HEDDLE_CUDA_VERSION % 1000 / 10;
  return NVFATBIN_SUCCESS;
}
