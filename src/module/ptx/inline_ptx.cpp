// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx/inline_ptx.h"

#include "module/passes/check.h"
#include "module/passes/refused.h"
#include "module/ptx/emitter.h"
#include "support/paths.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace heddle {
namespace {

// The width of the PTX register for a constraint letter (CUDA, "Inline PTX Assembly"); 0 for
// constants and for letters that CUDA does not have. "c" is LLVM's: 8 bits, whose register has 16.
unsigned registerBits(const InlineAsm::ConstraintInfo &constraint) {
  const std::string &code = constraint.Codes.empty() ? "" : constraint.Codes[0];
  if (code == "h" || code == "c")
    return 16;
  if (code == "r" || code == "f")
    return 32;
  if (code == "l" || code == "d")
    return 64;
  return code == "q" ? 128 : 0;
}

// The bits of any value of the program as a register.
Value *toBits(IRBuilder<> &builder, Value *value, unsigned bits) {
  Type *type = value->getType(), *integer = builder.getIntNTy(bits);
  if (type->isPointerTy())
    return builder.CreatePtrToInt(value, integer);
  if (!type->isIntegerTy())
    value = builder.CreateBitCast(value, builder.getIntNTy(type->getPrimitiveSizeInBits()));
  return builder.CreateZExtOrTrunc(value, integer);
}

Value *fromBits(IRBuilder<> &builder, Value *bits, Type *type) {
  if (type->isPointerTy())
    return builder.CreateIntToPtr(bits, type);
  bits = builder.CreateZExtOrTrunc(bits, builder.getIntNTy(type->getPrimitiveSizeInBits()));
  return builder.CreateBitCast(bits, type);
}

// What nvcc's front end says of an operand whose type its constraint does not allow; else "".
std::string wrongType(const InlineAsm::ConstraintInfo &constraint, Type *type,
                      const DataLayout &layout) {
  const std::string code = constraint.Codes.empty() ? "" : constraint.Codes[0];
  const bool is_float = type->isFloatTy() || type->isDoubleTy();
  const uint64_t bytes = layout.getTypeStoreSize(type);
  if (code.size() == 1 && StringRef("imx").contains(code[0]))
    return "asm constraint letter '" + code +
           "' is not allowed inside a __device__/__global__ function";
  if (code.size() != 1 || !StringRef("hrlqfd").contains(code[0]))
    return "";
  if (bytes * 8 == registerBits(constraint) && is_float == (code == "f" || code == "d"))
    return "";
  return "asm operand type size(" + std::to_string(bytes) +
         ") does not match type/size implied by constraint '" + code + "'";
}

Type *outputType(const CallBase &call, unsigned i) {
  auto *structure = dyn_cast<StructType>(call.getType());
  return structure ? structure->getElementType(i) : call.getType();
}

std::string wrongOperand(const CallBase &call) {
  const DataLayout &layout = call.getModule()->getDataLayout();
  unsigned output = 0, argument = 0;
  for (const InlineAsm::ConstraintInfo &constraint :
       cast<InlineAsm>(call.getCalledOperand())->ParseConstraints()) {
    if (constraint.Type == InlineAsm::isClobber)
      continue;
    if (constraint.Type == InlineAsm::isLabel)
      return "";
    const bool is_result = constraint.Type == InlineAsm::isOutput && !constraint.isIndirect;
    Type *type = is_result ? outputType(call, output++) : call.getArgOperand(argument++)->getType();
    if (std::string wrong = wrongType(constraint, type, layout); !wrong.empty())
      return wrong;
  }
  return "";
}

// One asm statement.
class Translation {
public:
  Translation(CallBase &call, AllocaInst *&carry, unsigned number, const PtxTarget *target)
      : call_(call), assembly_(*cast<InlineAsm>(call.getCalledOperand())), number_(number),
        emitter_(call, !assembly_.hasSideEffects(), carry, target) {}

  // Returns what was reported.
  std::vector<PtxError> run() {
    std::vector<PtxStatement> statements;
    try {
      statements = parsePtx(assembly_.getAsmString(), number_);
    } catch (const PtxError &error) {
      throw PtxError(std::string("inline PTX cannot be read: ") + error.what());
    }
    prepareOperands();
    emitter_.run(statements, operands_);
    if (emitter_.problems().empty())
      replaceCall();
    return emitter_.problems();
  }

private:
  void prepareOperands() {
    unsigned argument = 0;
    for (const InlineAsm::ConstraintInfo &constraint : assembly_.ParseConstraints()) {
      if (constraint.Type == InlineAsm::isClobber)
        continue;
      if (constraint.isIndirect || constraint.Type == InlineAsm::isLabel)
        throw PtxError("inline PTX with an operand in memory is not supported");
      if (constraint.Type == InlineAsm::isOutput)
        addOutput(constraint);
      else
        addInput(constraint, call_.getArgOperand(argument++));
    }
  }

  void addOutput(const InlineAsm::ConstraintInfo &constraint) {
    const unsigned bits = registerBits(constraint);
    if (!bits)
      throw PtxError("inline PTX with constraint '=" + constraint.Codes[0] + "' is not supported");
    AllocaInst *slot = emitter_.makeSlot(bits, "ptx.output");
    // On a GPU an unwritten register has an undefined value; here it is zero.
    emitter_.builder.CreateStore(emitter_.builder.getIntN(bits, 0), slot);
    outputs_.push_back(slot);
    operands_.push_back({slot, nullptr});
  }

  void addInput(const InlineAsm::ConstraintInfo &constraint, Value *value) {
    unsigned output = 0;
    if (!StringRef(constraint.Codes[0]).getAsInteger(10, output)) { // "0": the same as output 0
      AllocaInst *slot = outputs_[output];
      const unsigned bits = slot->getAllocatedType()->getIntegerBitWidth();
      emitter_.builder.CreateStore(toBits(emitter_.builder, value, bits), slot);
      operands_.push_back({slot, nullptr});
      return;
    }
    unsigned bits = registerBits(constraint);
    if (!bits)
      bits = unsigned(value->getType()->getPrimitiveSizeInBits());
    Value *held = bits ? toBits(emitter_.builder, value, bits) : nullptr;
    if (auto *constant = dyn_cast_or_null<Constant>(held)) {
      operands_.push_back({nullptr, constant, registerBits(constraint) != 0});
      return;
    }
    if (!registerBits(constraint))
      throw PtxError("inline PTX with constraint '" + constraint.Codes[0] + "' is not supported");
    AllocaInst *slot = emitter_.makeSlot(bits, "ptx.input");
    emitter_.builder.CreateStore(held, slot);
    operands_.push_back({slot, nullptr});
  }

  void replaceCall() {
    IRBuilder<> &builder = emitter_.builder;
    auto result = [&](unsigned i) {
      Value *bits = builder.CreateLoad(outputs_[i]->getAllocatedType(), outputs_[i]);
      return fromBits(builder, bits, outputType(call_, i));
    };
    if (call_.getType()->isStructTy()) {
      Value *all = PoisonValue::get(call_.getType());
      for (unsigned i = 0; i < outputs_.size(); ++i)
        all = builder.CreateInsertValue(all, result(i), i);
      call_.replaceAllUsesWith(all);
    } else if (!call_.getType()->isVoidTy()) {
      call_.replaceAllUsesWith(result(0));
    }
    call_.eraseFromParent();
  }

  CallBase &call_;
  const InlineAsm &assembly_;
  const unsigned number_;
  PtxEmitter emitter_;
  std::vector<AllocaInst *> outputs_;
  std::vector<PtxEmitter::AsmOperand> operands_;
};

// What is refused of an asm statement. Tried in a function of its own, since it leaves
// code in pieces.
std::vector<std::string> problemsOf(const CallBase &call, unsigned number,
                                    const PtxTarget &target) {
  Module &module = const_cast<Module &>(*call.getModule());
  SmallVector<Type *> types;
  for (const Use &argument : call.args())
    types.push_back(argument->getType());
  Function *scratch = Function::Create(FunctionType::get(call.getType(), types, false),
                                       GlobalValue::InternalLinkage, "heddle.scratch", module);
  BasicBlock *block = BasicBlock::Create(module.getContext(), "", scratch);
  auto *copy = cast<CallBase>(call.clone());
  copy->insertInto(block, block->end());
  copy->setDebugLoc(DebugLoc());
  for (unsigned i = 0; i < types.size(); ++i)
    if (!isa<Constant>(call.getArgOperand(i)))
      copy->setArgOperand(i, scratch->getArg(i));
  new UnreachableInst(module.getContext(), block);
  std::vector<std::string> messages;
  try {
    AllocaInst *carry = nullptr;
    for (const PtxError &error : Translation(*copy, carry, number, &target).run())
      messages.emplace_back(error.what());
  } catch (const PtxError &error) {
    messages.emplace_back(error.what());
  }
  // Half of a translation has blocks without ends.
  scratch->dropAllReferences();
  scratch->eraseFromParent();
  return messages;
}

std::vector<CallBase *> asmStatements(Module &module) {
  std::vector<CallBase *> calls;
  for (Function &function : module)
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        // An empty text only prevents the optimiser from moving memory accesses across it.
        if (auto *assembly = dyn_cast<InlineAsm>(call->getCalledOperand());
            assembly && !assembly->getAsmString().empty())
          calls.push_back(call);
  return calls;
}

// Heddle's own headers do by newer instructions what CUDA's do for older GPUs in other ways.
bool isOwn(const CallBase &call) {
  const DILocation *location = call.getDebugLoc();
  if (!location)
    return false;
  SmallString<128> file = location->getDirectory();
  sys::path::append(file, location->getFilename());
  return isInternalHeader(sys::path::is_absolute(location->getFilename()) ? location->getFilename()
                                                                          : file.str());
}

// Whether there is nothing to translate: it has been marked.
bool refuse(CallBase &call, unsigned number, const PtxTarget &target) {
  if (const std::string wrong = wrongOperand(call); !wrong.empty())
    throw PtxError(wrong);
  if (!isa<CallInst>(call)) // asm goto
    return false;
  const std::vector<std::string> messages = problemsOf(call, number, target);
  if (messages.empty())
    return false;
  const std::string where = sourceLocation(call) + "error: ";
  markRefused(call, where + join(messages, "\n" + where));
  return true;
}

} // namespace

std::vector<std::string> translateInlinePtx(Module &module, const PtxTarget *target) {
  std::vector<std::string> messages;
  DenseMap<Function *, AllocaInst *> carries;
  unsigned number = 0;
  for (CallBase *call : asmStatements(module))
    try {
      if (target && !isOwn(*call) && refuse(*call, number, *target))
        continue;
      Translation(*call, carries[call->getFunction()], number++, nullptr).run();
    } catch (const PtxError &error) {
      messages.push_back(sourceLocation(*call) + "error: " + error.what());
    }
  return messages;
}

} // namespace heddle
