// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/lowering/lower_memory_spaces.h"

#include "engine/abi.h"
#include "engine/compiler/lowering/thread_context.h"
#include "module/passes/constant_users.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle::engine {
namespace {

// Of static and dynamic shared memory; the engines allocate with this alignment.
constexpr uint64_t shared_alignment = 128;

constexpr const char *shared_array = "heddle.shared.array";

// ---- init_globals ----

bool hasAddress(const Constant *constant) {
  if (isa<GlobalValue>(constant))
    return true;
  return any_of(constant->operands(), [](const Use &operand) {
    auto *inner = dyn_cast<Constant>(operand.get());
    return inner && hasAddress(inner);
  });
}

// Writes `value` at `address`. A constant without addresses is copied whole, others field by field,
// so that each address is an ordinary operand, which the lowering below replaces.
void storeConstant(IRBuilder<> &builder, Constant *value, Value *address, const DataLayout &data) {
  if (isa<UndefValue>(value))
    return;
  Type *type = value->getType();
  if (!hasAddress(value)) {
    auto *image = new GlobalVariable(*builder.GetInsertBlock()->getModule(), type, true,
                                     GlobalValue::PrivateLinkage, value, "initial");
    builder.CreateMemCpy(address, Align(1), image, Align(1), data.getTypeAllocSize(type));
    return;
  }
  if (!isa<ConstantAggregate>(value)) {
    builder.CreateAlignedStore(value, address, Align(1));
    return;
  }
  for (unsigned i = 0; i < value->getNumOperands(); ++i) {
    uint64_t offset = 0;
    if (auto *structure = dyn_cast<StructType>(type))
      offset = data.getStructLayout(structure)->getElementOffset(i);
    else
      offset = i * data.getTypeAllocSize(value->getOperand(i)->getType());
    storeConstant(builder, cast<Constant>(value->getOperand(i)),
                  builder.CreateConstGEP1_64(builder.getInt8Ty(), address, offset), data);
  }
}

// Writes the managed variable's initial value unless the address is null.
void writeFresh(IRBuilder<> &builder, const GlobalVariable &variable, Value *address) {
  if (!variable.hasInitializer() || variable.getInitializer()->isNullValue())
    return; // fresh memory is zero
  Function *function = builder.GetInsertBlock()->getParent();
  BasicBlock *write = BasicBlock::Create(builder.getContext(), "", function);
  BasicBlock *next = BasicBlock::Create(builder.getContext(), "", function);
  builder.CreateCondBr(builder.CreateIsNull(address), next, write);
  builder.SetInsertPoint(write);
  storeConstant(builder, const_cast<Constant *>(variable.getInitializer()), address,
                variable.getParent()->getDataLayout());
  builder.CreateBr(next);
  builder.SetInsertPoint(next);
}

Function *writeInitialiser(Module &module, const DeviceLayout &layout) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::get(context, 0);
  auto *type = FunctionType::get(Type::getVoidTy(context), {pointer, pointer}, false);
  Function *function =
      Function::Create(type, GlobalValue::InternalLinkage, "heddle.init_globals", module);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  Value *globals = function->getArg(0), *managed = function->getArg(1);
  if (layout.globals_bytes)
    builder.CreateMemSet(globals, builder.getInt8(0), layout.globals_bytes, Align(1));
  unsigned index = 0;
  const auto nextAddress = [&] {
    return builder.CreateLoad(pointer, builder.CreateConstGEP1_64(pointer, managed, index++));
  };
  for (auto [variable, offset] : layout.managed) {
    builder.CreateStore(nextAddress(),
                        builder.CreateConstGEP1_64(builder.getInt8Ty(), globals, offset));
    writeFresh(builder, *variable, nextAddress());
  }
  for (auto [variable, offset] : layout.globals)
    if (variable->hasInitializer())
      storeConstant(builder, variable->getInitializer(),
                    builder.CreateConstGEP1_64(builder.getInt8Ty(), globals, offset),
                    module.getDataLayout());
  builder.CreateRetVoid();
  return function;
}

// ---- Addresses in code ----

void noteSize(Instruction &address, uint64_t bytes) {
  LLVMContext &context = address.getContext();
  Metadata *size = ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(context), bytes));
  address.setMetadata(shared_array, MDNode::get(context, size));
}

class AddressLowering {
public:
  AddressLowering(const DeviceLayout &layout, Function *initialiser)
      : layout_(layout), initialiser_(initialiser) {}

  // `bytes`: the size of a shared array.
  void replaceUses(GlobalVariable *variable,
                   function_ref<Value *(IRBuilder<> &, Function &)> address,
                   std::optional<uint64_t> bytes = {}) {
    DenseMap<Function *, Value *> in_function;
    for (Use &use : make_early_inc_range(variable->uses())) {
      auto *user = dyn_cast<Instruction>(use.getUser());
      if (!user)
        continue;
      Function *function = user->getFunction();
      Value *&value = in_function[function];
      if (!value) {
        // After the entry's allocas, which the code generator expects first.
        IRBuilder<> builder(&*function->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
        builder.SetCurrentDebugLocation(DebugLoc());
        value = address(builder, *function);
        value = builder.CreateAddrSpaceCast(value, variable->getType(), variable->getName());
        if (bytes)
          if (auto *cast = dyn_cast<AddrSpaceCastInst>(value)) // unless it is a constant
            noteSize(*cast, *bytes);
      }
      use.set(value);
    }
  }

  Value *globals(IRBuilder<> &builder, Function &function) const {
    if (&function == initialiser_)
      return function.getArg(0);
    return base(builder, function, offsetof(BlockContext, globals), layout_.globals_align);
  }

  // An address that the engine aligns, so that accesses through it need no check.
  static Value *base(IRBuilder<> &builder, Function &function, uint64_t field, uint64_t align) {
    Value *address = loadBlockField(builder, contextOf(function), builder.getPtrTy(), field);
    Metadata *bytes = ConstantAsMetadata::get(builder.getInt64(align));
    cast<LoadInst>(address)->setMetadata(LLVMContext::MD_align,
                                         MDNode::get(builder.getContext(), bytes));
    return address;
  }

  void run(const DataLayout &data) {
    auto offset_from = [](IRBuilder<> &builder, Value *base, uint64_t offset) {
      return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
    };
    for (auto [variable, offset] : layout_.globals)
      replaceUses(variable, [&, offset = offset](IRBuilder<> &builder, Function &function) {
        return offset_from(builder, globals(builder, function), offset);
      });
    for (auto [variable, offset] : layout_.managed)
      replaceUses(variable,
                  [&, offset = offset](IRBuilder<> &builder, Function &function) -> Value * {
                    Value *slot = offset_from(builder, globals(builder, function), offset);
                    return builder.CreateLoad(builder.getPtrTy(), slot);
                  });
    for (auto [variable, offset] : layout_.shared)
      replaceUses(
          variable,
          [&, offset = offset](IRBuilder<> &builder, Function &function) {
            return offset_from(
                builder, base(builder, function, offsetof(BlockContext, shared), shared_alignment),
                offset);
          },
          data.getTypeAllocSize(variable->getValueType()));
    for (GlobalVariable *variable : layout_.dynamic_shared)
      replaceUses(
          variable,
          [&](IRBuilder<> &builder, Function &function) {
            return base(builder, function, offsetof(BlockContext, dynamic_shared),
                        shared_alignment);
          },
          dynamic_bytes);
  }

private:
  const DeviceLayout &layout_;
  Function *initialiser_;
};

} // namespace

Function *lowerMemorySpaces(Module &module, const DeviceLayout &layout) {
  Function *initialiser = writeInitialiser(module, layout);
  SmallVector<GlobalVariable *> variables;
  for (auto [variable, offset] : layout.globals)
    variables.push_back(variable);
  for (auto [variable, offset] : layout.managed)
    variables.push_back(variable);
  for (auto [variable, offset] : layout.shared)
    variables.push_back(variable);
  variables.append(layout.dynamic_shared.begin(), layout.dynamic_shared.end());
  // Initial values are in init_globals now; as initialisers they would keep each other alive.
  for (GlobalVariable *variable : variables)
    if (variable->hasInitializer())
      variable->setInitializer(PoisonValue::get(variable->getValueType()));
  if (GlobalVariable *used = module.getGlobalVariable("llvm.used"))
    used->eraseFromParent();
  if (GlobalVariable *used = module.getGlobalVariable("llvm.compiler.used"))
    used->eraseFromParent();
  SmallVector<Constant *> constants(variables.begin(), variables.end());
  makeUsersInstructions(module, constants);
  AddressLowering(layout, initialiser).run(module.getDataLayout());
  for (GlobalVariable *variable : variables) {
    variable->removeDeadConstantUsers();
    if (variable->use_empty())
      variable->eraseFromParent();
  }
  return initialiser;
}

std::optional<uint64_t> sharedBytes(const Instruction &address) {
  const MDNode *node = address.getMetadata(shared_array);
  if (!node)
    return std::nullopt;
  return mdconst::extract<ConstantInt>(node->getOperand(0))->getZExtValue();
}

} // namespace heddle::engine
