// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Running another program and waiting for it.
#pragma once

#include <string>
#include <vector>

namespace heddle {

struct ProcessResult {
  int exit_code = 0;  // 128 + signal if it was killed, 127 if it could not be started
  std::string output; // what it wrote, if captured
};

enum class Capture { None, Output, OutputAndErrors };

/// Runs `arguments` (the first is the program, looked up in PATH) and waits for it.
ProcessResult runProcess(const std::vector<std::string> &arguments, Capture capture);

} // namespace heddle
