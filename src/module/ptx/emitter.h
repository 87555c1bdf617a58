// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state while one asm statement's PTX becomes LLVM IR: its registers, labels and position.
//
// Each PTX register becomes a stack slot, which the optimiser turns back into plain values. That
// makes predicated instructions and branches easy: they are ordinary control flow.
#pragma once

#include "module/ptx/parser.h"
#include "module/ptx/type.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

namespace heddle {

class PtxEmitter {
public:
  /// One operand of the asm statement: a stack slot, or a constant that can be used directly.
  struct AsmOperand {
    llvm::AllocaInst *slot = nullptr;
    llvm::Constant *constant = nullptr;
  };

  /// Code goes before `call`. A `repeatable` statement is one whose loads may be merged or left out
  /// (asm without volatile). `carry` is the function's slot for CC.CF, made when first needed: a
  /// carry may go from one asm statement to the next.
  PtxEmitter(llvm::CallBase &call, bool repeatable, llvm::AllocaInst *&carry)
      : builder(&call), call_(call), repeatable_(repeatable), carry_(carry) {}

  /// A slot for `bits` bits in the entry block.
  llvm::AllocaInst *makeSlot(unsigned bits, const llvm::Twine &name);

  /// Emits all statements, with $0, $1 … standing for `operands`. Throws PtxError.
  void run(const std::vector<PtxStatement> &statements, std::vector<AsmOperand> operands);

  /// The operand's value as `type` (see PtxType::inIR). Wider registers are truncated.
  llvm::Value *read(const PtxOperand &operand, PtxType type);
  /// The same for an operand whose register's width decides.
  llvm::Value *readAnyWidth(const PtxOperand &operand);
  /// Into a wider register the value is extended according to the type's sign.
  void write(const PtxOperand &operand, PtxType type, llvm::Value *value);
  /// The value of a constant operand.
  int64_t constant(const PtxOperand &operand);
  /// The pointer that an address operand means; `shared` allows 32-bit addresses, which shared
  /// memory's are in full.
  llvm::Value *address(const PtxOperand &operand, bool shared);

  /// The condition code register's carry flag, CC.CF, of which each thread has one.
  llvm::AllocaInst *carry();
  /// A new block that is not yet reached from anywhere.
  llvm::BasicBlock *makeBlock(const llvm::Twine &name);
  /// Continues in `block`, which the code so far runs into.
  void continueIn(llvm::BasicBlock *block);
  /// Calls a function of the device library.
  llvm::Value *callLibrary(llvm::StringRef name, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> arguments);
  llvm::BasicBlock *label(const std::string &name);
  bool repeatable() const { return repeatable_; }

  llvm::IRBuilder<> builder;

private:
  llvm::AllocaInst *slotOf(const PtxOperand &operand);
  llvm::Value *readSpecial(llvm::StringRef name);
  llvm::Value *readNumber(const PtxOperand &operand, PtxType type);
  void declare(const PtxStatement &statement);
  void emit(const PtxStatement &statement);
  void splitAtCall();

  llvm::CallBase &call_;
  const bool repeatable_;
  llvm::AllocaInst *&carry_;
  std::vector<AsmOperand> operands_;
  std::vector<llvm::StringMap<llvm::AllocaInst *>> scopes_;
  llvm::StringMap<llvm::BasicBlock *> labels_;
  bool split_ = false;
};

} // namespace heddle
