// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/paths.h"

#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace heddle {
namespace fs = std::filesystem;

namespace {

fs::path findRoot() {
  if (const char *home = std::getenv("HEDDLE_HOME"); home && *home)
    return home;
  Dl_info info{};
  std::error_code ignored;
  fs::path self;
  // dladdr names the file this function was linked into: libcudart.so in a user's program, or the
  // tool itself. That is argv[0], and a bare name says nothing about where it lies: something else
  // may have that name in the current folder.
  if (dladdr(reinterpret_cast<void *>(&findRoot), &info) && info.dli_fname &&
      std::strchr(info.dli_fname, '/'))
    self = fs::canonical(info.dli_fname, ignored);
  if (self.empty())
    self = fs::canonical("/proc/self/exe", ignored);
  for (fs::path folder = self.parent_path(); folder.has_relative_path();
       folder = folder.parent_path())
    if (fs::exists(folder / "share" / "heddle", ignored))
      return folder;
  return self.parent_path().parent_path();
}

// Code is loaded from it, so no other user may write there. Where another user has made the folder
// first, the cache is one that no process can make: kernels are compiled for one run each.
fs::path temporaryCache() {
  std::error_code error;
  fs::path parent = fs::temp_directory_path(error);
  if (error)
    parent = "/tmp";
  const fs::path folder = parent / ("heddle-cache-" + std::to_string(getuid()));
  mkdir(folder.c_str(), 0700);
  struct stat status = {};
  const bool own = lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) &&
                   status.st_uid == getuid() && (status.st_mode & 022) == 0;
  return own ? folder : fs::path("/proc/self/no-heddle-cache");
}

} // namespace

const fs::path &installRoot() {
  // Never destroyed: a kernel's fault may be looked into while the program is already ending.
  static const fs::path &root = *new fs::path(findRoot());
  return root;
}

bool isInternalHeader(std::string_view path) {
  static const std::string &ours = *new std::string((installRoot() / "include/").string());
  return path.starts_with(ours) || path.find("/include/__heddle") != std::string_view::npos ||
         path.find("/lib/clang/") != std::string_view::npos;
}

fs::path cacheFolder() {
  if (const char *folder = std::getenv("HEDDLE_CACHE"); folder && *folder)
    return folder;
  if (const char *folder = std::getenv("XDG_CACHE_HOME"); folder && *folder)
    return fs::path(folder) / "heddle";
  if (const char *home = std::getenv("HOME"); home && *home)
    return fs::path(home) / ".cache" / "heddle";
  return temporaryCache();
}

fs::path cccl(int release) {
  return installRoot() / "lib" / "heddle" / (release == 12 ? "cccl-12" : "cccl") / "include";
}

fs::path jitProgram() { return installRoot() / "libexec" / "heddle" / "heddle-jit"; }

fs::path compilerProgram() { return installRoot() / "libexec" / "heddle" / "heddle-compiler"; }

std::string shortName(const std::string &file) {
  std::error_code ignored;
  const std::filesystem::path here = std::filesystem::current_path(ignored);
  const std::filesystem::path near = std::filesystem::path(file).lexically_proximate(here);
  return near.empty() || near.native().starts_with("..") ? file : near.string();
}

} // namespace heddle
