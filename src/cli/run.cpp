// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/run.h"

#include "cli/commands.h"
#include "cli/supervise.h"
#include "frontend/command_line/options.h"
#include "support/paths.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <sstream>

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

bool isSource(const fs::path &file) {
  const std::string kind = file.extension().string();
  const auto kinds = {".cu", ".cpp", ".cc", ".cxx", ".c", ".o", ".a", ".so"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

bool isExecutable(const fs::path &file) {
  std::error_code ignored;
  const fs::perms permissions = fs::status(file, ignored).permissions();
  return fs::is_regular_file(file, ignored) &&
         (permissions & fs::perms::owner_exec) != fs::perms::none && !isSource(file);
}

// What can only have been meant as a program to run, for the compiler would not say so.
void refuseNoProgram(const std::string &name) {
  std::error_code ignored;
  if (fs::path(name).extension() == ".py" && fs::is_regular_file(name, ignored))
    throw UsageError(name + " is not executable; Python runs it: python3 " + name);
  if (name[0] != '-' && name.find('/') == std::string::npos && !fs::path(name).has_extension() &&
      !fs::exists(name, ignored))
    throw UsageError(name + ": no such file here, and no such program in PATH");
}

} // namespace

bool isInPath(const std::string &name) {
  std::error_code ignored;
  return name.find('/') == std::string::npos && !fs::is_regular_file(name, ignored) &&
         !findProgram(name).empty();
}

std::string findProgram(const std::string &name) {
  std::error_code ignored;
  if (isExecutable(name))
    return fs::absolute(name).string();
  if (name.empty() || name[0] == '-' || name.find('/') != std::string::npos || isSource(name) ||
      fs::is_regular_file(name, ignored))
    return {};
  const char *path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder.empty() ? "." : folder) / name; isExecutable(file))
      return fs::absolute(file).string();
  return {};
}

int runWatched(const Words &what, const std::optional<Words> &program_arguments,
               const Words &settings) {
  // Watched kernels are compiled with calls of the observer, so code made ahead would be of no use.
  const std::string lazy = "HEDDLE_LAZY=1";
  Words watched = settings;
  watched.push_back(lazy);
  const std::string program = findProgram(what.front());
  if (program.empty()) {
    refuseNoProgram(what.front());
    Words build = what;
    build.push_back("-g"); // kernels stay as they are
    return buildAndRun(build, program_arguments, watched, {lazy});
  }
  // Python looks for CUDA's libraries where the environment says.
  for (std::string &setting : toolkitSettings())
    watched.push_back(std::move(setting));
  Words command = what;
  command.front() = program;
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
  settings.push_back("HEDDLE_TELL_FAILED_LAUNCHES=1");
  return buildAndRun(build, program_arguments, settings);
}

} // namespace heddle::cli
