// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/command_line/host_wrapper.h"

#include "frontend/command_line/words.h"
#include "support/process.h"
#include "support/strict.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle::frontend {

std::vector<std::string> wrapperOptions(const std::string &compiler) {
  const std::string name = std::filesystem::path(compiler).filename().string();
  const auto startsWith = [](const std::string &text) {
    return [&text](const char *start) { return text.starts_with(start); };
  };
  constexpr const char *wrappers[] = {"mpicxx", "mpic++", "mpiCC", "mpicc", "mpigcc", "mpig++"};
  if (std::none_of(std::begin(wrappers), std::end(wrappers), startsWith(name))) {
    if (compiler.find('/') != std::string::npos && !std::filesystem::exists(compiler) && strict())
      throw std::runtime_error(fmt::format("-ccbin {}: there is no such compiler", compiler));
    return {};
  }
  // Open MPI's and MPICH's wrappers print the command.
  const ProcessResult shown = runProcess({compiler, "-show"}, Capture::Output);
  if (shown.exit_code != 0)
    throw std::runtime_error(
        fmt::format("-ccbin {}: it cannot be run; is MPI installed (libopenmpi-dev)?", compiler));
  constexpr const char *kept[] = {"-I", "-D", "-L", "-l", "-Wl,", "-pthread"};
  std::vector<std::string> options;
  for (const std::string &word : splitWords(shown.output))
    if (std::any_of(std::begin(kept), std::end(kept), startsWith(word)))
      options.push_back(word);
  return options;
}

} // namespace heddle::frontend
