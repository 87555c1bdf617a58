// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scratch memory that the program gives: how much a function needs for a region, and where in it
// aligned data begins; and the connectivity that functions for regions share.
#pragma once

#include "call.h"

namespace heddle::npp {

constexpr size_t alignment = 64;

template <typename T> T *aligned(Npp8u *buffer) {
  return reinterpret_cast<T *>((reinterpret_cast<size_t>(buffer) + alignment - 1) / alignment *
                               alignment);
}

template <typename Int>
NppStatus sizeTo(const Call &call, int bytes_per_pixel, NppiSize size, Int *bytes) {
  if (const NppStatus status = checkNotNull(call, {bytes}))
    return status;
  const double wanted = double(bytes_per_pixel) * size.width * size.height + alignment;
  if (size.width <= 0 || size.height <= 0 || (sizeof(Int) == 4 && wanted > NPP_MAX_32S))
    return HEDDLE_NPP_REFUSE(call, NPP_SIZE_ERROR, "the region has no pixels or too many");
  *bytes = Int(wanted);
  return NPP_SUCCESS;
}

inline NppStatus regionSize(const Call &call, int bytes_per_pixel, NppiSize size, int *bytes) {
  return sizeTo(call, bytes_per_pixel, size, bytes);
}
inline NppStatus regionSizeT(const Call &call, int bytes_per_pixel, NppiSize size, size_t *bytes) {
  return sizeTo(call, bytes_per_pixel, size, bytes);
}

inline NppStatus checkConnectivity(const Call &call, NppiNorm norm) {
  if (norm != nppiNormInf && norm != nppiNormL1)
    return HEDDLE_NPP_REFUSE(call, NPP_BAD_ARGUMENT_ERROR,
                             "nppiNormInf is for 8 neighbours and nppiNormL1 for 4");
  return NPP_SUCCESS;
}

} // namespace heddle::npp
