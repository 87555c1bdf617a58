// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads, stores and copies (PTX ISA, "Data Movement and Conversion Instructions").
#include "module/ptx/memory.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {
namespace {

void takeCacheHints(PtxInstruction &in) {
  in.takeAll([](StringRef modifier) {
    return modifier.starts_with("L1::") || modifier.starts_with("L2::");
  });
  in.takeOneOf({"ca", "cs", "lu", "wb", "wt", "unified"});
}

unsigned takeVectorLength(PtxInstruction &in) {
  const std::string length = in.takeOneOf({"v2", "v4", "v8"});
  return length.empty() ? 1 : unsigned(length[1] - '0');
}

// The registers of a vector operand, or the one of a scalar.
ArrayRef<PtxOperand> elementsOf(const PtxOperand &operand, unsigned count) {
  if (operand.kind != PtxOperand::Vector && count == 1)
    return operand;
  if (operand.kind != PtxOperand::Vector || operand.elements.size() != count)
    throw PtxError("a vector operand has the wrong number of elements");
  return operand.elements;
}

void emitLoad(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const PtxAccess access = takePtxAccess(in);
  const unsigned count = takeVectorLength(in);
  const PtxType type = in.takeType();
  Value *pointer = in.emitter.address(in.operand(1), access.shared);
  const ArrayRef<PtxOperand> destinations = elementsOf(in.operand(0), count);
  Type *element = builder.getIntNTy(type.bits);
  const unsigned bytes = type.bits / 8;
  const bool is_volatile = access.is_volatile || (!in.emitter.repeatable() && !access.constant);
  auto load = [&](Type *what, Value *from, unsigned size) {
    LoadInst *value = builder.CreateAlignedLoad(what, from, Align(size), is_volatile);
    if (access.order != AtomicOrdering::NotAtomic)
      value->setAtomic(access.order);
    return value;
  };
  // A vector is one access, all of it aligned; only atomic ones are several.
  SmallVector<Value *> values;
  if (count == 1 || access.order != AtomicOrdering::NotAtomic) {
    for (unsigned i = 0; i < count; ++i)
      values.push_back(
          load(element, builder.CreateConstInBoundsGEP1_64(element, pointer, i), bytes));
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
  Value *pointer = in.emitter.address(in.operand(0), access.shared);
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
      stored->setAtomic(access.order);
  };
  const unsigned bytes = type.bits / 8;
  if (count == 1 || access.order != AtomicOrdering::NotAtomic) {
    for (unsigned i = 0; i < count; ++i)
      store(read(i), builder.CreateConstInBoundsGEP1_64(element, pointer, i), bytes);
    return;
  }
  Value *vector = PoisonValue::get(FixedVectorType::get(element, count));
  for (unsigned i = 0; i < count; ++i)
    vector = builder.CreateInsertElement(vector, read(i), i);
  store(vector, pointer, bytes * count);
}

// mov also packs registers into a wider one and takes it apart.
void emitMove(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const PtxType type = in.takeType();
  const PtxOperand &destination = in.operand(0), &source = in.operand(1);
  if (destination.kind != PtxOperand::Vector && source.kind != PtxOperand::Vector) {
    const PtxType held = type.isHalf() ? PtxType{PtxType::Bits, type.bits} : type;
    return in.write(held, in.read(1, held));
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
  in.takeOneOf({"global", "shared", "shared::cta", "local", "const"});
  const PtxType type = in.takeType();
  Value *value = in.emitter.readAnyWidth(in.operand(1));
  in.write(type, in.builder.CreateZExtOrTrunc(value, in.builder.getIntNTy(type.bits)));
}

// cp.async: it may copy at once, as nobody can tell before waiting for it.
void emitCopy(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  if (!in.take("async") || in.take("bulk"))
    throw PtxError("");
  if (in.take("commit_group") || in.take("wait_group") || in.take("wait_all"))
    return;
  takeCacheHints(in);
  in.take("cg");
  if (!in.takeOneOf({"shared", "shared::cta"}).starts_with("shared") || !in.take("global"))
    throw PtxError("");
  Value *to = in.emitter.address(in.operand(0), true);
  Value *from = in.emitter.address(in.operand(1), false);
  const int64_t size = in.emitter.constant(in.operand(2));
  if (size != 4 && size != 8 && size != 16)
    throw PtxError("size " + std::to_string(size));
  const Align align{uint64_t(size)};
  Type *whole = builder.getIntNTy(unsigned(size) * 8);
  if (in.count() == 3) {
    builder.CreateAlignedStore(builder.CreateAlignedLoad(whole, from, align), to, align);
    return;
  }
  // So many bytes are copied, and the rest is zeros.
  Value *bytes = in.readU32(3);
  builder.CreateAlignedStore(Constant::getNullValue(whole), to, align);
  BasicBlock *entry_block = in.emitter.makeBlock("ptx.copy.entry");
  BasicBlock *loop = in.emitter.makeBlock("ptx.copy"),
             *body = in.emitter.makeBlock("ptx.copy.byte"),
             *done = in.emitter.makeBlock("ptx.copied");
  in.emitter.continueIn(entry_block);
  in.emitter.continueIn(loop);
  PHINode *i = builder.CreatePHI(builder.getInt32Ty(), 2);
  i->addIncoming(builder.getInt32(0), entry_block);
  Value *limit =
      builder.CreateBinaryIntrinsic(Intrinsic::umin, bytes, builder.getInt32(uint32_t(size)));
  builder.CreateCondBr(builder.CreateICmpULT(i, limit), body, done);
  builder.SetInsertPoint(body);
  Value *byte = builder.CreateLoad(builder.getInt8Ty(),
                                   builder.CreateInBoundsGEP(builder.getInt8Ty(), from, i));
  builder.CreateStore(byte, builder.CreateInBoundsGEP(builder.getInt8Ty(), to, i));
  i->addIncoming(builder.CreateAdd(i, builder.getInt32(1)), body);
  builder.CreateBr(loop);
  builder.SetInsertPoint(done);
}

void emitIsspacep(PtxInstruction &in) {
  const std::pair<StringRef, Intrinsic::ID> spaces[] = {
      {"global", Intrinsic::nvvm_isspacep_global},
      {"shared", Intrinsic::nvvm_isspacep_shared},
      {"shared::cta", Intrinsic::nvvm_isspacep_shared},
      {"local", Intrinsic::nvvm_isspacep_local},
      {"const", Intrinsic::nvvm_isspacep_const}};
  for (auto [name, id] : spaces)
    if (in.take(name)) {
      Value *address =
          in.builder.CreateIntToPtr(in.read(1, {PtxType::Bits, 64}), in.builder.getPtrTy());
      return in.write({PtxType::Predicate, 1}, in.builder.CreateIntrinsic(id, {}, {address}));
    }
  throw PtxError("");
}

// Hints about caches, which this machine manages by itself.
void emitNothing(PtxInstruction &in) {
  in.takeAll([](StringRef) { return true; });
}

} // namespace

PtxAccess takePtxAccess(PtxInstruction &in) {
  PtxAccess access;
  takeCacheHints(in);
  const bool current = !in.takeOneOf({"cv", "cg"}).empty();
  in.take("weak");
  const std::string order = in.takeOneOf({"volatile", "relaxed", "acquire", "release", "acq_rel"});
  access.is_volatile = current || order == "volatile";
  access.order = order == "relaxed"   ? AtomicOrdering::Monotonic
                 : order == "acquire" ? AtomicOrdering::Acquire
                 : order == "release" ? AtomicOrdering::Release
                 : order == "acq_rel" ? AtomicOrdering::AcquireRelease
                                      : AtomicOrdering::NotAtomic;
  in.takeOneOf({"cta", "gpu", "sys", "cluster"});
  const std::string space = in.takeOneOf({"global", "shared", "shared::cta", "local", "const"});
  access.shared = space.starts_with("shared");
  access.constant = in.take("nc") || space == "const";
  return access;
}

void addMemoryInstructions(PtxTable &table) {
  table.any["ld"] = table.any["ldu"] = emitLoad;
  table.any["st"] = emitStore;
  table.any["mov"] = emitMove;
  table.any["cvta"] = emitCvta;
  table.any["cp"] = emitCopy;
  table.any["isspacep"] = emitIsspacep;
  for (const char *name : {"prefetch", "prefetchu", "applypriority"})
    table.any[name] = emitNothing;
}

} // namespace heddle
