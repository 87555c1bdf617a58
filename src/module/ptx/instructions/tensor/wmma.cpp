// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices between memory and a warp's registers, and their products (PTX ISA, "wmma.load",
// "wmma.store", "wmma.mma").
//
// What a thread holds of a matrix PTX leaves open. Here it is what mma has, and what nvcuda::wmma
// has (include/__heddle_tensor): tiles of 8 rows and 16 bytes (sums: 8 rows and columns) in which
// four neighbouring threads hold a row. b's rows are the product's columns. A product with 8 rows
// is computed transposed.
#include "module/ptx/instructions/math.h"
#include "module/ptx/instructions/memory.h"
#include "module/ptx/instructions/tensor/products.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {
namespace {

using Element = MatrixElement;

struct Shape {
  unsigned m = 0, n = 0, k = 0;
  bool operator==(const Shape &) const = default;

  bool isSwapped() const { return m == 8 && n != 8; }
  unsigned tall() const { return isSwapped() ? n : m; }
  unsigned wide() const { return isSwapped() ? m : n; }
};

Shape takeShape(PtxInstruction &in) {
  Shape shape;
  in.takeAll([&](StringRef rest) {
    Shape read;
    if (!rest.consume_front("m") || rest.consumeInteger(10, read.m) || !rest.consume_front("n") ||
        rest.consumeInteger(10, read.n) || !rest.consume_front("k") ||
        rest.getAsInteger(10, read.k))
      return false;
    shape = read;
    return true;
  });
  return shape;
}

// Which shapes factors of that type have.
bool hasShape(Element factor, Shape shape) {
  switch (factor) {
  case Element::F16:
  case Element::BF16:
  case Element::S8:
  case Element::U8:
    return shape == Shape{16, 16, 16} || shape == Shape{32, 8, 16} || shape == Shape{8, 32, 16};
  case Element::TF32:
    return shape == Shape{16, 16, 8};
  case Element::F64:
    return shape == Shape{8, 8, 4};
  case Element::S4:
  case Element::U4:
    return shape == Shape{8, 8, 32};
  case Element::B1:
    return shape == Shape{8, 8, 128};
  default:
    return false;
  }
}

bool hasSum(Element factor, Element sum) {
  switch (factor) {
  case Element::F16:
    return sum == Element::F16 || sum == Element::F32;
  case Element::BF16:
  case Element::TF32:
    return sum == Element::F32;
  case Element::F64:
    return sum == Element::F64;
  default:
    return sum == Element::S32;
  }
}

constexpr Element factors[] = {Element::F16, Element::BF16, Element::TF32,
                               Element::F64, Element::S8,   Element::U8,
                               Element::S4,  Element::U4,   Element::B1};

bool isSumOf(Shape shape, Element sum) {
  return any_of(factors,
                [&](Element factor) { return hasShape(factor, shape) && hasSum(factor, sum); });
}

// How many bits a register of such a fragment has.
unsigned registerBits(Element element) { return std::max(bitsOf(element), 32u); }

// How many of them hold different elements of a factor with so many rows.
unsigned unitsOf(Element element, unsigned rows, unsigned depth) {
  return rows * depth * bitsOf(element) / (32 * registerBits(element));
}

// As on older GPUs a thread has 16 halves; where that is too many, each is there twice.
unsigned registersOf(Element element, unsigned rows, unsigned depth) {
  return element == Element::F16 ? 8 : unitsOf(element, rows, depth);
}

unsigned registersOfSum(Element element, Shape shape) {
  return shape.m * shape.n * bitsOf(element) / (32 * registerBits(element));
}

// A matrix in memory. `along`: a row's neighbours are neighbours in memory.
class Matrix {
public:
  Matrix(PtxInstruction &in, Element element, Value *start, Value *pitch, bool along)
      : builder_(in.builder), element_(element), start_(start),
        pitch_(builder_.CreateZExt(pitch, builder_.getInt64Ty())), along_(along) {
    Value *lane =
        builder_.CreateZExt(builder_.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {}, {}),
                            builder_.getInt64Ty());
    row_ = builder_.CreateLShr(lane, 2);
    quarter_ = builder_.CreateAnd(lane, 3);
  }

  // This thread's register of the tile whose first element is at (row, column).
  Value *loadFactor(unsigned row, unsigned column) {
    const unsigned bits = bitsOf(element_), whole = registerBits(element_), count = whole / bits;
    Value *r = plus(row_, row), *c = plus(builder_.CreateMul(quarter_, number(count)), column);
    Type *unit = builder_.getIntNTy(whole);
    if (along_)
      return builder_.CreateAlignedLoad(unit, at(r, c), Align(whole / 8));
    Value *word = ConstantInt::get(unit, 0);
    for (unsigned i = 0; i < count; ++i) {
      Value *one =
          builder_.CreateAlignedLoad(builder_.getIntNTy(bits), at(r, plus(c, i)), Align(bits / 8));
      word = builder_.CreateOr(word, builder_.CreateShl(builder_.CreateZExt(one, unit), bits * i));
    }
    return word;
  }

  // Where element `i` of a thread's part of a sum is.
  Value *atSum(Shape shape, unsigned i) {
    // Sixteen rows and eight columns after each other, as mma has them.
    const bool pairs = shape.tall() >= 16;
    const unsigned part = pairs ? i / 4 : 0, within = pairs ? i % 4 : i;
    Value *r = plus(row_, (shape.wide() > 8 ? 0 : part * 16) + within / 2 * 8);
    Value *c = plus(builder_.CreateMul(quarter_, number(2)),
                    (shape.wide() > 8 ? part * 8 : 0) + within % 2);
    return shape.isSwapped() ? at(c, r) : at(r, c);
  }

private:
  Value *number(uint64_t value) { return builder_.getInt64(value); }
  Value *plus(Value *value, unsigned more) { return builder_.CreateAdd(value, number(more)); }
  Value *at(Value *row, Value *column) {
    if (!along_)
      std::swap(row, column);
    Value *place = builder_.CreateAdd(builder_.CreateMul(row, pitch_), column);
    const unsigned bits = bitsOf(element_);
    place = bits < 8 ? builder_.CreateUDiv(place, number(8 / bits))
                     : builder_.CreateMul(place, number(bits / 8));
    return builder_.CreatePtrAdd(start_, place);
  }

  IRBuilder<> &builder_;
  const Element element_;
  Value *const start_, *const pitch_;
  const bool along_;
  Value *row_ = nullptr, *quarter_ = nullptr;
};

// What loads and stores have in common. Operand `address`, and behind the registers the pitch.
struct Access {
  Access(PtxInstruction &in, size_t address) {
    if (!in.take("sync") || !in.take("aligned"))
      throw PtxError("");
    for (char each : {'a', 'b', 'c', 'd'})
      if (in.take(std::string(1, each)))
        use = each;
    shape = takeShape(in);
    const std::string layout = in.takeOneOf({"row", "col"});
    const bool shared =
        StringRef(in.takeOneOf({"shared", "shared::cta", "global"})).starts_with("s");
    const SmallVector<Element> elements = takeMatrixElements(in);
    if (!use || layout.empty() || elements.size() != 1)
      throw PtxError("");
    element = elements[0];
    is_row_major = layout == "row";
    start = in.emitter.address(in.operand(address), shared);
    pitch = in.count() > 2 ? in.readU32(2) : in.builder.getInt32(tightPitch());
  }

  bool isFactor() const { return use == 'a' || use == 'b'; }
  unsigned tightPitch() const {
    const unsigned rows = use == 'b' ? shape.k : shape.m, columns = use == 'a' ? shape.k : shape.n;
    return is_row_major ? columns : rows;
  }

  char use = 0;
  Shape shape;
  Element element = Element::F16;
  bool is_row_major = false;
  Value *start = nullptr, *pitch = nullptr;
};

void emitLoadFactor(PtxInstruction &in, const Access &access) {
  const bool along = access.is_row_major == (access.use == 'a');
  if (!hasShape(access.element, access.shape) || (bitsOf(access.element) < 8 && !along))
    throw PtxError("no such shape, type and layout");
  Matrix matrix(in, access.element, access.start, access.pitch, along);
  const unsigned rows = access.use == 'a' ? access.shape.m : access.shape.n;
  const unsigned bits = registerBits(access.element), tiles = rows / 8;
  const unsigned tile_depth = 4 * bits / bitsOf(access.element);
  SmallVector<Value *> units;
  for (unsigned i = 0; i < unitsOf(access.element, rows, access.shape.k); ++i)
    units.push_back(matrix.loadFactor(i % tiles * 8, i / tiles * tile_depth));
  const unsigned count = registersOf(access.element, rows, access.shape.k);
  const ArrayRef<PtxOperand> registers = elementsOf(in.operand(0), count);
  for (unsigned i = 0; i < count; ++i)
    in.emitter.write(registers[i], {PtxType::Bits, bits}, units[i % units.size()]);
}

void emitLoad(PtxInstruction &in) {
  const Access access(in, 1);
  if (access.isFactor())
    return emitLoadFactor(in, access);
  if (access.use != 'c' || !isSumOf(access.shape, access.element))
    throw PtxError("no such shape and type");
  IRBuilder<> &builder = in.builder;
  Matrix matrix(in, access.element, access.start, access.pitch, access.is_row_major);
  const unsigned bits = bitsOf(access.element), whole = registerBits(access.element);
  const unsigned count = registersOfSum(access.element, access.shape), parts = whole / bits;
  const ArrayRef<PtxOperand> registers = elementsOf(in.operand(0), count);
  Type *unit = builder.getIntNTy(whole);
  SmallVector<Value *> values(count, ConstantInt::get(unit, 0));
  for (unsigned i = 0; i < count * parts; ++i) {
    Value *one = builder.CreateAlignedLoad(builder.getIntNTy(bits), matrix.atSum(access.shape, i),
                                           Align(bits / 8));
    Value *&value = values[i / parts];
    value = builder.CreateOr(value,
                             builder.CreateShl(builder.CreateZExt(one, unit), bits * (i % parts)));
  }
  for (unsigned i = 0; i < count; ++i)
    in.emitter.write(registers[i], {PtxType::Bits, whole}, values[i]);
}

void emitStore(PtxInstruction &in) {
  const Access access(in, 0);
  if (access.use != 'd' || !isSumOf(access.shape, access.element))
    throw PtxError("no such shape and type");
  IRBuilder<> &builder = in.builder;
  Matrix matrix(in, access.element, access.start, access.pitch, access.is_row_major);
  const unsigned bits = bitsOf(access.element), whole = registerBits(access.element);
  const unsigned count = registersOfSum(access.element, access.shape), parts = whole / bits;
  const ArrayRef<PtxOperand> registers = elementsOf(in.operand(1), count);
  for (unsigned i = 0; i < count * parts; ++i) {
    Value *value = in.emitter.read(registers[i / parts], {PtxType::Bits, whole});
    value =
        builder.CreateTrunc(builder.CreateLShr(value, bits * (i % parts)), builder.getIntNTy(bits));
    builder.CreateAlignedStore(value, matrix.atSum(access.shape, i), Align(bits / 8));
  }
}

// d, a, b and c. Of products of halves only the types of the sums are named.
MatrixOperation takeOperation(PtxInstruction &in, Shape shape) {
  SmallVector<Element> elements = takeMatrixElements(in);
  if (elements.size() == 2)
    elements = {elements[0], Element::F16, Element::F16, elements[1]};
  if (elements.size() != 4)
    throw PtxError("");
  MatrixOperation operation;
  operation.d = elements[0];
  operation.a = elements[1];
  operation.b = elements[2];
  operation.c = elements[3];
  if (operation.a != operation.b || !hasShape(operation.a, shape) ||
      !hasSum(operation.a, operation.c) || !hasSum(operation.a, operation.d))
    throw PtxError("no such shape and types");
  operation.rows = shape.tall() >= 16 ? 16 : 8;
  operation.depth = shape.k;
  operation.saturate = in.take("satfinite");
  if (operation.saturate && operation.d != Element::S32)
    throw PtxError("modifier '.satfinite'");
  operation.uses_and = in.take("and");
  if (operation.a == Element::B1 && !operation.uses_and && !in.take("xor"))
    throw PtxError("");
  if (operation.a == Element::B1 && !in.take("popc"))
    throw PtxError("");
  if (operation.a == Element::F64)
    in.take("rn");
  return operation;
}

SmallVector<Value *> readRegisters(PtxInstruction &in, size_t i, unsigned count, unsigned bits) {
  SmallVector<Value *> values;
  for (const PtxOperand &one : elementsOf(in.operand(i), count))
    values.push_back(in.emitter.read(one, {PtxType::Bits, bits}));
  return values;
}

constexpr PtxType half{PtxType::Float, 16};

// Two halves to a register become floats in one each.
SmallVector<Value *> widened(IRBuilder<> &builder, ArrayRef<Value *> pairs) {
  SmallVector<Value *> floats;
  for (Value *pair : pairs)
    for (unsigned shift : {0, 16}) {
      Value *bits = builder.CreateTrunc(builder.CreateLShr(pair, shift), builder.getInt16Ty());
      floats.push_back(builder.CreateBitCast(widenHalf(builder, half, bits), builder.getInt32Ty()));
    }
  return floats;
}

SmallVector<Value *> narrowed(IRBuilder<> &builder, ArrayRef<Value *> floats) {
  SmallVector<Value *> pairs;
  for (size_t i = 0; i < floats.size(); i += 2) {
    const auto bits = [&](size_t place) {
      Value *value = builder.CreateBitCast(floats[place], builder.getFloatTy());
      return builder.CreateZExt(narrowToHalf(builder, half, value, "rn"), builder.getInt32Ty());
    };
    pairs.push_back(builder.CreateOr(bits(i), builder.CreateShl(bits(i + 1), 16)));
  }
  return pairs;
}

// One mma for each 16 rows and 8 columns of the product.
SmallVector<Value *> multiplyParts(PtxInstruction &in, const MatrixOperation &operation,
                                   Shape shape, ArrayRef<Value *> a, ArrayRef<Value *> b,
                                   ArrayRef<Value *> c) {
  const unsigned down = shape.tall() / 8, along = shape.wide() / 8, tiles = operation.rows / 8;
  const unsigned depths = unitsOf(operation.a, 8, operation.depth);
  const size_t parts = shape.tall() * shape.wide() / (8 * operation.rows), sums = c.size() / parts;
  SmallVector<Value *> result;
  for (unsigned part = 0; part < parts; ++part) {
    SmallVector<Value *> words;
    for (unsigned k = 0; k < depths; ++k)
      for (unsigned tile = 0; tile < tiles; ++tile)
        appendWords(in, a[k * down + (along > 1 ? 0 : part * tiles) + tile], words);
    for (unsigned k = 0; k < depths; ++k)
      appendWords(in, b[k * along + (along > 1 ? part : 0)], words);
    for (size_t i = 0; i < sums; ++i)
      appendWords(in, c[part * sums + i], words);
    append_range(result, multiplyMatrices(in, operation, words));
  }
  return result;
}

void emitProduct(PtxInstruction &in) {
  if (!in.take("sync") || !in.take("aligned"))
    throw PtxError("");
  const Shape shape = takeShape(in);
  unsigned layouts = 0;
  in.takeAll([&](StringRef modifier) {
    const bool is_layout = modifier == "row" || modifier == "col";
    layouts += is_layout;
    return is_layout;
  });
  MatrixOperation operation = takeOperation(in, shape);
  if (layouts != 2) // which ones, registers do not know
    throw PtxError("");
  const unsigned bits = registerBits(operation.a);
  SmallVector<Value *> a = readRegisters(in, 1, registersOf(operation.a, shape.m, shape.k), bits);
  SmallVector<Value *> b = readRegisters(in, 2, registersOf(operation.b, shape.n, shape.k), bits);
  SmallVector<Value *> c =
      readRegisters(in, 3, registersOfSum(operation.c, shape), registerBits(operation.c));
  const Element type_of_d = operation.d;
  if (operation.c != operation.d) {
    if (operation.c == Element::F16)
      c = widened(in.builder, c);
    operation.c = operation.d = Element::F32;
  }
  if (shape.isSwapped())
    std::swap(a, b);
  SmallVector<Value *> d = multiplyParts(in, operation, shape, a, b, c);
  if (operation.d != type_of_d)
    d = narrowed(in.builder, d);
  const ArrayRef<PtxOperand> registers = elementsOf(in.operand(0), unsigned(d.size()));
  for (size_t i = 0; i < d.size(); ++i)
    in.emitter.write(registers[i], {PtxType::Bits, registerBits(type_of_d)}, d[i]);
}

} // namespace

void addWarpMatrixInstructions(PtxTable &table) {
  table.any["wmma"] = [](PtxInstruction &in) {
    if (in.take("load"))
      emitLoad(in);
    else if (in.take("store"))
      emitStore(in);
    else if (in.take("mma"))
      emitProduct(in);
    else
      throw PtxError("");
  };
}

} // namespace heddle
