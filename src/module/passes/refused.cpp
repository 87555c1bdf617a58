// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/refused.h"

#include "llvm/IR/InlineAsm.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <set>

using namespace llvm;

namespace heddle {
namespace {

constexpr StringLiteral prefix = "__heddle_refused.", attribute = "heddle.refused";
constexpr int exit_code_of_ptxas = 255;

std::string nameFor(const std::string &messages, const Type &type) {
  std::string key;
  raw_string_ostream stream(key);
  stream << messages << type;
  return prefix.str() + utohexstr(xxh3_64bits(stream.str()));
}

bool isUsed(const Function &function) {
  return isRefusedCode(function.getName()) && !function.use_empty();
}

} // namespace

void markRefused(CallBase &assembly, const std::string &messages) {
  Module &module = *assembly.getModule();
  const bool is_volatile = cast<InlineAsm>(assembly.getCalledOperand())->hasSideEffects();
  FunctionCallee callee = module.getOrInsertFunction(nameFor(messages, *assembly.getType()),
                                                     FunctionType::get(assembly.getType(), false));
  auto &function = *cast<Function>(callee.getCallee());
  function.addFnAttr(attribute, messages);
  function.setDoesNotThrow();
  function.setWillReturn();
  auto *call = CallInst::Create(callee, "", assembly.getIterator());
  call->setMemoryEffects(is_volatile ? MemoryEffects::inaccessibleMemOnly()
                                     : MemoryEffects::none());
  call->setDebugLoc(assembly.getDebugLoc());
  assembly.replaceAllUsesWith(call);
  assembly.eraseFromParent();
}

bool isRefusedCode(StringRef name) { return name.starts_with(prefix); }

bool hasRefusedCode(const Module &module) { return any_of(module, isUsed); }

void refuseMarked(const Module &module) {
  std::set<std::string> lines; // of a function that was inlined twice there is one
  std::string all;
  for (const Function &function : module)
    if (isUsed(function)) {
      SmallVector<StringRef> messages;
      function.getFnAttribute(attribute).getValueAsString().split(messages, '\n');
      for (StringRef message : messages)
        if (lines.insert(message.str()).second)
          all += message.str() + '\n';
    }
  if (!all.empty())
    throw Refusal(all + "ptxas fatal   : Ptx assembly aborted due to errors", exit_code_of_ptxas);
}

} // namespace heddle
