// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/release.h"

#include "support/toolkit.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle {
namespace {

constexpr int newest = 13;
constexpr Release releases[] = {{12, "12.9", "12.9.86"}, {newest, "13.0", "13.0.88"}};

} // namespace

const Release &releaseOf(int major) {
  for (const Release &release : releases)
    if (release.major == major)
      return release;
  throw std::runtime_error(fmt::format("there is no CUDA {} here: 12 or 13", major));
}

int parseRelease(const std::string &from, const std::string &text) {
  for (const Release &release : releases)
    if (text == std::to_string(release.major) || text == release.level)
      return release.major;
  throw std::runtime_error(fmt::format("{}: '{}' is neither 12 nor 13", from, text));
}

int chosenRelease() {
  const char *text = std::getenv("HEDDLE_CUDA");
  return text && *text ? parseRelease("HEDDLE_CUDA", text) : newest;
}

void chooseReleaseOf(const std::string &program) {
  const std::filesystem::path folder = std::filesystem::path(program).parent_path().parent_path();
  for (const Release &release : releases)
    if (release.major != newest && folder.filename() == toolkitName(release.major))
      setenv("HEDDLE_CUDA", std::to_string(release.major).c_str(), 0);
}

} // namespace heddle
