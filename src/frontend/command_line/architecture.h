// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The GPUs that code can be compiled for, by the names that nvcc gives them: sm_90, compute_100,
// lto_120, and with a suffix for code that uses what not every later GPU has: sm_90a (this GPU
// alone), sm_100f (this GPU and later ones of its family).
//
// Clang 19 knows no GPU after sm_90. Code for these is compiled as for sm_90, by which Clang only
// chooses among its own builtins, and sees the macros of the GPU that was asked for.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::frontend {

struct Architecture {
  uint32_t number = 0; // 90 is sm_90
  char suffix = 0;     // 'a', 'f'
};

/// Throws std::runtime_error where nvcc knows no such name. Any number is one: programs name GPUs
/// older and newer than those in knownArchitectures().
Architecture parseArchitecture(const std::string &name);

/// The nearest that is known, times ten, as in __CUDA_ARCH__.
uint32_t nearestArchitecture(uint32_t number);

/// Their numbers, ascending.
const std::vector<uint32_t> &knownArchitectures();

/// What --list-gpu-arch and --list-gpu-code print: a line for each, as `prefix` and its number.
std::string architectureList(const std::string &prefix, int cuda);

/// What Clang is told: "sm_90".
std::string architectureForClang(uint32_t arch);

/// Options that define the macros which device code sees. `arch`: __CUDA_ARCH__.
std::vector<std::string> architectureMacros(uint32_t arch, char suffix);

} // namespace heddle::frontend
