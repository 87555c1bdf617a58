// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Encodes a kernel's __cluster_dims__ in an image: as a variable of no bytes whose offset is the
// three dimensions.
#pragma once

#include "module/image/image.h"

#include <array>

namespace heddle {

inline std::string clusterNote(const std::string &kernel) { return kernel + ".cluster_dims"; }

inline uint64_t packedDims(const std::array<uint32_t, 3> &dims) {
  return dims[0] | uint64_t(dims[1]) << 20 | uint64_t(dims[2]) << 40;
}

/// The kernel's __cluster_dims__, or zeros.
inline std::array<uint32_t, 3> clusterDims(const ImageInfo &image, const KernelInfo &kernel) {
  constexpr uint64_t mask = (1 << 20) - 1;
  const std::string name = clusterNote(kernel.name);
  for (const VariableInfo &variable : image.variables)
    if (variable.name == name && variable.size == 0)
      return {uint32_t(variable.offset & mask), uint32_t(variable.offset >> 20 & mask),
              uint32_t(variable.offset >> 40 & mask)};
  return {};
}

} // namespace heddle
