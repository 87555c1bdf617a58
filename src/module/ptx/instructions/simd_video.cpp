// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One operation on two halves or four bytes at a time (PTX ISA, "SIMD Video Instructions").
#include "module/ptx/instructions/video.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle {
namespace {

using Lanes = SmallVector<Value *, 4>;

// ".b3210" is the bytes 3 to 0, the highest lane first; of a and b one behind the other there are
// twice as many to choose from. Gives the lowest lane first.
SmallVector<unsigned, 4> digits(StringRef selector, size_t lanes, unsigned choices) {
  if (!selector.consume_front(lanes == 2 ? "h" : "b") || selector.empty() ||
      selector.size() > lanes)
    throw PtxError(("no such part of an operand: '." + selector + "'").str());
  SmallVector<unsigned, 4> result;
  for (char digit : reverse(selector)) {
    if (digit < '0' || unsigned(digit - '0') >= choices)
      throw PtxError(("no such part of an operand: '." + selector + "'").str());
    result.push_back(unsigned(digit - '0'));
  }
  return result;
}

// The lanes that operand `i` selects from a and b, which are operands 1 and 2.
Lanes readLanes(PtxInstruction &in, size_t i, size_t lanes, PtxType type) {
  IRBuilder<> &builder = in.builder;
  const unsigned bits = 32 / unsigned(lanes);
  std::string selector = in.operand(i).selector;
  if (selector.empty() && lanes == 2)
    selector = i == 1 ? "h10" : "h32";
  else if (selector.empty())
    selector = i == 1 ? "b3210" : "b7654";
  const auto chosen = digits(selector, lanes, 2 * unsigned(lanes));
  if (chosen.size() != lanes)
    throw PtxError("a selector of too few parts");
  Lanes result;
  for (unsigned place : chosen) {
    Value *word = in.emitter.read(wholeOf(in.operand(place < lanes ? 1 : 2)), type);
    const unsigned shift = place % unsigned(lanes) * bits;
    Value *lane = builder.CreateTrunc(builder.CreateLShr(word, shift), builder.getIntNTy(bits));
    result.push_back(builder.CreateIntCast(lane, builder.getInt32Ty(), type.isSigned()));
  }
  return result;
}

// Which lanes d's selector names. They must go down: .b20, not .b02.
SmallVector<bool, 4> maskOf(const PtxOperand &result, size_t lanes) {
  SmallVector<bool, 4> mask(lanes, result.selector.empty());
  if (result.selector.empty())
    return mask;
  const auto places = digits(result.selector, lanes, unsigned(lanes));
  for (size_t i = 0; i < places.size(); ++i) {
    if (i > 0 && places[i] <= places[i - 1])
      throw PtxError("no such mask: '." + result.selector + "'");
    mask[places[i]] = true;
  }
  return mask;
}

// Lanes outside of the mask are c's; or, with .add, all lanes within it are added to c.
void finishSimd(PtxInstruction &in, const Lanes &values) {
  IRBuilder<> &builder = in.builder;
  requireOperands(in, 4);
  const auto mask = maskOf(in.operand(0), values.size());
  const unsigned bits = 32 / unsigned(values.size());
  Value *result = in.readU32(3);
  const bool adds = in.take("add");
  for (unsigned i = 0; i < values.size(); ++i) {
    if (!mask[i])
      continue;
    const uint32_t lane = ((1u << bits) - 1) << (i * bits);
    if (adds)
      result = builder.CreateAdd(result, values[i]);
    else
      result = builder.CreateOr(builder.CreateAnd(result, ~lane),
                                builder.CreateAnd(builder.CreateShl(values[i], i * bits), lane));
  }
  in.emitter.write(wholeOf(in.operand(0)), {PtxType::Bits, 32}, result);
}

PtxHandler arithmetic(const VideoOperation &compute, size_t lanes) {
  return [compute, lanes](PtxInstruction &in) {
    const VideoTypes types = takeVideoTypes(in);
    // .sat does not go with .add.
    const bool adds = is_contained(in.statement.modifiers, "add");
    const bool saturate = !adds && in.take("sat");
    const Lanes a = readLanes(in, 1, lanes, types.a), b = readLanes(in, 2, lanes, types.b);
    Lanes results;
    for (size_t i = 0; i < lanes; ++i) {
      Value *value = compute(in.builder, a[i], b[i]);
      results.push_back(
          saturate ? clampTo(in.builder, value, 32 / unsigned(lanes), types.result.isSigned())
                   : value);
    }
    finishSimd(in, results);
  };
}

// The mean; halves go away from zero.
Value *average(IRBuilder<> &builder, Value *a, Value *b) {
  Value *sum = builder.CreateAdd(a, b);
  Value *positive = builder.CreateICmpSGE(sum, builder.getInt32(0));
  sum = builder.CreateAdd(sum, builder.CreateZExt(positive, builder.getInt32Ty()));
  return builder.CreateAShr(sum, 1);
}

PtxHandler comparison(size_t lanes) {
  return [lanes](PtxInstruction &in) {
    const CmpInst::Predicate predicate = takeComparison(in);
    const PtxType a_type = takeVideoType(in), b_type = takeVideoType(in);
    const Lanes a = readLanes(in, 1, lanes, a_type), b = readLanes(in, 2, lanes, b_type);
    Lanes results;
    for (size_t i = 0; i < lanes; ++i)
      results.push_back(in.builder.CreateZExt(in.builder.CreateICmp(predicate, a[i], b[i]),
                                              in.builder.getInt32Ty()));
    finishSimd(in, results);
  };
}

} // namespace

void addSimdVideoInstructions(PtxTable &table) {
  StringMap<VideoOperation> operations = videoOperations();
  operations["vavrg"] = average;
  for (size_t lanes : {2, 4}) {
    for (const auto &entry : operations)
      table.integer[(entry.getKey() + Twine(lanes)).str()] = arithmetic(entry.getValue(), lanes);
    table.integer[("vset" + Twine(lanes)).str()] = comparison(lanes);
  }
}

} // namespace heddle
