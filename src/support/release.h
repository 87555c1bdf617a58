// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The releases of CUDA that Heddle is (docs/decisions/0020-releases-are-names.md), and how a user
// chooses one: --cuda, or HEDDLE_CUDA, or the nvcc of a toolkit folder of that release.
#pragma once

#include <string>

namespace heddle {

struct Release {
  int major;
  const char *level;    // 12.9, as nvcc names it
  const char *compiler; // its nvcc's own version
};

/// 12 or 13. Throws std::runtime_error for others.
const Release &releaseOf(int major);

/// The major number of "12", "13", "12.9" …: of the two releases that there are. Throws
/// std::runtime_error, which begins with `from`.
int parseRelease(const std::string &from, const std::string &text);

/// HEDDLE_CUDA, or 13. Throws std::runtime_error if that is neither 12 nor 13.
int chosenRelease();

/// A program in CUDA 12's toolkit folder means CUDA 12: sets HEDDLE_CUDA if `program`, a path, lies
/// there and HEDDLE_CUDA is not set.
void chooseReleaseOf(const std::string &program);

} // namespace heddle
