// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/instruction_classes.h"

#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/matrix_form.h"
#include "module/description/describe.h"
#include "module/passes/marks.h"

#include "__heddle/texture/descriptor.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
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

// What ptxas predicates, by nvcc 13.0's code for 142 small kernels (sm_90): 14 instructions and a
// store, 8 stores, 6 loads that are added up, 2 additions in shared memory; both sides together.
enum Cost : unsigned {
  plain_cost = 3,
  load_cost = 4,
  store_cost = 6,
  special_cost = 6,
  shared_cost = 9,
  most_predicated = 52,
  most_predicated_in_loop = 33,
  never_predicated = ~0u
};

// The end of a kernel: one predicated EXIT.
bool onlyEnds(const BasicBlock &block) {
  return isa<ReturnInst>(*block.getFirstNonPHIOrDbg()) && isKernel(*block.getParent());
}

bool isShared(const Value *pointer) {
  return getUnderlyingObject(pointer)->getType()->getPointerAddressSpace() == 3;
}

// Numbers that are only parts of addresses: these are computed before the branch, or in the access.
bool isOfAddresses(const Instruction &instruction, unsigned depth = 3) {
  if (isa<GetElementPtrInst>(instruction))
    return true;
  return depth && instruction.getType()->isIntegerTy() && !instruction.use_empty() &&
         all_of(instruction.users(), [&](const User *user) {
           const auto *next = dyn_cast<Instruction>(user);
           return next && !isa<PHINode>(next) && isOfAddresses(*next, depth - 1);
         });
}

unsigned costOf(const Instruction &instruction) {
  const std::optional<Class> kind = classOf(instruction);
  if (!kind || isOfAddresses(instruction))
    return 0;
  switch (*kind) {
  case Class::Load:
    return isShared(getLoadStorePointerOperand(&instruction)) ? shared_cost : load_cost;
  case Class::Store:
    if (const Value *pointer = getLoadStorePointerOperand(&instruction))
      return isShared(pointer) ? shared_cost : store_cost;
    return never_predicated; // a copy
  case Class::Special: {     // quotients and square roots have branches of their own
    const auto *call = dyn_cast<IntrinsicInst>(&instruction);
    return call && call->getCalledFunction()->getName().contains(".approx.") ? special_cost
                                                                             : never_predicated;
  }
  case Class::Atomic:
  case Class::Warp:
  case Class::Matrix:
  case Class::Barrier:
  case Class::Control:
    return never_predicated;
  default:
    return plain_cost;
  }
}

// Of a side of a branch that comes back to where the other side is.
unsigned costOfSide(const BasicBlock &side, const BasicBlock &before) {
  if (side.getSinglePredecessor() != &before || !side.getSingleSuccessor())
    return never_predicated;
  unsigned sum = 0;
  for (const Instruction &instruction : side) {
    const unsigned one = instruction.isTerminator() ? 0 : costOf(instruction);
    if (one == never_predicated)
      return one;
    sum += one;
  }
  return sum;
}

bool isPredicated(const BranchInst &branch, bool in_loop) {
  const BasicBlock &before = *branch.getParent();
  const BasicBlock &yes = *branch.getSuccessor(0), &no = *branch.getSuccessor(1);
  if (onlyEnds(yes) || onlyEnds(no))
    return true;
  const unsigned most = in_loop ? most_predicated_in_loop : most_predicated;
  const unsigned of_yes = costOfSide(yes, before), of_no = costOfSide(no, before);
  // Stores of both sides may have become one behind them.
  const auto choices = [](const BasicBlock &end) {
    return store_cost * unsigned(std::distance(end.phis().begin(), end.phis().end()));
  };
  if (yes.getSingleSuccessor() == &no)
    return of_yes <= most && of_yes + choices(no) <= most;
  if (no.getSingleSuccessor() == &yes)
    return of_no <= most && of_no + choices(yes) <= most;
  const BasicBlock *end = yes.getSingleSuccessor();
  // A switch, whose cases all come to one place, has jumps.
  return of_yes <= most && of_no <= most && end == no.getSingleSuccessor() &&
         of_yes + of_no + choices(*end) <= most && end->hasNPredecessors(2);
}

} // namespace

SmallPtrSet<const BranchInst *, 16> predicatedBranches(const Function &function) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>> backward;
  FindFunctionBackedges(function, backward);
  const DominatorTree dominators(const_cast<Function &>(function));
  const LoopInfo loops(dominators);
  SmallPtrSet<const BasicBlock *, 16> latches; // whose branches jump back
  for (const auto &[latch, header] : backward)
    latches.insert(latch);
  SmallPtrSet<const BranchInst *, 16> result;
  for (const BasicBlock &block : function)
    if (const auto *branch = dyn_cast<BranchInst>(block.getTerminator()))
      if (branch->isConditional() && !latches.contains(&block) &&
          isPredicated(*branch, loops.getLoopFor(&block) != nullptr))
        result.insert(branch);
  return result;
}

} // namespace heddle::engine
