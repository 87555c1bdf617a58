// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/analysis/shapes.h"

#include "engine/abi.h"
#include "engine/compiler/errors.h"
#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/simd/analysis/access/address_offset.h"
#include "engine/compiler/simd/analysis/prefix_predicates.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

using Kind = Shape::Kind;

constexpr uint8_t all_zeros = 63, largest_zeros = 62;
const Shape varying{Kind::Varying, 0, 0};

uint8_t zerosOf(uint64_t value) {
  return value ? uint8_t(std::min(63, countr_zero(value))) : all_zeros;
}

Shape uniform(unsigned zeros = 0) { return {Kind::Uniform, uint8_t(std::min(zeros, 63u)), 0}; }

// Distances are modulo 2^64.
int64_t sum(int64_t a, int64_t b) { return int64_t(uint64_t(a) + uint64_t(b)); }
int64_t difference(int64_t a, int64_t b) { return int64_t(uint64_t(a) - uint64_t(b)); }
int64_t product(int64_t a, int64_t b) { return int64_t(uint64_t(a) * uint64_t(b)); }

Shape affine(int64_t stride, unsigned zeros) {
  if (stride == 0)
    return uniform(zeros);
  return {Kind::Affine, uint8_t(std::min(zeros, 63u)), stride};
}

std::optional<uint64_t> constantOf(const Value *value) {
  const auto *constant = dyn_cast<ConstantInt>(value);
  if (!constant || constant->getBitWidth() > 64)
    return std::nullopt;
  return constant->getZExtValue();
}

bool isInteger(const Value &value) { return value.getType()->isIntegerTy(); }

// A stride of integers is modulo their width and read as signed: where the sum does not wrap, it
// has the same stride in a wider type.
Shape inWidth(Shape shape, unsigned bits) {
  if (shape.stride == 0)
    return shape;
  if (bits > 64)
    return varying; // a stride has 64 bits
  shape.stride = SignExtend64(uint64_t(shape.stride), bits);
  if (shape.stride == 0 && shape.isAffine())
    shape.kind = Kind::Uniform;
  return shape;
}

bool isScalar(const Type &type) { return type.isIntOrPtrTy() || type.isFloatingPointTy(); }

} // namespace

double ShapedCode::weightOf(const BasicBlock &block) const {
  constexpr double round_weight = 8;
  return std::pow(round_weight, loops.getLoopDepth(&block));
}

Shape shapeOfConstant(const Constant &constant) {
  if (isa<UndefValue>(constant))
    return {Kind::Unknown, all_zeros, 0};
  if (const auto value = constantOf(&constant))
    return uniform(zerosOf(*value));
  if (constant.isNullValue())
    return uniform(all_zeros);
  return uniform();
}

Shapes::Shapes(Function &function, const LaneLayout &layout,
               const PostDominatorTree &post_dominators, const LoopInfo &loops)
    : data_(function.getParent()->getDataLayout()), layout_(layout),
      post_dominators_(post_dominators), loops_(loops) {
  // Optimistic fixpoint: all shapes start as Unknown and only move towards Varying.
  const ReversePostOrderTraversal<Function *> order(&function);
  unsigned rounds = 0;
  for (bool changed = true; changed;) {
    if (++rounds > 1000)
      throw InternalError("the shapes of values do not settle");
    changed = false;
    for (const BasicBlock *block : order) {
      for (const Instruction &instruction : *block) {
        Shape shape = compute(instruction);
        if (layout_.lanes == 1 && shape.kind != Kind::Unknown)
          shape = uniform(shape.zeros); // for a single lane
        if (isInteger(instruction))
          shape = inWidth(shape, instruction.getType()->getIntegerBitWidth());
        Shape &known = shapes_[&instruction];
        changed |= known != shape;
        known = shape;
      }
      const auto *branch = dyn_cast<BranchInst>(block->getTerminator());
      const bool diverges = branch && branch->isConditional() &&
                            branch->getSuccessor(0) != branch->getSuccessor(1) &&
                            !of(branch->getCondition()).isUniform();
      if (diverges && diverging_.insert(block).second) {
        spread(block);
        changed = true;
      }
    }
  }
}

Shape Shapes::of(const Value *value) const {
  if (const auto *constant = dyn_cast<Constant>(value))
    return shapeOfConstant(*constant);
  if (isa<Instruction>(value))
    return shapes_.lookup(value);
  return uniform(); // arguments of the gang's function
}

bool Shapes::divergesAt(const BasicBlock *block) const { return diverging_.contains(block); }

// Whether a path from `block` reaches the header of the loop before it reaches `end`, which is in
// the loop: then lanes reach `end` in different iterations.
bool Shapes::iteratesBefore(const Loop &loop, const BasicBlock *block,
                            const BasicBlock *end) const {
  if (!end || !loop.contains(end))
    return false;
  SmallVector<const BasicBlock *> work(successors(block));
  SmallPtrSet<const BasicBlock *, 32> seen(work.begin(), work.end());
  while (!work.empty()) {
    const BasicBlock *here = work.pop_back_val();
    if (here == end || !loop.contains(here))
      continue;
    if (here == loop.getHeader())
      return true;
    for (const BasicBlock *next : successors(here))
      if (seen.insert(next).second)
        work.push_back(next);
  }
  return false;
}

// Propagates a divergent branch at the end of `block`. The paths from its successors merge, at the
// latest, at the immediate post-dominator: blocks before that are executed by some lanes only, and
// phis at merges of two paths become varying. (A block that two paths reach only after an earlier
// merge is included too; that is conservative.) If the branch leaves a loop for some lanes, others
// iterate again, so that the paths include the whole loop and all its exits.
void Shapes::spread(const BasicBlock *block) {
  const DomTreeNode *node = post_dominators_.getNode(block);
  const BasicBlock *end = node && node->getIDom() ? node->getIDom()->getBlock() : nullptr;
  SmallPtrSet<const BasicBlock *, 4> closed_headers;
  for (const Loop *loop = loops_.getLoopFor(block); loop; loop = loop->getParentLoop()) {
    const bool apart =
        any_of(successors(block), [&](const BasicBlock *s) { return !loop->contains(s); }) ||
        iteratesBefore(*loop, block, end);
    if (!apart) {
      closed_headers.insert(loop->getHeader());
      continue;
    }
    for (const BasicBlock *inside : loop->blocks())
      for (const BasicBlock *exit : successors(inside))
        if (!loop->contains(exit))
          joins_.insert(exit); // temporal divergence: live-outs come from different iterations
    // All lanes reach a post-dominator in the loop, but in different iterations.
    while (end && loop->contains(end)) {
      node = post_dominators_.getNode(end)->getIDom();
      end = node ? node->getBlock() : nullptr;
    }
  }
  DenseMap<const BasicBlock *, unsigned> ways;
  unsigned way = 0;
  for (const BasicBlock *start : successors(block)) {
    ++way;
    SmallVector<const BasicBlock *> work = {start};
    SmallPtrSet<const BasicBlock *, 32> seen = {start};
    while (!work.empty()) {
      const BasicBlock *here = work.pop_back_val();
      const auto [found, first] = ways.try_emplace(here, way);
      if (!first && found->second != way)
        joins_.insert(here);
      if (here == end)
        continue;
      divergent_blocks_.insert(here);
      if (closed_headers.contains(here))
        continue;
      for (const BasicBlock *next : successors(here))
        if (seen.insert(next).second)
          work.push_back(next);
    }
  }
}

Shape Shapes::join(const PHINode &phi) const {
  Shape result;
  const Value *only = nullptr;
  bool same_value = true;
  for (const Value *incoming : phi.incoming_values()) {
    if (incoming == &phi || isa<UndefValue>(incoming))
      continue;
    same_value &= !only || only == incoming;
    only = incoming;
    const Shape shape = of(incoming);
    if (shape.kind == Kind::Unknown)
      continue;
    if (result.kind == Kind::Unknown) {
      result = shape;
    } else if (result.isTiledAffine() != shape.isTiledAffine() && isScalar(*phi.getType())) {
      result = inRows(result);
      result.zeros = std::min(result.zeros, inRows(shape).zeros);
      if (!shape.hasRowBases() || !result.isTiledAffine() || result.stride != shape.stride)
        return varying;
    } else if (result.kind != shape.kind || result.stride != shape.stride) {
      return varying;
    }
    result.zeros = std::min(result.zeros, shape.zeros);
  }
  const bool header = loops_.isLoopHeader(phi.getParent());
  if (joins_.contains(phi.getParent()) && !header) {
    // A value defined before the branch is the same on all paths.
    const auto *instruction = dyn_cast_or_null<Instruction>(only);
    const Loop *loop = instruction ? loops_.getLoopFor(instruction->getParent()) : nullptr;
    if (!same_value || (loop && !loop->contains(phi.getParent())))
      return varying;
  }
  return result;
}

// The same values described row by row.
Shape Shapes::inRows(Shape shape) const {
  if (shape.isAffine())
    shape.zeros = std::min(shape.zeros, zerosOf(uint64_t(shape.stride) * layout_.row));
  if (shape.hasBase())
    shape.kind = Kind::Rows;
  return shape;
}

bool Shapes::staysWithin(const Shape &shape, unsigned bits) const {
  bits = std::min<unsigned>(bits, shape.zeros);
  if (shape.hasRowBases() && shape.stride == 0)
    return true;
  const unsigned lanes = shape.isTiledAffine() ? layout_.row : layout_.lanes;
  return shape.hasRowBases() && shape.stride > 0 && bits < 63 &&
         SaturatingMultiply<uint64_t>(uint64_t(shape.stride), lanes - 1) < uint64_t(1) << bits;
}

Shape Shapes::binary(const BinaryOperator &operation) const {
  const Value *left = operation.getOperand(0), *right = operation.getOperand(1);
  Shape a = of(left), b = of(right);
  if (a.kind == Kind::Unknown && b.kind == Kind::Unknown)
    return {};
  if (!isInteger(operation))
    return a.isUniform() && b.isUniform() ? uniform() : varying;
  if (!a.hasRowBases() || !b.hasRowBases())
    return varying;
  const bool rows = a.isTiledAffine() || b.isTiledAffine();
  if (rows)
    a = inRows(a), b = inRows(b);
  const auto growing = [&](int64_t stride, unsigned zeros) {
    return rows ? inRows(affine(stride, zeros)) : affine(stride, zeros);
  };
  const auto same = [&](unsigned zeros = 0) { return growing(0, zeros); };
  const unsigned zeros = std::min(a.zeros, b.zeros);
  const auto constant = constantOf(right);
  const bool both_same = a.stride == 0 && b.stride == 0;
  switch (operation.getOpcode()) {
  case Instruction::Add:
    return growing(sum(a.stride, b.stride), zeros);
  case Instruction::Sub:
    return growing(difference(a.stride, b.stride), zeros);
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(operation).isDisjoint())
      return growing(sum(a.stride, b.stride), zeros);
    break;
  case Instruction::Mul:
    if (both_same)
      return same(a.zeros + b.zeros);
    if (constant)
      return growing(product(a.stride, int64_t(*constant)), a.zeros + b.zeros);
    break;
  case Instruction::Shl:
    if (constant && *constant < 63)
      return growing(int64_t(uint64_t(a.stride) << *constant), a.zeros + unsigned(*constant));
    break;
  case Instruction::And:
    if (both_same)
      return same(std::max(a.zeros, b.zeros));
    if (constant) {
      // Bits below `zeros` are those of l * stride alone, bits above are the first lane's.
      const uint64_t low = (uint64_t(1) << std::min<unsigned>(a.zeros, 62)) - 1;
      if (*constant < uint64_t(1) << 62 && a.stride % int64_t(PowerOf2Ceil(*constant + 1)) == 0)
        return same();
      if (staysWithin(a, 63) && (*constant & low) == 0)
        return same(zerosOf(*constant));
      const unsigned lanes = rows ? layout_.row : layout_.lanes;
      const uint64_t used = PowerOf2Ceil(uint64_t(a.stride) * (lanes - 1) + 1) - 1;
      if (staysWithin(a, 63) && (*constant & used) == used)
        return growing(a.stride, a.zeros);
    }
    break;
  case Instruction::LShr:
  case Instruction::AShr:
    if (constant && *constant < 63 && a.stride != 0) {
      if (staysWithin(a, unsigned(*constant)))
        return same(a.zeros > *constant ? a.zeros - unsigned(*constant) : 0);
      // Zeros, or copies of the sign, are shifted in above the type's bits.
      const unsigned bits =
          operation.getType()->getIntegerBitWidth() - (operation.getOpcode() == Instruction::AShr);
      if (staysWithin(a, bits) && a.stride % (int64_t(1) << *constant) == 0)
        return growing(a.stride >> *constant,
                       a.zeros > *constant ? a.zeros - unsigned(*constant) : 0);
    }
    break;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    // A row without active lanes may have any divisor, and CPUs trap on zero.
    if (rows && !constant)
      return varying;
    break;
  default:
    break;
  }
  return both_same ? same() : varying;
}

// `threadIdx.y < 4` is uniform in a gang of two or four rows, whose first row is a multiple of
// that.
bool Shapes::isUniformInGangsOfRows(const ICmpInst &compare) const {
  const auto *bound = dyn_cast<ConstantInt>(compare.getOperand(1));
  if (!bound || !compare.isRelational() ||
      calledName(*compare.getOperand(0)) != "llvm.nvvm.read.ptx.sreg.tid.y")
    return false;
  const ConstantRange holds = threadsThatCompare(compare.getPredicate(), bound->getValue());
  const unsigned rows = layout_.lanes / layout_.row;
  const auto between = [&](const APInt &place) { return place.urem(rows) == 0; };
  return holds.isEmptySet() || (between(holds.getLower()) && between(holds.getUpper()));
}

// Values within one aligned power of two compare alike with any multiple of it.
Shape Shapes::compare(const ICmpInst &compare) const {
  Shape a = of(compare.getOperand(0)), b = of(compare.getOperand(1));
  if (a.isUniform() && b.isUniform())
    return uniform();
  if (!a.hasRowBases() || !b.hasRowBases())
    return varying;
  const bool rows = a.isTiledAffine() || b.isTiledAffine();
  if (rows && isUniformInGangsOfRows(compare))
    return uniform();
  if (rows)
    a = inRows(a), b = inRows(b);
  const Shape same = rows ? inRows(uniform()) : uniform();
  if ((compare.isEquality() && a.stride == b.stride) || (a.stride == 0 && b.stride == 0))
    return same;
  // For signed comparisons, all lanes must have the same sign.
  const unsigned bits =
      unsigned(data_.getTypeSizeInBits(compare.getOperand(0)->getType())) - compare.isSigned();
  if (a.stride == 0 || b.stride != 0 || !staysWithin(a, bits))
    return varying;
  const uint64_t reach = uint64_t(a.stride) * ((rows ? layout_.row : layout_.lanes) - 1);
  unsigned zeros = b.zeros;
  switch (compare.getPredicate()) {
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_SGE:
    break;
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_SLE: {
    const auto constant = constantOf(compare.getOperand(1));
    if (!constant)
      return varying;
    zeros = zerosOf(*constant + 1);
    break;
  }
  default:
    return varying;
  }
  return reach < uint64_t(1) << std::min({zeros, unsigned(a.zeros), bits, 62u}) ? same : varying;
}

// first + l * stride must not wrap in the narrow type, or the extended value would jump.
bool Shapes::keepsGrowing(const Value *integer, bool is_signed) const {
  const Shape form = of(integer);
  if (!form.hasRowBases() || form.stride == 0)
    return form.hasRowBases();
  return staysWithin(form, integer->getType()->getIntegerBitWidth() - is_signed) ||
         computeKnownBits(integer, data_).isNonNegative();
}

Shape Shapes::extend(const CastInst &cast) const {
  const Value *integer = cast.getOperand(0);
  return keepsGrowing(integer, isa<SExtInst>(cast)) ? of(integer) : varying;
}

Shape Shapes::address(const GetElementPtrInst &address) const {
  Shape result = of(address.getPointerOperand());
  if (!result.hasRowBases())
    return varying;
  bool rows = result.isTiledAffine();
  const unsigned width = data_.getIndexTypeSizeInBits(address.getType());
  const auto offset = address.getType()->isVectorTy() ? std::nullopt : offsetOf(address, data_);
  if (!offset)
    return of(address.getPointerOperand()).isUniform() &&
                   all_of(address.indices(), [&](const Use &u) { return of(u).isUniform(); })
               ? uniform()
               : varying;
  for (const auto &[index, scale] : offset->variable)
    rows |= of(index).isTiledAffine();
  if (rows)
    result = inRows(result);
  int64_t stride = result.stride;
  unsigned zeros = std::min(result.zeros, zerosOf(offset->constant.getZExtValue()));
  for (const auto &[index, scale] : offset->variable) {
    Shape part = of(index);
    if (!part.hasRowBases())
      return varying;
    if (rows)
      part = inRows(part);
    // The GEP extends a narrow index implicitly.
    if (part.stride != 0 && index->getType()->getIntegerBitWidth() < width &&
        !staysWithin(part, index->getType()->getIntegerBitWidth() - 1) &&
        !computeKnownBits(index, data_).isNonNegative())
      return varying;
    stride = sum(stride, product(part.stride, scale.getSExtValue()));
    zeros = std::min<unsigned>(zeros, part.zeros + zerosOf(scale.getZExtValue()));
  }
  return rows ? inRows(affine(stride, zeros)) : affine(stride, zeros);
}

Shape Shapes::select(const Instruction &select) const {
  const Shape condition = of(select.getOperand(0));
  Shape a = of(select.getOperand(1)), b = of(select.getOperand(2));
  const bool by_row = condition.isTiledAffine() && condition.stride == 0;
  if (!condition.isUniform() && !by_row)
    return select.getOperand(1) == select.getOperand(2) ? a : varying;
  if (!by_row && (a.kind == Kind::Unknown || b.kind == Kind::Unknown))
    return a.kind == Kind::Unknown ? b : a;
  if (!a.hasRowBases() || !b.hasRowBases())
    return varying;
  if (a.kind == Kind::Unknown || b.kind == Kind::Unknown)
    return inRows(a.kind == Kind::Unknown ? b : a);
  if (by_row || a.isTiledAffine() || b.isTiledAffine())
    a = inRows(a), b = inRows(b);
  if (a.kind != b.kind || a.stride != b.stride ||
      (a.isTiledAffine() && !isScalar(*select.getType())))
    return varying;
  return {a.kind, std::min(a.zeros, b.zeros), a.stride};
}

Shape Shapes::load(const Instruction &load) const {
  const Shape where = of(load.getOperand(0));
  if (where.isUniform())
    return uniform();
  const bool plain = isa<LoadInst>(load) && cast<LoadInst>(load).isSimple();
  return where.isTiledAffine() && where.stride == 0 && plain && isScalar(*load.getType())
             ? inRows(uniform())
             : varying;
}

Shape Shapes::call(const CallBase &call) const {
  StringRef name = calledName(call);
  if (name.consume_front("llvm.nvvm.read.ptx.sreg.")) {
    const unsigned lane_bits = unsigned(countr_zero(layout_.lanes));
    const bool row = layout_.kind == LaneLayout::Kind::Row;
    const Shape by_row = layout_.hasRows() ? inRows(uniform()) : varying;
    if (name == "tid.x") // a gang of rows starts a row, whose lane 0 has threadIdx.x == 0
      return row ? affine(1, lane_bits)
                 : (layout_.hasRows() ? inRows(affine(1, largest_zeros)) : varying);
    if (name == "tid.y")
      return row ? uniform() : by_row;
    if (name == "tid.z")
      return layout_.kind == LaneLayout::Kind::General ? varying : uniform();
    if (name == "laneid")
      return affine(1, lane_bits);
    if (name == "ntid.x")
      return uniform(unsigned(countr_zero(layout_.x_multiple)));
    return uniform();
  }
  if (name == lane_marker)
    return affine(1, largest_zeros);
  if (name == frame_marker || name == resumed_marker)
    return uniform(3);
  if (name == request_marker)
    return affine(sizeof(WarpRequest), 3);
  if (name == active_marker)
    return varying;
  if (name == together_marker)
    return of(call.getArgOperand(0)).isUniform() ? uniform() : varying;
  if (name == observe_marker)
    return of(call.getArgOperand(1)).isUniform() && of(call.getArgOperand(2)).isUniform()
               ? uniform()
               : varying;
  if (name.starts_with("heddle.") || name == "__heddle_dynamic_smem_size" ||
      name == "__heddle_total_smem_size" || name == "__heddle_is_cooperative" ||
      name == "__heddle_turn_soon" || name == extents_function || name == "__heddle_cluster" ||
      name == "__heddle_multiprocessors" || name == "__heddle_multiprocessor_warps" ||
      name == "__heddle_grid_number" || name == "__heddle_grid_workspace" ||
      name == "__heddle_shared_start")
    return uniform();
  if (name.starts_with("llvm.nvvm.vote."))
    return isa<Constant>(call.getArgOperand(0)) ? uniform() : varying;
  if (name == "llvm.nvvm.activemask" || barrierForm(name)) // the result is the same for the block
    return uniform();
  if (name.starts_with("llvm.nvvm."))
    return name.starts_with("llvm.nvvm.membar") ? uniform() : varying;
  // An intrinsic that does not access memory is a function of its operands.
  if (isa<IntrinsicInst>(call) && !call.mayHaveSideEffects() && !call.mayReadFromMemory()) {
    const bool all_uniform =
        all_of(call.args(), [&](const Use &argument) { return of(argument).isUniform(); });
    const bool by_row = isInteger(call) && all_of(call.args(), [&](const Use &argument) {
                          return of(argument).hasRowBases() && of(argument).stride == 0;
                        });
    return all_uniform ? uniform() : by_row ? inRows(uniform()) : varying;
  }
  return varying;
}

Shape Shapes::compute(const Instruction &instruction) const {
  if (const auto *phi = dyn_cast<PHINode>(&instruction))
    return join(*phi);
  if (const auto *operation = dyn_cast<BinaryOperator>(&instruction))
    return binary(*operation);
  if (const auto *inner = dyn_cast<ICmpInst>(&instruction))
    return compare(*inner);
  if (const auto *inner = dyn_cast<CallBase>(&instruction))
    return call(*inner);
  if (const auto *inner = dyn_cast<GetElementPtrInst>(&instruction))
    return address(*inner);
  if (isa<AllocaInst>(instruction))
    return uniform(Log2(cast<AllocaInst>(instruction).getAlign())); // private_memory_layout.h
  if (isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction))
    return varying;
  const auto operand = [&](unsigned i) { return of(instruction.getOperand(i)); };
  switch (instruction.getOpcode()) {
  case Instruction::SExt:
  case Instruction::ZExt:
    return extend(cast<CastInst>(instruction));
  case Instruction::Trunc: // the low bits of a sum depend only on the low bits of its operands
    if (instruction.getType()->isIntegerTy(1))
      return operand(0).isUniform() || (operand(0).isAffine() && operand(0).stride % 2 == 0)
                 ? uniform()
             : operand(0).isTiledAffine() && operand(0).stride == 0 ? inRows(uniform())
                                                                    : varying;
    return operand(0);
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
  case Instruction::Freeze:
    return operand(0);
  case Instruction::BitCast:
    return !operand(0).isUniform() && !instruction.getType()->isPointerTy() ? varying : operand(0);
  case Instruction::Select:
    return select(instruction);
  case Instruction::Load:
    return load(instruction);
  default:
    break;
  }
  const bool all_uniform = all_of(instruction.operands(), [&](const Use &use) {
    return isa<BasicBlock>(use) || of(use).isUniform();
  });
  return all_uniform ? uniform() : varying;
}

} // namespace heddle::engine::simd
