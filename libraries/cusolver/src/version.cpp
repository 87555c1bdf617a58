// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which release of cuSOLVER it is: another one in each of the libraries that have these functions.
#include <cusolver_common.h>

cusolverStatus_t cusolverGetProperty(libraryPropertyType type, int *value) {
  if (!value || unsigned(type) > PATCH_LEVEL)
    return CUSOLVER_STATUS_INVALID_VALUE;
  const int parts[] = {CUSOLVER_VER_MAJOR, CUSOLVER_VER_MINOR, CUSOLVER_VER_PATCH};
  *value = parts[type];
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverGetVersion(int *version) {
  if (!version)
    return CUSOLVER_STATUS_INVALID_VALUE;
  *version = CUSOLVER_VERSION;
  return CUSOLVER_STATUS_SUCCESS;
}
