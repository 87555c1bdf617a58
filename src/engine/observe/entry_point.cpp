// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/observe/entry_point.h"

#include <array>
#include <dlfcn.h>
#include <execinfo.h>
#include <string_view>
#include <unordered_map>

namespace heddle::engine::observe {
namespace {

struct Function {
  bool is_own = false; // of this library
  std::string name;    // or empty
};

// Looked up once: that takes longer than many calls of CUDA.
const Function &functionAt(void *return_address) {
  thread_local std::unordered_map<void *, Function> known;
  const auto [found, fresh] = known.try_emplace(return_address);
  if (fresh) {
    static const void *const own = [] {
      Dl_info info{};
      dladdr(reinterpret_cast<void *>(&functionAt), &info);
      return info.dli_fbase;
    }();
    Dl_info info{};
    // A return address is behind the call.
    if (dladdr(static_cast<char *>(return_address) - 1, &info))
      found->second = {info.dli_fbase == own, info.dli_sname ? info.dli_sname : ""};
  }
  return found->second;
}

// The entry point that the program has called, of which `name` is a part: the last function of this
// library on the way to here.
std::string onStack(const char *name) {
  std::array<void *, 32> frames{};
  const int count = backtrace(frames.data(), int(frames.size()));
  std::string result = name;
  for (int i = 0; i < count; ++i) {
    const Function &function = functionAt(frames[size_t(i)]);
    if (!function.is_own)
      break;
    if (function.name.starts_with("cu"))
      result = function.name;
  }
  return result;
}

std::string withoutSuffix(std::string name) {
  for (const std::string_view suffix : {"_ptsz", "_ptds"})
    if (name.ends_with(suffix))
      name.resize(name.size() - suffix.size());
  return name;
}

} // namespace

std::string entryPoint(const Call &call) {
  const bool is_entry = std::string_view(call.name).starts_with("cu");
  return withoutSuffix(is_entry ? call.name : onStack(call.name));
}

} // namespace heddle::engine::observe
