// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "rtc/compiler/nvvm_intrinsics.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::rtc {
namespace {

unsigned kindOf(const CallInst &call, unsigned kinds) {
  const auto *kind = dyn_cast<ConstantInt>(call.getArgOperand(1));
  if (!kind || kind->getValue().uge(kinds))
    throw std::runtime_error("error: the second argument of " +
                             call.getCalledFunction()->getName().str() +
                             " is not a constant that names a kind");
  return unsigned(kind->getZExtValue());
}

Value *lowerShuffle(CallInst &call, IRBuilder<> &b) {
  constexpr Intrinsic::ID kinds[] = {
      Intrinsic::nvvm_shfl_sync_idx_i32p, Intrinsic::nvvm_shfl_sync_up_i32p,
      Intrinsic::nvvm_shfl_sync_down_i32p, Intrinsic::nvvm_shfl_sync_bfly_i32p};
  return b.CreateIntrinsic(
      kinds[kindOf(call, 4)], {},
      {call.getArgOperand(0), call.getArgOperand(2), call.getArgOperand(3), call.getArgOperand(4)});
}

// The result holds the mask of lanes, and the answer of the other kinds.
Value *lowerVote(CallInst &call, IRBuilder<> &b) {
  constexpr Intrinsic::ID kinds[] = {Intrinsic::nvvm_vote_all_sync, Intrinsic::nvvm_vote_any_sync,
                                     Intrinsic::nvvm_vote_uni_sync,
                                     Intrinsic::nvvm_vote_ballot_sync};
  const unsigned kind = kindOf(call, 4);
  Value *answer =
      b.CreateIntrinsic(kinds[kind], {}, {call.getArgOperand(0), call.getArgOperand(2)});
  return b.CreateInsertValue(Constant::getNullValue(call.getType()), answer, kind == 3 ? 0 : 1);
}

template <Intrinsic::ID id> Value *lowerMatch(CallInst &call, IRBuilder<> &b) {
  return b.CreateIntrinsic(id, {}, {call.getArgOperand(0), call.getArgOperand(1)});
}

struct Rule {
  const char *name;
  unsigned arguments;
  Value *(*lower)(CallInst &, IRBuilder<> &);
};

constexpr Rule rules[] = {
    {"llvm.nvvm.shfl.sync.i32", 5, lowerShuffle},
    {"llvm.nvvm.vote.sync", 3, lowerVote},
    {"llvm.nvvm.match.all.sync.i32", 2, lowerMatch<Intrinsic::nvvm_match_all_sync_i32p>},
    {"llvm.nvvm.match.all.sync.i64", 2, lowerMatch<Intrinsic::nvvm_match_all_sync_i64p>},
};

// Names of LLVM 3.2, which NVIDIA's samples and older compilers still write, and what they became.
struct Renamed {
  StringLiteral start, now;
};
constexpr Renamed renamed[] = {
    {"llvm.cuda.syncthreads", "llvm.nvvm.barrier0"},
    {"llvm.ptx.bar.sync", "llvm.nvvm.barrier.n"},
    {"llvm.ptx.read.", "llvm.nvvm.read.ptx.sreg."},
};

void renameOlder(Module &module) {
  for (Function &function : make_early_inc_range(module))
    for (const Renamed &names : renamed) {
      StringRef rest = function.getName();
      if (!rest.consume_front(names.start))
        continue;
      const std::string now = (names.now + rest).str();
      const Intrinsic::ID id = Function::lookupIntrinsicID(now);
      if (id == Intrinsic::not_intrinsic || Intrinsic::isOverloaded(id))
        continue;
      Function *other = Intrinsic::getDeclaration(&module, id);
      if (other->getFunctionType() != function.getFunctionType())
        throw std::runtime_error("error: " + function.getName().str() + " has the wrong type");
      function.replaceAllUsesWith(other);
      function.eraseFromParent();
      break;
    }
}

// Otherwise they would be calls of functions that no other module has.
void refuseUnknown(const Module &module) {
  for (const Function &function : module)
    if (function.isIntrinsic() && function.getIntrinsicID() == Intrinsic::not_intrinsic &&
        !function.use_empty())
      throw std::runtime_error("error: there is no intrinsic " + function.getName().str());
}

} // namespace

void lowerNvvmIntrinsics(Module &module) {
  renameOlder(module);
  for (const Rule &rule : rules) {
    Function *function = module.getFunction(rule.name);
    if (!function)
      continue;
    for (User *user : make_early_inc_range(function->users())) {
      auto *call = dyn_cast<CallInst>(user);
      if (!call || call->getCalledFunction() != function || call->arg_size() != rule.arguments)
        continue;
      IRBuilder<> b(call);
      Value *result = rule.lower(*call, b);
      if (result->getType() != call->getType())
        throw std::runtime_error(std::string("error: ") + rule.name + " has the wrong type");
      call->replaceAllUsesWith(result);
      call->eraseFromParent();
    }
    if (function->use_empty())
      function->eraseFromParent();
  }
  refuseUnknown(module);
}

} // namespace heddle::rtc
