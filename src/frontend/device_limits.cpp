// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/device_limits.h"

#include "support/strict.h"

#include <cstdio>
#include <fmt/format.h>

namespace heddle::frontend {
namespace {

constexpr uint32_t most_threads = 1024; // of a block

// Threads that a multiprocessor holds (same table, "Maximum number of resident threads").
uint32_t residentThreads(uint32_t arch) {
  switch (arch / 10) {
  case 75:
    return 1024;
  case 86:
  case 87:
  case 88:
  case 89:
  case 110:
  case 120:
  case 121:
    return 1536;
  default:
    return 2048;
  }
}

class Limits {
public:
  explicit Limits(const Options &options) : options_(options) {}

  void checkKernel(const KernelInfo &kernel, uint32_t arch) {
    if (kernel.static_shared_bytes > most_static_shared)
      error(fmt::format("Entry function '{}' uses too much shared data ({:#x} bytes, {:#x} max)",
                        kernel.name, kernel.static_shared_bytes, most_static_shared));
    const uint64_t resident = uint64_t(kernel.max_threads_per_block) * kernel.min_blocks_per_sm;
    if (kernel.max_threads_per_block > most_threads)
      warning(fmt::format("Value of threads per SM for entry {} is out of range. .minnctapersm and "
                          ".maxntid will be ignored",
                          kernel.name));
    else if (resident > residentThreads(arch))
      warning(fmt::format(
          "Value of threads per SM for entry {} is out of range. .minnctapersm will be ignored",
          kernel.name));
  }

  void checkConstants(const ImageInfo &info) {
    uint64_t bytes = 0;
    for (const VariableInfo &variable : info.variables)
      if (variable.constant)
        bytes += variable.size;
    if (bytes > most_constant)
      error(fmt::format("File uses too much global constant data ({:#x} bytes, {:#x} max)", bytes,
                        most_constant));
  }

  bool kept() const { return kept_; }

private:
  void error(const std::string &text) {
    fmt::print(stderr, "ptxas error   : {}\n", text);
    kept_ = false;
  }
  void warning(const std::string &text) {
    if (options_.ptxas_warnings_are_errors)
      error(text);
    else
      fmt::print(stderr, "ptxas warning : {}\n", text);
  }

  const Options &options_;
  bool kept_ = true;
};

} // namespace

bool keepsLimits(const ImageInfo &info, const Options &options) {
  if (!strict())
    return true;
  Limits limits(options);
  for (const KernelInfo &kernel : info.kernels)
    limits.checkKernel(kernel, info.arch);
  limits.checkConstants(info);
  return limits.kept();
}

} // namespace heddle::frontend
