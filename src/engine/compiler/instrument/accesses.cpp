// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/accesses.h"

#include "engine/compiler/instrument/site_table.h"
#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/thread_context.h"
#include "module/layout.h"

#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace heddle::engine {
namespace {

using observe::AccessKind;

struct Access {
  Instruction *instruction;
  WeakTrackingVH
      pointer;          // what it is computed from may be another access, whose result is replaced
  WeakTrackingVH bytes; // i64
  AccessKind kind;
  Align align;
  AtomicOrdering order = AtomicOrdering::NotAtomic;
  observe::Scope scope = observe::Scope::System;
  bool is_volatile = false;
};

// What an access is to, as far as the code tells.
struct Object {
  Value *base = nullptr;
  std::string name;
  uint64_t bytes = observe::unknown_bytes;
  unsigned space = address_space::Generic;
  bool own = false; // of the thread: its address may change with the layout of gangs
};

Value *number(Instruction &at, uint64_t value) {
  return ConstantInt::get(Type::getInt64Ty(at.getContext()), value);
}

// The texture unit's descriptors and texels are not the program's accesses.
bool isTextureUnit(const Instruction &instruction) {
  const DILocation *where = instruction.getDebugLoc().get();
  return where && where->getFilename().contains("__heddle/texture/");
}

observe::Scope scopeOf(const Instruction &instruction) {
  const auto id = getAtomicSyncScopeID(&instruction);
  if (!id)
    return observe::Scope::System;
  // CUDA's functions become the same instruction in any scope; their names stay in its place.
  if (const DILocation *where = instruction.getDebugLoc().get())
    if (const DISubprogram *function = where->getScope()->getSubprogram())
      if (function->getName().starts_with("atomic") && function->getName().ends_with("_block"))
        return observe::Scope::Block;
  SmallVector<StringRef, 8> names;
  instruction.getContext().getSyncScopeNames(names);
  const StringRef name = *id < names.size() ? names[*id] : "";
  return name == "block"     ? observe::Scope::Block
         : name == "cluster" ? observe::Scope::Cluster
         : name == "device"  ? observe::Scope::Device
                             : observe::Scope::System;
}

void collect(Instruction &instruction, const DataLayout &data, SmallVectorImpl<Access> &found) {
  const auto add = [&](Value *pointer, Type *type, AccessKind kind, Align align,
                       AtomicOrdering order) {
    found.push_back({&instruction, pointer,
                     number(instruction, data.getTypeStoreSize(type).getFixedValue()), kind, align,
                     order, scopeOf(instruction), instruction.isVolatile()});
  };
  if (auto *load = dyn_cast<LoadInst>(&instruction)) {
    add(load->getPointerOperand(), load->getType(), AccessKind::Load, load->getAlign(),
        load->getOrdering());
  } else if (auto *store = dyn_cast<StoreInst>(&instruction)) {
    add(store->getPointerOperand(), store->getValueOperand()->getType(), AccessKind::Store,
        store->getAlign(), store->getOrdering());
  } else if (auto *atomic = dyn_cast<AtomicRMWInst>(&instruction)) {
    add(atomic->getPointerOperand(), atomic->getType(), AccessKind::Atomic, atomic->getAlign(),
        atomic->getOrdering());
  } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    add(exchange->getPointerOperand(), exchange->getNewValOperand()->getType(), AccessKind::Atomic,
        exchange->getAlign(), exchange->getSuccessOrdering());
  } else if (auto *memory = dyn_cast<MemIntrinsic>(&instruction)) {
    IRBuilder<> builder(memory);
    Value *bytes = builder.CreateZExtOrTrunc(memory->getLength(), builder.getInt64Ty());
    found.push_back({memory, memory->getRawDest(), bytes, AccessKind::Store,
                     memory->getDestAlign().valueOrOne()});
    if (auto *copy = dyn_cast<MemTransferInst>(memory))
      found.push_back({memory, copy->getRawSource(), bytes, AccessKind::Load,
                       copy->getSourceAlign().valueOrOne()});
  }
}

// The variable's name in the source, where debug information has it.
std::string nameOf(const GlobalVariable &variable) {
  SmallVector<DIGlobalVariableExpression *, 1> debug;
  variable.getDebugInfo(debug);
  if (!debug.empty())
    return debug.front()->getVariable()->getName().str();
  return sourceName(variable.getName());
}

Object objectOf(Value *pointer, const DataLayout &data) {
  Object object;
  Value *base = getUnderlyingObject(pointer, 0);
  if (auto *variable = dyn_cast<GlobalVariable>(base)) {
    if (variable->hasAttribute(managed_attribute))
      return object;
    object.space = variable->getAddressSpace();
    object.name = nameOf(*variable);
    object.bytes = data.getTypeAllocSize(variable->getValueType());
    if (object.space == address_space::Shared && variable->isDeclaration())
      object.bytes = observe::dynamic_shared_bytes;
    else if (object.bytes == 0)
      object.bytes = object.space == address_space::Shared ? observe::dynamic_shared_bytes
                                                           : observe::unknown_bytes;
  } else if (auto *local = dyn_cast<AllocaInst>(base)) {
    const auto bytes = local->getAllocationSize(data);
    if (!bytes || bytes->isScalable())
      return object;
    object = {.bytes = bytes->getFixedValue(), .space = address_space::Local, .own = true};
  } else if (auto *parameter = dyn_cast<Argument>(base); parameter && parameter->hasByValAttr()) {
    object = {.bytes = data.getTypeAllocSize(parameter->getParamByValType()), .own = true};
  } else {
    object.space = pointer->getType()->getPointerAddressSpace();
    if (!isa<Argument>(base)) // a kernel's pointer points into the allocation that is meant
      return object;
  }
  object.base = base;
  return object;
}

bool isKnownInside(const Access &access, const Object &object, const DataLayout &data) {
  const auto *bytes = dyn_cast<ConstantInt>(access.bytes);
  if (!bytes || object.bytes >= observe::dynamic_shared_bytes)
    return false;
  APInt offset(data.getIndexTypeSizeInBits(access.pointer->getType()), 0);
  const Value *base = access.pointer->stripAndAccumulateConstantOffsets(data, offset, true);
  return base == object.base && offset.isNonNegative() && bytes->getZExtValue() <= object.bytes &&
         offset.getZExtValue() <= object.bytes - bytes->getZExtValue();
}

// How far into the object the pointer points; null if it did not come from there by offsets alone.
Value *offsetIn(IRBuilder<> &builder, Value *pointer, const Value *base, const DataLayout &data) {
  Value *offset = builder.getInt64(0);
  while (pointer != base) {
    if (auto *gep = dyn_cast<GEPOperator>(pointer)) {
      Value *step = emitGEPOffset(&builder, data, gep, /*NoAssumptions=*/true);
      offset = builder.CreateAdd(offset, builder.CreateSExtOrTrunc(step, builder.getInt64Ty()));
      pointer = gep->getPointerOperand();
    } else if (auto *cast = dyn_cast<AddrSpaceCastOperator>(pointer)) {
      pointer = cast->getPointerOperand();
    } else {
      return nullptr;
    }
  }
  return offset;
}

class Marking {
public:
  Marking(Module &module, uint32_t events)
      : data_(module.getDataLayout()), sites_(module), marker_(observeMarker(module)),
        races_(events & observe::tell_synchronisation) {}

  void run(Function &function) {
    SmallVector<Access> accesses;
    for (Instruction &instruction : make_early_inc_range(instructions(function)))
      if (!isTextureUnit(instruction))
        collect(instruction, data_, accesses);
    // Of a copy's two sides, the second becomes the inner condition.
    for (const Access &access : accesses)
      mark(access);
  }

private:
  void mark(const Access &access) {
    const Object object = objectOf(access.pointer, data_);
    if (isKnownInside(access, object, data_) && (!races_ || object.own))
      return;
    IRBuilder<> builder(access.instruction);
    Value *address = nullptr;
    if (object.own) {
      address = offsetIn(builder, access.pointer, object.base, data_);
      if (!address)
        return;
    } else {
      address = builder.CreatePtrToInt(flat(builder, access.pointer), builder.getInt64Ty());
    }
    Value *base = object.base && !object.own ? flat(builder, object.base)
                                             : ConstantPointerNull::get(builder.getPtrTy());
    Constant *site = sites_.add({.where = access.instruction->getDebugLoc().get(),
                                 .function = access.instruction->getFunction(),
                                 .kind = access.kind,
                                 .alignment = uint32_t(access.align.value()),
                                 .space = object.space,
                                 .order = uint32_t(access.order),
                                 .variable = object.name,
                                 .variable_bytes = object.bytes,
                                 .scope = access.scope,
                                 .is_volatile = access.is_volatile});
    if (races_)
      markValue(builder, access);
    Value *allowed = builder.CreateCall(marker_, {site, address, access.bytes, base});
    guard(*access.instruction, allowed);
  }

  // What a store stores, so that an observer can tell stores of the same from others.
  void markValue(IRBuilder<> &builder, const Access &access) {
    auto *store = dyn_cast<StoreInst>(access.instruction);
    if (!store)
      return;
    Value *value = store->getValueOperand();
    const uint64_t bits = data_.getTypeSizeInBits(value->getType()).getFixedValue();
    if (bits > 64 || value->getType()->isAggregateType())
      return;
    Value *whole = value->getType()->isPointerTy()
                       ? builder.CreatePtrToInt(value, builder.getIntNTy(unsigned(bits)))
                       : builder.CreateBitCast(value, builder.getIntNTy(unsigned(bits)));
    Constant *site = sites_.add({.kind = AccessKind::Value});
    builder.CreateCall(marker_,
                       {site, builder.CreateZExt(whole, builder.getInt64Ty()), builder.getInt64(0),
                        ConstantPointerNull::get(builder.getPtrTy())});
  }

  static Value *flat(IRBuilder<> &builder, Value *pointer) {
    return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
  }

  // The instruction happens if `allowed`; else its result is zero.
  static void guard(Instruction &instruction, Value *allowed) {
    BasicBlock *before = instruction.getParent();
    Instruction *end = SplitBlockAndInsertIfThen(allowed, instruction.getIterator(), false);
    instruction.moveBefore(end);
    if (instruction.getType()->isVoidTy() || instruction.use_empty())
      return;
    BasicBlock *after = end->getSuccessor(0);
    PHINode *result = PHINode::Create(instruction.getType(), 2, "", after->begin());
    instruction.replaceAllUsesWith(result);
    result->addIncoming(&instruction, instruction.getParent());
    result->addIncoming(Constant::getNullValue(instruction.getType()), before);
  }

  const DataLayout &data_;
  SiteTable sites_;
  FunctionCallee marker_;
  const bool races_;
};

} // namespace

void markAccesses(Module &module, uint32_t events) {
  SmallVector<Function *> functions;
  for (Function &function : module)
    if (takesContext(function))
      functions.push_back(&function);
  Marking marking(module, events);
  for (Function *function : functions)
    marking.run(*function);
}

} // namespace heddle::engine
