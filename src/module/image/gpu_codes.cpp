// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/image/gpu_codes.h"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace heddle {
namespace {

struct Code {
  bool is_ptx = false;
  unsigned number = 0;
  char suffix = 0;
};

Code read(std::string_view name) {
  Code code;
  code.is_ptx = name.starts_with("compute_");
  name.remove_prefix(std::min(name.find('_') + 1, name.size()));
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), code.number);
  if (error == std::errc() && end != name.data() + name.size())
    code.suffix = *end;
  return code;
}

bool runs(const Code &code, unsigned capability) {
  const bool is_same_family = code.number / 10 == capability / 10 && code.number <= capability;
  switch (code.suffix) {
  case 'a':
    return code.number == capability;
  case 'f':
    return is_same_family;
  default:
    return code.is_ptx ? code.number <= capability : is_same_family;
  }
}

} // namespace

bool runsOnGpu(std::span<const std::string> codes, unsigned capability, bool only_ptx) {
  return codes.empty() || std::any_of(codes.begin(), codes.end(), [&](const std::string &name) {
           const Code code = read(name);
           return (code.is_ptx || !only_ptx) && runs(code, capability);
         });
}

} // namespace heddle
