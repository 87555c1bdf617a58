// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Work in a child process, so that what it leaves behind can be cleared away however it ends.
//
// A compiler that is interrupted, killed or crashes cannot delete its temporary files; its parent
// can. The parent passes on the signals it gets, so that a person at the terminal or a script that
// stops `heddle run` stops the program that it runs.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace heddle::cli {

/// A new folder for temporary files; deleted with everything in it.
class ScratchFolder {
public:
  /// In TMPDIR or /tmp. Programs need a file system from which programs can be run: if that is not
  /// one, their folder is in the cache folder or the current one.
  enum class Use { Files, Programs };
  explicit ScratchFolder(Use use = Use::Files);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder &) = delete;
  ScratchFolder &operator=(const ScratchFolder &) = delete;
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
};

/// Runs `work` in a child process and returns its result, or 128 + the number of the signal that
/// killed it.
int supervise(const std::function<int()> &work);

/// The same for another program with the terminal's stdin, stdout and stderr; 127 if it cannot be
/// started. Its environment is this one's plus `settings` (NAME=value).
int superviseProgram(const std::vector<std::string> &arguments,
                     const std::vector<std::string> &settings = {});

/// "Segmentation fault" for exit code 139, or "" if no signal is behind it or the signal is an
/// ordinary way to end (interrupted, terminated, its output not read).
std::string describeDeath(int exit_code);

} // namespace heddle::cli
