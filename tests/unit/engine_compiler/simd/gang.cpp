// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "simd/gang.h"

#include "engine/abi.h"
#include "engine/compiler/simd/form/gang_intrinsics.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ConstantFolding.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <bit>
#include <cstring>
#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Where things are in the gang's memory. Address 0 and what is near belong to nothing.
constexpr uint64_t argument_memory = 0x1000, bytes_an_argument = 0x100;
constexpr uint64_t frame = 0x4000, requests = 0x8000, records = 0x9000, bytes_a_record = 0x100;
constexpr uint64_t memory_end = 0x10000;
constexpr unsigned most_steps = 20000;

[[noreturn]] void fail(const std::string &why) { throw std::runtime_error(why); }

void append(std::string &trace, const std::string &event) {
  trace += (trace.empty() ? "" : " ") + event;
}

} // namespace

Gang::Gang(unsigned lanes, unsigned first)
    : lanes_(lanes), first_(first), memory_(memory_end), lane_traces_(lanes) {}

std::string Gang::run(Function &function, std::vector<uint64_t> integers, uint32_t active) {
  function_ = &function;
  unsigned next = 0;
  for (const Argument &argument : function.args())
    arguments_.push_back(argument.getType()->isPointerTy()
                             ? argument_memory + bytes_an_argument * argument.getArgNo()
                             : integers.at(next++));
  enter(active & ((1u << lanes_) - 1), 0);
  for (size_t i = 0; i < groups_.size(); ++i) { // more may join
    resumed_ = uint32_t(i);
    enter(groups_[i].lanes, groups_[i].state);
  }
  return trace_;
}

void Gang::enter(uint32_t lanes, uint32_t state) {
  active_ = lanes;
  state_ = state;
  values_.clear();
  BasicBlock *from = nullptr;
  for (BasicBlock *block = &function_->getEntryBlock(); block;) {
    BasicBlock *next = execute(*block, from);
    from = block;
    block = next;
  }
}

BasicBlock *Gang::execute(BasicBlock &block, BasicBlock *from) {
  mask_ = (1u << lanes_) - 1;
  masked_ = false;
  std::vector<std::pair<PHINode *, Values>> phis;
  for (PHINode &phi : block.phis()) {
    Values values;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      values.push_back(operand(phi.getIncomingValueForBlock(from), lane));
    phis.push_back({&phi, values});
  }
  for (const auto &[phi, values] : phis)
    values_[phi] = values;
  for (Instruction &instruction : block) {
    if (++steps_ > most_steps)
      fail("it does not end: " + trace_.substr(0, 200));
    if (isa<PHINode>(instruction))
      continue;
    if (instruction.isTerminator())
      return successor(instruction);
    if (auto *inner = dyn_cast<CallBase>(&instruction)) {
      call(*inner);
      continue;
    }
    Values values;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      values.push_back(compute(instruction, lane));
    values_[&instruction] = values;
  }
  return nullptr;
}

BasicBlock *Gang::successor(const Instruction &terminator) {
  if (isa<ReturnInst>(terminator))
    return nullptr;
  const auto *branch = dyn_cast<BranchInst>(&terminator);
  if (!branch)
    fail("it ends with " + std::string(terminator.getOpcodeName()));
  if (branch->isUnconditional())
    return branch->getSuccessor(0);
  const uint64_t condition = number(branch->getCondition(), firstLane());
  for (unsigned lane = 0; lane < lanes_; ++lane)
    if (executes(lane) && number(branch->getCondition(), lane) != condition)
      fail("lanes part at the end of " + branch->getParent()->getName().str());
  return branch->getSuccessor(condition ? 0 : 1);
}

Constant *Gang::compute(Instruction &instruction, unsigned lane) {
  const DataLayout &data = function_->getParent()->getDataLayout();
  Type *type = instruction.getType();
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    if (!executes(lane))
      return PoisonValue::get(type);
    const uint64_t size = data.getTypeStoreSize(type);
    uint64_t value = 0;
    std::memcpy(&value, memoryAt(number(load->getPointerOperand(), lane), size), size);
    return integer(type, value);
  }
  if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    if (!executes(lane))
      return nullptr;
    const uint64_t value = number(store->getValueOperand(), lane);
    const uint64_t size = data.getTypeStoreSize(store->getValueOperand()->getType());
    std::memcpy(memoryAt(number(store->getPointerOperand(), lane), size), &value, size);
    return nullptr;
  }
  SmallVector<Constant *> operands;
  for (Use &use : instruction.operands())
    operands.push_back(operand(use, lane));
  if (isa<FreezeInst>(instruction))
    return isa<UndefValue>(operands[0]) ? Constant::getNullValue(type) : operands[0];
  Constant *result = nullptr;
  if (auto *compare = dyn_cast<CmpInst>(&instruction))
    result =
        ConstantFoldCompareInstOperands(compare->getPredicate(), operands[0], operands[1], data);
  else
    result = ConstantFoldInstOperands(&instruction, operands, data);
  if (!result)
    fail(std::string("it cannot be executed here: ") + instruction.getOpcodeName());
  return result;
}

// ---- Calls ----

void Gang::call(CallBase &call) {
  StringRef name = call.getCalledFunction()->getName();
  if (name.starts_with("heddle.")) {
    values_[&call] = marker(call, name);
  } else if (name.consume_front("llvm.nvvm.read.ptx.sreg.")) {
    Values values;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      values.push_back(integer(call.getType(), name == "ntid.x" ? lanes_ : first_ + lane));
    values_[&call] = values;
  } else if (canConstantFoldCallTo(&call, call.getCalledFunction())) {
    Values values;
    for (unsigned lane = 0; lane < lanes_; ++lane) {
      SmallVector<Constant *> operands;
      for (const Use &argument : call.args())
        operands.push_back(operand(argument, lane));
      values.push_back(ConstantFoldCall(&call, call.getCalledFunction(), operands));
    }
    values_[&call] = values;
  } else if (!isa<AssumeInst>(call)) {
    if (!call.getType()->isVoidTy())
      fail("unknown result: " + name.str());
    record(name.str(), SmallVector<const Value *>(call.args()));
  }
}

void Gang::record(const std::string &name, ArrayRef<const Value *> arguments) {
  std::vector<std::string> values;
  std::string lanes;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    lanes += executes(lane) ? '1' : '0';
    if (!executes(lane))
      continue;
    std::string own;
    for (const Value *argument : arguments)
      own += (own.empty() ? "" : ";") + std::to_string(number(argument, lane));
    append(lane_traces_[lane], name + (own.empty() ? "" : "(" + own + ")"));
    values.push_back(own);
  }
  if (all_equal(values))
    values.resize(1);
  const std::string inside = join(values, ",");
  append(trace_,
         name + (inside.empty() ? "" : "(" + inside + ")") + ":" + (masked_ ? lanes : "all"));
}

Gang::Values Gang::marker(CallBase &call, StringRef name) {
  Values values;
  uint32_t holds = 0;
  if (name == mask_marker || name == any_marker || name == all_marker) {
    for (unsigned lane = 0; lane < lanes_; ++lane)
      if (executes(lane) && number(call.getArgOperand(0), lane))
        holds |= 1u << lane;
    if (name == mask_marker) {
      mask_ = holds;
      masked_ = true;
      if (!mask_)
        fail("no lane executes " + call.getParent()->getName().str());
      return values;
    }
  }
  if (name == suspend_marker) {
    static const char *const kinds[] = {"barrier", "collective", "yield", "grid"};
    record(kinds[number(call.getArgOperand(1), firstLane())], {});
    groups_.push_back({mask_, uint32_t(number(call.getArgOperand(0), firstLane()))});
  }
  bool in_range = true;
  for (unsigned lane = 0; lane < lanes_ && name == in_range_marker; ++lane)
    in_range &=
        (number(call.getArgOperand(0), lane) - number(call.getArgOperand(1), lane)) >> 32 == 0;
  for (unsigned lane = 0; lane < lanes_; ++lane) {
    uint64_t value = 0;
    if (name == in_range_marker)
      value = in_range;
    else if (name == prefetch_marker)
      return values;
    else if (name == any_marker)
      value = holds != 0;
    else if (name == all_marker)
      value = holds == mask_;
    else if (name == active_marker)
      value = active_ >> lane & 1;
    else if (name == lane_marker)
      value = lane;
    else if (name == state_marker)
      value = state_;
    else if (name == frame_marker)
      value = frame;
    else if (name == request_marker)
      value = requests + lane * sizeof(WarpRequest);
    else if (name == resumed_marker)
      value = records + resumed_ * bytes_a_record + sizeof(GroupRecord);
    else if (name == suspend_marker)
      value = records + (groups_.size() - 1) * bytes_a_record + sizeof(GroupRecord);
    else if (name == first_marker)
      value = number(call.getArgOperand(0), firstLane());
    else if (name == together_marker)
      value = isTogether(*call.getArgOperand(0), lane);
    else
      fail("unknown marker " + name.str());
    values.push_back(integer(call.getType(), value));
  }
  return values;
}

// All that the lane's mask names are here and name the same.
bool Gang::isTogether(const llvm::Value &named, unsigned lane) {
  const uint64_t mask = number(&named, lane);
  for (unsigned other = 0; other < 32; ++other)
    if (mask >> other & 1 && !(executes(other) && number(&named, other) == mask))
      return false;
  return true;
}

// ---- Values ----

unsigned Gang::firstLane() const { return unsigned(std::countr_zero(mask_)); }

Constant *Gang::operand(const Value *value, unsigned lane) {
  if (auto *constant = dyn_cast<Constant>(value))
    return const_cast<Constant *>(constant);
  if (const auto *argument = dyn_cast<Argument>(value))
    return integer(value->getType(), arguments_[argument->getArgNo()]);
  const auto found = values_.find(value);
  if (found == values_.end())
    fail("used before it is computed: " + value->getName().str());
  return found->second[lane];
}

uint64_t Gang::number(Constant *constant) const {
  if (constant->getType()->isPointerTy())
    constant = ConstantFoldCastOperand(Instruction::PtrToInt, constant,
                                       Type::getInt64Ty(function_->getContext()),
                                       function_->getParent()->getDataLayout());
  const auto *result = dyn_cast<ConstantInt>(constant);
  if (!result)
    fail("something depends on poison, after " + trace_);
  return result->getZExtValue();
}

Constant *Gang::integer(Type *type, uint64_t value) const {
  if (!type->isPointerTy())
    return ConstantInt::get(type, value);
  return ConstantExpr::getIntToPtr(ConstantInt::get(Type::getInt64Ty(type->getContext()), value),
                                   type);
}

uint8_t *Gang::memoryAt(uint64_t address, uint64_t size) {
  if (address < argument_memory || address + size > memory_end)
    fail("it accesses memory at " + std::to_string(address));
  return &memory_[address];
}

} // namespace heddle::engine::simd
