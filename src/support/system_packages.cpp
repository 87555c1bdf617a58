// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/system_packages.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <vector>

namespace heddle {
namespace {

struct Distribution {
  const char *id, *name, *command; // ID or ID_LIKE of os-release
};

constexpr Distribution distributions[] = {
    {"debian", "Debian, Ubuntu", "sudo apt-get install g++"},
    {"fedora", "Fedora", "sudo dnf install gcc-c++"},
    {"arch", "Arch", "sudo pacman -S gcc"},
    {"suse", "openSUSE", "sudo zypper install gcc-c++"},
};

// The words of ID and ID_LIKE: the distribution, then those that it is like.
std::vector<std::string> identifiers(std::string_view os_release) {
  std::vector<std::string> own, like;
  std::istringstream lines{std::string(os_release)};
  for (std::string line; std::getline(lines, line);) {
    std::erase_if(line, [](char c) { return c == '"' || c == '\''; });
    std::vector<std::string> *list = line.starts_with("ID=")        ? &own
                                     : line.starts_with("ID_LIKE=") ? &like
                                                                    : nullptr;
    if (!list)
      continue;
    std::istringstream words(line.substr(line.find('=') + 1));
    list->assign(std::istream_iterator<std::string>(words), {});
  }
  own.insert(own.end(), like.begin(), like.end());
  return own;
}

} // namespace

std::string howToInstallCxxLibrary(std::string_view os_release) {
  for (const std::string &id : identifiers(os_release))
    for (const Distribution &one : distributions)
      // openSUSE's are opensuse-leap, opensuse-tumbleweed, "suse opensuse".
      if (id == one.id || (id.starts_with("opensuse") && std::string_view(one.id) == "suse"))
        return fmt::format("install it: {}", one.command);
  std::string all = "install it:";
  for (const Distribution &one : distributions)
    all += fmt::format("\n  {:16}{}", one.name, one.command);
  return all;
}

std::string howToInstallCxxLibrary() {
  std::ifstream file("/etc/os-release");
  return howToInstallCxxLibrary(
      std::string(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()));
}

} // namespace heddle
