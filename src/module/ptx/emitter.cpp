// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/emitter.h"

#include "module/ptx/instructions.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {
namespace {

Intrinsic::ID specialRegister(StringRef name) {
  return StringSwitch<Intrinsic::ID>(name)
      .Case("%tid.x", Intrinsic::nvvm_read_ptx_sreg_tid_x)
      .Case("%tid.y", Intrinsic::nvvm_read_ptx_sreg_tid_y)
      .Case("%tid.z", Intrinsic::nvvm_read_ptx_sreg_tid_z)
      .Case("%ntid.x", Intrinsic::nvvm_read_ptx_sreg_ntid_x)
      .Case("%ntid.y", Intrinsic::nvvm_read_ptx_sreg_ntid_y)
      .Case("%ntid.z", Intrinsic::nvvm_read_ptx_sreg_ntid_z)
      .Case("%ctaid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x)
      .Case("%ctaid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y)
      .Case("%ctaid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z)
      .Case("%nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x)
      .Case("%nctaid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y)
      .Case("%nctaid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z)
      .Case("%laneid", Intrinsic::nvvm_read_ptx_sreg_laneid)
      .Case("%warpid", Intrinsic::nvvm_read_ptx_sreg_warpid)
      .Case("%lanemask_eq", Intrinsic::nvvm_read_ptx_sreg_lanemask_eq)
      .Case("%lanemask_lt", Intrinsic::nvvm_read_ptx_sreg_lanemask_lt)
      .Case("%lanemask_le", Intrinsic::nvvm_read_ptx_sreg_lanemask_le)
      .Case("%lanemask_gt", Intrinsic::nvvm_read_ptx_sreg_lanemask_gt)
      .Case("%lanemask_ge", Intrinsic::nvvm_read_ptx_sreg_lanemask_ge)
      .Case("%clock", Intrinsic::nvvm_read_ptx_sreg_clock)
      .Cases("%clock64", "%clock_hi", Intrinsic::nvvm_read_ptx_sreg_clock64)
      .Cases("%globaltimer", "%globaltimer_lo", "%globaltimer_hi",
             Intrinsic::nvvm_read_ptx_sreg_globaltimer)
      .Default(Intrinsic::not_intrinsic);
}

// %cluster_ctaid.x and its kin; null for others.
Value *readClusterRegister(PtxEmitter &emitter, StringRef name) {
  IRBuilder<> &builder = emitter.builder;
  Type *i32 = builder.getInt32Ty();
  if (name == "%cluster_ctarank" || name == "%cluster_nctarank")
    return emitter.callLibrary(
        name == "%cluster_ctarank" ? "__heddle_cluster_rank" : "__heddle_cluster_blocks", i32, {});
  if (name == "%is_explicit_cluster")
    return builder.CreateICmpUGT(emitter.callLibrary("__heddle_cluster_blocks", i32, {}),
                                 builder.getInt32(1));
  auto [base, axis_name] = name.split('.');
  if (axis_name.size() != 1 || axis_name[0] < 'x' || axis_name[0] > 'z')
    return nullptr;
  Value *axis = builder.getInt32(uint32_t(axis_name[0] - 'x'));
  if (base == "%cluster_ctaid")
    return emitter.callLibrary("__heddle_cluster_place", i32, {axis});
  if (base == "%cluster_nctaid")
    return emitter.callLibrary("__heddle_cluster_dim", i32, {axis});
  if (base != "%clusterid" && base != "%nclusterid")
    return nullptr;
  const std::string blocks =
      (Twine(base == "%clusterid" ? "%ctaid." : "%nctaid.") + axis_name).str();
  return builder.CreateUDiv(builder.CreateIntrinsic(specialRegister(blocks), {}, {}),
                            emitter.callLibrary("__heddle_cluster_dim", i32, {axis}));
}

} // namespace

AllocaInst *PtxEmitter::makeSlot(unsigned bits, const Twine &name) {
  IRBuilder<> entry(&*call_.getFunction()->getEntryBlock().getFirstInsertionPt());
  return entry.CreateAlloca(entry.getIntNTy(bits), nullptr, name);
}

AllocaInst *PtxEmitter::carry() {
  if (!carry_) {
    carry_ = makeSlot(1, "ptx.carry");
    IRBuilder<> entry(carry_->getNextNode());
    entry.CreateStore(entry.getFalse(), carry_);
  }
  return carry_;
}

Value *PtxEmitter::callLibrary(StringRef name, Type *result, ArrayRef<Value *> arguments) {
  SmallVector<Type *> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  auto *type = FunctionType::get(result, types, false);
  return builder.CreateCall(call_.getModule()->getOrInsertFunction(name, type), arguments);
}

// ---- Operands

AllocaInst *PtxEmitter::slotOf(const PtxOperand &operand) {
  if (operand.kind == PtxOperand::Placeholder) {
    if (operand.index >= operands_.size())
      throw PtxError("there is no operand %" + std::to_string(operand.index));
    return operands_[operand.index].slot;
  }
  if (operand.kind != PtxOperand::Name)
    return nullptr;
  for (const auto &scope : reverse(scopes_))
    if (auto found = scope.find(operand.name); found != scope.end())
      return found->second;
  return nullptr;
}

Value *PtxEmitter::readSpecial(StringRef name) {
  if (name == "%dynamic_smem_size")
    return callLibrary("__heddle_dynamic_smem_size", builder.getInt32Ty(), {});
  if (name == "%total_smem_size")
    return callLibrary("__heddle_total_smem_size", builder.getInt32Ty(), {});
  if (Value *value = readClusterRegister(*this, name))
    return value;
  if (name == "%nsmid")
    return callLibrary("__heddle_multiprocessors", builder.getInt32Ty(), {});
  if (name == "%smid")
    return callLibrary("__heddle_multiprocessor", builder.getInt32Ty(), {});
  const Intrinsic::ID id = specialRegister(name);
  if (id == Intrinsic::not_intrinsic)
    throw PtxError(("'" + name + "' is neither a declared register nor supported").str());
  Value *value = builder.CreateIntrinsic(id, {}, {});
  if (name.ends_with("_hi"))
    return builder.CreateTrunc(builder.CreateLShr(value, 32), builder.getInt32Ty());
  return name.ends_with("_lo") ? builder.CreateTrunc(value, builder.getInt32Ty()) : value;
}

// A number in the source: `type` says what it is a number of.
Value *PtxEmitter::readNumber(const PtxOperand &operand, PtxType type) {
  if (operand.kind == PtxOperand::Integer && type.isFloat())
    throw PtxError("an integer where a floating-point number is needed");
  if (operand.kind == PtxOperand::Integer)
    return builder.getInt(APInt(64, operand.integer).sextOrTrunc(type.bits));
  if (operand.float_bits == type.bits)
    return builder.getInt(APInt(type.bits, operand.integer));
  if (operand.float_bits != 64 || type.bits != 32)
    throw PtxError("a floating-point constant has the wrong width");
  const double value = APInt(64, operand.integer).bitsToDouble();
  return builder.getInt(APFloat(float(value)).bitcastToAPInt());
}

// The instructions that know parts of registers and negated ones have taken these off.
static void refuseSuffix(const PtxOperand &operand) {
  if (!operand.selector.empty())
    throw PtxError("a part '." + operand.selector + "' of an operand");
  if (operand.minus)
    throw PtxError("'-' before a register");
}

Value *PtxEmitter::readAnyWidth(const PtxOperand &operand) {
  refuseSuffix(operand);
  if (AllocaInst *slot = slotOf(operand))
    return builder.CreateLoad(slot->getAllocatedType(), slot);
  if (operand.kind == PtxOperand::Placeholder)
    return operands_[operand.index].constant;
  if (operand.kind == PtxOperand::Name)
    return readSpecial(operand.name);
  return readNumber(operand, {PtxType::Bits, 64});
}

Value *PtxEmitter::read(const PtxOperand &operand, PtxType type) {
  refuseSuffix(operand);
  Value *value = nullptr;
  if (operand.kind == PtxOperand::Integer || operand.kind == PtxOperand::Float) {
    value = readNumber(operand, type);
  } else if (operand.kind == PtxOperand::Name || operand.kind == PtxOperand::Placeholder) {
    value = readAnyWidth(operand);
    const unsigned width = value->getType()->getIntegerBitWidth();
    if (width < type.bits && !isa<Constant>(value))
      throw PtxError("an operand has " + std::to_string(width) + " bits where " +
                     std::to_string(type.bits) + " are needed");
    value = builder.CreateSExtOrTrunc(value, builder.getIntNTy(type.bits));
  } else {
    throw PtxError("an operand is not a register or number");
  }
  if (operand.negated)
    value = builder.CreateNot(value);
  return type.isFloat() ? builder.CreateBitCast(value, type.inIR(builder.getContext())) : value;
}

void PtxEmitter::write(const PtxOperand &operand, PtxType type, Value *value) {
  if (operand.kind == PtxOperand::Name && operand.name == "_")
    return;
  refuseSuffix(operand);
  AllocaInst *slot = slotOf(operand);
  if (!slot)
    throw PtxError("a result goes to something that is not a register");
  if (type.isFloat())
    value = builder.CreateBitCast(value, builder.getIntNTy(type.bits));
  Type *held = slot->getAllocatedType();
  if (held->getIntegerBitWidth() < type.bits)
    throw PtxError("a result of " + std::to_string(type.bits) + " bits goes to a register of " +
                   std::to_string(held->getIntegerBitWidth()));
  builder.CreateStore(builder.CreateIntCast(value, held, type.isSigned()), slot);
}

int64_t PtxEmitter::constant(const PtxOperand &operand) {
  if (operand.kind == PtxOperand::Integer)
    return int64_t(operand.integer);
  if (operand.kind == PtxOperand::Placeholder && operand.index < operands_.size())
    if (auto *value = dyn_cast_or_null<ConstantInt>(operands_[operand.index].constant))
      return value->getSExtValue();
  throw PtxError("an operand is not a constant");
}

Value *PtxEmitter::address(const PtxOperand &operand, bool shared) {
  if (operand.kind != PtxOperand::Address)
    throw PtxError("an operand is not an address");
  if (!operand.coordinates.empty())
    throw PtxError("an address with coordinates");
  Value *base = readAnyWidth(operand.elements[0]);
  const unsigned width = base->getType()->getIntegerBitWidth();
  if (width != 64 && !(width == 32 && shared) && !isa<Constant>(base))
    throw PtxError("an address has " + std::to_string(width) + " bits");
  base = builder.CreateZExtOrTrunc(base, builder.getInt64Ty());
  Value *pointer = builder.CreateIntToPtr(base, builder.getPtrTy());
  int64_t offset = 0;
  for (const PtxOperand &term : drop_begin(operand.elements))
    offset += constant(term);
  return offset ? builder.CreatePtrAdd(pointer, builder.getInt64(uint64_t(offset))) : pointer;
}

// ---- Control flow

void PtxEmitter::splitAtCall() {
  if (split_)
    return;
  split_ = true;
  BasicBlock *head = call_.getParent();
  head->splitBasicBlock(call_.getIterator(), "ptx.end");
  head->getTerminator()->eraseFromParent();
  const DebugLoc where = builder.getCurrentDebugLocation();
  builder.SetInsertPoint(head);
  builder.SetCurrentDebugLocation(where);
}

BasicBlock *PtxEmitter::makeBlock(const Twine &name) {
  splitAtCall();
  return BasicBlock::Create(builder.getContext(), name, call_.getFunction(), call_.getParent());
}

void PtxEmitter::continueIn(BasicBlock *block) {
  builder.CreateBr(block);
  builder.SetInsertPoint(block);
}

BasicBlock *PtxEmitter::label(const std::string &name) {
  auto found = labels_.find(name);
  if (found == labels_.end())
    throw PtxError("there is no label '" + name + "'");
  return found->second;
}

void PtxEmitter::declare(const PtxStatement &statement) {
  const std::string type_name = statement.modifiers.empty() ? "" : statement.modifiers.back();
  const auto type = parsePtxType(type_name);
  if (!type || statement.modifiers.size() != 1)
    throw PtxError("registers of type '" + type_name + "'");
  for (const std::string &name : statement.registers) {
    AllocaInst *slot = makeSlot(type->bits, name);
    builder.CreateStore(Constant::getNullValue(slot->getAllocatedType()), slot);
    scopes_.back()[name] = slot;
  }
}

void PtxEmitter::emit(const PtxStatement &statement) {
  if (!statement.guard)
    return emitPtxInstruction(*this, statement);
  Value *holds = read(*statement.guard, {PtxType::Predicate, 1});
  BasicBlock *guarded = makeBlock("ptx.guarded"), *next = makeBlock("ptx.next");
  builder.CreateCondBr(holds, guarded, next);
  builder.SetInsertPoint(guarded);
  emitPtxInstruction(*this, statement);
  continueIn(next);
}

void PtxEmitter::run(const std::vector<PtxStatement> &statements,
                     std::vector<AsmOperand> operands) {
  operands_ = std::move(operands);
  scopes_.emplace_back();
  for (const PtxStatement &statement : statements)
    if (statement.kind == PtxStatement::Label &&
        !labels_.try_emplace(statement.name, makeBlock(statement.name)).second)
      throw PtxError("two labels are called '" + statement.name + "'");
  for (const PtxStatement &statement : statements)
    switch (statement.kind) {
    case PtxStatement::OpenScope:
      scopes_.emplace_back();
      break;
    case PtxStatement::CloseScope:
      scopes_.pop_back();
      break;
    case PtxStatement::Registers:
      declare(statement);
      break;
    case PtxStatement::Label:
      continueIn(label(statement.name));
      break;
    case PtxStatement::Instruction:
      emit(statement);
      break;
    }
  if (split_) {
    builder.CreateBr(call_.getParent());
    builder.SetInsertPoint(&call_);
  }
}

} // namespace heddle
