// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/command_line/gpu_codes.h"

#include "frontend/command_line/words.h"

#include <algorithm>
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

// "arch=compute_80,code=[sm_80,compute_80]", in either order.
void addGencode(const std::string &text, std::vector<std::string> &codes) {
  std::string arch, code;
  std::string *part = &arch;
  for (const std::string &word : splitAtCommas(text)) {
    const bool is_arch = word.starts_with("arch="), is_code = word.starts_with("code=");
    if (is_arch || is_code)
      part = is_arch ? &arch : &code;
    *part += (part->empty() ? "" : ",") + (is_arch || is_code ? word.substr(5) : word);
  }
  add(code.empty() ? arch : code, codes);
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

std::vector<std::string> machineCodes(const std::vector<std::string> &codes) {
  std::vector<std::string> found;
  std::copy_if(codes.begin(), codes.end(), std::back_inserter(found),
               [](const std::string &code) { return code.starts_with(machine); });
  return found.empty() ? codes : found;
}

} // namespace heddle::frontend
