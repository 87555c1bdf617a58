// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the lanes of a warp do together (PTX ISA, "shfl.sync", "vote.sync", "match.sync",
// "redux.sync", "elect.sync", "activemask").
#include "module/ptx/instructions/instructions.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {
namespace {

constexpr PtxType predicate{PtxType::Predicate, 1};
constexpr PtxType word{PtxType::Bits, 32};

// A result with a predicate: d, or d|p.
void writePair(PtxInstruction &in, Value *pair) {
  const PtxOperand &destination = in.operand(0);
  const bool both = destination.kind == PtxOperand::Pair;
  in.emitter.write(both ? destination.elements[0] : destination, word,
                   in.builder.CreateExtractValue(pair, 0));
  if (both)
    in.emitter.write(destination.elements[1], predicate, in.builder.CreateExtractValue(pair, 1));
}

void needSync(PtxInstruction &in) {
  if (!in.take("sync"))
    throw PtxError("without '.sync', which GPUs from sm_70 on do not have");
}

// The lanes that take part. PTX for GPUs before sm_70 does not name them: those that are here.
Value *takeLanes(PtxInstruction &in, size_t i) {
  if (in.take("sync"))
    return in.readU32(i);
  if (in.emitter.isInline())
    needSync(in);
  return in.builder.CreateIntrinsic(Intrinsic::nvvm_activemask, {}, {});
}

void emitShuffle(PtxInstruction &in) {
  Value *lanes = takeLanes(in, 4);
  const std::pair<StringRef, Intrinsic::ID> modes[] = {
      {"idx", Intrinsic::nvvm_shfl_sync_idx_i32p},
      {"up", Intrinsic::nvvm_shfl_sync_up_i32p},
      {"down", Intrinsic::nvvm_shfl_sync_down_i32p},
      {"bfly", Intrinsic::nvvm_shfl_sync_bfly_i32p}};
  for (auto [name, id] : modes)
    if (in.take(name)) {
      in.takeType();
      return writePair(in, in.builder.CreateIntrinsic(
                               id, {}, {lanes, in.read(1, word), in.readU32(2), in.readU32(3)}));
    }
  throw PtxError("");
}

void emitVote(PtxInstruction &in) {
  Value *lanes = takeLanes(in, 2);
  const std::pair<StringRef, Intrinsic::ID> modes[] = {
      {"all", Intrinsic::nvvm_vote_all_sync},
      {"any", Intrinsic::nvvm_vote_any_sync},
      {"uni", Intrinsic::nvvm_vote_uni_sync},
      {"ballot", Intrinsic::nvvm_vote_ballot_sync}};
  for (auto [name, id] : modes)
    if (in.take(name)) {
      const PtxType type = in.takeType();
      return in.write(type, in.builder.CreateIntrinsic(id, {}, {lanes, in.readPredicate(1)}));
    }
  throw PtxError("");
}

void emitMatch(PtxInstruction &in) {
  const bool all = in.take("all");
  if (!all && !in.take("any"))
    throw PtxError("");
  needSync(in);
  const PtxType type = in.takeType();
  const bool wide = type.bits == 64;
  Value *mask = in.readU32(2), *value = in.read(1, type);
  if (!all)
    return in.write(word, in.builder.CreateIntrinsic(wide ? Intrinsic::nvvm_match_any_sync_i64
                                                          : Intrinsic::nvvm_match_any_sync_i32,
                                                     {}, {mask, value}));
  writePair(in, in.builder.CreateIntrinsic(wide ? Intrinsic::nvvm_match_all_sync_i64p
                                                : Intrinsic::nvvm_match_all_sync_i32p,
                                           {}, {mask, value}));
}

void emitRedux(PtxInstruction &in) {
  needSync(in);
  const std::string name = in.takeOneOf({"add", "min", "max", "and", "or", "xor"});
  const PtxType type = in.takeType();
  if (!type.isInteger())
    throw PtxError("this type");
  const std::pair<StringRef, Intrinsic::ID> operations[] = {
      {"add", Intrinsic::nvvm_redux_sync_add},
      {"min", type.isSigned() ? Intrinsic::nvvm_redux_sync_min : Intrinsic::nvvm_redux_sync_umin},
      {"max", type.isSigned() ? Intrinsic::nvvm_redux_sync_max : Intrinsic::nvvm_redux_sync_umax},
      {"and", Intrinsic::nvvm_redux_sync_and},
      {"or", Intrinsic::nvvm_redux_sync_or},
      {"xor", Intrinsic::nvvm_redux_sync_xor}};
  for (auto [operation, id] : operations)
    if (name == operation)
      return in.write(type, in.builder.CreateIntrinsic(id, {}, {in.read(1, type), in.readU32(2)}));
  throw PtxError("");
}

// elect: one lane of the mask is chosen; which one is up to the machine, here the first.
void emitElect(PtxInstruction &in) {
  needSync(in);
  IRBuilder<> &builder = in.builder;
  Value *mask = in.readU32(1);
  builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {mask});
  Value *leader = builder.CreateBinaryIntrinsic(Intrinsic::cttz, mask, builder.getFalse());
  Value *lane = builder.CreateIntrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid, {}, {});
  const PtxOperand &destination = in.operand(0);
  if (destination.kind != PtxOperand::Pair)
    throw PtxError("without a predicate");
  in.emitter.write(destination.elements[0], word, leader);
  in.emitter.write(destination.elements[1], predicate, builder.CreateICmpEQ(lane, leader));
}

} // namespace

void addWarpInstructions(PtxTable &table) {
  table.any["shfl"] = emitShuffle;
  table.any["vote"] = emitVote;
  table.any["match"] = emitMatch;
  table.any["redux"] = emitRedux;
  table.any["elect"] = emitElect;
  table.any["activemask"] = [](PtxInstruction &in) {
    in.write(in.takeType(), in.builder.CreateIntrinsic(Intrinsic::nvvm_activemask, {}, {}));
  };
}

} // namespace heddle
