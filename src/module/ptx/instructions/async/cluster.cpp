// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Thread block clusters (PTX ISA, "barrier.cluster", "mapa", "getctarank"): devicelib/cluster.cu.
#include "module/ptx/instructions/instructions.h"

using namespace llvm;

namespace heddle {
namespace {

// A shared address of 32 bits or a generic one, in a register.
Value *pointerIn(PtxInstruction &in, size_t i) {
  IRBuilder<> &builder = in.builder;
  Value *address = in.emitter.readAnyWidth(in.operand(i));
  return builder.CreateIntToPtr(builder.CreateZExtOrTrunc(address, builder.getInt64Ty()),
                                builder.getPtrTy());
}

// mapa: the same place in the shared memory of another block of the cluster.
void emitMap(PtxInstruction &in) {
  in.take("shared::cluster");
  const PtxType type = in.takeType();
  Value *mapped = in.emitter.callLibrary("__heddle_map_shared", in.builder.getPtrTy(),
                                         {pointerIn(in, 1), in.readU32(2)});
  in.write(type, in.builder.CreatePtrToInt(mapped, in.builder.getIntNTy(type.bits)));
}

void emitRank(PtxInstruction &in) {
  in.take("shared::cluster");
  in.takeType();
  in.write(
      {PtxType::Unsigned, 32},
      in.emitter.callLibrary("__heddle_shared_rank", in.builder.getInt32Ty(), {pointerIn(in, 1)}));
}

// clusterlaunchcontrol: a block asks for the work of one that has not begun, and may be refused.
// Here it always is: the schedule hands out blocks itself, at less cost than such a request has.
void emitLaunchControl(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  constexpr PtxType response{PtxType::Bits, 128};
  if (in.take("try_cancel")) {
    in.takeOneOf({"shared", "shared::cta"});
    if (!in.take("async") || !in.take("mbarrier::complete_tx::bytes") ||
        in.takeType().bits != response.bits)
      throw PtxError("");
    builder.CreateAlignedStore(builder.getIntN(128, 0), in.emitter.address(in.operand(0), true),
                               Align(16));
    in.emitter.callLibrary("__heddle_mbarrier_complete", builder.getVoidTy(),
                           {in.emitter.address(in.operand(1), true), builder.getInt32(16)});
    return;
  }
  const bool asks_if = in.take("query_cancel") && in.take("is_canceled");
  // The place of the block is undefined after a refusal.
  if (!asks_if &&
      in.takeOneOf({"get_first_ctaid::x", "get_first_ctaid::y", "get_first_ctaid::z"}).empty())
    throw PtxError("");
  const PtxType type = in.takeType();
  if (in.takeType().bits != response.bits)
    throw PtxError("");
  in.read(1, response);
  in.write(type, Constant::getNullValue(type.inIR(builder.getContext())));
}

} // namespace

void emitClusterBarrier(PtxInstruction &in) {
  const bool arrives = in.take("arrive");
  if (!arrives && !in.take("wait"))
    throw PtxError("");
  in.takeOneOf({"release", "relaxed", "acquire"});
  in.take("aligned");
  in.emitter.callLibrary(arrives ? "__heddle_cluster_arrive" : "__heddle_cluster_wait",
                         in.builder.getVoidTy(), {});
}

void addClusterInstructions(PtxTable &table) {
  table.any["mapa"] = emitMap;
  table.any["getctarank"] = emitRank;
  table.any["clusterlaunchcontrol"] = emitLaunchControl;
}

} // namespace heddle
