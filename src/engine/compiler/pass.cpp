// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/pass.h"

#include "engine/compiler/errors.h"
#include "engine/compiler/simd/form/verify_form.h"
#include "engine/compiler/simd/kernel_code.h"
#include "support/switches.h"

#include "llvm/IR/Verifier.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Timer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Transforms/IPO/StripDeadPrototypes.h"
#include "llvm/Transforms/Utils/Cloning.h"

#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

using namespace llvm;

namespace heddle::engine {
namespace {

enum class Dump { None, Stderr, Files };

Dump wantedDump() {
  static const char *where = std::getenv("HEDDLE_SIMD_DUMP");
  if (!where || !*where || StringRef(where) == "0")
    return Dump::None;
  return StringRef(where) == "1" ? Dump::Stderr : Dump::Files;
}

// Writes the module, or one that holds only the pass's function, in a form that heddle-opt reads.
void writeModule(const std::string &path, const PassResult &result) {
  std::error_code error;
  raw_fd_ostream file(path, error, sys::fs::OF_Text);
  if (error) {
    errs() << "heddle: cannot write " << path << ": " << error.message() << "\n";
    return;
  }
  ValueToValueMapTy values;
  const auto copy = CloneModule(result.module, values, [&](const GlobalValue *value) {
    return !result.function || value == result.function || !isa<Function>(value);
  });
  if (result.function)
    cast<Function>(values[result.function])->addFnAttr(simd::state_attribute, result.state);
  ModuleAnalysisManager none;
  StripDeadPrototypesPass().run(*copy, none);
  copy->print(file, nullptr);
}

void show(const std::string &what, unsigned number, const char *pass, const PassResult &result) {
  if (wantedDump() == Dump::Stderr && result.function)
    errs() << "; ---- after " << pass << "\n" << *result.function << "\n";
  if (wantedDump() != Dump::Files)
    return;
  const std::filesystem::path folder = std::getenv("HEDDLE_SIMD_DUMP");
  std::error_code ignored;
  std::filesystem::create_directories(folder, ignored);
  // File names have at most 255 bytes; mangled names may be longer.
  const std::string file = fmt::format("{}.{:02}.{}.ll", what.substr(0, 180), number, pass);
  writeModule((folder / file).string(), result);
}

void verify(const char *pass, unsigned forms, const PassResult &result) {
  std::string problems;
  raw_string_ostream stream(problems);
  const bool broken = result.function ? verifyFunction(*result.function, &stream)
                                      : verifyModule(result.module, &stream);
  if (!broken && result.function)
    problems = simd::problemsOfForm(*result.function, forms);
  if (!problems.empty())
    throw InternalError(fmt::format("after pass {}: {}", pass, problems));
}

} // namespace

void PassObserver::around(const char *pass, unsigned forms, const std::function<void()> &run,
                          const std::function<PassResult()> &result) {
  static const bool timed = switchedOn("HEDDLE_PASS_TIMES"), verified = switchedOn("HEDDLE_VERIFY");
  {
    const NamedRegionTimer timer(pass, pass, "heddle", "Heddle's passes", timed);
    run();
  }
  if (wantedDump() != Dump::None)
    show(what_, ++number_, pass, result());
  if (verified)
    verify(pass, forms, result());
}

} // namespace heddle::engine
