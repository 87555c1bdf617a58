// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/run.h"

#include "cli/commands.h"
#include "cli/supervise.h"
#include "frontend/command_line/options.h"
#include "support/paths.h"

#include <algorithm>
#include <fmt/format.h>

namespace fs = std::filesystem;

namespace heddle::cli {
namespace {

using frontend::Action;

// The same parser that heddlecc uses, for what a person can get wrong before anything is compiled.
frontend::Options checkOptions(const std::vector<std::string> &arguments, bool separated) {
  frontend::Options options;
  try {
    options = frontend::parseOptions(arguments);
  } catch (const std::exception &error) {
    throw UsageError(error.what());
  }
  if (options.inputs.empty())
    throw UsageError("no input files");
  if (options.action != Action::Link || options.shared || options.dry_run)
    throw UsageError("builds and runs a whole program; for parts of one use heddlecc");
  for (const frontend::Input &input : options.inputs) {
    if (fs::exists(input.path))
      continue;
    const bool source = fs::path(input.path).has_extension();
    throw UsageError(input.path + ": no such file" +
                     (separated || source ? "" : " (arguments for the program go after --)"));
  }
  return options;
}

} // namespace

bool isProgram(const std::string &name) {
  std::error_code ignored;
  const fs::perms permissions = fs::status(name, ignored).permissions();
  if (!fs::is_regular_file(name, ignored) ||
      (permissions & fs::perms::owner_exec) == fs::perms::none)
    return false;
  const std::string kind = fs::path(name).extension().string();
  for (const char *source : {".cu", ".cpp", ".cc", ".cxx", ".c", ".o", ".a", ".so"})
    if (kind == source)
      return false;
  return true;
}

int runWatched(const Words &what, const std::optional<Words> &program_arguments,
               const Words &settings) {
  // Watched kernels are compiled with calls of the observer, so code made ahead would be of no use.
  const std::string lazy = "HEDDLE_LAZY=1";
  Words watched = settings;
  watched.push_back(lazy);
  if (!isProgram(what.front())) {
    Words build = what;
    build.push_back("-g"); // kernels stay as they are
    return buildAndRun(build, program_arguments, watched, {lazy});
  }
  Words command = what;
  command.front() = fs::absolute(command.front()).string();
  if (program_arguments)
    command.insert(command.end(), program_arguments->begin(), program_arguments->end());
  return runAndTell(command, watched);
}

int buildAndRun(std::vector<std::string> build, const std::optional<Words> &program_arguments,
                std::vector<std::string> settings, std::vector<std::string> compiler_settings) {
  frontend::Options options = checkOptions(build, program_arguments.has_value());

  const ScratchFolder folder(ScratchFolder::Use::Programs);
  // Without -o the program is kept only while it runs, under the first source's name.
  const fs::path program =
      options.output.empty()
          ? folder.path() / fs::path(options.inputs.front().path).stem()
          : fs::absolute(fs::path(options.output_folder) / options.output).lexically_normal();
  std::vector<std::string> compiler = {(installRoot() / "bin" / "heddlecc").string()};
  for (const std::string &argument : build)
    if (argument != "-run" && argument != "--run")
      compiler.push_back(argument);
  if (options.output.empty())
    compiler.insert(compiler.end(), {"-o", program.string()});
  if (options.verbose)
    fmt::print(stderr, "{}\n", fmt::join(compiler, " "));
  compiler_settings.push_back("TMPDIR=" + folder.path().string());
  if (const int failed = superviseProgram(compiler, compiler_settings))
    return failed;

  std::vector<std::string> command = {program.string()};
  command.insert(command.end(), options.run_arguments.begin(), options.run_arguments.end());
  if (program_arguments)
    command.insert(command.end(), program_arguments->begin(), program_arguments->end());
  if (options.verbose)
    fmt::print(stderr, "{}\n", fmt::join(command, " "));
  if (options.verbose)
    settings.push_back("HEDDLE_VERBOSE=1");
  return runAndTell(command, settings);
}

int runAndTell(const Words &command, const std::vector<std::string> &settings) {
  const int result = superviseProgram(command, settings);
  if (const std::string death = describeDeath(result); !death.empty())
    fmt::print(stderr, "heddle: {} ended by a signal: {}\n",
               fs::path(command.front()).filename().string(), death);
  return result;
}

int runCommand(const std::vector<std::string> &arguments) {
  const auto separator = std::find(arguments.begin(), arguments.end(), "--");
  std::vector<std::string> build(arguments.begin(), separator);
  std::vector<std::string> settings;
  if (std::erase(build, "--explain-codegen") != 0)
    settings.push_back("HEDDLE_EXPLAIN=1");
  std::optional<Words> program_arguments;
  if (separator != arguments.end())
    program_arguments.emplace(separator + 1, arguments.end());
  return buildAndRun(build, program_arguments, settings);
}

} // namespace heddle::cli
