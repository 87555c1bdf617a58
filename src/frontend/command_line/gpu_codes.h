// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The codes that nvcc would put into a program for its options -arch, -code and -gencode
// (module/image/gpu_codes.h).
#pragma once

#include <string>
#include <vector>

namespace heddle::frontend {

/// The options' values as they were given.
struct GpuCodeOptions {
  std::string arch, code;
  std::vector<std::string> gencodes;
};

/// Empty if no GPU was named, or "native" or "all": code for whatever GPU there is.
std::vector<std::string> embeddedCodes(const GpuCodeOptions &options);

/// Those of them that are machine code; all, if none is.
std::vector<std::string> machineCodes(const std::vector<std::string> &codes);

/// Throws std::runtime_error, in nvcc's words, for what nvcc refuses: an architecture that does not
/// exist, code for a GPU older than its architecture, one part without the other. What older nvcc
/// knew, before sm_75, is taken.
void checkCodes(const GpuCodeOptions &options);

} // namespace heddle::frontend
