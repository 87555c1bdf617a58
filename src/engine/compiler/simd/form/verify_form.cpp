// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/form/verify_form.h"

#include "engine/compiler/pass.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

std::string textOf(const Value &value) {
  std::string text;
  raw_string_ostream stream(text);
  if (isa<BasicBlock>(value))
    value.printAsOperand(stream, false);
  else
    value.print(stream);
  return text;
}

bool isOddInteger(Type *type) {
  if (!type->isIntegerTy())
    return false;
  const unsigned bits = type->getIntegerBitWidth();
  return bits < 64 && bits != 1 && bits != 8 && bits != 16 && bits != 32;
}

std::string problemOfInstruction(const Instruction &instruction) {
  if (instruction.isTerminator() && !isa<BranchInst, ReturnInst, UnreachableInst>(instruction))
    return "a terminator that is no branch: " + textOf(instruction);
  if (isOddInteger(instruction.getType()))
    return "an integer of odd width: " + textOf(instruction);
  return "";
}

std::string problemOfLoops(Function &function) {
  const DominatorTree dominators(function);
  const LoopInfo loops(dominators);
  for (const Loop *loop : loops.getLoopsInPreorder()) {
    const std::string where = textOf(*loop->getHeader());
    if (!loop->isLoopSimplifyForm())
      return "a loop that is not in simplified form at " + where;
    if (!loop->isLCSSAForm(dominators))
      return "a value of a loop that is used behind it without a phi, at " + where;
  }
  return "";
}

std::string problemOfCanonical(Function &function) {
  unsigned returns = 0;
  for (const Instruction &instruction : instructions(function)) {
    returns += isa<ReturnInst>(instruction);
    if (std::string problem = problemOfInstruction(instruction); !problem.empty())
      return problem;
  }
  return returns > 1 ? "several returns" : problemOfLoops(function);
}

} // namespace

std::string problemsOfForm(Function &function, unsigned forms) {
  if (forms & Canonical)
    if (std::string problem = problemOfCanonical(function); !problem.empty())
      return "not canonical: " + problem;
  return "";
}

} // namespace heddle::engine::simd
