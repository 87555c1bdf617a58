// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one program of Heddle that holds LLVM. It is several programs: the name by which it is called
// (argv[0], which launcher.c sets to its own path) says which.
#include "cli/toolkit/cuobjdump.h"
#include "cli/toolkit/nvdisasm.h"
#include "cli/toolkit/nvprune.h"
#include "cli/toolkit/ptxas.h"
#include "compiler/heddlecc.h"
#include "compiler/host_compiler.h"
#include "engine/compiler/jit_commands.h"
#include "rtc/compiler/serve.h"
#include "support/release.h"

#include <cstdio>
#include <cstring>
#include <exception>
#include <string_view>

namespace {

template <int (*show)(int, char **)> int reportingErrors(int argc, char **argv) {
  try {
    return show(argc, argv);
  } catch (const std::exception &error) {
    const char *slash = std::strrchr(argv[0], '/');
    std::fprintf(stderr, "%s: error: %s\n", slash ? slash + 1 : argv[0], error.what());
    return 1;
  }
}

int serve(int, char **) { return heddle::rtc::serve(); }

struct Personality {
  std::string_view name;
  int (*run)(int argc, char **argv);
};

constexpr Personality personalities[] = {
    {"heddlecc", heddle::compiler::runHeddlecc},
    {"nvcc", heddle::compiler::runHeddlecc},
    {"heddle-jit", heddle::engine::runJitCommand},
    {"heddle-rtc", serve},
    {"host-c++", heddle::compiler::runHostCompiler},
    {"ld.lld", heddle::compiler::runLinker},
    {"cuobjdump", reportingErrors<heddle::cli::dumpObjects>},
    {"nvdisasm", reportingErrors<heddle::cli::disassemble>},
    {"nvprune", reportingErrors<heddle::cli::pruneFile>},
    {"ptxas", heddle::cli::assemblePtx},
};

} // namespace

int main(int argc, char **argv) {
  const char *slash = argc > 0 ? std::strrchr(argv[0], '/') : nullptr;
  const std::string_view name = argc == 0 ? "" : slash ? slash + 1 : argv[0];
  if (slash)
    heddle::chooseReleaseOf(argv[0]);
  for (const Personality &one : personalities)
    if (one.name == name)
      return one.run(argc, argv);
  std::fprintf(stderr, "heddle-compiler is a part of heddlecc; there is nothing to run by hand\n");
  return 2;
}
