// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/synchronisation.h"

#include "engine/abi_extensions.h"
#include "engine/compiler/instrument/site_table.h"
#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/matrix_form.h"
#include "engine/compiler/lowering/thread_context.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

#include <optional>

using namespace llvm;

namespace heddle::engine {
namespace {

using observe::AccessKind;
using observe::Scope;

// PTX ISA, "membar": the scopes of its levels.
std::optional<Scope> fenceScope(const Instruction &instruction, StringRef name) {
  if (isa<FenceInst>(instruction))
    return Scope::System;
  if (!name.consume_front("llvm.nvvm.membar."))
    return std::nullopt;
  return name == "cta" ? Scope::Block : name == "gl" ? Scope::Device : Scope::System;
}

class Marking {
public:
  explicit Marking(Module &module) : sites_(module), marker_(observeMarker(module)) {}

  void run(Function &function, bool is_kernel) {
    for (Instruction &instruction : make_early_inc_range(instructions(function))) {
      auto *call = dyn_cast<CallBase>(&instruction);
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      const StringRef name = callee && callee->isDeclaration() ? callee->getName() : "";
      if (const auto scope = fenceScope(instruction, name))
        mark(instruction, AccessKind::Fence, number(instruction, uint32_t(*scope)));
      else if ((is_kernel && isa<ReturnInst>(instruction)) || name == "llvm.nvvm.exit")
        mark(instruction, AccessKind::Exit);
      else if (!name.empty())
        markCall(*call, name);
    }
  }

private:
  static Value *number(const Instruction &at, uint64_t value) {
    return ConstantInt::get(Type::getInt64Ty(at.getContext()), value);
  }

  void markCall(CallBase &call, StringRef name) {
    const auto argument = [&](int i) {
      return i < 0 ? number(call, 0) : call.getArgOperand(unsigned(i));
    };
    if (const auto barrier = barrierForm(name)) {
      around(call, AccessKind::BlockArrive, AccessKind::BlockDepart, argument(barrier->id),
             argument(barrier->count));
    } else if (name == "__heddle_barrier_arrive") {
      mark(call, AccessKind::BlockSignal, argument(0), argument(1));
    } else if (name == "__heddle_grid_sync") {
      around(call, AccessKind::GridArrive, AccessKind::GridDepart, nullptr, nullptr);
    } else if (matrixForm(name)) {
      around(call, AccessKind::WarpArrive, AccessKind::WarpDepart, number(call, ~0u), nullptr,
             uint32_t(matrix_product) * warp_mode_count);
    } else if (const auto operation = warpForm(name)) {
      around(call, AccessKind::WarpArrive, AccessKind::WarpDepart, argument(int(operation->mask)),
             source(call, *operation),
             uint32_t(operation->operation) * warp_mode_count + operation->mode);
    }
  }

  // A shuffle's source lane, with the clamp above it.
  static Value *source(CallBase &call, const WarpForm &form) {
    if (form.lane < 0)
      return nullptr;
    IRBuilder<> builder(&call);
    const auto wide = [&](int i) {
      return builder.CreateZExtOrTrunc(call.getArgOperand(unsigned(i)), builder.getInt64Ty());
    };
    return builder.CreateOr(wide(form.lane), builder.CreateShl(wide(form.clamp), 32));
  }

  void around(CallBase &call, AccessKind before, AccessKind behind, Value *first, Value *second,
              uint32_t order = 0) {
    mark(call, before, first, second, order);
    markAt(*call.getNextNode(), call, behind, first, second, order);
  }

  void mark(Instruction &instruction, AccessKind kind, Value *first = nullptr,
            Value *second = nullptr, uint32_t order = 0) {
    markAt(instruction, instruction, kind, first, second, order);
  }

  void markAt(Instruction &place, const Instruction &of, AccessKind kind, Value *first,
              Value *second, uint32_t order) {
    IRBuilder<> builder(&place);
    const auto operand = [&](Value *value) -> Value * {
      return value ? builder.CreateZExtOrTrunc(value, builder.getInt64Ty()) : builder.getInt64(0);
    };
    Constant *site = sites_.add(
        {.where = placeOf(of), .function = of.getFunction(), .kind = kind, .order = order});
    builder.CreateCall(marker_, {site, operand(first), operand(second),
                                 ConstantPointerNull::get(builder.getPtrTy()),
                                 PoisonValue::get(builder.getInt64Ty())});
  }

  static constexpr uint32_t warp_mode_count = 16; // AccessKind::WarpArrive
  SiteTable sites_;
  FunctionCallee marker_;
};

} // namespace

void markSynchronisation(Module &module, const std::function<bool(const Function &)> &isKernel) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (takesContext(function))
      functions.push_back(&function);
  Marking marking(module);
  for (Function *function : functions)
    marking.run(*function, isKernel(*function));
}

} // namespace heddle::engine
