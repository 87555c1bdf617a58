// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/debugged.h"

#include "module/image/framed.h"
#include "module/image/image.h"
#include "module/image/image_pair.h"
#include "support/switches.h"

#include <fstream>
#include <string>

namespace heddle::engine {
namespace {

// A debugger, or another program that follows this one's steps (proc(5), "TracerPid").
bool isTraced() {
  const std::string key = "TracerPid:";
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with(key))
      return std::stoi(line.substr(key.size())) != 0;
  return false;
}

} // namespace

std::span<const std::byte> imageToRun(const void *data) {
  // Asked when code is first needed: a debugger that comes later finds what runs then.
  static const bool debugged = switchedOn("HEDDLE_DEBUG") || isTraced();
  if (const auto pair = readImagePair(data)) {
    const std::string_view image = debugged ? pair->as_written : pair->optimised;
    return {reinterpret_cast<const std::byte *>(image.data()), image.size()};
  }
  return {static_cast<const std::byte *>(data), imageBytes(data)};
}

size_t relocatableBytes(const void *data) { return frameBytes(relocatable_code, data); }

} // namespace heddle::engine
