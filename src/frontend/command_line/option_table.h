// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All options of nvcc's that heddlecc knows, and what each does.
#pragma once

#include "frontend/command_line/option_parser.h"

#include <functional>
#include <string>
#include <vector>

namespace heddle::frontend {

using OptionHandler = std::function<void(OptionParser &, const std::string &value)>;

struct Option {
  std::vector<std::string> names; // as written, with dashes; the first is shown first
  std::string argument;           // what the argument is, or empty for a flag
  std::string help;
  OptionHandler handle; // null: not supported
  OptionDescription::Status status = OptionDescription::Status::Works;
};

const std::vector<Option> &allOptions();

} // namespace heddle::frontend
