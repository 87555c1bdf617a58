// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What costs a kernel most: one sentence each, with its place, the number, what would be ideal, and
// the usual remedy.
#pragma once

#include "gpu/gpu.h"
#include "profile/data.h"

#include <string>
#include <vector>

namespace heddle::cli {

struct Advice {
  profile::Place place; // line 0: the whole kernel
  std::string text;     // what is, and what would be ideal
  std::string remedy;
  double cost = 0; // roughly, in passes of the memory system or the scheduler
};

/// Everything that passes through the scheduler and the memory system: instructions by warps, and
/// sectors, wavefronts and words.
double costOf(const profile::Kernel &kernel);

/// Worst first; what is hardly worth a word is left out.
std::vector<Advice> adviceFor(const profile::Kernel &kernel, const gpu::Gpu &gpu);

} // namespace heddle::cli
