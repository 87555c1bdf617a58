// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/passes/constant_users.h"

#include "llvm/IR/Instructions.h"
#include "llvm/IR/ReplaceConstant.h"

using namespace llvm;

namespace heddle {

void makeUsersInstructions(Module &module, ArrayRef<Constant *> constants) {
  convertUsersOfConstantsToInstructions(constants);
  // A phi has one incoming value for each of a switch's cases that lead to its block, which must
  // all be the same; each has become an instruction of its own.
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (PHINode &phi : block.phis())
        for (unsigned i = 0; i < phi.getNumIncomingValues(); ++i)
          phi.setIncomingValue(i, phi.getIncomingValueForBlock(phi.getIncomingBlock(i)));
}

} // namespace heddle
