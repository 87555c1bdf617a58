// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/host_place.h"

#include "support/paths.h"
#include "support/process.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <filesystem>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

namespace heddle::check {
namespace {

// A return address is behind the call.
Dl_info infoOf(uintptr_t address) {
  Dl_info info{};
  if (!dladdr(reinterpret_cast<void *>(address), &info))
    info = {};
  return info;
}

const void *ownLibrary() {
  static const void *base = infoOf(reinterpret_cast<uintptr_t>(&callerOfLibrary)).dli_fbase;
  return base;
}

// Below the folder where the program runs, without that.
std::string shortName(const std::string &file) {
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  const std::filesystem::path near = std::filesystem::path(file).lexically_proximate(here);
  return near.empty() || near.native().starts_with("..") ? file : near.string();
}

struct Location {
  std::string text;
  bool internal = false; // in a header of ours
  bool has_line = false;
};

// "prog.cu:12 in main", as heddle-jit prints it; nothing if it is not that.
std::optional<Location> parse(const std::string &line) {
  const size_t in = line.find(" in "), colon = line.rfind(':', in);
  if (in == std::string::npos || colon == std::string::npos)
    return std::nullopt;
  const std::string file = line.substr(0, colon);
  return Location{line.substr(in + 4) + " at " + shortName(file) + line.substr(colon, in - colon),
                  isInternalHeader(file), true};
}

// An address in the program, with the calls that it was inlined at behind it. Without debug
// information it is the function's name, or at least the file's and the offset.
std::vector<Location> locate(uintptr_t address) {
  const Dl_info where = infoOf(address);
  if (!where.dli_fname)
    return {};
  const uintptr_t offset = address - reinterpret_cast<uintptr_t>(where.dli_fbase);
  const ProcessResult found =
      runProcess({jitProgram().string(), "locate", where.dli_fname, fmt::format("{:#x}", offset)},
                 Capture::Output);
  std::vector<Location> result;
  std::istringstream lines(found.exit_code == 0 ? found.output : "");
  for (std::string line; std::getline(lines, line);)
    if (auto location = parse(line))
      result.push_back(std::move(*location));
  if (!result.empty())
    return result;
  if (where.dli_sname)
    return {{where.dli_sname}};
  return {{fmt::format("{}+{:#x}", std::filesystem::path(where.dli_fname).filename().string(),
                       offset)}};
}

bool isLibraryOfOurs(const Dl_info &info) {
  static const std::string folder = (installRoot() / "lib").string() + "/";
  return info.dli_fname && std::string_view(info.dli_fname).starts_with(folder);
}

} // namespace

HostPlace callerOfLibrary() {
  constexpr int most = 48;
  void *frames[most];
  const int count = backtrace(frames, most);
  HostPlace result;
  size_t callers = 0;
  for (int i = 0; i < count && callers < result.callers.size(); ++i) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(frames[i]) - 1;
    const Dl_info info = infoOf(address);
    if (callers == 0 && (info.dli_fbase == ownLibrary() || isLibraryOfOurs(info))) {
      result.by_library |= info.dli_fbase != ownLibrary();
      if (info.dli_sname && std::string_view(info.dli_sname).starts_with("cu"))
        result.function = info.dli_sname;
    } else {
      result.callers[callers++] = address;
    }
  }
  return callers ? result : HostPlace();
}

std::string describe(const HostPlace &place) {
  static std::mutex mutex;
  static auto *known = new std::map<uintptr_t, std::vector<Location>>;
  constexpr int most = 4;
  std::lock_guard lock(mutex);
  std::string text;
  int told = 0;
  for (const uintptr_t caller : place.callers) {
    if (!caller)
      break;
    auto [entry, fresh] = known->try_emplace(caller);
    if (fresh)
      entry->second = locate(caller);
    for (const Location &found : entry->second) {
      if (found.internal || (told && !found.has_line)) // without lines: libraries
        continue;
      text += (told++ ? ", called from " : "") + found.text;
      if (told == most || found.text.starts_with("main at "))
        return text;
    }
  }
  return text;
}

} // namespace heddle::check
