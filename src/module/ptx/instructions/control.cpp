// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Barriers, branches and the end of a thread (PTX ISA, "bar", "barrier", "bra", "exit", "trap" …).
#include "module/ptx/instructions/instructions.h"

#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {
namespace {

bool isConstantZero(Value *value) {
  auto *constant = dyn_cast<ConstantInt>(value);
  return constant && constant->isZero();
}

// LLVM 19 has no intrinsic for some barriers; the engine has functions.
Value *callBarrier(PtxInstruction &in, StringRef name, Type *result, ArrayRef<Value *> arguments) {
  auto *call = cast<CallInst>(in.emitter.callLibrary(name, result, arguments));
  call->addFnAttr(Attribute::Convergent);
  return call;
}

// bar.red.popc.u32 d, a, p; bar.red.and.pred q, a, count, p
void emitReduction(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  const std::string operation = in.takeOneOf({"popc", "and", "or"});
  const PtxType type = in.takeType();
  if (operation.empty() || in.count() < 3 || in.count() > 4)
    throw PtxError("");
  Type *i32 = builder.getInt32Ty();
  Value *number = in.readU32(1), *count = in.count() == 4 ? in.readU32(2) : builder.getInt32(0);
  Value *predicate = builder.CreateZExt(in.readPredicate(in.count() - 1), i32), *result = nullptr;
  if (isConstantZero(number) && in.count() == 3) {
    const Intrinsic::ID id = operation == "popc"  ? Intrinsic::nvvm_barrier0_popc
                             : operation == "and" ? Intrinsic::nvvm_barrier0_and
                                                  : Intrinsic::nvvm_barrier0_or;
    result = builder.CreateIntrinsic(id, {}, {predicate});
  } else {
    result = callBarrier(in, "__heddle_barrier_" + operation, i32, {number, count, predicate});
  }
  in.write(type, type.kind == PtxType::Predicate ? builder.CreateICmpNE(result, builder.getInt32(0))
                                                 : result);
}

// bar.sync a; bar.sync a, b; bar.arrive a, b; bar.warp.sync mask; bar.red
void emitBarrier(PtxInstruction &in) {
  IRBuilder<> &builder = in.builder;
  if (in.take("cluster"))
    return emitClusterBarrier(in);
  in.take("cta");
  in.take("aligned");
  if (in.take("warp")) {
    in.take("sync");
    builder.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {}, {in.readU32(0)});
  } else if (in.take("sync")) {
    Value *number = in.readU32(0);
    if (in.count() > 1)
      builder.CreateIntrinsic(Intrinsic::nvvm_barrier_sync_cnt, {}, {number, in.readU32(1)});
    else if (isConstantZero(number))
      builder.CreateIntrinsic(Intrinsic::nvvm_barrier0, {}, {});
    else
      builder.CreateIntrinsic(Intrinsic::nvvm_barrier_sync, {}, {number});
  } else if (in.take("arrive")) {
    callBarrier(in, "__heddle_barrier_arrive", builder.getVoidTy(), {in.readU32(0), in.readU32(1)});
  } else if (in.take("red")) {
    emitReduction(in);
  } else {
    throw PtxError("");
  }
}

void emitBranch(PtxInstruction &in) {
  in.take("uni");
  BasicBlock *target = in.emitter.label(in.operand(0).name);
  in.builder.CreateBr(target);
  in.emitter.continueUnreachable();
}

PtxHandler call(Intrinsic::ID id) {
  return [id](PtxInstruction &in) { in.builder.CreateIntrinsic(id, {}, {}); };
}

} // namespace

void addControlInstructions(PtxTable &table) {
  table.any["bar"] = table.any["barrier"] = emitBarrier;
  table.any["bra"] = emitBranch;
  table.any["exit"] = call(Intrinsic::nvvm_exit);
  table.any["trap"] = call(Intrinsic::trap);
  table.any["brkpt"] = call(Intrinsic::debugtrap);
  table.any["nanosleep"] = [](PtxInstruction &in) {
    const PtxType type = in.takeType();
    in.builder.CreateIntrinsic(Intrinsic::nvvm_nanosleep, {}, {in.read(0, type)});
  };
  // Addresses of several GPUs' memory at once: these devices have none
  // (CU_DEVICE_ATTRIBUTE_MULTICAST_SUPPORTED), so what gets here ends the kernel. Libraries have
  // such kernels beside others and ask before they launch them.
  table.any["multimem"] = [](PtxInstruction &in) {
    if (in.emitter.isInline()) // who writes it in a source of his own is told
      throw PtxError("");
    in.takeAll([](StringRef) { return true; });
    in.builder.CreateIntrinsic(Intrinsic::trap, {}, {});
  };
  // How the register file is shared out; that a profiler should count an event; and that the next
  // grid may begin, which does not until this one has ended.
  for (const char *name : {"setmaxnreg", "pmevent", "griddepcontrol"})
    table.any[name] = [](PtxInstruction &in) { in.takeAll([](StringRef) { return true; }); };
}

} // namespace heddle
