// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvblas.conf (CUDA documentation, "NVBLAS", "Configuration"): a keyword in each line, with values
// behind it. Lines that are empty or begin with # say nothing.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

namespace heddle::nvblas {

struct Config {
  std::string cpu_library, log_file;
  bool trace = false, pin = false;
  std::string devices; // numbers, ALL or ALL0; empty: the first
  int tile = 2048;
  std::set<std::string> disabled;     // routines, such as DGEMM
  std::map<std::string, float> ratio; // of the work that stays on the CPU, by routine
  std::vector<std::string> messages;  // what there is to say about the file, in order
};

/// Of the file that NVBLAS_CONFIG_FILE names, or of nvblas.conf in the current folder.
Config readConfig();

} // namespace heddle::nvblas
