// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddlecc: takes the place of nvcc. Called heddle-rtc, it compiles for libnvrtc and its kin;
// called cuobjdump, it shows what device code a file has.
#include "cli/supervise.h"
#include "cli/toolkit/cuobjdump.h"
#include "frontend/build.h"
#include "frontend/compile.h"
#include "rtc/compiler/serve.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

using namespace heddle::cli;
using namespace heddle::frontend;

namespace {

int reportError(const std::exception &error) {
  std::fprintf(stderr, "heddlecc: error: %s\n", error.what());
  return 1;
}

int buildSupervised(const Options &options) {
  const ScratchFolder folder;
  const int result = supervise([&] {
    setenv("TMPDIR", folder.path().c_str(), 1);
    try {
      return build(options);
    } catch (const std::exception &error) {
      return reportError(error);
    }
  });
  if (const std::string death = describeDeath(result); !death.empty())
    std::fprintf(stderr, "heddlecc: error: the compiler ended by a signal: %s\n", death.c_str());
  return result;
}

} // namespace

int main(int argc, char **argv) {
  if (std::filesystem::path(argv[0]).filename() == "heddle-rtc")
    return heddle::rtc::serve();
  if (std::filesystem::path(argv[0]).filename() == "cuobjdump")
    try {
      return dumpObjects(argc, argv);
    } catch (const std::exception &error) {
      std::fprintf(stderr, "cuobjdump: error: %s\n", error.what());
      return 1;
    }
  try {
    const Options options = parseOptions({argv + 1, argv + argc});
    if (options.action == Action::ShowVersion || options.action == Action::ShowHelp) {
      std::fputs((options.action == Action::ShowHelp ? optionsHelp() : compilerVersion()).c_str(),
                 stdout);
      return 0;
    }
    if (options.action == Action::ShowEditorFlags) {
      for (const std::string &flag : editorArguments(options))
        std::puts(flag.c_str());
      return 0;
    }
    const int result = buildSupervised(options);
    if (result != 0 || !options.run || options.action != Action::Link || options.dry_run)
      return result;
    std::vector<std::string> command = {std::filesystem::absolute(linkedFile(options)).string()};
    command.insert(command.end(), options.run_arguments.begin(), options.run_arguments.end());
    return superviseProgram(command);
  } catch (const std::exception &error) {
    return reportError(error);
  }
}
