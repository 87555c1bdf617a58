// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Libraries that nvcc has compiled: the PTX in their fat binaries becomes a device image.
#pragma once

#include "module/image/own_code.h" // for those who open one
#include "module/image/ptx_parts.h"

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::engine {

/// A fat binary has machine code of GPUs only.
struct NoPtx : std::runtime_error {
  using runtime_error::runtime_error;
};

/// Whether a fat binary of NVIDIA's begins at `data`.
bool isFatBinary(const void *data);

/// The text of the PTX in the fat binary at `data`, chosen as below. Throws NoPtx, and
/// std::runtime_error if it is broken.
std::string ptxToRun(const void *data, size_t limit, unsigned capability);

/// PTX as it is to run: an image, or parts that become images when they are used (ptx_parts.h).
struct PtxToRun {
  std::vector<std::byte> image;
  std::optional<PtxParts> parts; // of a long text
};

/// The PTX in the fat binary at `data` that suits a GPU of compute capability `capability` (75:
/// 7.5), or else one that came later. It has no more than `limit` bytes. Throws NoPtx, PtxProblem
/// (ptx_text.h), and std::runtime_error if it is broken.
PtxToRun openFatBinary(const void *data, size_t limit, unsigned capability);

/// The image of one part. Throws PtxProblem.
std::vector<std::byte> imageOfPart(const PtxParts &parts, size_t number);

/// The same for the fat binary of a device link (-rdc=true). That has machine code only: its
/// objects' PTX is linked.
PtxToRun openLinkedFatBinary(const void *data, const std::vector<const void *> &objects,
                             unsigned capability);

} // namespace heddle::engine
