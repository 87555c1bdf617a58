// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/strided_2d_access.h"

#include "engine/compiler/simd/analysis/access/linear_form.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Columns up to this many elements apart are loaded as whole vectors of the row
// (widen_strided.cpp).
constexpr int64_t most_covered = 8;

// How a value grows from thread to thread: linearly, by amounts that are uniform in the gang.
struct Steps {
  std::optional<int64_t> along = 0, down = 0; // a row, a column; nothing: by an unknown amount
};

// Nothing if the value does not grow linearly.
std::optional<Steps> stepsOf(const Value &value, const Shapes &shapes, const DataLayout &data) {
  const auto is_uniform = [&](const Value &part) { return shapes.of(&part).isUniform(); };
  Steps result;
  for (const LinearForm::Term &term : linearForm(value, data, is_uniform).terms) {
    if (is_uniform(*term.value))
      continue;
    const StringRef name = calledName(*term.value);
    const bool along = name.ends_with(".sreg.tid.x");
    if (!along && !name.ends_with(".sreg.tid.y"))
      return std::nullopt;
    std::optional<int64_t> &step = along ? result.along : result.down;
    if (step && term.factors.empty())
      *step += int64_t(term.coefficient);
    else
      step = std::nullopt;
  }
  return result;
}

} // namespace

bool isLikelyStrided2d(const Instruction &instruction, const ShapedCode &code) {
  const Value *pointer = getLoadStorePointerOperand(&instruction);
  if (!pointer || instruction.isVolatile() || instruction.isAtomic())
    return false;
  const DataLayout &data = instruction.getModule()->getDataLayout();
  const auto steps = stepsOf(*pointer, code.shapes, data);
  const auto size = int64_t(
      data.getTypeStoreSize(getLoadStoreType(const_cast<Instruction *>(&instruction)))); // NOLINT
  return steps && steps->down == size &&
         (!steps->along || std::abs(*steps->along) > most_covered * size);
}

std::optional<int64_t> estimatedRowStep(const Value &pointer, const Shapes &shapes,
                                        const DataLayout &data) {
  const auto steps = stepsOf(pointer, shapes, data);
  return steps ? steps->down : std::nullopt;
}

bool hasStrided2dAccess(const Function &function, const ShapedCode &code) {
  return any_of(instructions(function), [&](const Instruction &instruction) {
    return isLikelyStrided2d(instruction, code);
  });
}

bool looksLikePlane(const Value &value, const ShapedCode &code) {
  const auto *instruction = dyn_cast<Instruction>(&value);
  return instruction &&
         stepsOf(value, code.shapes, instruction->getModule()->getDataLayout()).has_value();
}

} // namespace heddle::engine::simd
