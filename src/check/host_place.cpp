// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check/host_place.h"

#include "check/python_place.h"
#include "engine/loaded_object.h"
#include "support/paths.h"
#include "support/process.h"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
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

// The loader has one text for each of its files, so comparing addresses is enough.
const char *ownFile() {
  static const char *const own =
      engine::loadedObject(reinterpret_cast<uintptr_t>(&callerOfLibrary));
  return own;
}

// "prog.cu:12 in main", as heddle-jit prints it; nothing if it is not that.
std::optional<Place> parse(const std::string &line) {
  const size_t in = line.find(" in "), colon = line.rfind(':', in);
  if (in == std::string::npos || colon == std::string::npos)
    return std::nullopt;
  return Place{line.substr(in + 4), line.substr(0, colon),
               uint32_t(std::strtoul(line.c_str() + colon + 1, nullptr, 10)), 0};
}

// An address in the program, with the calls that it was inlined at behind it. Without debug
// information it is the function's name, or at least the file's and the offset.
std::vector<Place> locate(uintptr_t address) {
  const Dl_info where = infoOf(address);
  if (!where.dli_fname)
    return {};
  const uintptr_t offset = address - reinterpret_cast<uintptr_t>(where.dli_fbase);
  const ProcessResult found =
      runProcess({jitProgram().string(), "locate", where.dli_fname, fmt::format("{:#x}", offset)},
                 Capture::Output);
  std::vector<Place> result;
  std::istringstream lines(found.exit_code == 0 ? found.output : "");
  for (std::string line; std::getline(lines, line);)
    if (auto place = parse(line))
      result.push_back(std::move(*place));
  if (!result.empty())
    return result;
  if (where.dli_sname)
    return {{where.dli_sname, {}, 0, 0}};
  const std::string name = std::filesystem::path(where.dli_fname).filename().string();
  return {{fmt::format("{}+{:#x}", name, offset), {}, 0, 0}};
}

// `file`: of a library that stays loaded. A program may have found it by a link, such as those of a
// folder that heddle toolkit has made. Allocates nothing, for it runs in signal handlers.
bool isLibraryOfOurs(const char *file) {
  static const std::string folder = (installRoot() / "lib").string() + "/";
  thread_local std::array<std::pair<const char *, bool>, 64> known;
  thread_local char path[PATH_MAX];
  if (!file)
    return false;
  auto &entry = known[std::hash<const char *>()(file) / 16 % known.size()];
  if (entry.first != file)
    entry = {file, realpath(file, path) && std::string_view(path).starts_with(folder)};
  return entry.second;
}

/// A frame of the stack, for many calls: dladdr looks through all symbols of a library, so it is
/// asked once for each place in the library, which stays loaded.
struct OwnFrame {
  bool own = false;           // in this library …
  bool ours = false;          // … or in another one of Heddle's
  const char *call = nullptr; // the entry point of CUDA, if it is one
};
OwnFrame ownFrameAt(uintptr_t address) {
  const char *file = engine::loadedObject(address);
  if (!file)
    return {};
  OwnFrame frame{file == ownFile(), isLibraryOfOurs(file)};
  if (!frame.own && !frame.ours)
    return frame;
  // No map, which would end before other objects of the thread, whose ends may free memory.
  thread_local std::array<std::pair<uintptr_t, const char *>, 256> known;
  auto &entry = known[address * 0x9e3779b97f4a7c15 >> 56];
  if (entry.first != address) {
    const Dl_info info = infoOf(address);
    const bool is_call = info.dli_sname && std::string_view(info.dli_sname).starts_with("cu");
    entry = {address, is_call ? info.dli_sname : nullptr};
  }
  frame.call = entry.second;
  return frame;
}

// What Clang makes for a kernel, and a launch <<<>>> calls: "void n::__device_stub__sum<4>(int*)".
bool isStub(const std::string &function) {
  return function.find("__device_stub__") != std::string::npos;
}

// Of C or C++: memcpy, printf, std::sort and their kin work for the code that calls them.
bool isRuntimeLibrary(const Dl_info &info) {
  if (!info.dli_fname)
    return false;
  const std::string_view path = info.dli_fname, name = path.substr(path.rfind('/') + 1);
  constexpr std::string_view names[] = {"libc.so", "libm.so", "libstdc++.so", "libc++.so"};
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view start) { return name.starts_with(start); });
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
    const OwnFrame frame = callers == 0 ? ownFrameAt(address) : OwnFrame();
    if (frame.own || frame.ours) {
      result.by_library |= !frame.own;
      if (frame.call)
        result.function = frame.call;
    } else {
      result.callers[callers++] = address;
    }
  }
  if (callers == 0)
    return {};
  result.python = pythonPlace();
  return result;
}

HostPlace placeOfInstruction(uintptr_t code) {
  constexpr int most = 64;
  void *frames[most];
  const int count = backtrace(frames, most);
  int first = 0;
  while (first < count && reinterpret_cast<uintptr_t>(frames[first]) != code)
    ++first;
  HostPlace result;
  size_t callers = 0;
  for (int i = first; i < count && callers < result.callers.size(); ++i) {
    const uintptr_t address = reinterpret_cast<uintptr_t>(frames[i]) - (i == first ? 0 : 1);
    const Dl_info info = infoOf(address);
    if (callers == 0 && isRuntimeLibrary(info))
      continue;
    if (callers == 0 && (info.dli_fbase == ownLibrary() || isLibraryOfOurs(info.dli_fname))) {
      result.by_library = true;
      return result;
    }
    result.callers[callers++] = address;
  }
  return result;
}

std::vector<Place> placesOf(const HostPlace &place) {
  if (place.python)
    return pythonPlaces(place.python);
  static std::mutex mutex;
  static auto *known = new std::map<uintptr_t, std::vector<Place>>;
  constexpr size_t most = 4;
  std::lock_guard lock(mutex);
  std::vector<Place> places;
  for (const uintptr_t caller : place.callers) {
    if (!caller)
      break;
    auto [entry, fresh] = known->try_emplace(caller);
    if (fresh)
      entry->second = locate(caller);
    for (const Place &found : entry->second) {
      const bool has_line = !found.file.empty();
      // Without lines: libraries.
      if (has_line ? isInternalHeader(found.file) || isStub(found.function) : !places.empty())
        continue;
      places.push_back(found);
      if (places.size() == most || (has_line && found.function == "main"))
        return places;
    }
  }
  return places;
}

std::string describe(const HostPlace &place) {
  std::string text;
  for (const Place &found : placesOf(place)) {
    text += (text.empty() ? "" : ", called from ") + found.function;
    if (!found.file.empty())
      text += fmt::format(" at {}:{}", shortName(found.file), found.line);
  }
  return text;
}

} // namespace heddle::check
