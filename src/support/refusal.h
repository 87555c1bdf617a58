// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code that Heddle refuses as a tool of NVIDIA's does.
#pragma once

#include <stdexcept>
#include <string>

namespace heddle {

/// The tool's messages, complete, a line each, and its exit code.
struct Refusal : std::runtime_error {
  Refusal(const std::string &messages, int exit_code)
      : std::runtime_error(messages), exit_code(exit_code) {}
  int exit_code;
};

} // namespace heddle
