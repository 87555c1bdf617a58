// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddle toolkit and heddle env: Heddle where makefiles and notebooks expect /usr/local/cuda.
#include "support/toolkit.h"
#include "cli/commands.h"
#include "support/paths.h"
#include "support/release.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

constexpr const char *marker = "version.json";

/// The folder that a toolkit of this release is made after; its links are relative to it.
fs::path pattern(int release) {
  const fs::path folder = toolkitFolder(release);
  if (!fs::exists(folder / marker))
    throw std::runtime_error(fmt::format("{} is missing; run ./dev build, or install Heddle again",
                                         (folder / marker).string()));
  return folder;
}

std::string contentOf(const fs::path &file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

bool isOurs(const fs::path &folder) {
  std::error_code ignored;
  return fs::is_regular_file(folder / marker, ignored) &&
         contentOf(folder / marker).find("Heddle") != std::string::npos;
}

// Everything is checked before anything is changed.
void checkPlace(const fs::path &folder) {
  std::error_code ignored;
  const fs::file_status status = fs::symlink_status(folder, ignored);
  if (!fs::exists(status))
    return;
  if (!fs::is_directory(fs::status(folder)))
    throw std::runtime_error(fmt::format("{} exists and is not a folder", folder.string()));
  if (fs::is_empty(folder))
    return;
  if (!isOurs(folder))
    throw std::runtime_error(fmt::format(
        "{} exists and was not made by heddle toolkit; it is left as it is", folder.string()));
  if (fs::exists(folder / "share" / "heddle") || fs::equivalent(folder, pattern(12), ignored) ||
      fs::equivalent(folder, pattern(13), ignored))
    throw std::runtime_error(fmt::format("{} is Heddle itself", folder.string()));
}

/// Makes the files and links of a toolkit; unless it comes to keep(), takes away what it has made.
class Maker {
public:
  explicit Maker(fs::path target) : target_(std::move(target)) {}
  ~Maker() {
    std::error_code ignored;
    for (auto path = made_.rbegin(); path != made_.rend(); ++path)
      fs::remove(*path, ignored);
  }

  void folder(const fs::path &path) {
    if (fs::is_directory(path))
      return;
    if (path.has_parent_path() && path != path.parent_path())
      folder(path.parent_path());
    fs::create_directory(path);
    made_.push_back(path);
  }

  void entry(const fs::directory_entry &from, const fs::path &to) {
    folder(to.parent_path());
    const fs::file_status there = fs::symlink_status(to);
    if (fs::exists(there) && !fs::is_symlink(there) && to != target_ / marker)
      throw std::runtime_error(fmt::format("{} is in the way", to.string()));
    // Beside it and renamed: there is always the old one or the new one.
    const fs::path fresh = to.string() + ".new";
    fs::remove(fresh);
    made_.push_back(fresh);
    if (from.path().filename() == marker)
      write(fresh, contentOf(from.path()));
    else
      fs::create_symlink(fs::canonical(from.path()), fresh);
    fs::rename(fresh, to);
    made_.pop_back();
    if (!fs::exists(there))
      made_.push_back(to);
  }

  void keep() { made_.clear(); }

private:
  static void write(const fs::path &file, const std::string &content) {
    std::ofstream stream(file, std::ios::binary);
    stream << content;
    if (!stream.flush())
      throw std::runtime_error(fmt::format("cannot write {} (is the disk full?)", file.string()));
  }

  fs::path target_;
  std::vector<fs::path> made_;
};

std::string quoted(const fs::path &path) {
  std::string text = "'";
  for (char letter : path.string())
    text += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
  return text + "'";
}

/// --cuda's value, or what is chosen without it.
int releaseNamed(const std::string &text) {
  return text.empty() ? chosenRelease() : parseRelease("option --cuda", text);
}

using Variables = std::vector<std::pair<const char *, fs::path>>;
struct Environment {
  Variables set, before; // variables; and lists of folders, with what goes to the front of them
};

Environment environmentOf(const fs::path &folder) {
  // Triton asks for its tools by variables only, before it takes those of its own wheel; and for
  // the folder of libcuda.so.1 where ldconfig knows of another one.
  const fs::path tools = folder / "bin";
  Environment found = {{{"CUDA_HOME", folder},
                        {"CUDA_PATH", folder},
                        {"TRITON_PTXAS_PATH", tools / "ptxas"},
                        {"TRITON_PTXAS_BLACKWELL_PATH", tools / "ptxas"},
                        {"TRITON_CUOBJDUMP_PATH", tools / "cuobjdump"},
                        {"TRITON_NVDISASM_PATH", tools / "nvdisasm"},
                        {"TRITON_LIBCUDA_PATH", folder / "lib64"}},
                       {{"PATH", folder / "bin"}, {"LD_LIBRARY_PATH", folder / "lib64"}}};
  // The packages heddle and heddle_torch, which PyTorch then finds by itself; a wheel has them in
  // Python's own place.
  if (const fs::path python = installRoot() / "share" / "heddle" / "python"; fs::exists(python))
    found.before.emplace_back("PYTHONPATH", python);
  return found;
}

} // namespace

std::vector<std::string> toolkitSettings() {
  std::vector<std::string> settings;
  const fs::path folder = toolkitFolder(chosenRelease());
  if (!isOurs(folder))
    return settings;
  const auto [set, before] = environmentOf(folder);
  for (const auto &[variable, value] : set)
    settings.push_back(fmt::format("{}={}", variable, value.string()));
  for (const auto &[variable, value] : before) {
    const char *others = std::getenv(variable);
    settings.push_back(fmt::format("{}={}{}{}", variable, value.string(),
                                   others && *others ? ":" : "", others ? others : ""));
  }
  return settings;
}

int toolkitCommand(const std::string &name, const std::string &release) {
  const fs::path folder = fs::absolute(name).lexically_normal();
  const fs::path from = pattern(releaseNamed(release));
  checkPlace(folder);
  try {
    Maker maker(folder);
    maker.folder(folder);
    fs::path last; // a folder without it is not ours: it comes at the end
    for (auto it = fs::recursive_directory_iterator(from); it != fs::end(it); ++it) {
      // One link for each of these, as there are many files in them.
      const bool whole = it->path() == from / "include" || it->path() == from / "lib64";
      if (whole)
        it.disable_recursion_pending();
      if (it->path().filename() != marker && (whole || it->is_symlink() || !it->is_directory()))
        maker.entry(*it,
                    folder / fs::relative(it->path().parent_path(), from) / it->path().filename());
    }
    maker.entry(fs::directory_entry(from / marker), folder / marker);
    maker.keep();
  } catch (const fs::filesystem_error &error) {
    throw std::runtime_error(
        fmt::format("cannot make {}: {}", error.path1().string(), error.code().message()));
  }
  fmt::print("{} is made after /usr/local/cuda. Makefiles: CUDA_HOME={} PATH={}/bin:$PATH make\n"
             "This shell: eval \"$(heddle env {})\"\n",
             folder.string(), quoted(folder), quoted(folder), quoted(folder));
  return 0;
}

int environmentCommand(const std::string &name, const std::string &release, bool libraries_only,
                       bool json) {
  if (libraries_only && json)
    throw UsageError("--lib and --json exclude each other");
  const fs::path folder =
      name.empty() ? pattern(releaseNamed(release)) : fs::absolute(name).lexically_normal();
  if (!isOurs(folder))
    throw std::runtime_error(fmt::format("{} was not made by heddle toolkit", folder.string()));
  if (libraries_only) { // the folder of the files, not of links to them
    fmt::print("{}\n", fs::canonical(folder / "lib64/libcuda.so.1").parent_path().string());
    return 0;
  }
  const auto [set, before] = environmentOf(folder);
  if (json) {
    nlohmann::json object;
    for (const auto &[variable, value] : set)
      object["set"][variable] = value.string();
    for (const auto &[variable, value] : before)
      object["before"][variable] = value.string();
    fmt::print("{}\n", object.dump());
    return 0;
  }
  for (const auto &[variable, value] : set)
    fmt::print("export {}={}\n", variable, quoted(value));
  for (const auto &[variable, value] : before)
    fmt::print("export {0}={1}${{{0}:+:\"${0}\"}}\n", variable, quoted(value));
  return 0;
}

} // namespace heddle::cli
