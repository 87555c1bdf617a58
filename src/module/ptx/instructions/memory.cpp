// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and copies (PTX ISA, "Data Movement and Conversion Instructions").
#include "module/ptx/instructions/memory.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {
namespace {

void checkAtomicLength(unsigned bytes) {
  if (bytes > 16)
    throw PtxError("a vector with a memory order has at most 16 bytes");
}

void emitLoad(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const PtxAccess access = takePtxAccess(in);
  const unsigned count = takeVectorLength(in);
  const PtxType type = in.takeType();
  Value *pointer = in.emitter.address(in.operand(1), access.shared, access.local);
  const ArrayRef<PtxOperand> destinations = elementsOf(in.operand(0), count);
  Type *element = builder.getIntNTy(type.bits);
  const unsigned bytes = type.bits / 8;
  const bool is_volatile = access.is_volatile || (!in.emitter.repeatable() && !access.constant);
  auto load = [&](Type *what, Value *from, unsigned size) {
    LoadInst *value = builder.CreateAlignedLoad(what, from, Align(size), is_volatile);
    if (access.order != AtomicOrdering::NotAtomic)
      value->setAtomic(access.order, access.scope);
    return value;
  };
  // A vector is one access, all of it aligned. PTX promises that only of its elements, but a GPU's
  // 16 bytes are read at once, and CUB's look-back rests on it: a state, and a value beside it.
  SmallVector<Value *> values;
  if (count == 1) {
    values.push_back(load(element, pointer, bytes));
  } else if (access.order != AtomicOrdering::NotAtomic) {
    checkAtomicLength(bytes * count);
    Value *whole = load(builder.getIntNTy(type.bits * count), pointer, bytes * count);
    for (unsigned i = 0; i < count; ++i)
      values.push_back(
          builder.CreateTrunc(builder.CreateLShr(whole, uint64_t(type.bits) * i), element));
  } else {
    Value *vector = load(FixedVectorType::get(element, count), pointer, bytes * count);
    for (unsigned i = 0; i < count; ++i)
      values.push_back(builder.CreateExtractElement(vector, i));
  }
  // Registers are untyped, and floats have the width of their bits.
  const PtxType as_bits{type.isSigned() ? PtxType::Signed : PtxType::Bits, type.bits};
  for (unsigned i = 0; i < count; ++i)
    in.emitter.write(destinations[i], as_bits, values[i]);
}

void emitStore(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const PtxAccess access = takePtxAccess(in);
  const unsigned count = takeVectorLength(in);
  const PtxType type = in.takeType(), as_bits{PtxType::Bits, type.bits};
  Value *pointer = in.emitter.address(in.operand(0), access.shared, access.local);
  const ArrayRef<PtxOperand> sources = elementsOf(in.operand(1), count);
  Type *element = builder.getIntNTy(type.bits);
  auto read = [&](unsigned i) {
    // A number is written in the notation of the type.
    Value *value = in.emitter.read(sources[i], type.isHalf() ? as_bits : type);
    return builder.CreateBitCast(value, element);
  };
  auto store = [&](Value *value, Value *to, unsigned size) {
    StoreInst *stored = builder.CreateAlignedStore(value, to, Align(size), access.is_volatile);
    if (access.order != AtomicOrdering::NotAtomic)
      stored->setAtomic(access.order, access.scope);
  };
  const unsigned bytes = type.bits / 8;
  if (count == 1)
    return store(read(0), pointer, bytes);
  if (access.order != AtomicOrdering::NotAtomic) {
    checkAtomicLength(bytes * count);
    Type *type_of_whole = builder.getIntNTy(type.bits * count);
    Value *whole = ConstantInt::get(type_of_whole, 0);
    for (unsigned i = 0; i < count; ++i) {
      Value *wide = builder.CreateZExt(read(i), type_of_whole);
      whole = builder.CreateOr(whole, builder.CreateShl(wide, uint64_t(type.bits) * i));
    }
    return store(whole, pointer, bytes * count);
  }
  Value *vector = PoisonValue::get(FixedVectorType::get(element, count));
  for (unsigned i = 0; i < count; ++i)
    vector = builder.CreateInsertElement(vector, read(i), i);
  store(vector, pointer, bytes * count);
}

// What `mov` gives of a .texref, .samplerref or .surfref variable is no address but the handle that
// tex and suld take in a register (PTX ISA, "tex", indirect texture access); null for other
// sources.
Value *handleIn(PtxInstruction &in, const PtxOperand &source) {
  Value *address = in.emitter.variable(source);
  auto *variable = address ? dyn_cast<GlobalVariable>(address->stripPointerCasts()) : nullptr;
  if (!variable || !variable->hasAttribute(opaque_attribute))
    return nullptr;
  return in.builder.CreateLoad(in.builder.getInt64Ty(), address);
}

// mov also packs registers into a wider one and takes it apart.
void emitMove(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const PtxType type = in.takeType();
  const PtxOperand &destination = in.operand(0), &source = in.operand(1);
  if (destination.kind != PtxOperand::Vector && source.kind != PtxOperand::Vector) {
    const PtxType held = type.isHalf() ? PtxType{PtxType::Bits, type.bits} : type;
    Value *handle = type.bits == 64 ? handleIn(in, source) : nullptr;
    return in.write(held, handle ? handle : in.read(1, held));
  }
  Type *whole = builder.getIntNTy(type.bits);
  const PtxOperand &vector = destination.kind == PtxOperand::Vector ? destination : source;
  const unsigned count = unsigned(vector.elements.size());
  const PtxType part{PtxType::Bits, type.bits / count};
  if (source.kind == PtxOperand::Vector) {
    Value *packed = ConstantInt::get(whole, 0);
    for (unsigned i = 0; i < count; ++i) {
      Value *element = builder.CreateZExt(in.emitter.read(source.elements[i], part), whole);
      packed = builder.CreateOr(packed, builder.CreateShl(element, part.bits * i));
    }
    return in.write({PtxType::Bits, type.bits}, packed);
  }
  Value *packed = in.read(1, {PtxType::Bits, type.bits});
  for (unsigned i = 0; i < count; ++i)
    in.emitter.write(destination.elements[i], part,
                     builder.CreateTrunc(builder.CreateLShr(packed, part.bits * i),
                                         builder.getIntNTy(part.bits)));
}

// All address spaces are one, so an address is the same in each.
void emitCvta(PtxInstruction &in) {
  in.take("to");
  in.takeOneOf({"global", "shared", "shared::cta", "shared::cluster", "local", "const", "param"});
  const PtxType type = in.takeType();
  Value *value = in.emitter.readAnyWidth(in.operand(1));
  in.write(type, in.builder.CreateZExtOrTrunc(value, in.builder.getIntNTy(type.bits)));
}

void emitIsspacep(PtxInstruction &in) {
  const std::pair<StringRef, Intrinsic::ID> spaces[] = {
      {"global", Intrinsic::nvvm_isspacep_global},
      {"shared", Intrinsic::nvvm_isspacep_shared},
      {"shared::cta", Intrinsic::nvvm_isspacep_shared},
      {"shared::cluster", Intrinsic::nvvm_isspacep_shared},
      {"local", Intrinsic::nvvm_isspacep_local},
      {"const", Intrinsic::nvvm_isspacep_const}};
  const auto write = [&](auto ask) {
    Value *address =
        in.builder.CreateIntToPtr(in.read(1, {PtxType::Bits, 64}), in.builder.getPtrTy());
    in.write({PtxType::Predicate, 1}, ask(address));
  };
  for (auto [name, id] : spaces)
    if (in.take(name))
      return write([&](Value *address) { return in.builder.CreateIntrinsic(id, {}, {address}); });
  // LLVM 19 has no intrinsic for these.
  if (in.take("param") || in.take("param::entry"))
    return write([&](Value *address) {
      Module &module = *in.builder.GetInsertBlock()->getModule();
      return in.builder.CreateCall(module.getOrInsertFunction("__heddle_is_parameter",
                                                              in.builder.getInt1Ty(),
                                                              in.builder.getPtrTy()),
                                   {address});
    });
  throw PtxError("");
}

// Hints about caches, which this machine manages by itself.
void emitNothing(PtxInstruction &in) {
  in.takeAll([](StringRef) { return true; });
}

} // namespace

void takeCacheHints(PtxInstruction &in) {
  in.takeAll([](StringRef modifier) {
    return modifier.starts_with("L1::") || modifier.starts_with("L2::");
  });
}

unsigned takeVectorLength(PtxInstruction &in) {
  const std::string length = in.takeOneOf({"v2", "v4", "v8"});
  return length.empty() ? 1 : unsigned(length[1] - '0');
}

ArrayRef<PtxOperand> elementsOf(const PtxOperand &operand, unsigned count) {
  if (operand.kind != PtxOperand::Vector && count == 1)
    return operand;
  if (operand.kind != PtxOperand::Vector || operand.elements.size() != count)
    throw PtxError("a vector operand has the wrong number of elements");
  return operand.elements;
}

// LLVM's name of the scope on GPUs.
static SyncScope::ID scopeNamed(PtxInstruction &in, StringRef scope) {
  const StringRef name = scope == "cta"       ? "block"
                         : scope == "cluster" ? "cluster"
                         : scope == "gpu"     ? "device"
                                              : "";
  return name.empty() ? SyncScope::System : in.builder.getContext().getOrInsertSyncScopeID(name);
}

PtxAccess takePtxAccess(PtxInstruction &in) {
  PtxAccess access;
  takeCacheHints(in);
  in.takeOneOf({"ca", "cs", "lu", "wb", "wt"});
  in.take("unified");
  in.take("mmio"); // relaxed.sys, as all accesses to memory that a device shares are
  const bool current = !in.takeOneOf({"cv", "cg"}).empty();
  in.take("weak");
  const std::string order = in.takeOneOf({"volatile", "relaxed", "acquire", "release", "acq_rel"});
  access.is_volatile = current || order == "volatile";
  access.order = order == "relaxed"   ? AtomicOrdering::Monotonic
                 : order == "acquire" ? AtomicOrdering::Acquire
                 : order == "release" ? AtomicOrdering::Release
                 : order == "acq_rel" ? AtomicOrdering::AcquireRelease
                                      : AtomicOrdering::NotAtomic;
  access.scope = scopeNamed(in, in.takeOneOf({"cta", "gpu", "sys", "cluster"}));
  const std::string space =
      in.takeOneOf({"global", "shared", "shared::cta", "shared::cluster", "local", "const", "param",
                    "param::entry", "param::func"});
  if (space.starts_with("param") && in.emitter.isInline())
    throw PtxError("parameters have no names in an asm statement");
  access.shared = space.starts_with("shared");
  access.local = space == "local";
  access.constant = in.take("nc") || space == "const";
  return access;
}

void addMemoryInstructions(PtxTable &table) {
  table.any["ld"] = table.any["ldu"] = emitLoad;
  table.any["st"] = emitStore;
  table.any["mov"] = emitMove;
  table.any["cvta"] = emitCvta;
  table.any["isspacep"] = emitIsspacep;
  for (const char *name : {"prefetch", "prefetchu", "applypriority", "discard"})
    table.any[name] = emitNothing;
  table.any["alloca"] = [](PtxInstruction &in) {
    const PtxType type = in.takeType();
    AllocaInst *memory = in.builder.CreateAlloca(in.builder.getInt8Ty(), in.read(1, type));
    const int64_t align = in.count() > 2 ? in.emitter.constant(in.operand(2)) : 8;
    if (align < 1 || align > 4096 || (align & (align - 1)) != 0)
      throw PtxError("this alignment");
    memory->setAlignment(Align(uint64_t(align)));
    in.write(type, in.builder.CreatePtrToInt(memory, in.builder.getIntNTy(type.bits)));
  };
  table.any["stacksave"] = [](PtxInstruction &in) {
    const PtxType type = in.takeType();
    if (type.bits != 64)
      throw PtxError("addresses of 32 bits");
    in.write(type,
             in.builder.CreatePtrToInt(in.builder.CreateStackSave(), in.builder.getInt64Ty()));
  };
  table.any["stackrestore"] = [](PtxInstruction &in) {
    const PtxType type = in.takeType();
    if (type.bits != 64)
      throw PtxError("addresses of 32 bits");
    in.builder.CreateStackRestore(
        in.builder.CreateIntToPtr(in.read(0, type), in.builder.getPtrTy()));
  };
  // A policy for the L2 cache, in a register that only cache hints read.
  table.any["createpolicy"] = [](PtxInstruction &in) {
    emitNothing(in);
    in.write({PtxType::Bits, 64}, in.builder.getInt64(0));
  };
}

} // namespace heddle
