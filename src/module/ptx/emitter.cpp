// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/emitter.h"

#include "module/ptx/instructions/instructions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

PtxEmitter::PtxEmitter(CallBase &call, bool repeatable, AllocaInst *&carry, const PtxTarget *target)
    : builder(&call), function_(*call.getFunction()), call_(&call), target_(target),
      repeatable_(repeatable), carry_(carry) {}

PtxEmitter::PtxEmitter(Function &function, const PtxSignature &signature, PtxSymbols &symbols,
                       AllocaInst *&carry)
    : builder(BasicBlock::Create(function.getContext(), "entry", &function)), function_(function),
      signature_(&signature), symbols_(&symbols), target_(&symbols.target()), repeatable_(true),
      carry_(carry) {
  // Slots are inserted before this instruction; code starts after it.
  builder.SetInsertPoint(
      builder.CreateBr(BasicBlock::Create(builder.getContext(), "body", &function)));
  builder.SetInsertPoint(&function.back());
}

AllocaInst *PtxEmitter::makeSlot(unsigned bits, const Twine &name) {
  IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
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
  return builder.CreateCall(function_.getParent()->getOrInsertFunction(name, type), arguments);
}

void PtxEmitter::report(const PtxError &error) {
  if (symbols_)
    symbols_->report(error);
  else if (target_)
    problems_.push_back(error);
  else
    throw error;
}

// ---- Operands

PtxEmitter::Register *PtxEmitter::registerIn(Scope &scope, StringRef name) {
  if (auto found = scope.registers.find(name); found != scope.registers.end())
    return &found->second;
  // One of a range %r<n>.
  for (size_t i = 0; i < scope.ranges.size(); ++i) {
    StringRef number = name;
    unsigned index = 0;
    if (number.consume_front(scope.ranges[i].first) && !number.empty() && all_of(number, isDigit) &&
        (number == "0" || number.front() != '0') && !number.getAsInteger(10, index) &&
        index < scope.ranges[i].second)
      return &(scope.registers[name] = {scope.range_types[i], nullptr});
  }
  return nullptr;
}

PtxEmitter::Register *PtxEmitter::registerOf(StringRef name) {
  for (Scope &scope : reverse(scopes_))
    if (Register *found = registerIn(scope, name))
      return found;
  // The elements of a vector are also called r, g, b and a.
  const size_t colour = name.size() > 2 && name[name.size() - 2] == '.'
                            ? StringRef("rgba").find(name.back())
                            : StringRef::npos;
  return colour == StringRef::npos ? nullptr
                                   : registerOf((name.drop_back() + Twine("xyzw"[colour])).str());
}

AllocaInst *PtxEmitter::slotOf(const PtxOperand &operand) {
  if (operand.kind == PtxOperand::Placeholder) {
    if (operand.index >= operands_.size())
      throw PtxError("there is no operand %" + std::to_string(operand.index));
    return operands_[operand.index].slot;
  }
  if (operand.kind != PtxOperand::Name)
    return nullptr;
  Register *found = registerOf(operand.name);
  if (!found)
    return nullptr;
  if (!found->slot) {
    IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
    Type *type = found->type.inIR(builder.getContext());
    found->slot = entry.CreateAlloca(type, nullptr, operand.name);
    entry.CreateStore(Constant::getNullValue(type), found->slot);
  }
  return found->slot;
}

Value *PtxEmitter::variable(const PtxOperand &operand) {
  if (operand.kind != PtxOperand::Name || registerOf(operand.name))
    return nullptr;
  for (const Scope &scope : reverse(scopes_))
    if (auto found = scope.variables.find(operand.name); found != scope.variables.end())
      return found->second;
  if (symbols_)
    return symbols_->find(operand.name);
  Module &module = *function_.getParent();
  GlobalVariable *global = module.getNamedGlobal(operand.name);
  if (!global) // a static one, which nvcc's PTX names as the source does
    global = module.getNamedGlobal("_ZL" + std::to_string(operand.name.size()) + operand.name);
  return global ? ConstantExpr::getAddrSpaceCast(global, builder.getPtrTy()) : nullptr;
}

bool PtxEmitter::isRegister(const PtxOperand &operand) {
  if (operand.kind == PtxOperand::Placeholder)
    return operand.index < operands_.size() && operands_[operand.index].is_register;
  return operand.kind == PtxOperand::Name && registerOf(operand.name);
}

// A number in the source, interpreted according to `type`.
Value *PtxEmitter::readNumber(const PtxOperand &operand, PtxType type) {
  if (operand.kind == PtxOperand::Integer && type.isFloat())
    throw PtxError("an integer where a floating-point number is needed");
  if (operand.kind == PtxOperand::Integer && type.kind == PtxType::Predicate)
    return builder.getInt1(operand.integer != 0);
  if (operand.kind == PtxOperand::Integer)
    return builder.getInt(APInt(64, operand.integer).sextOrTrunc(type.bits));
  if (operand.float_bits == type.bits)
    return builder.getInt(APInt(type.bits, operand.integer));
  if (operand.float_bits != 64 || type.bits != 32)
    throw PtxError("a floating-point constant has the wrong width");
  const double value = APInt(64, operand.integer).bitsToDouble();
  return builder.getInt(APFloat(float(value)).bitcastToAPInt());
}

// Instructions that accept parts of registers and negated registers have removed these suffixes.
static void refuseSuffix(const PtxOperand &operand) {
  if (!operand.selector.empty())
    throw PtxError("a part '." + operand.selector + "' of an operand");
  if (operand.minus)
    throw PtxError("'-' before a register");
}

static unsigned bitsOf(Type *type) { return unsigned(type->getPrimitiveSizeInBits()); }

Value *PtxEmitter::readAnyWidth(const PtxOperand &operand) {
  refuseSuffix(operand);
  if (AllocaInst *slot = slotOf(operand)) {
    Type *type = slot->getAllocatedType();
    return builder.CreateBitCast(builder.CreateLoad(type, slot), builder.getIntNTy(bitsOf(type)));
  }
  if (operand.kind == PtxOperand::Placeholder)
    return operands_[operand.index].constant;
  if (Value *pointer = variable(operand))
    return builder.CreatePtrToInt(pointer, builder.getInt64Ty());
  if (operand.kind == PtxOperand::Name)
    return readSpecial(operand.name);
  if (operand.kind == PtxOperand::Sum || operand.kind == PtxOperand::Element)
    return builder.CreatePtrToInt(address(operand, false), builder.getInt64Ty());
  if (operand.kind != PtxOperand::Integer && operand.kind != PtxOperand::Float)
    throw PtxError("an operand is not a register or number");
  return readNumber(operand, {PtxType::Bits, 64});
}

Value *PtxEmitter::read(const PtxOperand &operand, PtxType type) {
  refuseSuffix(operand);
  Value *value = nullptr;
  if (operand.kind == PtxOperand::Integer || operand.kind == PtxOperand::Float) {
    value = readNumber(operand, type);
  } else if (operand.kind == PtxOperand::Name || operand.kind == PtxOperand::Placeholder ||
             operand.kind == PtxOperand::Sum || operand.kind == PtxOperand::Element) {
    value = readAnyWidth(operand);
    const unsigned width = value->getType()->getIntegerBitWidth();
    if (exact_widths_ && width != type.bits && isRegister(operand))
      throw PtxError("Arguments mismatch");
    if (width < type.bits && (!isa<Constant>(value) || width == 1))
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
  if (!slot && target_ && operand.kind == PtxOperand::Name && !operand.name.starts_with('%') &&
      !variable(operand))
    throw PtxError("Unknown symbol '" + operand.name + "'");
  if (!slot)
    throw PtxError("a result goes to something that is not a register");
  if (type.isFloat())
    value = builder.CreateBitCast(value, builder.getIntNTy(type.bits));
  Type *held = slot->getAllocatedType();
  if (exact_widths_ && bitsOf(held) != type.bits)
    throw PtxError("Arguments mismatch");
  if (bitsOf(held) < type.bits)
    throw PtxError("a result of " + std::to_string(type.bits) + " bits goes to a register of " +
                   std::to_string(bitsOf(held)));
  value = builder.CreateIntCast(value, builder.getIntNTy(bitsOf(held)), type.isSigned());
  builder.CreateStore(builder.CreateBitCast(value, held), slot);
}

std::optional<int64_t> PtxEmitter::literal(const PtxOperand &operand) const {
  if (operand.kind == PtxOperand::Integer)
    return int64_t(operand.integer);
  if (operand.kind != PtxOperand::Placeholder || operand.index >= operands_.size() ||
      operands_[operand.index].is_register)
    return std::nullopt;
  const auto *value = dyn_cast_or_null<ConstantInt>(operands_[operand.index].constant);
  return value ? std::optional(value->getSExtValue()) : std::nullopt;
}

int64_t PtxEmitter::constant(const PtxOperand &operand) {
  if (operand.kind == PtxOperand::Integer)
    return int64_t(operand.integer);
  if (operand.kind == PtxOperand::Placeholder && operand.index < operands_.size())
    if (auto *value = dyn_cast_or_null<ConstantInt>(operands_[operand.index].constant))
      return value->getSExtValue();
  throw PtxError("an operand is not a constant");
}

// The low half of an address in local memory, completed by the other half of where the function has
// its variable. Written as a distance from there, which recoverPointers understands.
Value *PtxEmitter::wholeLocalAddress(Value *low) {
  if (locals_.size() != 1)
    throw PtxError("an address of 32 bits in a function with " + std::to_string(locals_.size()) +
                   " variables in local memory");
  short_locals_ = true;
  Value *start = builder.CreatePtrToInt(locals_[0], builder.getInt64Ty());
  Value *distance = builder.CreateSub(low, builder.CreateTrunc(start, low->getType()));
  return builder.CreateAdd(start, builder.CreateSExt(distance, builder.getInt64Ty()));
}

// Of a[2], in bytes.
Value *PtxEmitter::offsetOfElement(const PtxOperand &operand) {
  Value *array = variable(operand.elements[0]);
  if (!array)
    throw PtxError("Unknown symbol '" + operand.elements[0].name + "'");
  Value *memory = array->stripPointerCasts();
  Type *type = nullptr;
  if (auto *global = dyn_cast<GlobalVariable>(memory))
    type = global->getValueType();
  else if (auto *local = dyn_cast<AllocaInst>(memory))
    type = local->getAllocatedType();
  if (!type || !type->isArrayTy())
    throw PtxError("'" + operand.elements[0].name + "' is not an array");
  const uint64_t bytes =
      function_.getParent()->getDataLayout().getTypeAllocSize(type->getArrayElementType());
  return builder.getInt64(bytes * uint64_t(constant(operand.elements[1])));
}

Value *PtxEmitter::address(const PtxOperand &operand, bool shared, bool local) {
  if (operand.kind == PtxOperand::Element)
    return builder.CreatePtrAdd(variable(operand.elements[0]), offsetOfElement(operand));
  if (operand.kind != PtxOperand::Address && operand.kind != PtxOperand::Sum)
    throw PtxError("an operand is not an address");
  if (!operand.coordinates.empty())
    throw PtxError("an address with coordinates");
  Value *pointer = variable(operand.elements[0]);
  if (!pointer) {
    Value *base = readAnyWidth(operand.elements[0]);
    if (local && base->getType()->isIntegerTy(32) && !isa<Constant>(base))
      base = wholeLocalAddress(base);
    const unsigned width = base->getType()->getIntegerBitWidth();
    if (width != 64 && !(width == 32 && shared) && !isa<Constant>(base))
      throw PtxError("an address has " + std::to_string(width) + " bits");
    base = builder.CreateZExtOrTrunc(base, builder.getInt64Ty());
    pointer = builder.CreateIntToPtr(base, builder.getPtrTy());
  }
  uint64_t offset = 0;
  for (const PtxOperand &term : drop_begin(operand.elements))
    offset += uint64_t(constant(term));
  return offset ? builder.CreatePtrAdd(pointer, builder.getInt64(offset)) : pointer;
}

// ---- Control flow

void PtxEmitter::splitAtCall() {
  if (split_ || !call_)
    return;
  split_ = true;
  BasicBlock *head = call_->getParent();
  head->splitBasicBlock(call_->getIterator(), "ptx.end");
  head->getTerminator()->eraseFromParent();
  const DebugLoc where = builder.getCurrentDebugLocation();
  builder.SetInsertPoint(head);
  builder.SetCurrentDebugLocation(where);
}

BasicBlock *PtxEmitter::makeBlock(const Twine &name) {
  splitAtCall();
  return BasicBlock::Create(builder.getContext(), name, &function_,
                            call_ ? call_->getParent() : nullptr);
}

void PtxEmitter::continueIn(BasicBlock *block) {
  builder.CreateBr(block);
  builder.SetInsertPoint(block);
}

void PtxEmitter::continueUnreachable() { builder.SetInsertPoint(makeBlock("ptx.after")); }

BasicBlock *PtxEmitter::label(const std::string &name) {
  for (const Scope &scope : reverse(scopes_))
    if (auto found = scope.labels.find(name); found != scope.labels.end())
      return found->second;
  throw PtxError("there is no label '" + name + "'");
}

const PtxStatement &PtxEmitter::declared(const std::string &name, PtxStatement::Kind kind) {
  for (const Scope &scope : reverse(scopes_))
    if (auto found = scope.declared.find(name);
        found != scope.declared.end() && found->second->kind == kind)
      return *found->second;
  throw PtxError("Unknown symbol '" + name + "'");
}

void PtxEmitter::emitReturn() {
  if (isInline())
    throw PtxError("");
  LLVMContext &context = builder.getContext();
  Type *type = function_.getReturnType();
  const auto value = [&](size_t i) {
    return builder.CreateLoad(variableType(signature_->results[i], context), results_[i]);
  };
  if (type->isVoidTy()) {
    builder.CreateRetVoid();
  } else if (signature_->results.size() == 1) {
    builder.CreateRet(value(0));
  } else {
    Value *all = PoisonValue::get(type);
    for (unsigned i = 0; i < results_.size(); ++i)
      all = builder.CreateInsertValue(all, value(i), i);
    builder.CreateRet(all);
  }
}

// ---- Statements

// Creates the labels of a scope that starts with `statements`; they may be used before they appear.
void PtxEmitter::openScope(ArrayRef<PtxStatement> statements) {
  Scope &scope = scopes_.emplace_back();
  unsigned depth = 0;
  for (const PtxStatement &statement : statements) {
    depth += statement.kind == PtxStatement::OpenScope;
    if (statement.kind == PtxStatement::CloseScope && depth-- == 0)
      return;
    if (depth > 0)
      continue;
    if (statement.kind == PtxStatement::Label) {
      if (!scope.labels.try_emplace(statement.name, makeBlock(statement.name)).second)
        throw PtxError(statement.place, "two labels are called '" + statement.name + "'");
    } else if (statement.kind == PtxStatement::Prototype ||
               statement.kind == PtxStatement::Targets) {
      scope.declared[statement.name] = &statement;
    }
  }
}

void PtxEmitter::declare(const PtxStatement &statement) {
  const std::string type_name = statement.modifiers.empty() ? "" : statement.modifiers.back();
  const auto type = parsePtxType(type_name);
  if (!type)
    throw PtxError("registers of type '" + type_name + "'");
  if (statement.modifiers.size() != 1)
    return declareVectors(statement, *type);
  Scope &scope = scopes_.back();
  for (const StringRef name : statement.registers) {
    const auto [base, count] = name.split('<');
    unsigned number = 0;
    if (count.empty()) {
      if (!scope.registers.try_emplace(name, Register{*type, nullptr}).second && symbols_)
        throw PtxError("Duplicate definition of variable '" + name.str() + "'");
    } else {
      count.drop_back().getAsInteger(10, number);
      scope.ranges.emplace_back(base.str(), number);
      scope.range_types.push_back(*type);
    }
  }
}

// .reg .v4 .f32 a: four registers, which vector loads and stores also accept as one operand.
void PtxEmitter::declareVectors(const PtxStatement &statement, PtxType type) {
  const std::string &length = statement.modifiers[0];
  if (statement.modifiers.size() != 2 || (length != "v2" && length != "v4") ||
      type.bits * unsigned(length[1] - '0') > 128)
    throw PtxError("registers of type '" + statement.opcode() + "'");
  Scope &scope = scopes_.back();
  for (const std::string &name : statement.registers) {
    if (StringRef(name).contains('<'))
      throw PtxError("a range of vectors");
    if (!scope.vectors.try_emplace(name, unsigned(length[1] - '0')).second && symbols_)
      throw PtxError("Duplicate definition of variable '" + name + "'");
    for (unsigned i = 0; i < scope.vectors[name]; ++i)
      scope.registers[name + "." + "xyzw"[i]] = Register{type, nullptr};
  }
}

// Replaces a vector's name by its elements.
PtxOperand PtxEmitter::spreadVectors(PtxOperand operand) const {
  if (operand.kind != PtxOperand::Name)
    return operand;
  for (const Scope &scope : reverse(scopes_))
    if (auto found = scope.vectors.find(operand.name); found != scope.vectors.end()) {
      PtxOperand vector;
      vector.kind = PtxOperand::Vector;
      for (unsigned i = 0; i < found->second; ++i) {
        vector.elements.push_back(operand);
        vector.elements.back().name += std::string(".") + "xyzw"[i];
      }
      return vector;
    }
  return operand;
}

AllocaInst *PtxEmitter::makeVariable(const PtxVariable &variable) {
  if (variable.bytes() > (1 << 24))
    throw PtxError(variable.place, "Size of variable '" + variable.name + "' is too large");
  IRBuilder<> entry(&*function_.getEntryBlock().getFirstInsertionPt());
  AllocaInst *memory =
      entry.CreateAlloca(variableType(variable, builder.getContext()), nullptr, variable.name);
  memory->setAlignment(Align(variable.alignment()));
  return memory;
}

void PtxEmitter::declareVariable(const PtxVariable &variable) {
  Value *memory = nullptr;
  if (variable.space == PtxVariable::Local) {
    if (short_locals_)
      throw PtxError(variable.place, "addresses of 32 bits of several variables in local memory");
    memory = locals_.emplace_back(makeVariable(variable));
  } else if (variable.space == PtxVariable::Parameter)
    memory = makeVariable(variable);
  else if (symbols_)
    memory = symbols_->define(variable);
  else
    throw PtxError("a variable in an asm statement");
  if (!scopes_.back().variables.try_emplace(variable.name, memory).second)
    throw PtxError(variable.place, "Duplicate definition of variable '" + variable.name + "'");
}

// Parameters and results are variables of the outermost scope; those in registers are registers.
void PtxEmitter::declareParameters() {
  Scope &scope = scopes_.back();
  Argument *argument = function_.arg_begin();
  const auto memory = [&](const PtxVariable &variable) -> AllocaInst * {
    if (variable.space != PtxVariable::Register)
      return makeVariable(variable);
    scope.registers[variable.name] = {variable.type, nullptr};
    PtxOperand operand;
    operand.name = variable.name;
    return slotOf(operand);
  };
  for (const PtxVariable &result : signature_->results) {
    Value *place = result.isArray() ? cast<Value>(argument++) : memory(result);
    results_.push_back(place);
    scope.variables[result.name] = place;
  }
  for (const PtxVariable &parameter : signature_->parameters) {
    argument->setName(parameter.name);
    if (parameter.isArray()) {
      scope.variables[parameter.name] = argument++;
      continue;
    }
    AllocaInst *place = memory(parameter);
    builder.CreateStore(argument++, place);
    scope.variables[parameter.name] = place;
  }
}

void PtxEmitter::emit(const PtxStatement &statement) {
  if (!statement.guard)
    return emitUnguarded(statement);
  Value *holds = read(*statement.guard, {PtxType::Predicate, 1});
  BasicBlock *guarded = makeBlock("ptx.guarded"), *next = makeBlock("ptx.next");
  builder.CreateCondBr(holds, guarded, next);
  builder.SetInsertPoint(guarded);
  emitUnguarded(statement);
  continueIn(next);
}

void PtxEmitter::emitUnguarded(const PtxStatement &statement) {
  if (none_of(scopes_, [](const Scope &scope) { return !scope.vectors.empty(); }))
    return emitPtxInstruction(*this, statement);
  PtxStatement spread = statement;
  for (PtxOperand &operand : spread.operands)
    operand = spreadVectors(std::move(operand));
  emitPtxInstruction(*this, spread);
}

void PtxEmitter::emitStatement(const std::vector<PtxStatement> &statements, size_t i) {
  const PtxStatement &statement = statements[i];
  if (symbols_)
    builder.SetCurrentDebugLocation(symbols_->locate(statement.place));
  switch (statement.kind) {
  case PtxStatement::OpenScope:
    return openScope(ArrayRef(statements).drop_front(i + 1));
  case PtxStatement::CloseScope:
    return scopes_.pop_back();
  case PtxStatement::Registers:
    return declare(statement);
  case PtxStatement::Variables:
    for (const PtxVariable &variable : statement.variables)
      declareVariable(variable);
    return;
  case PtxStatement::Label:
    return continueIn(label(statement.name));
  case PtxStatement::Location:
    if (symbols_)
      symbols_->setLine(unsigned(statement.operands[0].integer),
                        unsigned(statement.operands[1].integer),
                        unsigned(statement.operands[2].integer));
    return;
  case PtxStatement::Instruction:
    return emit(statement);
  case PtxStatement::Prototype:
  case PtxStatement::Targets:
    return;
  }
}

void PtxEmitter::run(const std::vector<PtxStatement> &statements,
                     std::vector<AsmOperand> operands) {
  operands_ = std::move(operands);
  openScope(statements);
  if (signature_)
    declareParameters();
  for (size_t i = 0; i < statements.size(); ++i)
    try {
      emitStatement(statements, i);
    } catch (const PtxError &error) {
      const PtxPlace place = error.place.line ? error.place : statements[i].place;
      report(PtxError(place, error.what()));
    }
  if (split_) {
    builder.CreateBr(call_->getParent());
    builder.SetInsertPoint(call_);
  }
}

} // namespace heddle
