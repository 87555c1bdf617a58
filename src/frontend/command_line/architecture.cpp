// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/command_line/architecture.h"

#include "module/arch_rank.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle::frontend {
namespace {

constexpr uint32_t first_with_a = 90, first_with_f = 100;

// The GPUs before them have all features of those after.
bool mayHave(char suffix, uint32_t number) {
  return suffix == 'a' ? number >= first_with_a : suffix == 'f' ? number >= first_with_f : false;
}

} // namespace

Architecture parseArchitecture(const std::string &name) {
  const auto unknown = [&] {
    return std::runtime_error(fmt::format("unknown GPU architecture '{}'", name));
  };
  const size_t digits = name.find_first_of("0123456789");
  const std::string prefix = name.substr(0, digits);
  if (digits == std::string::npos ||
      (prefix != "sm_" && prefix != "compute_" && prefix != "lto_" && !prefix.empty()))
    throw unknown();
  Architecture found;
  size_t length = 0;
  found.number = uint32_t(std::stoul(name.substr(digits), &length));
  const std::string rest = name.substr(digits + length);
  if (rest.empty())
    return found;
  found.suffix = rest[0];
  if (rest.size() > 1 || !mayHave(found.suffix, found.number))
    throw unknown();
  return found;
}

const std::vector<uint32_t> &knownArchitectures() {
  static const auto &known =
      *new std::vector<uint32_t>{75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
  return known;
}

uint32_t nearestArchitecture(uint32_t number) {
  return std::clamp(number, knownArchitectures().front(), knownArchitectures().back()) * 10;
}

std::string architectureList(const std::string &prefix, int cuda) {
  static const auto &of_cuda12 = *new std::vector<uint32_t>{
      50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 101, 103, 120, 121};
  std::string list;
  for (const uint32_t number : cuda < 13 ? of_cuda12 : knownArchitectures())
    list += fmt::format("{}{}\n", prefix, number);
  return list;
}

std::string architectureForClang(uint32_t arch) {
  return "sm_" + std::to_string(std::min(arch / 10, newest_of_clang));
}

std::vector<std::string> architectureMacros(uint32_t arch, char suffix) {
  std::vector<std::string> macros = {fmt::format("-D__CUDA_ARCH_LIST__={}", arch)};
  if (arch / 10 > newest_of_clang) // Clang has defined it
    macros.insert(macros.end(), {"-U__CUDA_ARCH__", fmt::format("-D__CUDA_ARCH__={}", arch)});
  if (suffix == 'a') {
    macros.push_back(fmt::format("-D__CUDA_ARCH_FEAT_SM{}_ALL=1", arch / 10));
    macros.push_back(fmt::format("-D__CUDA_ARCH_SPECIFIC__={}", arch));
  }
  if (suffix) // a GPU's own features include those of its family
    macros.push_back(fmt::format("-D__CUDA_ARCH_FAMILY_SPECIFIC__={}", arch));
  return macros;
}

} // namespace heddle::frontend
