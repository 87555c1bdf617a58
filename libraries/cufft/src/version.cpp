// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which release of cuFFT it is: another one in each of the libraries that have these functions.
#pragma GCC visibility push(default)
#include <cufft.h>
#pragma GCC visibility pop

cufftResult cufftGetVersion(int *version) {
  if (!version)
    return CUFFT_INVALID_VALUE;
  *version = CUFFT_VERSION;
  return CUFFT_SUCCESS;
}

cufftResult cufftGetProperty(libraryPropertyType type, int *value) {
  if (!value)
    return CUFFT_INVALID_VALUE;
  if (unsigned(type) > PATCH_LEVEL)
    return CUFFT_INVALID_TYPE;
  const int parts[] = {CUFFT_VER_MAJOR, CUFFT_VER_MINOR, CUFFT_VER_PATCH};
  *value = parts[type];
  return CUFFT_SUCCESS;
}
