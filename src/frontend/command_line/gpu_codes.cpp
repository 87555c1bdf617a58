// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/command_line/gpu_codes.h"

#include "frontend/command_line/architecture.h"
#include "frontend/command_line/words.h"

#include <algorithm>
#include <fmt/format.h>
#include <stdexcept>
#include <string_view>

namespace heddle::frontend {
namespace {

constexpr std::string_view machine = "sm_", ptx = "compute_";

bool isCode(const std::string &name) { return name.starts_with(machine) || name.starts_with(ptx); }

// "sm_80,compute_80", also in brackets or quotes.
void add(const std::string &list, std::vector<std::string> &codes) {
  for (std::string name : splitAtCommas(list)) {
    std::erase_if(name, [](char c) { return c == '[' || c == ']' || c == '"' || c == '\''; });
    if (std::find(codes.begin(), codes.end(), name) == codes.end())
      codes.push_back(name);
  }
}

struct Gencode {
  std::string arch, code;
};

// "arch=compute_80,code=[sm_80,compute_80]", in either order.
Gencode readGencode(const std::string &text) {
  std::string arch, code;
  std::string *part = &arch;
  for (const std::string &word : splitAtCommas(text)) {
    const bool is_arch = word.starts_with("arch="), is_code = word.starts_with("code=");
    if (is_arch || is_code)
      part = is_arch ? &arch : &code;
    *part += (part->empty() ? "" : ",") + (is_arch || is_code ? word.substr(5) : word);
  }
  return {arch, code};
}

void addGencode(const std::string &text, std::vector<std::string> &codes) {
  const Gencode read = readGencode(text);
  add(read.code.empty() ? read.arch : read.code, codes);
}

// Throws if no nvcc has it.
uint32_t numberOf(const std::string &name) {
  static const std::vector<uint32_t> older = {10, 11, 12, 13, 20, 21, 30, 32, 35, 37,
                                              50, 52, 53, 60, 61, 62, 70, 72, 101};
  const auto has = [](const std::vector<uint32_t> &list, uint32_t number) {
    return std::find(list.begin(), list.end(), number) != list.end();
  };
  const uint32_t number = parseArchitecture(name).number;
  if (!has(older, number) && !has(knownArchitectures(), number))
    throw std::runtime_error(fmt::format("Unsupported gpu architecture '{}'", name));
  return number;
}

void checkPair(const std::string &arch, const std::vector<std::string> &codes) {
  if (arch.find(',') != std::string::npos)
    throw std::runtime_error(fmt::format("Unsupported gpu architecture '{}'", arch));
  if (!isCode(arch) && !arch.starts_with("lto_")) // native, all
    return;
  const uint32_t number = numberOf(arch);
  for (const std::string &code : codes) {
    const uint32_t other = numberOf(code);
    if (code.starts_with(machine) ? other < number : code.starts_with(ptx) && other != number)
      throw std::runtime_error(
          fmt::format("Incompatible code generation requested: arch='{}', code='{}'", arch, code));
  }
}

} // namespace

std::vector<std::string> embeddedCodes(const GpuCodeOptions &options) {
  std::vector<std::string> codes;
  if (!options.code.empty()) {
    add(options.code, codes);
  } else if (!options.arch.empty()) {
    add(options.arch, codes);
    if (options.arch.starts_with(machine)) // "sm_80" is short for both
      add(std::string(ptx) + options.arch.substr(machine.size()), codes);
  }
  for (const std::string &gencode : options.gencodes)
    addGencode(gencode, codes);
  return std::all_of(codes.begin(), codes.end(), isCode) ? codes : std::vector<std::string>();
}

void checkCodes(const GpuCodeOptions &options) {
  if (options.arch.empty() && !options.code.empty())
    throw std::runtime_error("-arch option not specified");
  std::vector<std::string> codes;
  if (!options.code.empty())
    add(options.code, codes);
  if (!options.arch.empty())
    checkPair(options.arch, codes);
  for (const std::string &gencode : options.gencodes) {
    const Gencode read = readGencode(gencode);
    if (read.code.empty())
      throw std::runtime_error(fmt::format("Option '--generate-code {}', missing code", gencode));
    std::vector<std::string> named;
    add(read.code, named);
    checkPair(read.arch, named);
  }
}

std::vector<std::string> machineCodes(const std::vector<std::string> &codes) {
  std::vector<std::string> found;
  std::copy_if(codes.begin(), codes.end(), std::back_inserter(found),
               [](const std::string &code) { return code.starts_with(machine); });
  return found.empty() ? codes : found;
}

} // namespace heddle::frontend
