// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/lowering/lower_builtins.h"

#include "engine/abi_extensions.h"
#include "engine/compiler/lowering/builtin_forms.h"
#include "engine/compiler/lowering/matrix_form.h"
#include "engine/compiler/lowering/thread_context.h"
#include "module/passes/launches.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

#include <functional>

using namespace llvm;

namespace heddle::engine {
namespace {

// A call to a built-in that is being replaced.
struct Site {
  CallBase &call;
  IRBuilder<> builder;
  Value *context;
  uint32_t number; // identifies the call in the module

  Value *argument(unsigned i) const { return call.getArgOperand(i); }
  Type *i32() { return builder.getInt32Ty(); }
  Value *constant(uint32_t value) { return builder.getInt32(value); }
  Value *runtime(uint64_t offset, Type *result, ArrayRef<Value *> arguments) {
    return callRuntime(builder, context, offset, result, arguments);
  }
  Value *thread(uint64_t offset) { return loadThreadField(builder, context, i32(), offset); }
  Value *block(uint64_t offset) { return loadBlockField(builder, context, i32(), offset); }
  Value *widen(Value *value) { return builder.CreateZExt(value, i32()); }
};

// Returns the value that replaces the call; null for a call without one.
using Lowering = std::function<Value *(Site &)>;
using Table = StringMap<Lowering>;

#define HEDDLE_SERVICE(name) offsetof(RuntimeTable, name)

void addSpecialRegisters(Table &table) {
  const char axes[] = {'x', 'y', 'z'};
  for (unsigned i = 0; i < 3; ++i) {
    auto name = [&](const char *base) {
      return (Twine("llvm.nvvm.read.ptx.sreg.") + base + "." + Twine(axes[i])).str();
    };
    table[name("tid")] = [i](Site &s) {
      return s.thread(offsetof(ThreadContext, thread_index) + 4 * i);
    };
    table[name("ctaid")] = [i](Site &s) {
      return s.block(offsetof(BlockContext, block_index) + 4 * i);
    };
    table[name("ntid")] = [i](Site &s) {
      return s.block(offsetof(BlockContext, block_dim) + 4 * i);
    };
    table[name("nctaid")] = [i](Site &s) {
      return s.block(offsetof(BlockContext, grid_dim) + 4 * i);
    };
  }
  auto linear = [](Site &s) { return s.thread(offsetof(ThreadContext, linear_index)); };
  auto lane = [linear](Site &s) { return s.builder.CreateAnd(linear(s), s.constant(31)); };
  table["llvm.nvvm.read.ptx.sreg.laneid"] = lane;
  table["llvm.nvvm.read.ptx.sreg.warpid"] = [linear](Site &s) {
    return s.builder.CreateLShr(linear(s), s.constant(5));
  };
  table["llvm.nvvm.read.ptx.sreg.warpsize"] = [](Site &s) { return s.constant(32); };
  // PTX ISA, "%lanemask_lt" and the other lane masks: bits below, at or above the lane's own.
  auto mask = [lane](bool below, bool own, bool above) {
    return [=](Site &s) {
      Value *bit = s.builder.CreateShl(s.constant(1), lane(s));
      Value *lower = s.builder.CreateSub(bit, s.constant(1));
      Value *result = s.constant(0);
      if (below)
        result = lower;
      if (own)
        result = s.builder.CreateOr(result, bit);
      if (above)
        result = s.builder.CreateOr(result, s.builder.CreateNot(s.builder.CreateOr(lower, bit)));
      return result;
    };
  };
  table["llvm.nvvm.read.ptx.sreg.lanemask.eq"] = mask(false, true, false);
  table["llvm.nvvm.read.ptx.sreg.lanemask.lt"] = mask(true, false, false);
  table["llvm.nvvm.read.ptx.sreg.lanemask.le"] = mask(true, true, false);
  table["llvm.nvvm.read.ptx.sreg.lanemask.gt"] = mask(false, false, true);
  table["llvm.nvvm.read.ptx.sreg.lanemask.ge"] = mask(false, true, true);
  table["llvm.nvvm.read.ptx.sreg.clock64"] = [](Site &s) {
    return s.runtime(HEDDLE_SERVICE(clock), s.builder.getInt64Ty(), {});
  };
  table["llvm.nvvm.read.ptx.sreg.clock"] = [](Site &s) {
    Value *cycles = s.runtime(HEDDLE_SERVICE(clock), s.builder.getInt64Ty(), {});
    return s.builder.CreateTrunc(cycles, s.i32());
  };
  table["llvm.nvvm.read.ptx.sreg.globaltimer"] = [](Site &s) {
    return s.runtime(HEDDLE_SERVICE(global_timer), s.builder.getInt64Ty(), {});
  };
  table["__heddle_dynamic_smem_size"] = [](Site &s) {
    return s.block(offsetof(BlockContext, dynamic_shared_bytes));
  };
  table["__heddle_cluster"] = [](Site &s) {
    return loadBlockField(s.builder, s.context, s.builder.getPtrTy(),
                          offsetof(ExtendedBlockContext, cluster));
  };
  table["__heddle_multiprocessors"] = [](Site &s) {
    return s.block(offsetof(ExtendedBlockContext, multiprocessors));
  };
  table["__heddle_multiprocessor_warps"] = [](Site &s) {
    return s.block(offsetof(ExtendedBlockContext, multiprocessor_warps));
  };
  table["__heddle_grid_number"] = [](Site &s) {
    return loadBlockField(s.builder, s.context, s.builder.getInt64Ty(),
                          offsetof(ExtendedBlockContext, grid_number));
  };
  table["__heddle_grid_workspace"] = [](Site &s) {
    return loadBlockField(s.builder, s.context, s.builder.getInt64Ty(),
                          offsetof(ExtendedBlockContext, grid_workspace));
  };
  table["__heddle_shared_start"] = [](Site &s) {
    return loadBlockField(s.builder, s.context, s.builder.getPtrTy(),
                          offsetof(BlockContext, shared));
  };
  table["__heddle_total_smem_size"] = [](Site &s) {
    Type *pointer = s.builder.getPtrTy();
    Value *start = loadBlockField(s.builder, s.context, pointer, offsetof(BlockContext, shared));
    Value *dynamic =
        loadBlockField(s.builder, s.context, pointer, offsetof(BlockContext, dynamic_shared));
    Value *fixed = s.builder.CreatePtrDiff(s.builder.getInt8Ty(), dynamic, start);
    return s.builder.CreateAdd(s.builder.CreateTrunc(fixed, s.i32()),
                               s.block(offsetof(BlockContext, dynamic_shared_bytes)));
  };
}

Value *lowerBarrier(Site &s, const BarrierForm &form) {
  const auto argument = [&](int i) { return i < 0 ? s.constant(0) : s.argument(unsigned(i)); };
  return s.runtime(HEDDLE_SERVICE(barrier), s.i32(),
                   {argument(form.id), argument(form.count), s.constant(uint32_t(form.reduction)),
                    argument(form.predicate)});
}

void addSynchronization(Table &table) {
  table["__heddle_grid_sync"] = [](Site &s) -> Value * {
    return s.runtime(HEDDLE_SERVICE(grid_sync), s.builder.getVoidTy(), {});
  };
  table["__heddle_barrier_arrive"] = [](Site &s) -> Value * {
    return s.runtime(HEDDLE_SERVICE(barrier_arrive), s.builder.getVoidTy(),
                     {s.argument(0), s.argument(1)});
  };
  // Makes the next loop that may wait for another thread yield soon.
  table["__heddle_turn_soon"] = [](Site &s) -> Value * {
    Value *budget = s.builder.CreateConstInBoundsGEP1_64(s.builder.getInt8Ty(), s.context,
                                                         offsetof(ThreadContext, spin_budget));
    return s.builder.CreateStore(s.builder.getInt64(0), budget);
  };
  table["__heddle_is_cooperative"] = [](Site &s) -> Value * {
    return s.runtime(HEDDLE_SERVICE(grid_is_cooperative), s.i32(), {});
  };
  for (const char *name : {"llvm.nvvm.membar.cta", "llvm.nvvm.membar.gl", "llvm.nvvm.membar.sys"})
    table[name] = [](Site &s) -> Value * {
      return s.builder.CreateFence(AtomicOrdering::SequentiallyConsistent);
    };
  table["llvm.nvvm.nanosleep"] = [](Site &s) -> Value * {
    return s.runtime(HEDDLE_SERVICE(yield), s.builder.getVoidTy(), {});
  };
  table["llvm.nvvm.activemask"] = [](Site &s) {
    return s.runtime(HEDDLE_SERVICE(active_mask), s.i32(), {s.constant(s.number)});
  };
}

// All supported ABIs return ValueAndPredicate in one 64-bit register.
Value *unpack(Site &s, Value *packed, Type *value_type, bool with_predicate) {
  Value *value = s.builder.CreateTrunc(packed, s.i32());
  if (value_type->isFloatTy())
    value = s.builder.CreateBitCast(value, value_type);
  if (!with_predicate)
    return value;
  Value *predicate = s.builder.CreateTrunc(s.builder.CreateLShr(packed, 32), s.builder.getInt1Ty());
  Value *pair = PoisonValue::get(s.call.getType());
  pair = s.builder.CreateInsertValue(pair, value, 0);
  return s.builder.CreateInsertValue(pair, predicate, 1);
}

Value *lowerWarpOperation(Site &s, const WarpForm &form) {
  Value *mask = s.argument(form.mask), *mode = s.constant(form.mode);
  Type *i64 = s.builder.getInt64Ty();
  const auto argument = [&](int i) { return s.argument(unsigned(i)); };
  switch (form.operation) {
  case WarpOperation::Sync:
    return s.runtime(HEDDLE_SERVICE(sync_warp), s.builder.getVoidTy(), {mask});
  case WarpOperation::Shuffle: {
    Value *value = argument(form.value);
    Value *packed = s.runtime(HEDDLE_SERVICE(shuffle), i64,
                              {mode, mask, s.builder.CreateBitCast(value, s.i32()),
                               argument(form.lane), argument(form.clamp)});
    return unpack(s, packed, value->getType(), form.pair);
  }
  case WarpOperation::Vote: {
    Value *result =
        s.runtime(HEDDLE_SERVICE(vote), s.i32(), {mode, mask, s.widen(argument(form.value))});
    return s.builder.CreateTrunc(result, s.call.getType());
  }
  case WarpOperation::MatchAny:
    return s.runtime(HEDDLE_SERVICE(match_any), s.i32(),
                     {mask, s.builder.CreateZExt(argument(form.value), i64)});
  case WarpOperation::MatchAll: {
    Value *packed = s.runtime(HEDDLE_SERVICE(match_all), i64,
                              {mask, s.builder.CreateZExt(argument(form.value), i64)});
    return unpack(s, packed, s.i32(), form.pair);
  }
  case WarpOperation::Reduce:
    return s.runtime(HEDDLE_SERVICE(reduce), s.i32(), {mode, mask, argument(form.value)});
  }
  llvm_unreachable("all operations are handled");
}

// The operands are passed to the service in memory.
Value *lowerMatrixProduct(Site &s, uint32_t code) {
  const MatrixOperation operation = MatrixOperation::decode(code);
  const uint32_t inputs = operation.inputWords();
  Function &function = *s.call.getFunction();
  IRBuilder<> entry(&*function.getEntryBlock().getFirstInsertionPt());
  Value *words =
      entry.CreateAlloca(ArrayType::get(s.i32(), inputs + operation.wordsOfD()), nullptr, "matrix");
  const auto place = [&](uint32_t i) { return s.builder.CreateConstGEP1_64(s.i32(), words, i); };
  for (uint32_t i = 0; i < inputs; ++i)
    s.builder.CreateStore(s.argument(i), place(i));
  s.runtime(offsetof(ExtendedRuntimeTable, multiply_matrices), s.builder.getVoidTy(),
            {s.constant(code), words});
  Value *result = PoisonValue::get(s.call.getType());
  for (uint32_t i = 0; i < operation.wordsOfD(); ++i)
    result =
        s.builder.CreateInsertValue(result, s.builder.CreateLoad(s.i32(), place(inputs + i)), i);
  return result;
}

void addServices(Table &table) {
  // Inserted by compiler/instrument.
  table[observe_marker] = [](Site &s) {
    Value *allowed =
        s.runtime(offsetof(ExtendedRuntimeTable, observe), s.i32(),
                  {s.argument(0), s.argument(1), s.argument(2), s.argument(3), s.argument(4)});
    return s.builder.CreateIsNotNull(allowed);
  };
  table[within_marker] = [](Site &s) {
    IRBuilder<> &b = s.builder;
    Value *address = s.argument(0), *last = b.CreateSub(s.argument(3), s.argument(1));
    Value *aligned =
        b.CreateIsNull(b.CreateAnd(address, b.CreateSub(s.argument(4), b.getInt64(1))));
    return b.CreateAnd(aligned, b.CreateAnd(b.CreateICmpUGE(address, s.argument(2)),
                                            b.CreateICmpULE(address, last)));
  };
  table[extents_function] = [](Site &s) {
    return loadBlockField(s.builder, s.context, s.builder.getPtrTy(),
                          offsetof(ExtendedBlockContext, extents));
  };
  const auto count = [](Site &s, Value *address) {
    return s.runtime(offsetof(ExtendedRuntimeTable, count_thread), s.builder.getVoidTy(),
                     {s.argument(0), address});
  };
  for (StringRef name : {count_block_marker, count_branch_marker})
    table[name] = [count](Site &s) -> Value * { return count(s, s.builder.getInt64(0)); };
  table[count_access_marker] = [count](Site &s) -> Value * {
    return count(s, s.builder.CreatePtrToInt(s.argument(1), s.builder.getInt64Ty()));
  };
  const auto fetch = [](Site &s, uint64_t service) {
    return s.runtime(service, s.builder.getVoidTy(),
                     {s.argument(0), s.argument(1), s.argument(2), s.argument(3), s.argument(4),
                      s.argument(5), s.argument(6)});
  };
  table[count_fetch_marker] = [fetch](Site &s) -> Value * {
    return fetch(s, offsetof(ExtendedRuntimeTable, count_thread_fetch));
  };
  table[observe_fetch_marker] = [fetch](Site &s) -> Value * {
    return fetch(s, offsetof(ExtendedRuntimeTable, observe_thread_fetch));
  };
  table[count_local_marker] = [count](Site &s) -> Value * { return count(s, s.argument(1)); };
  table["vprintf"] = [](Site &s) {
    return s.runtime(HEDDLE_SERVICE(print), s.i32(),
                     {s.constant(s.number), s.argument(0), s.argument(1)});
  };
  table["__heddle_malloc"] = [](Site &s) {
    return s.runtime(HEDDLE_SERVICE(allocate), s.builder.getPtrTy(), {s.argument(0)});
  };
  table["__heddle_free"] = [](Site &s) {
    return s.runtime(HEDDLE_SERVICE(release), s.builder.getVoidTy(), {s.argument(0)});
  };
  table[device_call] = [](Site &s) {
    return s.runtime(HEDDLE_SERVICE(call_device), s.i32(), {s.argument(0), s.argument(1)});
  };
  table["__assertfail"] = [](Site &s) {
    return s.runtime(HEDDLE_SERVICE(assert_fail), s.builder.getVoidTy(),
                     {s.argument(0), s.argument(1), s.argument(2), s.argument(3)});
  };
  for (const char *name : {"llvm.trap", "llvm.debugtrap"})
    table[name] = [](Site &s) {
      return s.runtime(HEDDLE_SERVICE(trap), s.builder.getVoidTy(), {});
    };
  table["llvm.nvvm.exit"] = [](Site &s) {
    return s.runtime(HEDDLE_SERVICE(exit), s.builder.getVoidTy(), {});
  };
  // LLVM's numbers of the address spaces. Parameters count as global (measured on an H200).
  constexpr unsigned global = 1, parameter = 101;
  const std::pair<const char *, unsigned> spaces[] = {{"llvm.nvvm.isspacep.global", global},
                                                      {"llvm.nvvm.isspacep.shared", 3},
                                                      {"llvm.nvvm.isspacep.const", 4},
                                                      {"llvm.nvvm.isspacep.local", 5},
                                                      {"__heddle_is_parameter", parameter}};
  for (auto [name, space] : spaces)
    table[name] = [space](Site &s) {
      Value *found = s.runtime(HEDDLE_SERVICE(address_space), s.i32(), {s.argument(0)});
      Value *is = s.builder.CreateICmpEQ(found, s.constant(space));
      return space == global
                 ? s.builder.CreateOr(is, s.builder.CreateICmpEQ(found, s.constant(parameter)))
                 : is;
    };
}

const Table &loweringTable() {
  static const Table table = [] {
    Table all;
    addSpecialRegisters(all);
    addSynchronization(all);
    addServices(all);
    return all;
  }();
  return table;
}

// Predecessors first, but for loops: where diverged lanes wait for each other, those with the
// lowest number continue (reference/block.h), and blocks stand in any order in code that was PTX.
SmallVector<Instruction *> inProgramOrder(Function &function) {
  SmallVector<Instruction *> all;
  SmallPtrSet<BasicBlock *, 16> reached;
  const auto add = [&](BasicBlock &block) {
    for (Instruction &instruction : block)
      all.push_back(&instruction);
  };
  if (function.isDeclaration())
    return all;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&function)) {
    reached.insert(block);
    add(*block);
  }
  for (BasicBlock &block : function)
    if (!reached.contains(&block))
      add(block);
  return all;
}

// asm volatile("" : "+r"(x) :: "memory"), which has only kept the optimiser from moving accesses: a
// fence for the compiler alone, whose outputs are the inputs tied to them. False for other calls.
bool lowerEmptyStatement(CallBase &call) {
  const auto *assembly = dyn_cast<InlineAsm>(call.getCalledOperand());
  if (!assembly || !assembly->getAsmString().empty() || !isa<CallInst>(call))
    return false;
  SmallVector<Value *> outputs;
  unsigned input = 0;
  for (const InlineAsm::ConstraintInfo &constraint : assembly->ParseConstraints()) {
    if (constraint.isIndirect)
      return false;
    if (constraint.Type == InlineAsm::isOutput)
      outputs.push_back(nullptr);
    else if (constraint.Type == InlineAsm::isInput) {
      Value *value = call.getArgOperand(input++);
      if (constraint.Codes.empty() || !isDigit(constraint.Codes[0][0]))
        continue;
      outputs[unsigned(std::stoul(constraint.Codes[0]))] = value;
    }
  }
  IRBuilder<> builder(&call);
  builder.CreateFence(AtomicOrdering::SequentiallyConsistent, SyncScope::SingleThread);
  Type *type = call.getType();
  Value *result = PoisonValue::get(type);
  for (unsigned i = 0; i < outputs.size(); ++i) {
    Type *part = type->isStructTy() ? type->getStructElementType(i) : type;
    Value *value = outputs[i] ? outputs[i] : builder.CreateFreeze(PoisonValue::get(part));
    result = type->isStructTy() ? builder.CreateInsertValue(result, value, i) : value;
  }
  if (!type->isVoidTy())
    call.replaceAllUsesWith(result);
  call.eraseFromParent();
  return true;
}

bool isDeviceIntrinsic(const Function &callee) {
  return callee.getName().starts_with("llvm.nvvm.");
}

} // namespace

std::vector<std::string>
lowerBuiltins(Module &module, const std::function<bool(const Function &, StringRef)> &which) {
  std::vector<std::string> unknown;
  uint32_t number = 0;
  for (Function &function : module)
    for (Instruction *instruction : inProgramOrder(function)) {
      auto *call = dyn_cast<CallBase>(instruction);
      if (call && lowerEmptyStatement(*call))
        continue;
      const Function *callee = call ? call->getCalledFunction() : nullptr;
      if (!callee || !callee->isDeclaration() || (which && !which(function, callee->getName())))
        continue;
      Site site{*call, IRBuilder<>(call), contextOf(function), number + 1};
      Value *replacement = nullptr;
      if (const auto lowering = loweringTable().find(callee->getName());
          lowering != loweringTable().end()) {
        replacement = lowering->second(site);
      } else if (const auto barrier = barrierForm(callee->getName())) {
        replacement = lowerBarrier(site, *barrier);
      } else if (const auto product = matrixForm(callee->getName())) {
        replacement = lowerMatrixProduct(site, *product);
      } else if (const auto operation = warpForm(callee->getName())) {
        replacement = lowerWarpOperation(site, *operation);
      } else {
        if (isDeviceIntrinsic(*callee))
          unknown.push_back("error: built-in '" + callee->getName().str() +
                            "' is not supported yet");
        continue;
      }
      ++number;
      if (!call->getType()->isVoidTy())
        call->replaceAllUsesWith(replacement);
      call->eraseFromParent();
    }
  return unknown;
}

} // namespace heddle::engine
