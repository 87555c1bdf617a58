// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers in shared memory (PTX ISA, "mbarrier"). What they do is devicelib/mbarrier.cu.
#include "module/ptx/instructions/instructions.h"

using namespace llvm;

namespace heddle {
namespace {

constexpr PtxType state_type{PtxType::Bits, 64};

Value *barrierAt(PtxInstruction &in, size_t i) { return in.emitter.address(in.operand(i), true); }

// mbarrier.arrive[_drop][.expect_tx][.noComplete] state, [barrier]{, count or bytes}
void emitArrive(PtxInstruction &in, StringRef function) {
  IRBuilder<> &builder = in.builder;
  const bool expects = in.take("expect_tx");
  in.take("noComplete");
  // To another block's barrier there may be no destination at all.
  const size_t address = in.operand(0).kind == PtxOperand::Address ? 0 : 1;
  Value *number = in.count() > address + 1 ? in.readU32(address + 1) : builder.getInt32(1);
  Value *count = expects ? builder.getInt32(1) : number;
  Value *bytes = expects ? number : builder.getInt32(0);
  Value *state = in.emitter.callLibrary(function, builder.getInt64Ty(),
                                        {barrierAt(in, address), count, bytes});
  if (address == 1)
    in.write(state_type, state);
}

// mbarrier.{test,try}_wait[.parity] done, [barrier], state or parity{, time}
void emitWait(PtxInstruction &in, bool waits) {
  IRBuilder<> &builder = in.builder;
  const bool by_parity = in.take("parity");
  Value *parity = by_parity ? in.readU32(2)
                            : builder.CreateTrunc(builder.CreateLShr(in.read(2, state_type), 63),
                                                  builder.getInt32Ty());
  Value *over = in.emitter.callLibrary("__heddle_mbarrier_test", builder.getInt32Ty(),
                                       {barrierAt(in, 1), parity, builder.getInt32(waits)});
  in.write({PtxType::Predicate, 1}, builder.CreateIsNotNull(over));
}

void emitBarrierObject(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const std::string what = in.takeOneOf({"init", "inval", "arrive", "arrive_drop", "test_wait",
                                         "try_wait", "expect_tx", "complete_tx", "pending_count"});
  if (what == "arrive" || what == "arrive_drop")
    emitArrive(in, what == "arrive" ? "__heddle_mbarrier_arrive" : "__heddle_mbarrier_drop");
  else if (what == "test_wait" || what == "try_wait")
    emitWait(in, what == "try_wait");
  else if (what == "init")
    in.emitter.callLibrary("__heddle_mbarrier_init", builder.getVoidTy(),
                           {barrierAt(in, 0), in.readU32(1)});
  else if (what == "inval") // the memory may serve something else from here on
    builder.CreateStore(builder.getInt64(0), barrierAt(in, 0));
  else if (what == "expect_tx" && in.operand(0).kind == PtxOperand::Address)
    in.emitter.callLibrary("__heddle_mbarrier_expect", builder.getVoidTy(),
                           {barrierAt(in, 0), in.readU32(1)});
  else if (what == "complete_tx")
    in.emitter.callLibrary("__heddle_mbarrier_complete", builder.getVoidTy(),
                           {barrierAt(in, 0), in.readU32(1)});
  else if (what == "pending_count")
    in.write({PtxType::Unsigned, 32},
             in.emitter.callLibrary("__heddle_mbarrier_pending", builder.getInt32Ty(),
                                    {in.read(1, state_type)}));
  else
    throw PtxError("");
  in.takeOneOf({"relaxed", "acquire", "release"});
  in.takeOneOf({"cta", "cluster"});
  in.takeOneOf({"shared", "shared::cta", "shared::cluster"});
  in.takeType();
}

} // namespace

void addBarrierObjectInstructions(PtxTable &table) { table.any["mbarrier"] = emitBarrierObject; }

} // namespace heddle
