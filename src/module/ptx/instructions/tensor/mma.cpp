// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of matrices that a warp holds in its registers (PTX ISA, "mma"). The engine computes
// them (module/matrix_operation.h).
#include "module/ptx/instructions/tensor/products.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {
namespace {

using Element = MatrixElement;

std::optional<Element> parseElement(StringRef name) {
  return StringSwitch<std::optional<Element>>(name)
      .Case("f16", Element::F16)
      .Case("bf16", Element::BF16)
      .Case("tf32", Element::TF32)
      .Case("f64", Element::F64)
      .Case("e4m3", Element::E4M3)
      .Case("e5m2", Element::E5M2)
      .Case("s8", Element::S8)
      .Case("u8", Element::U8)
      .Case("s4", Element::S4)
      .Case("u4", Element::U4)
      .Case("b1", Element::B1)
      .Case("f32", Element::F32)
      .Case("s32", Element::S32)
      .Default(std::nullopt);
}

void takeShape(PtxInstruction &in, MatrixOperation &operation) {
  in.takeAll([&](StringRef modifier) {
    StringRef rest = modifier;
    unsigned rows = 0, columns = 0, depth = 0;
    if (!rest.consume_front("m") || rest.consumeInteger(10, rows) || !rest.consume_front("n") ||
        rest.consumeInteger(10, columns) || !rest.consume_front("k") ||
        rest.getAsInteger(10, depth) || columns != 8)
      return false;
    operation.rows = rows;
    operation.depth = depth;
    return true;
  });
}

bool isIntegerSum(Element element) { return element == Element::S32; }
bool isSmallInteger(Element element) {
  return element == Element::S8 || element == Element::U8 || element == Element::S4 ||
         element == Element::U4;
}

// Which types go together.
bool areTypesValid(const MatrixOperation &o) {
  const bool half_sum = o.c == Element::F16 || o.c == Element::F32;
  const bool half_result = o.d == Element::F16 || o.d == Element::F32;
  switch (o.a) {
  case Element::F16:
    return o.b == o.a && half_sum && half_result && (o.c == o.d || o.quads);
  case Element::BF16:
  case Element::TF32:
    return o.b == o.a && o.c == Element::F32 && o.d == Element::F32;
  case Element::E4M3:
  case Element::E5M2:
    return (o.b == Element::E4M3 || o.b == Element::E5M2) && half_sum && o.c == o.d;
  case Element::F64:
    return o.b == o.a && o.c == o.a && o.d == o.a;
  case Element::B1:
    return o.b == o.a && isIntegerSum(o.c) && isIntegerSum(o.d);
  default:
    return isSmallInteger(o.a) && isSmallInteger(o.b) && bitsOf(o.a) == bitsOf(o.b) &&
           isIntegerSum(o.c) && isIntegerSum(o.d);
  }
}

// A row of a tile of a has 16 bytes (of doubles, 32). There are one or two of them, with doubles up
// to four; the smallest matrices of halves and their kin have 16 rows.
bool isShapeValid(const MatrixOperation &o) {
  if (o.quads)
    return true;
  const uint32_t tile = o.a == Element::F64 ? 4 : 128 / bitsOf(o.a);
  const uint32_t tiles = o.depth / tile;
  const bool integers = isSmallInteger(o.a) || o.a == Element::B1;
  if (o.depth % tile != 0)
    return false;
  if (o.rows == 8)
    return tiles == 1 && (integers || o.a == Element::F64);
  if (o.rows != 16 || bitsOf(o.a) == 0)
    return false;
  if (o.a == Element::E4M3 || o.a == Element::E5M2)
    return tiles == 2;
  return tiles == 1 || tiles == 2 || (tiles == 4 && o.a == Element::F64);
}

MatrixOperation takeOperation(PtxInstruction &in) {
  MatrixOperation operation;
  takeShape(in, operation);
  const SmallVector<Element> elements = takeMatrixElements(in);
  if (elements.size() != 4)
    throw PtxError("");
  operation.d = elements[0];
  operation.a = elements[1];
  operation.b = elements[2];
  operation.c = elements[3];
  operation.quads = operation.a == Element::F16 && operation.rows == 8 && operation.depth == 4;
  SmallVector<std::string> layouts;
  in.takeAll([&](StringRef modifier) {
    const bool is_layout = modifier == "row" || modifier == "col";
    if (is_layout)
      layouts.push_back(modifier.str());
    return is_layout;
  });
  if (layouts.size() != 2)
    throw PtxError("");
  operation.a_by_columns = layouts[0] == "col";
  operation.b_by_rows = layouts[1] == "row";
  operation.saturate = in.take("satfinite");
  operation.uses_and = in.take("and");
  if (operation.a == Element::B1 && !in.take("popc"))
    throw PtxError("");
  in.take("xor");
  if (!areTypesValid(operation) || !isShapeValid(operation) ||
      (!operation.quads && (operation.a_by_columns || operation.b_by_rows)))
    throw PtxError("no such shape and types");
  return operation;
}

ArrayRef<PtxOperand> registersOf(const PtxOperand &operand) {
  return operand.kind == PtxOperand::Vector ? ArrayRef(operand.elements) : ArrayRef(operand);
}

// The registers of operand `i`, of which each holds one or two words.
void readWords(PtxInstruction &in, size_t i, uint32_t count, bool doubles,
               SmallVectorImpl<Value *> &words) {
  const ArrayRef<PtxOperand> registers = registersOf(in.operand(i));
  if (registers.size() != (doubles ? count / 2 : count))
    throw PtxError("operand " + std::to_string(i) + " has the wrong number of registers");
  for (const PtxOperand &one : registers)
    appendWords(in, in.emitter.read(one, {PtxType::Bits, doubles ? 64u : 32u}), words);
}

void emitProduct(PtxInstruction &in) {
  if (in.takeOneOf({"sp", "sp::ordered_metadata"}).size())
    throw PtxError("sparse matrices");
  if (!in.take("sync") || !in.take("aligned"))
    throw PtxError("");
  const MatrixOperation operation = takeOperation(in);
  const bool doubles = operation.a == Element::F64;
  SmallVector<Value *> words;
  readWords(in, 1, operation.wordsOfA(), doubles, words);
  readWords(in, 2, operation.wordsOfB(), doubles, words);
  readWords(in, 3, operation.wordsOfC(), doubles, words);
  const SmallVector<Value *> results = multiplyMatrices(in, operation, words);
  const ArrayRef<PtxOperand> registers = registersOf(in.operand(0));
  if (registers.size() != results.size())
    throw PtxError("the result has the wrong number of registers");
  for (size_t i = 0; i < registers.size(); ++i)
    in.emitter.write(registers[i], {PtxType::Bits, doubles ? 64u : 32u}, results[i]);
}

} // namespace

SmallVector<Element> takeMatrixElements(PtxInstruction &in) {
  SmallVector<Element> elements;
  in.takeAll([&](StringRef modifier) {
    const auto element = parseElement(modifier);
    if (element)
      elements.push_back(*element);
    return element.has_value();
  });
  return elements;
}

void appendWords(PtxInstruction &in, Value *bits, SmallVectorImpl<Value *> &words) {
  IRBuilder<> &builder = in.builder;
  words.push_back(builder.CreateTrunc(bits, builder.getInt32Ty()));
  if (bits->getType()->isIntegerTy(64))
    words.push_back(builder.CreateTrunc(builder.CreateLShr(bits, 32), builder.getInt32Ty()));
}

SmallVector<Value *> multiplyMatrices(PtxInstruction &in, const MatrixOperation &operation,
                                      ArrayRef<Value *> words) {
  IRBuilder<> &builder = in.builder;
  // The warp meets, if it has parted; then the product is one step.
  builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {builder.getInt32(~0u)});
  SmallVector<Type *> types(operation.wordsOfD(), builder.getInt32Ty()),
      arguments(words.size(), builder.getInt32Ty());
  auto *type = FunctionType::get(StructType::get(builder.getContext(), types), arguments, false);
  Module &module = *builder.GetInsertBlock()->getModule();
  FunctionCallee function =
      module.getOrInsertFunction(matrix_function_prefix + std::to_string(operation.encode()), type);
  auto *declaration = cast<Function>(function.getCallee());
  declaration->setConvergent();
  declaration->setDoesNotThrow();
  declaration->setOnlyAccessesInaccessibleMemory();
  CallInst *call = builder.CreateCall(function, words);
  call->setConvergent();
  const unsigned step = operation.d == Element::F64 ? 2 : 1;
  SmallVector<Value *> results;
  for (unsigned i = 0; i < operation.wordsOfD(); i += step) {
    Value *bits = builder.CreateExtractValue(call, i);
    if (step == 2) {
      Type *whole = builder.getInt64Ty();
      Value *high = builder.CreateZExt(builder.CreateExtractValue(call, i + 1), whole);
      bits = builder.CreateOr(builder.CreateZExt(bits, whole), builder.CreateShl(high, 32));
    }
    results.push_back(bits);
  }
  return results;
}

void addTensorInstructions(PtxTable &table) { table.any["mma"] = emitProduct; }

} // namespace heddle
