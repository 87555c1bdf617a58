// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/toolkit/openacc_compiler.h"

#include "support/paths.h"
#include "support/process.h"
#include "support/release.h"
#include "support/toolkit.h"

#include <algorithm>
#include <cstdio>
#include <fmt/format.h>
#include <stdexcept>

namespace heddle::cli {
namespace {

using Words = std::vector<std::string>;

// Whether the option has this name, alone or with =value.
bool isNamed(const std::string &option, const std::string &name) {
  return option == name || option.starts_with(name + "=");
}

bool isNamedOneOf(const std::string &option, std::initializer_list<const char *> names) {
  return std::any_of(names.begin(), names.end(),
                     [&](const char *name) { return isNamed(option, name); });
}

// -cudalib=cublas,cufft
Words libraries(const std::string &option) {
  Words words;
  const size_t equals = option.find('=');
  for (size_t at = equals; at != std::string::npos; at = option.find(',', at + 1)) {
    const std::string name = option.substr(at + 1, option.find(',', at + 1) - at - 1);
    words.push_back("-l" + name);
    if (name == "cublas")
      words.push_back("-lcublasLt");
  }
  return words;
}

// Options of NVIDIA's that choose a GPU, tune code for a CPU or say what has been done: none that
// a program's result depends on.
bool isIgnored(const std::string &option) {
  const bool dependencies =
      isNamedOneOf(option, {"-M", "-MM", "-MD", "-MMD", "-MF", "-MP", "-MT", "-MQ"});
  return isNamedOneOf(option, {"-gpu", "-target", "-tp", "-noswitcherror", "-A", "-Mcuda", "-cuda",
                               "--gnu_extensions", "-fastsse"}) ||
         option.starts_with("-K") || (option.starts_with("-M") && !dependencies);
}

Words translated(const std::string &option) {
  if (isNamedOneOf(option, {"-acc", "-ta"}))
    return {"-fopenacc"};
  if (isNamed(option, "-mp"))
    return {"-fopenmp"};
  if (isNamedOneOf(option, {"-cudalib", "-Mcudalib"}))
    return libraries(option);
  if (option == "-fast")
    return {"-O2"};
  if (option == "-O4")
    return {"-O3"};
  if (option.starts_with("--c++"))
    return {"-std=" + option.substr(2)};
  if (isNamed(option, "-stdpar"))
    throw std::runtime_error("-stdpar is not supported: g++ runs parallel algorithms of the C++ "
                             "library with -ltbb (libtbb-dev)");
  if (option.ends_with(".cu") && !option.starts_with("-"))
    throw std::runtime_error(option + ": CUDA C++ is compiled by nvcc, whose objects link here");
  return isIgnored(option) ? Words() : Words{option};
}

} // namespace

std::optional<Words> gccCommand(const std::string &name, const Words &arguments) {
  const bool is_c = name == "nvc" || name == "pgcc";
  if (!is_c && name != "nvc++" && name != "pgc++")
    return std::nullopt;
  Words command = {is_c ? "gcc" : "g++"}, last; // libraries come after what needs them
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string &argument = arguments[i];
    if (argument == "-tp" && i + 1 < arguments.size()) // its value is a word of its own
      ++i;
    else if (argument == "-o" && i + 1 < arguments.size()) // whatever the output is called
      command.insert(command.end(), {argument, arguments[++i]});
    else
      for (std::string &word : translated(argument))
        (word.starts_with("-l") ? last : command).push_back(std::move(word));
  }
  command.insert(command.end(), last.begin(), last.end());
  return command;
}

int openAccCompiler(const std::string &name, const Words &arguments) {
  Words command = gccCommand(name, arguments).value();
  if (arguments.size() == 1 && (arguments[0] == "--version" || arguments[0] == "-V")) {
    fmt::print("{}: NVIDIA's compiler, whose place {} -fopenacc takes\n", name, command[0]);
    std::fflush(stdout);
    return runProcess({command[0], "--version"}, Capture::None).exit_code;
  }
  const std::filesystem::path toolkit = toolkitFolder(chosenRelease());
  command.insert(command.begin() + 1,
                 "-I" + (installRoot() / "include" / "__heddle_openacc").string());
  command.insert(command.end(),
                 {"-isystem", (toolkit / "include").string(), "-L" + (toolkit / "lib64").string(),
                  "-Wl,-rpath," + (installRoot() / "lib").string(), "-Wl,--as-needed", "-lcudart",
                  "-Wl,--no-as-needed"});
  const int result = runProcess(command, Capture::None).exit_code;
  if (result == 127)
    throw std::runtime_error(fmt::format("cannot run {0} (Debian package {0})", command[0]));
  return result;
}

} // namespace heddle::cli
