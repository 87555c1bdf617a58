// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's linker for ELF files (lld), inside this process.
//
// Kernels are linked with it, so that neither compiling nor running a program needs a linker of the
// system; host programs are, where the system has none.
#pragma once

#include <string>
#include <vector>

namespace heddle::engine {

struct LinkResult {
  bool good = false;
  std::string messages; // warnings and errors, as ld.lld prints them
};

/// Links with ld's `arguments` (without the program's name). To be called once in a process at a
/// time: lld's state is global.
LinkResult linkElf(const std::vector<std::string> &arguments);

} // namespace heddle::engine
