// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A step of the compiler as a row of a table (pipeline.h), and what happens around each step.
//
//   HEDDLE_SIMD_DUMP=1     the code behind each pass, on stderr
//   HEDDLE_SIMD_DUMP=DIR   as a file for each pass, DIR/KERNEL.NUMBER.PASS.ll, which heddle-opt
//   reads HEDDLE_PASS_TIMES=1    how long each pass took, on stderr, when the compiler ends
//   HEDDLE_VERIFY=1        checks behind each pass that LLVM accepts the code, and that it has the
//                          form that the table says it has (simd/verify_form.h)
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Module.h"

#include <functional>
#include <string>

namespace heddle::engine {

/// What holds of the code between passes. Bits of `needs`, `gives` and `ends`.
enum Form : unsigned {
  TakesContext = 1 << 0, // functions have a ThreadContext as their first parameter
  Addressed = 1 << 1,    // variables are addresses in the globals or in shared memory
  Canonical = 1 << 2,    // simd/canonicalize.h
  LanesChosen = 1 << 3,  // the layout of gangs is known
  LocalsPlaced = 1 << 4, // local variables are memory for all lanes
  WaitsSplit = 1 << 5,   // each place to wait is a state, at which the function is entered again
  Linear = 1 << 6,       // no branch diverges; masks are in markers
  Gang = 1 << 7,         // a gang's function instead of a thread's
};

template <class Code> struct Pass {
  const char *name;
  void (*run)(Code &);
  unsigned needs = 0, gives = 0, ends = 0; // forms
  const char *why;                         // why it stands where it stands
  bool (*when)(const Code &) = nullptr;    // where it is left out; null: nowhere
};

/// One row, as documentation and tests see it.
struct PassInfo {
  const char *name;
  unsigned needs, gives, ends;
  const char *why;
};

template <class Code> PassInfo infoOf(const Pass<Code> &pass) {
  return {pass.name, pass.needs, pass.gives, pass.ends, pass.why};
}

/// What a pass has left.
struct PassResult {
  llvm::Module &module;
  llvm::Function *function; // null for passes of modules
  std::string state;        // simd::stateOf, for heddle-opt
};

/// Around the passes that one function, or a whole module, goes through.
class PassObserver {
public:
  /// `what`: the kernel's name, for files.
  explicit PassObserver(std::string what) : what_(std::move(what)) {}

  /// Runs `run`, then shows and checks what it has left. Throws InternalError if the code is not
  /// valid, or not in these forms.
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

/// Runs a table in order. `forms`: what holds at its beginning.
template <class Code>
void runPasses(llvm::ArrayRef<Pass<Code>> passes, Code &code, PassObserver &observer,
               unsigned forms) {
  for (const Pass<Code> &pass : passes) {
    forms = (forms & ~pass.ends) | pass.gives;
    if (!pass.when || pass.when(code))
      observer.around(pass.name, forms, [&] { pass.run(code); }, [&] { return resultOf(code); });
  }
}

} // namespace heddle::engine
