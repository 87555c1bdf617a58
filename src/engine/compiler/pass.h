// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A pass as a row of a table (pipeline.h), and what is done around each pass.
//
//   HEDDLE_SIMD_DUMP=1     prints the code after each pass on stderr
//   HEDDLE_SIMD_DUMP=DIR   writes it to DIR/KERNEL.NUMBER.PASS.ll, which heddle-opt reads
//   HEDDLE_PASS_TIMES=1    prints the time of each pass on stderr when the compiler ends
//   HEDDLE_SIMD_SKIP=NAME  leaves out optional passes (skipped.h)
//   HEDDLE_VERIFY=1        checks after each pass that LLVM accepts the code, and that it has the
//                          forms that the table claims (simd/verify_form.h)
#pragma once

#include "engine/compiler/skipped.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <functional>
#include <string>

namespace heddle::engine {

/// Properties of the code between passes: bits of `needs`, `gives` and `ends`.
enum Form : unsigned {
  TakesContext = 1 << 0, // functions have a ThreadContext as their first parameter
  Addressed = 1 << 1,    // variables are addresses in the globals or in shared memory
  Canonical = 1 << 2,    // simd/normalize/canonicalize.h
  LanesChosen = 1 << 3,  // the layout of gangs is known
  LocalsPlaced = 1 << 4, // local variables are memory of the whole gang
  WaitsSplit = 1 << 5,   // each suspend point is a state, at which the function is re-entered
  Linear = 1 << 6,       // no branch diverges; masks are in markers
  Gang = 1 << 7,         // the code of a gang, not of a thread
};

template <class Code> struct Pass {
  const char *name;
  void (*run)(Code &);
  unsigned needs = 0, gives = 0, ends = 0; // Forms
  const char *why;                         // why it stands at this place
  bool (*when)(const Code &) = nullptr;    // whether it runs for this code; null: always
  bool optional = false;                   // it only makes code faster
};

/// One row, for documentation and tests.
struct PassInfo {
  const char *name;
  unsigned needs, gives, ends;
  const char *why;
  bool optional;
};

template <class Code> PassInfo infoOf(const Pass<Code> &pass) {
  return {pass.name, pass.needs, pass.gives, pass.ends, pass.why, pass.optional};
}

/// The code after a pass.
struct PassResult {
  llvm::Module &module;
  llvm::Function *function; // null for passes of modules
  std::string state;        // simd::stateOf, which heddle-opt reads
};

/// Dumps, times and verifies the passes that one function, or a whole module, goes through.
class PassObserver {
public:
  /// `what`: the kernel's name, for files.
  explicit PassObserver(std::string what) : what_(std::move(what)) {}

  /// Calls `run`, then dumps and verifies the result. Throws InternalError if the code is not valid
  /// or does not have the given forms.
  void around(const char *pass, unsigned forms, const std::function<void()> &run,
              const std::function<PassResult()> &result);

private:
  const std::string what_;
  unsigned number_ = 0;
};

template <class Code> PassResult resultOf(Code &code) {
  if constexpr (requires { stateOf(code); })
    return {code.module, code.function, stateOf(code)};
  else
    return {code.module, nullptr, ""};
}

/// Runs a table in order. `forms`: those that hold at its start.
template <class Code>
void runPasses(llvm::ArrayRef<Pass<Code>> passes, Code &code, PassObserver &observer,
               unsigned forms) {
  for (const Pass<Code> &pass : passes) {
    forms = (forms & ~pass.ends) | pass.gives;
    if ((!pass.when || pass.when(code)) && !(pass.optional && isSkipped(pass.name)))
      observer.around(pass.name, forms, [&] { pass.run(code); }, [&] { return resultOf(code); });
  }
}

} // namespace heddle::engine
