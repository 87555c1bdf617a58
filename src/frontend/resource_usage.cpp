// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/resource_usage.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>

namespace heddle::frontend {

void printResourceUsage(const ImageInfo &info, uint32_t max_registers) {
  // On compute capability 7.0 and later parameters start at byte 352 of constant bank 0.
  constexpr uint32_t parameter_start = 352;
  for (const KernelInfo &kernel : info.kernels) {
    const uint32_t registers =
        max_registers ? std::min(kernel.registers, max_registers) : kernel.registers;
    std::string line = fmt::format("ptxas info    : Used {} registers", registers);
    if (kernel.static_shared_bytes)
      line += fmt::format(", {} bytes smem", kernel.static_shared_bytes);
    line += fmt::format(", {} bytes cmem[0]", parameter_start + kernel.parameter_bytes);
    if (kernel.constant_bytes)
      line += fmt::format(", {} bytes cmem[3]", kernel.constant_bytes);
    fmt::print(stderr,
               "ptxas info    : Compiling entry function '{}' for 'sm_{}'\n"
               "ptxas info    : Function properties for {}\n"
               "    {} bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n{}\n",
               kernel.name, info.arch / 10, kernel.name, kernel.local_bytes, line);
  }
}

} // namespace heddle::frontend
