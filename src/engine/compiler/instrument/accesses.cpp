// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/instrument/accesses.h"

#include "engine/compiler/instrument/copies.h"
#include "engine/compiler/instrument/guarded_access.h"
#include "engine/compiler/instrument/object_offset.h"
#include "engine/compiler/instrument/runs.h"
#include "engine/compiler/instrument/site_table.h"
#include "engine/compiler/instrument/texture_unit.h"
#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/thread_context.h"
#include "engine/observe/extents.h"
#include "module/description/describe.h"
#include "module/description/layout.h"
#include "module/passes/marks.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/Utils/Local.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/ValueHandle.h"

using namespace llvm;

namespace heddle::engine {
namespace {

using observe::AccessKind;

struct Access {
  Instruction *instruction;
  // What these are computed from may be another access, whose result is replaced.
  WeakTrackingVH pointer;
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

// A reference's handle, which is no access of the program's.
bool isInTextureHeader(const Instruction &instruction) {
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
      if (StringRef name = function->getName();
          name.consume_front("atomic") && !name.empty() && isUpper(name.front()))
        return name.ends_with("_block")    ? observe::Scope::Block
               : name.ends_with("_system") ? observe::Scope::System
                                           : observe::Scope::Device;
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

class Marking {
public:
  Marking(Module &module, uint32_t events)
      : data_(module.getDataLayout()), events_(events), sites_(module),
        marker_(observeMarker(module)), fetch_marker_(observeFetchMarker(module)) {
    LLVMContext &context = module.getContext();
    Type *pointer = PointerType::get(context, 0), *i64 = Type::getInt64Ty(context);
    Type *i1 = Type::getInt1Ty(context), *i32 = Type::getInt32Ty(context);
    const auto pure = [&](StringRef name, Type *result, ArrayRef<Type *> parameters) {
      FunctionCallee callee =
          module.getOrInsertFunction(name, FunctionType::get(result, parameters, false));
      auto *function = cast<Function>(callee.getCallee());
      function->setDoesNotAccessMemory();
      function->setDoesNotThrow();
      function->setWillReturn();
      return callee;
    };
    within_ = pure(within_marker, i1, {i64, i64, i64, i64, i64});
    extents_ = pure(extents_function, pointer, {});
    dynamic_bytes_ = pure("__heddle_dynamic_smem_size", i32, {});
  }

  void run(Function &function) {
    slots_.clear();
    sources_.clear();
    if (events_ & observe::uninitialised_reads)
      sources_ = noteSources(function);
    next_slot_ = observe::shared_slots;
    last_slot_ = observe::callee_slots;
    if (!isKernel(function)) {
      next_slot_ = std::max(next_callee_slot_, observe::callee_slots);
      last_slot_ = observe::extent_slots;
    }
    const TextureUnit texture_unit(function);
    texture_unit_ = &texture_unit;
    std::vector<Run> runs;
    SmallVector<Access> others;
    for (BasicBlock &block : function) {
      SmallVector<Instruction *> together;
      for (Instruction &instruction : block) {
        if (isInTextureHeader(instruction))
          continue;
        SmallVector<Access, 2> found;
        collect(instruction, data_, found);
        erase_if(found, [&](const Access &access) {
          const Object object = objectOf(access.pointer, data_);
          return isKnownInside(access, object, data_) && !mayBeUnwritten(object) &&
                 (object.own || !(events_ & observe::tell_synchronisation));
        });
        if (found.size() == 1 && mayBeInRun(found.front()))
          together.push_back(&instruction);
        else
          others.append(found);
      }
      for (Run &run : divideIntoRuns(together))
        runs.push_back(std::move(run));
    }
    for (const Run &run : runs)
      markRun(run);
    // Of a copy's two sides, the second becomes the inner condition.
    for (const Access &access : others)
      mark(access);
    for (CallInst *fetch : texture_unit.marks())
      markFetch(*fetch);
    if (events_ & observe::tell_synchronisation)
      for (Instruction &instruction : make_early_inc_range(instructions(function)))
        if (auto *call = dyn_cast<CallInst>(&instruction);
            call && call->getCalledFunction() && call->getCalledFunction()->getName() == copy_mark)
          markCopy(*call);
    if (!isKernel(function))
      next_callee_slot_ = next_slot_;
  }

private:
  struct Prepared {
    Access access;
    Object object;
    Value *address = nullptr, *base = nullptr;
    Value *source = nullptr; // of what is stored, if that has been loaded
    uint32_t slot = observe::no_slot;
  };

  bool mayBeUnwritten(const Object &object) const {
    return (events_ & observe::uninitialised_reads) && object.space == address_space::Shared &&
           object.bytes != observe::unknown_bytes;
  }

  bool mayBeInRun(const Access &access) const {
    return !(events_ & observe::tell_accesses) && addressOf(*access.instruction);
  }

  // Null if it cannot be told where it is.
  std::optional<Prepared> prepare(IRBuilder<> &builder, const Access &access) {
    Prepared result{access, objectOf(access.pointer, data_)};
    const Object &object = result.object;
    result.address =
        object.own ? offsetIn(builder, access.pointer, object.base, data_)
                   : builder.CreatePtrToInt(flat(builder, access.pointer), builder.getInt64Ty());
    if (!result.address)
      return std::nullopt;
    if (const auto *copy = dyn_cast<MemTransferInst>(access.instruction);
        copy && access.kind == AccessKind::Store && (events_ & observe::uninitialised_reads))
      result.source =
          builder.CreatePtrToInt(flat(builder, copy->getRawSource()), builder.getInt64Ty());
    else
      result.source = sources_.lookup(access.instruction);
    result.base = object.base && !object.own ? flat(builder, object.base)
                                             : ConstantPointerNull::get(builder.getPtrTy());
    return result;
  }

  // An access of which the observer is told in any case.
  void mark(const Access &access) {
    IRBuilder<> builder(access.instruction);
    if (const auto prepared = prepare(builder, access))
      guardByBranch(*access.instruction, tell(builder, *prepared));
  }

  Value *tell(IRBuilder<> &builder, const Prepared &prepared) {
    const Access &access = prepared.access;
    uint32_t flags = copyFlags(*access.instruction);
    if (texture_unit_->loads(*access.instruction))
      flags |= observe::of_texture_unit;
    else if (texture_unit_->accessesSurface(*access.instruction))
      flags |= observe::through_surface;
    Constant *none = ConstantPointerNull::get(builder.getPtrTy());
    if (isa<MemTransferInst>(access.instruction) && access.kind == AccessKind::Load)
      flags = observe::only_copied;
    if (prepared.source) {
      flags |= observe::is_copy;
      Constant *from = sites_.add({.kind = AccessKind::Source});
      builder.CreateCall(marker_, {from, prepared.source, access.bytes, none,
                                   PoisonValue::get(builder.getInt64Ty())});
    }
    Value *value = events_ & observe::tell_synchronisation ? valueOf(builder, access) : nullptr;
    if (value)
      flags |= observe::has_value;
    else
      value = PoisonValue::get(builder.getInt64Ty());
    Constant *site = sites_.add({.where = placeOf(*access.instruction),
                                 .function = access.instruction->getFunction(),
                                 .kind = access.kind,
                                 .alignment = uint32_t(access.align.value()),
                                 .space = prepared.object.space,
                                 .order = uint32_t(access.order),
                                 .variable = prepared.object.name,
                                 .variable_bytes = prepared.object.bytes,
                                 .scope = access.scope,
                                 .is_volatile = access.is_volatile,
                                 .slot = prepared.slot,
                                 .flags = flags});
    return builder.CreateCall(marker_,
                              {site, prepared.address, access.bytes, prepared.base, value});
  }

  // What the program has asked for, for all that the device library does to answer it. Which of a
  // texel's channels are used is not known here. Of a surface, the descriptor alone: the access is
  // a load or a store.
  void markFetch(CallInst &mark) {
    IRBuilder<> builder(&mark);
    const bool surface = isOfSurface(mark);
    const uint64_t what = surface ? 0 : cast<ConstantInt>(mark.getArgOperand(1))->getZExtValue();
    SmallVector<Value *> arguments = {
        sites_.add({.where = mark.getDebugLoc().get(),
                    .function = mark.getFunction(),
                    .kind = AccessKind::Load,
                    .space = address_space::Global,
                    .flags = surface ? observe::through_surface
                                     : observe::through_texture | observe::only_copied,
                    .what = uint32_t(what)}),
        mark.getArgOperand(0)};
    append_range(arguments, drop_begin(mark.args(), 2));
    builder.CreateCall(fetch_marker_, arguments);
  }

  // A step of cp.async. The start of a copy is told with what it is a copy to.
  void markCopy(CallInst &mark) {
    IRBuilder<> builder(&mark);
    constexpr AccessKind kinds[] = {AccessKind::CopyStart, AccessKind::CopyCommit,
                                    AccessKind::CopyWait, AccessKind::CopyWaitAll};
    const AccessKind kind = kinds[cast<ConstantInt>(mark.getArgOperand(0))->getZExtValue()];
    Value *count = mark.getArgOperand(2);
    if (kind == AccessKind::CopyStart) {
      if (const auto prepared =
              prepare(builder, {&mark, mark.getArgOperand(1), count, kind, Align()}))
        tell(builder, *prepared);
      return;
    }
    Constant *site =
        sites_.add({.where = placeOf(mark), .function = mark.getFunction(), .kind = kind});
    builder.CreateCall(marker_, {site, count, builder.getInt64(0),
                                 ConstantPointerNull::get(builder.getPtrTy()),
                                 PoisonValue::get(builder.getInt64Ty())});
  }

  // What a store stores, so that an observer can tell stores of the same from others; or null.
  Value *valueOf(IRBuilder<> &builder, const Access &access) {
    auto *store = dyn_cast<StoreInst>(access.instruction);
    if (!store)
      return nullptr;
    Value *value = store->getValueOperand();
    const uint64_t bits = data_.getTypeSizeInBits(value->getType()).getFixedValue();
    if (bits > 64 || value->getType()->isAggregateType())
      return nullptr;
    auto *vector = dyn_cast<FixedVectorType>(value->getType());
    if (!vector)
      return bitsOf(builder, value);
    // Put together from its elements (PTX writes st.v2): the SIMD compiler has no casts of vectors.
    const uint64_t each = bits / vector->getNumElements();
    Value *whole = builder.getInt64(0);
    for (unsigned i = 0; i < vector->getNumElements(); ++i)
      whole = builder.CreateOr(
          whole,
          builder.CreateShl(bitsOf(builder, builder.CreateExtractElement(value, i)), i * each));
    return whole;
  }

  // The bits of a number or pointer of at most 64, in an integer of 64.
  Value *bitsOf(IRBuilder<> &builder, Value *value) {
    IntegerType *same_size =
        builder.getIntNTy(unsigned(data_.getTypeSizeInBits(value->getType()).getFixedValue()));
    Value *whole = value->getType()->isPointerTy() ? builder.CreatePtrToInt(value, same_size)
                                                   : builder.CreateBitCast(value, same_size);
    return builder.CreateZExt(whole, builder.getInt64Ty());
  }

  void markRun(const Run &run) {
    IRBuilder<> builder(run.front());
    SmallVector<std::optional<Prepared>> all;
    Value *within = builder.getTrue();
    for (Instruction *instruction : run) {
      SmallVector<Access, 2> found;
      collect(*instruction, data_, found);
      all.push_back(prepare(builder, found.front()));
      if (all.back())
        within = builder.CreateAnd(within, isWithin(builder, *all.back()));
    }
    SmallVector<Value *> sources;
    for (const auto &prepared : all)
      sources.push_back(prepared ? prepared->source : nullptr);
    const TwoWays ways = copyRun(run, within, sources);
    for (auto [prepared, copy, source] : zip(all, ways.copies, sources)) {
      if (!prepared)
        continue;
      prepared->source = source;
      IRBuilder<> slow(copy);
      guardByCall(*copy, tell(slow, *prepared), prepared->object.own);
    }
  }

  Value *isWithin(IRBuilder<> &builder, Prepared &prepared) {
    const Object &object = prepared.object;
    const Access &access = prepared.access;
    Type *i64 = builder.getInt64Ty();
    Value *begin = nullptr, *end = nullptr;
    uint64_t alignment = access.align.value();
    if (object.own) { // an offset
      begin = builder.getInt64(0);
      end = builder.getInt64(object.bytes);
      alignment = 1;
      if (cast<ConstantInt>(access.bytes)->getZExtValue() > object.bytes)
        return builder.getFalse();
    } else if (object.bytes != observe::unknown_bytes && !mayBeUnwritten(object)) {
      begin = builder.CreatePtrToInt(prepared.base, i64);
      Value *bytes = object.bytes == observe::dynamic_shared_bytes
                         ? builder.CreateZExt(builder.CreateCall(dynamic_bytes_), i64)
                         : builder.getInt64(object.bytes);
      end = builder.CreateAdd(begin, bytes);
    } else {
      prepared.slot = mayBeUnwritten(object) ? sharedSlotOf(object.base)
                                             : slotOf(getUnderlyingObject(access.pointer, 0));
      if (prepared.slot == observe::no_slot)
        return builder.getFalse();
      const auto field = [&](uint64_t offset) {
        Value *table = builder.CreateCall(extents_);
        return builder.CreateLoad(i64, builder.CreateConstInBoundsGEP1_64(
                                           builder.getInt8Ty(), table,
                                           prepared.slot * sizeof(observe::ExtentSlot) + offset));
      };
      begin = field(offsetof(observe::ExtentSlot, begin));
      end = field(offsetof(observe::ExtentSlot, end));
    }
    return builder.CreateCall(
        within_, {prepared.address, access.bytes, begin, end, builder.getInt64(alignment)});
  }

  uint32_t slotOf(const Value *base) {
    const auto [known, fresh] = slots_.try_emplace(base, observe::no_slot);
    if (fresh && next_slot_ < last_slot_)
      known->second = next_slot_++;
    return known->second;
  }

  // Of the module: functions that kernels call know the same arrays.
  uint32_t sharedSlotOf(const Value *array) {
    const auto number = uint32_t(shared_slots_.size());
    const uint32_t slot = number < observe::shared_slots ? number : observe::no_slot;
    return shared_slots_.try_emplace(array, slot).first->second;
  }

  static Value *flat(IRBuilder<> &builder, Value *pointer) {
    return builder.CreateAddrSpaceCast(pointer, builder.getPtrTy());
  }

  const DataLayout &data_;
  const uint32_t events_;
  SiteTable sites_;
  FunctionCallee marker_, fetch_marker_, within_, extents_, dynamic_bytes_;
  const TextureUnit *texture_unit_ = nullptr;              // of the function that is being marked
  DenseMap<const Value *, uint32_t> slots_, shared_slots_; // of the function's pointers; of arrays
  DenseMap<const Instruction *, Instruction *> sources_;   // of what is stored
  uint32_t next_slot_ = 0, last_slot_ = 0, next_callee_slot_ = 0;
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
  removeMarks(module);
}

} // namespace heddle::engine
