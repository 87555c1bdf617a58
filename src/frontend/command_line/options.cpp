// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/command_line/options.h"

#include "frontend/command_line/option_parser.h"
#include "frontend/command_line/option_table.h"
#include "support/release.h"

#include <fmt/format.h>

namespace heddle::frontend {

Options parseOptions(const std::vector<std::string> &arguments) {
  OptionParser parser;
  parser.parse(arguments);
  return parser.finish();
}

unsigned numberOfMessage(std::string_view name) {
  if (name == "esa_on_defaulted_function_ignored")
    return 20012;
  return name == "static_var_with_dynamic_init" ? 20054 : 0;
}

std::vector<OptionDescription> describeOptions() {
  std::vector<OptionDescription> descriptions;
  for (const Option &option : allOptions())
    descriptions.push_back({option.names, option.argument, option.help, option.status});
  return descriptions;
}

std::string optionsHelp() {
  std::string text = "heddlecc: compiles CUDA C++ to programs that need no GPU. It takes nvcc's "
                     "options.\n\nUsage: heddlecc [options] file...\n\n";
  std::string ignored;
  for (const OptionDescription &option : describeOptions()) {
    if (option.status == OptionDescription::Status::Ignored)
      ignored += (ignored.empty() ? "" : ", ") + option.names[0];
    if (option.status != OptionDescription::Status::Works)
      continue;
    std::string names;
    for (const std::string &name : option.names)
      names += (names.empty() ? "" : ", ") + name;
    if (!option.argument.empty())
      names += " " + option.argument;
    text += fmt::format("  {:<44} {}\n", names, option.help);
  }
  return text + "\nAccepted, but without effect here: " + ignored + "\n";
}

// nvcc's lines: CMake looks for the first, makefiles for the fourth, some for the last.
static std::string versionText(const std::string &first, int cuda) {
  const Release &release = releaseOf(cuda);
  return fmt::format("{0}\n"
                     "Heddle: no code or tool of NVIDIA's is used\n"
                     "Built on Clang 19\n"
                     "Cuda compilation tools, release {1}, V{2}\n"
                     "Build cuda_{1}.r{1}/heddle\n",
                     first, release.level, release.compiler);
}

std::string compilerVersion(int cuda) {
  return versionText("nvcc: NVIDIA (R) Cuda compiler driver, whose place heddlecc takes", cuda);
}

std::string toolVersion(const std::string &tool) {
  return versionText(tool == "ptxas"
                         ? "ptxas: NVIDIA (R) Ptx optimizing assembler, whose place this takes"
                         : fmt::format("{0}: NVIDIA (R) {0}, whose place this takes", tool),
                     chosenRelease());
}

} // namespace heddle::frontend
