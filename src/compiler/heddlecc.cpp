// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/heddlecc.h"

#include "cli/supervise.h"
#include "frontend/build.h"
#include "frontend/command_line/architecture.h"
#include "frontend/compile.h"
#include "support/refusal.h"

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace heddle::compiler {

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
    } catch (const Refusal &refusal) { // the tool's own words
      std::fprintf(stderr, "%s\n", refusal.what());
      return refusal.exit_code;
    } catch (const std::exception &error) {
      return reportError(error);
    }
  });
  if (const std::string death = describeDeath(result); !death.empty())
    std::fprintf(stderr, "heddlecc: error: the compiler ended by a signal: %s\n", death.c_str());
  return result;
}

} // namespace

int runHeddlecc(int argc, char **argv) {
  try {
    const Options options = parseOptions({argv + 1, argv + argc});
    if (options.action == Action::ShowVersion || options.action == Action::ShowHelp) {
      std::fputs(
          (options.action == Action::ShowHelp ? optionsHelp() : compilerVersion(options.cuda))
              .c_str(),
          stdout);
      return 0;
    }
    if (options.action == Action::ShowArchitectures || options.action == Action::ShowCodes) {
      const bool codes = options.action == Action::ShowCodes;
      std::fputs(architectureList(codes ? "sm_" : "compute_", options.cuda).c_str(), stdout);
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

} // namespace heddle::compiler
