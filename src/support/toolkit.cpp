// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/toolkit.h"

#include "support/hash.h"
#include "support/paths.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>

namespace heddle {
namespace fs = std::filesystem;
namespace {

// Lines of "NAME<tab>TARGET": a link in the folder, and a file or folder below the root; or another
// place in the folder, relative to the link ("../").
void makeLinks(const std::string &list, const fs::path &folder) {
  std::istringstream lines(list);
  for (std::string line; std::getline(lines, line);) {
    const size_t tab = line.find('\t');
    if (tab == std::string::npos)
      throw std::runtime_error("Heddle's list of its toolkit's links is damaged");
    const fs::path link = folder / line.substr(0, tab);
    fs::create_directories(link.parent_path());
    const std::string target = line.substr(tab + 1);
    fs::create_symlink(target.starts_with("../") ? fs::path(target) : installRoot() / target, link);
  }
}

// Beside it and renamed, so that several processes may do this at once, and one that is killed
// leaves no half of it.
void makeWhole(const std::string &list, const fs::path &folder) {
  fs::create_directories(folder.parent_path());
  std::string draft = folder.string() + ".XXXXXX";
  if (!mkdtemp(draft.data()))
    throw std::runtime_error(fmt::format("cannot make {}: {} (HEDDLE_CACHE chooses another place)",
                                         draft, std::strerror(errno)));
  std::error_code error;
  try {
    makeLinks(list, draft);
    fs::rename(draft, folder, error);
  } catch (...) {
    fs::remove_all(draft, error);
    throw;
  }
  if (error) { // another process was faster, or the place cannot be written
    std::error_code ignored;
    fs::remove_all(draft, ignored);
    if (!fs::exists(folder / "version.json"))
      throw std::runtime_error(fmt::format("cannot make {}: {}", folder.string(), error.message()));
  }
}

} // namespace

std::string toolkitName(int release) { return release == 12 ? "toolkit-12" : "toolkit"; }

fs::path toolkitFolder(int release) {
  const fs::path share = installRoot() / "share" / "heddle";
  const std::string shape = toolkitName(release);
  std::ifstream stream(share / (shape + ".links"), std::ios::binary);
  if (!stream)
    return share / shape;
  const std::string list{std::istreambuf_iterator<char>(stream), {}};
  const std::string name = contentHash(installRoot().string() + '\n' + list).substr(0, 16);
  const fs::path folder = cacheFolder() / shape / name;
  try {
    if (!fs::exists(folder / "version.json"))
      makeWhole(list, folder);
  } catch (const fs::filesystem_error &error) {
    throw std::runtime_error(fmt::format("cannot make {}: {} (HEDDLE_CACHE chooses another place)",
                                         folder.string(), error.code().message()));
  }
  return folder;
}

} // namespace heddle
