// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The command line of ptxas.
#pragma once

#include "module/ptx/target.h"

#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace heddle::cli {

/// A wrong command line, in ptxas' words.
struct PtxasUsage : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct PtxasOptions {
  enum Action { Compile, ShowVersion, ShowHelp };
  Action action = Compile;
  std::vector<std::string> inputs;
  std::string output = "elf.o";
  PtxTarget gpu{52, 0};
  std::string entry; // the only kernel that is wanted, if not empty
  unsigned optimize = 3;
  unsigned max_registers = 0;
  bool verbose = false, debug = false, fuse = true, relocatable = false;
  bool input_is_text = false; // the input is not the name of a file
  bool warn_doubles = false, warn_local = false, no_warnings = false, warnings_are_errors = false;
};

/// Throws PtxasUsage.
PtxasOptions parsePtxasOptions(std::span<char *const> words);

std::string ptxasHelp();

} // namespace heddle::cli
