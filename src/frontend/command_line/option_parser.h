// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an nvcc command line word by word, with the help of the table of options (option_table.h).
#pragma once

#include "frontend/command_line/gpu_codes.h"
#include "frontend/command_line/options.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::frontend {

struct OptionParser {
  Options options;
  std::optional<Language> forced;
  uint32_t arch = 0;
  GpuCodeOptions gpu_codes;
  int option_files = 0;         // read so far
  std::string host_compiler;    // -ccbin
  std::string awaiting_value;   // of the host compiler's: an option, its value may be the next word
  bool forward_unknown = false; // --forward-unknown-to-host-compiler

  // "sm_80", "compute_80", "lto_80", "native", "all", "all-major", "80", "sm_90a"; several joined
  // by commas.
  void addArch(const std::string &text);
  // "arch=compute_80,code=sm_80" or "code=[sm_80,compute_80],arch=compute_80"
  void addGencode(const std::string &text);
  // What is for the host compiler (host_options.cpp).
  void addHostOptions(const std::string &text);
  void addHostOption(const std::string &option);
  void addPtxasOptions(const std::string &text);
  // Options of nvcc's front end, "--diag_suppress=177".
  void addFrontEndOptions(const std::string &text);
  // "all-warnings,reorder"
  void addErrorKinds(const std::string &text);
  // "177,20091"
  void treat(const std::string &option, const std::string &numbers, Treatment treatment);
  void setStandard(const std::string &name);
  void addLibrary(const std::string &name);
  void addInput(const std::string &path);
  void setLanguage(const std::string &name);
  void parse(const std::vector<std::string> &arguments);

  /// What the words before have asked for, with what depends on all of them.
  Options finish();
};

} // namespace heddle::frontend
