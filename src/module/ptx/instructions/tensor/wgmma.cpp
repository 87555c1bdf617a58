// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// wgmma: products by groups of four warps, of matrices in shared memory (PTX ISA, "Asynchronous
// Warpgroup Level Matrix Instructions").
//
// Each warp has 16 of the 64 rows, and its registers lie as mma's. So the product is one of mma's
// for each eight columns, with words of a and b from where the descriptors say. It is complete when
// the instruction has been executed, which is one of the times at which a GPU may complete it.
#include "module/ptx/instructions/tensor/products.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {
namespace {

// Addresses in descriptors have 18 bits, as shared memory has: from its start on.
constexpr uint32_t window = (1u << 18) - 1;

/// A matrix in shared memory: its descriptor's fields.
class SharedMatrix {
public:
  SharedMatrix(PtxInstruction &in, Value *descriptor, unsigned bits, bool by_columns)
      : in_(in), builder_(in.builder), element_bytes_(bits / 8), by_columns_(by_columns) {
    start_ = in.emitter.callLibrary("__heddle_shared_start", builder_.getPtrTy(), {});
    cast<CallInst>(start_)->setDoesNotAccessMemory(); // the same all the time
    Value *first =
        builder_.CreateTrunc(builder_.CreatePtrToInt(start_, builder_.getInt64Ty()), i32());
    first_ = builder_.CreateAnd(builder_.CreateSub(field(descriptor, 0), first), window);
    leading_ = field(descriptor, 16);
    stride_ = field(descriptor, 32);
    // 0: none, 1: 128 bytes, 2: 64, 3: 32
    mode_ = builder_.CreateTrunc(builder_.CreateLShr(descriptor, 62), i32());
    Value *none = builder_.CreateICmpEQ(mode_, number(0));
    width_bits_ = builder_.CreateSelect(none, number(4), builder_.CreateSub(number(8), mode_));
    width_ = builder_.CreateShl(number(1), width_bits_);
    // Bits 4 to 6 are combined with bits 7 to 9, as many as the width has.
    mask_ = builder_.CreateSub(width_, number(16));
    none_ = none;
  }

  /// Four bytes: of row (of b: column) `first + row`, from the byte `4 * part` of the 16 of `chunk`
  /// on. `row` and `part` are those of the thread in a tile, and its first row is a multiple of 8.
  Value *word(Value *first, Value *row, Value *part, unsigned chunk) {
    if (!by_columns_)
      return load(byRows(builder_.CreateAdd(first, row), part, chunk));
    Value *place = builder_.CreateAdd(first, builder_.CreateShl(part, 1));
    return transposedTile(in_, load(byColumns(place, row, chunk)));
  }

private:
  Type *i32() { return builder_.getInt32Ty(); }
  Value *number(uint32_t value) { return builder_.getInt32(value); }

  // 14 bits, in units of 16 bytes.
  Value *field(Value *descriptor, unsigned at) {
    Value *bits = builder_.CreateTrunc(builder_.CreateLShr(descriptor, at), i32());
    return builder_.CreateShl(builder_.CreateAnd(bits, 0x3fff), 4);
  }

  Value *byRows(Value *place, Value *part, unsigned chunk) {
    Value *row = builder_.CreateMul(builder_.CreateAnd(place, 7), width_);
    Value *group = builder_.CreateMul(builder_.CreateLShr(place, 3), stride_);
    Value *next = builder_.CreateSelect(none_, leading_, number(16));
    Value *inside = builder_.CreateShl(part, 2);
    Value *offset = builder_.CreateAdd(builder_.CreateAdd(row, group), inside);
    return chunk ? builder_.CreateAdd(offset, next) : offset;
  }

  // Eight steps of the depth (`depth` of them, and eight for each chunk) are eight lines of the
  // width, along which rows lie.
  Value *byColumns(Value *place, Value *depth, unsigned chunk) {
    Value *byte = builder_.CreateMul(place, number(element_bytes_));
    Value *group = builder_.CreateLShr(byte, width_bits_);
    Value *inside = builder_.CreateAnd(byte, builder_.CreateSub(width_, number(1)));
    Value *group_step = builder_.CreateSelect(none_, stride_, leading_);
    Value *chunk_step = builder_.CreateSelect(none_, leading_, stride_);
    Value *offset = builder_.CreateAdd(builder_.CreateMul(group, group_step), inside);
    offset = builder_.CreateAdd(offset, builder_.CreateMul(depth, width_));
    return chunk ? builder_.CreateAdd(offset, chunk_step) : offset;
  }

  Value *load(Value *offset) {
    Value *at = builder_.CreateAdd(first_, offset);
    at = builder_.CreateXor(at, builder_.CreateAnd(builder_.CreateLShr(at, 3), mask_));
    Value *pointer = builder_.CreatePtrAdd(start_, builder_.CreateZExt(at, builder_.getInt64Ty()));
    return builder_.CreateAlignedLoad(i32(), pointer, Align(4));
  }

  PtxInstruction &in_;
  IRBuilder<> &builder_;
  const unsigned element_bytes_;
  const bool by_columns_;
  Value *start_ = nullptr, *first_ = nullptr, *leading_ = nullptr, *stride_ = nullptr;
  Value *mode_ = nullptr, *width_ = nullptr, *width_bits_ = nullptr, *mask_ = nullptr,
        *none_ = nullptr;
};

/// One wgmma.mma_async.
class GroupProduct {
public:
  explicit GroupProduct(PtxInstruction &in) : in_(in), builder_(in.builder) {}

  void emit() {
    takeModifiers();
    takeOperands();
    Value *lane = builder_.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {}, {});
    Value *row = builder_.CreateLShr(lane, 2), *part = builder_.CreateAnd(lane, 3);
    SmallVector<Value *> a = wordsOfA(row, part);
    SharedMatrix b(in_, in_.read(2, {PtxType::Bits, 64}), bitsOf(operation_.b), b_by_rows_);
    const unsigned words = operation_.wordsOfC();
    const ArrayRef<PtxOperand> sums = in_.operand(0).elements;
    if (sums.size() != size_t(columns_ / 8) * words)
      throw PtxError("the result has the wrong number of registers");
    Value *keeps = in_.read(3, {PtxType::Predicate, 1});
    for (unsigned block = 0; block < columns_ / 8; ++block) {
      SmallVector<Value *> inputs = a;
      for (unsigned chunk = 0; chunk < 2; ++chunk)
        inputs.push_back(scaled(b.word(builder_.getInt32(8 * block), row, part, chunk), negate_b_,
                                operation_.b));
      const ArrayRef<PtxOperand> own = sums.slice(size_t(block) * words, words);
      for (const PtxOperand &sum : own)
        inputs.push_back(builder_.CreateSelect(keeps, in_.emitter.read(sum, {PtxType::Bits, 32}),
                                               builder_.getInt32(0)));
      const SmallVector<Value *> results = multiplyMatrices(in_, operation_, inputs);
      for (unsigned i = 0; i < words; ++i)
        in_.emitter.write(own[i], {PtxType::Bits, 32}, results[i]);
    }
  }

private:
  void takeModifiers() {
    in_.takeAll([&](StringRef modifier) {
      unsigned depth = 0;
      StringRef rest = modifier;
      if (!rest.consume_front("m64n") || rest.consumeInteger(10, columns_) ||
          !rest.consume_front("k") || rest.getAsInteger(10, depth))
        return false;
      operation_.depth = depth;
      return true;
    });
    const SmallVector<MatrixElement> elements = takeMatrixElements(in_);
    if (elements.size() != 3 || columns_ < 8 || columns_ > 256 || columns_ % 8 != 0)
      throw PtxError("no such shape and types");
    operation_.c = operation_.d = elements[0];
    operation_.a = elements[1];
    operation_.b = elements[2];
    operation_.saturate = in_.take("satfinite");
    operation_.rows = 16;
    const bool halves = operation_.a == MatrixElement::F16 || operation_.a == MatrixElement::BF16;
    if (operation_.a == MatrixElement::B1 || operation_.depth * bitsOf(operation_.a) != 256 ||
        (halves && operation_.a != operation_.b))
      throw PtxError("no such shape and types");
  }

  // Integers have no factors; only 16-bit numbers may lie by columns.
  void takeOperands() {
    const bool integers = operation_.c == MatrixElement::S32;
    a_in_registers_ = in_.operand(1).kind == PtxOperand::Vector;
    size_t next = 4;
    const auto number = [&] { return in_.emitter.constant(in_.operand(next++)); };
    if (!integers) {
      negate_a_ = number() == -1;
      negate_b_ = number() == -1;
    }
    if (bitsOf(operation_.a) == 16) {
      a_by_columns_ = !a_in_registers_ && number() != 0;
      b_by_rows_ = number() != 0;
    }
    if (next != in_.count())
      throw PtxError("wrong number of operands");
  }

  SmallVector<Value *> wordsOfA(Value *row, Value *part) {
    SmallVector<Value *> words;
    if (a_in_registers_) {
      if (in_.operand(1).elements.size() != 4)
        throw PtxError("operand 1 has the wrong number of registers");
      for (const PtxOperand &one : in_.operand(1).elements)
        words.push_back(in_.emitter.read(one, {PtxType::Bits, 32}));
    } else {
      SharedMatrix a(in_, in_.read(1, {PtxType::Bits, 64}), bitsOf(operation_.a), a_by_columns_);
      Value *thread = builder_.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_warpid, {}, {});
      Value *first = builder_.CreateShl(builder_.CreateAnd(thread, 3), 4);
      for (unsigned chunk = 0; chunk < 2; ++chunk)
        for (unsigned half = 0; half < 2; ++half)
          words.push_back(
              a.word(builder_.CreateAdd(first, builder_.getInt32(8 * half)), row, part, chunk));
    }
    for (Value *&word : words)
      word = scaled(word, negate_a_, operation_.a);
    return words;
  }

  Value *scaled(Value *word, bool negate, MatrixElement element) {
    const unsigned bits = bitsOf(element);
    const uint32_t signs = bits == 32 ? 0x80000000 : bits == 16 ? 0x80008000 : 0x80808080;
    return negate ? builder_.CreateXor(word, signs) : word;
  }

  PtxInstruction &in_;
  IRBuilder<> &builder_;
  MatrixOperation operation_;
  unsigned columns_ = 0;
  bool a_in_registers_ = false, a_by_columns_ = false, b_by_rows_ = false;
  bool negate_a_ = false, negate_b_ = false;
};

void emitGroupInstruction(PtxInstruction &in) {
  const std::string kind = in.takeOneOf({"mma_async", "fence", "commit_group", "wait_group"});
  if (kind.empty() || !in.take("sync") || !in.take("aligned"))
    throw PtxError("");
  if (kind == "mma_async") {
    if (in.takeOneOf({"sp"}).size())
      throw PtxError("sparse matrices");
    GroupProduct(in).emit();
  }
}

} // namespace

void addGroupProducts(PtxTable &table) { table.any["wgmma"] = emitGroupInstruction; }

} // namespace heddle
