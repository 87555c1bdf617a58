// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// heddlecc: takes the place of nvcc.
#include "frontend/build.h"

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

using namespace heddle::frontend;

int main(int argc, char **argv) {
  try {
    const Options options = parseOptions({argv + 1, argv + argc});
    if (options.action == Action::ShowVersion || options.action == Action::ShowHelp) {
      std::fputs((options.action == Action::ShowHelp ? optionsHelp() : compilerVersion()).c_str(),
                 stdout);
      return 0;
    }
    return build(options);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "heddlecc: error: %s\n", error.what());
    return 1;
  }
}
