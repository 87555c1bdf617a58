// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/access/strided_2d_access.h"

#include "engine/compiler/simd/analysis/access/linear_form.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine::simd {
namespace {

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

std::optional<int64_t> estimatedRowStep(const Value &pointer, const Shapes &shapes,
                                        const DataLayout &data) {
  constexpr int64_t most_covered = 8;
  const auto steps = stepsOf(pointer, shapes, data);
  if (!steps || !steps->down ||
      (steps->along && std::abs(*steps->along) <= most_covered * std::abs(*steps->down)))
    return std::nullopt;
  return steps->down;
}

bool looksLikePlane(const Value &value, const ShapedCode &code) {
  const auto *instruction = dyn_cast<Instruction>(&value);
  return instruction &&
         stepsOf(value, code.shapes, instruction->getModule()->getDataLayout()).has_value();
}

} // namespace heddle::engine::simd
