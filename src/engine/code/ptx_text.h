// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX text becomes a device image: out of the cache, or by running the compiler, which has LLVM.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::engine {

struct PtxInput {
  std::string name; // what messages and faults call it
  std::string text;
};

/// Why there is no image; what() is a log as ptxas writes it.
struct PtxProblem : std::runtime_error {
  enum Kind { Invalid, TooNew, Unresolved, Internal };
  PtxProblem(Kind kind, const std::string &log) : std::runtime_error(log), kind(kind) {}
  Kind kind;
};

/// The image of texts that are linked with each other. Throws PtxProblem.
std::vector<std::byte> imageOfPtx(const std::vector<PtxInput> &inputs);

/// What an image needs of a GPU.
struct PtxNeeds {
  std::vector<std::string> codes; // for which GPUs it is (module/image/gpu_codes.h)
  std::string kernel;             // the one with most shared memory …
  size_t shared_bytes = 0;        // … of its own, without what launches give
};
PtxNeeds needsOfImage(std::span<const std::byte> image);

} // namespace heddle::engine
