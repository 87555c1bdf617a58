// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls, returns and branches through tables (PTX ISA, "Control Flow Instructions"), and how
// functions are called in IR.
#include "module/ptx/instructions/instructions.h"

#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {
namespace {

bool returnsInMemory(const PtxSignature &signature) {
  return signature.results.size() == 1 && signature.results[0].isArray();
}

// What an argument is, for a parameter: a register, a number or a .param variable.
Value *argumentFor(PtxInstruction &in, const PtxVariable &parameter, const PtxOperand &operand) {
  PtxEmitter &emitter = in.emitter;
  Value *memory = emitter.variable(operand);
  if (parameter.isArray()) {
    if (!memory)
      throw PtxError("Type of argument does not match formal parameter '" + parameter.name + "'");
    return memory;
  }
  Type *type = variableType(parameter, in.builder.getContext());
  if (memory && isa<AllocaInst>(memory))
    return in.builder.CreateLoad(type, memory);
  Value *value =
      emitter.read(operand, parameter.type.isHalf() ? PtxType{PtxType::Bits, parameter.type.bits}
                                                    : parameter.type);
  return in.builder.CreateBitCast(value, type);
}

void takeResult(PtxInstruction &in, const PtxVariable &result, const PtxOperand &operand,
                Value *value) {
  if (Value *memory = in.emitter.variable(operand))
    in.builder.CreateStore(value, memory);
  else
    in.emitter.write(operand, result.type, value);
}

// The signature of what is called: a function's, or that of the prototype which an indirect call
// names, or of the functions that it lists.
const PtxSignature &signatureOf(PtxInstruction &in) {
  PtxEmitter &emitter = in.emitter;
  const PtxOperand &callee = in.operand(1);
  if (callee.kind != PtxOperand::Name)
    throw PtxError("Function expected");
  if (const PtxSignature *signature = emitter.symbols().signature(callee.name))
    return *signature;
  if (in.count() < 4)
    throw PtxError("Unknown symbol '" + callee.name + "'");
  const std::string &name = in.operand(3).name;
  try {
    return emitter.declared(name, PtxStatement::Prototype).signature;
  } catch (const PtxError &) {
    const PtxStatement &targets = emitter.declared(name, PtxStatement::Targets);
    if (const PtxSignature *first = emitter.symbols().signature(targets.operands[0].name))
      return *first;
    throw;
  }
}

void emitCall(PtxInstruction &in) {
  if (in.emitter.isInline())
    throw PtxError("");
  in.take("uni");
  IRBuilder<> &builder = in.builder;
  LLVMContext &context = builder.getContext();
  const PtxSignature &signature = signatureOf(in);
  const std::vector<PtxOperand> &results = in.operand(0).elements;
  const std::vector<PtxOperand> &arguments = in.operand(2).elements;
  if (results.size() != signature.results.size() && !results.empty())
    throw PtxError("Call has wrong number of return values");
  if (arguments.size() != signature.parameters.size())
    throw PtxError("Call has wrong number of parameters");
  SmallVector<Value *> values;
  if (returnsInMemory(signature)) {
    Value *memory = results.empty() ? nullptr : in.emitter.variable(results[0]);
    if (!memory)
      throw PtxError("Call has wrong number of return values");
    values.push_back(memory);
  }
  for (size_t i = 0; i < arguments.size(); ++i)
    values.push_back(argumentFor(in, signature.parameters[i], arguments[i]));
  Value *callee = in.emitter.symbols().find(in.operand(1).name);
  if (!callee || !in.emitter.symbols().signature(in.operand(1).name))
    callee = builder.CreateIntToPtr(in.read(1, {PtxType::Bits, 64}), builder.getPtrTy());
  CallInst *call = builder.CreateCall(functionType(signature, context), callee, values);
  call->setAttributes(functionAttributes(signature, context));
  call->addFnAttr(Attribute::Convergent);
  if (results.size() == 1 && !returnsInMemory(signature))
    takeResult(in, signature.results[0], results[0], call);
  else if (results.size() > 1)
    for (unsigned i = 0; i < results.size(); ++i)
      takeResult(in, signature.results[i], results[i], builder.CreateExtractValue(call, i));
}

void emitReturn(PtxInstruction &in) {
  in.take("uni");
  in.emitter.emitReturn();
  in.emitter.continueUnreachable();
}

// brx.idx index, targets
void emitBranchTable(PtxInstruction &in) {
  in.take("uni");
  if (!in.take("idx") || in.emitter.isInline())
    throw PtxError("");
  const PtxStatement &targets = in.emitter.declared(in.operand(1).name, PtxStatement::Targets);
  BasicBlock *outside = in.emitter.makeBlock("ptx.outside");
  SwitchInst *table =
      in.builder.CreateSwitch(in.readU32(0), outside, unsigned(targets.operands.size()));
  uint32_t index = 0;
  for (const PtxOperand &target : targets.operands)
    table->addCase(in.builder.getInt32(index++), in.emitter.label(target.name));
  in.builder.SetInsertPoint(outside);
  in.builder.CreateUnreachable();
  in.emitter.continueUnreachable();
}

} // namespace

Type *variableType(const PtxVariable &variable, LLVMContext &context) {
  Type *element = variable.type.kind == PtxType::Predicate ? Type::getInt8Ty(context)
                                                           : variable.type.inIR(context);
  const uint64_t count = variable.elements() * variable.vector;
  return variable.isArray() || variable.vector > 1 ? ArrayType::get(element, count) : element;
}

FunctionType *functionType(const PtxSignature &signature, LLVMContext &context) {
  SmallVector<Type *> parameters, results;
  if (returnsInMemory(signature))
    parameters.push_back(PointerType::get(context, 0));
  else
    for (const PtxVariable &result : signature.results)
      results.push_back(variableType(result, context));
  for (const PtxVariable &parameter : signature.parameters)
    parameters.push_back(parameter.isArray() ? PointerType::get(context, 0)
                                             : variableType(parameter, context));
  Type *result = results.empty()       ? Type::getVoidTy(context)
                 : results.size() == 1 ? results[0]
                                       : StructType::get(context, results);
  return FunctionType::get(result, parameters, false);
}

AttributeList functionAttributes(const PtxSignature &signature, LLVMContext &context) {
  AttributeList attributes;
  unsigned index = 0;
  const auto inMemory = [&](const PtxVariable &variable, bool is_result) {
    AttrBuilder builder(context);
    Type *type = variableType(variable, context);
    if (is_result)
      builder.addStructRetAttr(type);
    else
      builder.addByValAttr(type);
    builder.addAlignmentAttr(Align(variable.alignment()));
    attributes = attributes.addParamAttributes(context, index, builder);
  };
  if (returnsInMemory(signature)) {
    inMemory(signature.results[0], true);
    ++index;
  }
  for (const PtxVariable &parameter : signature.parameters) {
    if (parameter.isArray())
      inMemory(parameter, false);
    ++index;
  }
  return attributes;
}

void addCallInstructions(PtxTable &table) {
  table.any["call"] = emitCall;
  table.any["ret"] = emitReturn;
  table.any["brx"] = emitBranchTable;
}

} // namespace heddle
