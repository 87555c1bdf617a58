// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Comparisons and selections (PTX ISA, "Comparison and Selection Instructions").
#include "module/ptx/instructions/instructions.h"
#include "module/ptx/instructions/math.h"

using namespace llvm;

namespace heddle {
namespace {

struct Comparison {
  StringRef name;
  CmpInst::Predicate of_signed, of_unsigned, of_floats;
};

// BAD_ICMP_PREDICATE: not for this kind of number. On floats ne is false for NaN, neu is true.
constexpr auto none = CmpInst::BAD_ICMP_PREDICATE;
const Comparison comparisons[] = {
    {"eq", CmpInst::ICMP_EQ, CmpInst::ICMP_EQ, CmpInst::FCMP_OEQ},
    {"ne", CmpInst::ICMP_NE, CmpInst::ICMP_NE, CmpInst::FCMP_ONE},
    {"lt", CmpInst::ICMP_SLT, CmpInst::ICMP_ULT, CmpInst::FCMP_OLT},
    {"le", CmpInst::ICMP_SLE, CmpInst::ICMP_ULE, CmpInst::FCMP_OLE},
    {"gt", CmpInst::ICMP_SGT, CmpInst::ICMP_UGT, CmpInst::FCMP_OGT},
    {"ge", CmpInst::ICMP_SGE, CmpInst::ICMP_UGE, CmpInst::FCMP_OGE},
    {"lo", none, CmpInst::ICMP_ULT, none},
    {"ls", none, CmpInst::ICMP_ULE, none},
    {"hi", none, CmpInst::ICMP_UGT, none},
    {"hs", none, CmpInst::ICMP_UGE, none},
    {"equ", none, none, CmpInst::FCMP_UEQ},
    {"neu", none, none, CmpInst::FCMP_UNE},
    {"ltu", none, none, CmpInst::FCMP_ULT},
    {"leu", none, none, CmpInst::FCMP_ULE},
    {"gtu", none, none, CmpInst::FCMP_UGT},
    {"geu", none, none, CmpInst::FCMP_UGE},
    {"num", none, none, CmpInst::FCMP_ORD},
    {"nan", none, none, CmpInst::FCMP_UNO},
};

const Comparison &takeComparison(PtxInstruction &in) {
  for (const Comparison &comparison : comparisons)
    if (in.take(comparison.name))
      return comparison;
  throw PtxError("no comparison that is known");
}

Value *readNumber(PtxInstruction &in, size_t i, PtxType type, bool flush, unsigned lane = 0) {
  if (type.lanes == 2) { // two halves
    Value *both = in.read(i, {PtxType::Bits, 32});
    Value *half =
        in.builder.CreateTrunc(in.builder.CreateLShr(both, 16 * lane), in.builder.getInt16Ty());
    return widenHalf(in.builder, type.lane(), half);
  }
  Value *value = in.read(i, type);
  if (type.isHalf())
    value = widenHalf(in.builder, type, value);
  return flush && !type.isInteger() && !type.isHalf() ? flushSubnormal(in.builder, value) : value;
}

// Operands 1 and 2 compared; then combined with operand 3, if there is one. `combined` also gets
// what the second destination of setp does: the opposite comparison, combined.
struct Compared {
  Value *result, *opposite;
};

Compared compare(PtxInstruction &in, const Comparison &comparison, StringRef combine, PtxType type,
                 bool flush, unsigned lane = 0) {
  if (type.lanes != 1 && !type.isHalf())
    throw PtxError("packed integers");
  IRBuilder<> &builder = in.builder;
  const CmpInst::Predicate predicate = !type.isInteger() ? comparison.of_floats
                                       : type.isSigned() ? comparison.of_signed
                                                         : comparison.of_unsigned;
  if (predicate == none)
    throw PtxError(("comparison '." + comparison.name + "' of this type").str());
  Value *result = builder.CreateCmp(predicate, readNumber(in, 1, type, flush, lane),
                                    readNumber(in, 2, type, flush, lane));
  Value *opposite = builder.CreateNot(result);
  if (combine.empty())
    return {result, opposite};
  Value *other = in.readPredicate(3);
  auto with = [&](Value *value) {
    return combine == "and"  ? builder.CreateAnd(value, other)
           : combine == "or" ? builder.CreateOr(value, other)
                             : builder.CreateXor(value, other);
  };
  return {with(result), with(opposite)};
}

void emitSetp(PtxInstruction &in) {
  const Comparison &comparison = takeComparison(in);
  const std::string combine = in.takeOneOf({"and", "or", "xor"});
  const bool flush = in.take("ftz");
  const PtxType type = in.takeType();
  const Compared compared = compare(in, comparison, combine, type, flush);
  const PtxType predicate{PtxType::Predicate, 1};
  const PtxOperand &destination = in.operand(0);
  if (type.lanes == 2) { // a predicate for each half
    if (destination.kind != PtxOperand::Pair)
      throw PtxError("with one predicate for two halves");
    in.emitter.write(destination.elements[0], predicate, compared.result);
    return in.emitter.write(destination.elements[1], predicate,
                            compare(in, comparison, combine, type, flush, 1).result);
  }
  if (destination.kind != PtxOperand::Pair)
    return in.write(predicate, compared.result);
  in.emitter.write(destination.elements[0], predicate, compared.result);
  in.emitter.write(destination.elements[1], predicate, compared.opposite);
}

// set of two halves: into halves 1.0, into an integer ones in the half.
void setHalves(PtxInstruction &in, PtxType type, Value *low, Value *high) {
  if (type.bits != 32 || (type.lanes == 1 && !type.isInteger()))
    throw PtxError("a result of this type");
  const uint32_t one = type.isInteger() ? 0xffff : type.kind == PtxType::Float ? 0x3c00 : 0x3f80;
  IRBuilder<> &builder = in.builder;
  Value *zero = builder.getInt32(0);
  in.write({PtxType::Bits, 32},
           builder.CreateOr(builder.CreateSelect(low, builder.getInt32(one), zero),
                            builder.CreateSelect(high, builder.getInt32(one << 16), zero)));
}

// set: true is all ones, or 1.0.
void emitSet(PtxInstruction &in) {
  const Comparison &comparison = takeComparison(in);
  const std::string combine = in.takeOneOf({"and", "or", "xor"});
  const bool flush = in.take("ftz");
  const PtxType type = in.takeType(), source = in.takeType();
  Value *result = compare(in, comparison, combine, source, flush).result;
  if (source.lanes == 2)
    return setHalves(in, type, result, compare(in, comparison, combine, source, flush, 1).result);
  Type *integer = in.builder.getIntNTy(type.bits);
  if (type.isInteger())
    return in.write(type, in.builder.CreateSExt(result, integer));
  if (type.lanes != 1 || type.bits == 64)
    throw PtxError("a result of this type");
  const uint64_t one = type.bits == 32 ? 0x3f800000 : type.kind == PtxType::Float ? 0x3c00 : 0x3f80;
  in.write({PtxType::Bits, type.bits},
           in.builder.CreateSelect(result, ConstantInt::get(integer, one),
                                   ConstantInt::get(integer, 0)));
}

void emitSelp(PtxInstruction &in) {
  const PtxType type = in.takeType();
  in.write(type, in.builder.CreateSelect(in.readPredicate(3), in.read(1, type), in.read(2, type)));
}

// slct: a if c >= 0, else b; NaN counts as negative.
void emitSlct(PtxInstruction &in) {
  const bool flush = in.take("ftz");
  const PtxType type = in.takeType(), source = in.takeType();
  Value *c = readNumber(in, 3, source, flush), *zero = Constant::getNullValue(c->getType());
  Value *first =
      source.isInteger() ? in.builder.CreateICmpSGE(c, zero) : in.builder.CreateFCmpOGE(c, zero);
  in.write(type, in.builder.CreateSelect(first, in.read(1, type), in.read(2, type)));
}

} // namespace

void addCompareInstructions(PtxTable &table) {
  table.any["setp"] = emitSetp;
  table.any["set"] = emitSet;
  table.any["selp"] = emitSelp;
  table.any["slct"] = emitSlct;
}

} // namespace heddle
