// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/instruction_classes.h"

#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/matrix_form.h"
#include "module/description/describe.h"
#include "module/passes/marks.h"

#include "__heddle/texture/descriptor.h"

#include "llvm/Analysis/CFG.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle::engine {
namespace {

using Class = observe::InstructionClass;

enum class Arithmetic : uint32_t { Add, Multiply, Fused, Other }; // in the classes' order

Class ofType(const Type *type, Arithmetic arithmetic) {
  type = type->getScalarType();
  const Class first = type->isDoubleTy()                       ? Class::DoubleAdd
                      : type->isHalfTy() || type->isBFloatTy() ? Class::HalfAdd
                                                               : Class::FloatAdd;
  return Class(uint32_t(first) + uint32_t(arithmetic));
}

Class ofBinary(const BinaryOperator &operation) {
  switch (operation.getOpcode()) {
  case Instruction::FAdd:
  case Instruction::FSub:
    return ofType(operation.getType(), Arithmetic::Add);
  case Instruction::FMul:
    return ofType(operation.getType(), Arithmetic::Multiply);
  case Instruction::FDiv:
  case Instruction::FRem:
    return Class::Special;
  case Instruction::And:
  case Instruction::Or:
  case Instruction::Xor:
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return Class::Bit;
  default:
    return Class::Integer;
  }
}

std::optional<Class> ofIntrinsic(const IntrinsicInst &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return ofType(call.getType(), Arithmetic::Fused);
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::fabs:
  case Intrinsic::copysign:
    return ofType(call.getType(), Arithmetic::Other);
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::round:
  case Intrinsic::roundeven:
    return Class::Conversion;
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return Class::Bit;
  default:
    if (call.isAssumeLikeIntrinsic() || call.isLifetimeStartOrEnd())
      return std::nullopt;
    return call.getType()->isFPOrFPVectorTy() ? Class::Special : Class::Integer;
  }
}

std::optional<Class> ofCall(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  const StringRef name = callee ? callee->getName() : "";
  if (barrierForm(name) || name == "__heddle_grid_sync" || name == "__heddle_barrier_arrive")
    return Class::Barrier;
  if (warpForm(name) || name == "llvm.nvvm.activemask")
    return Class::Warp;
  if (name == copy_mark)
    return std::nullopt; // the copy is a load and a store
  if (name == fetch_mark) {
    const auto *what = dyn_cast<ConstantInt>(call.getArgOperand(1));
    const bool surface =
        what && texture::Fetch(what->getZExtValue() & 255) >= texture::Fetch::SurfaceLoad;
    return surface ? Class::Surface : Class::Texture;
  }
  if (matrixForm(name))
    return Class::Matrix;
  if (name.starts_with("llvm.nvvm.read.ptx.sreg."))
    return Class::Other; // S2R
  if (name.starts_with("heddle.") || name.starts_with("__heddle_dynamic") ||
      name.starts_with("__heddle_is_"))
    return std::nullopt;
  if (const auto *intrinsic = dyn_cast<IntrinsicInst>(&call))
    return ofIntrinsic(*intrinsic);
  return Class::Control;
}

std::optional<Class> ofCast(const CastInst &cast) {
  const Type *from = cast.getSrcTy(), *to = cast.getDestTy();
  if (from->isFPOrFPVectorTy() != to->isFPOrFPVectorTy())
    return isa<BitCastInst>(cast) ? std::nullopt : std::optional(Class::Conversion);
  if (isa<FPTruncInst, FPExtInst>(cast))
    return Class::Conversion;
  return std::nullopt; // registers of other widths, or the same bits
}

} // namespace

std::optional<Class> classOf(const Instruction &instruction) {
  if (isa<LoadInst>(instruction))
    return Class::Load;
  if (isa<StoreInst>(instruction))
    return Class::Store;
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return Class::Atomic;
  if (const auto *operation = dyn_cast<BinaryOperator>(&instruction))
    return ofBinary(*operation);
  if (const auto *compare = dyn_cast<FCmpInst>(&instruction))
    return ofType(compare->getOperand(0)->getType(), Arithmetic::Other);
  if (instruction.getOpcode() == Instruction::FNeg)
    return ofType(instruction.getType(), Arithmetic::Other);
  if (const auto *address = dyn_cast<GetElementPtrInst>(&instruction))
    return address->hasAllConstantIndices() ? std::nullopt : std::optional(Class::Integer);
  if (isa<ICmpInst, SelectInst>(instruction))
    return Class::Integer;
  if (const auto *cast = dyn_cast<CastInst>(&instruction))
    return ofCast(*cast);
  if (const auto *call = dyn_cast<CallBase>(&instruction))
    return ofCall(*call);
  if (const auto *branch = dyn_cast<BranchInst>(&instruction))
    return branch->isConditional() ? std::optional(Class::Control) : std::nullopt;
  if (isa<SwitchInst, ReturnInst>(instruction))
    return Class::Control;
  if (isa<FenceInst>(instruction))
    return Class::Other;
  return std::nullopt;
}

namespace {

// The longest side that ptxas predicates, in instructions.
constexpr unsigned longest_predicated = 7;

// The end of a kernel: one predicated EXIT.
bool onlyEnds(const BasicBlock &block) {
  return isa<ReturnInst>(*block.getFirstNonPHIOrDbg()) && isKernel(*block.getParent());
}

// What a predicate cannot switch off, or costs many instructions.
bool needsBranch(Class kind) {
  return kind == Class::Special || kind == Class::Warp || kind == Class::Matrix ||
         kind == Class::Barrier || kind == Class::Control;
}

// A side of a branch that comes back to where the other side is.
bool isShortSide(const BasicBlock &side, const BasicBlock &before) {
  if (side.getSinglePredecessor() != &before || !side.getSingleSuccessor())
    return false;
  unsigned length = 0;
  for (const Instruction &instruction : side)
    if (const std::optional<Class> kind = classOf(instruction))
      if (needsBranch(*kind) || ++length > longest_predicated)
        return false;
  return true;
}

bool isPredicated(const BranchInst &branch) {
  const BasicBlock &before = *branch.getParent();
  const BasicBlock &yes = *branch.getSuccessor(0), &no = *branch.getSuccessor(1);
  if (onlyEnds(yes) || onlyEnds(no))
    return true;
  const bool yes_short = isShortSide(yes, before), no_short = isShortSide(no, before);
  return (yes_short && yes.getSingleSuccessor() == &no) ||
         (no_short && no.getSingleSuccessor() == &yes) ||
         (yes_short && no_short && yes.getSingleSuccessor() == no.getSingleSuccessor());
}

} // namespace

SmallPtrSet<const BranchInst *, 16> predicatedBranches(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backward;
  FindFunctionBackedges(function, backward);
  SmallPtrSet<const BasicBlock *, 16> latches; // whose branches jump back
  for (const auto &[latch, header] : backward)
    latches.insert(latch);
  SmallPtrSet<const BranchInst *, 16> result;
  for (const BasicBlock &block : function)
    if (const auto *branch = dyn_cast<BranchInst>(block.getTerminator()))
      if (branch->isConditional() && !latches.contains(&block) && isPredicated(*branch))
        result.insert(branch);
  return result;
}

} // namespace heddle::engine
