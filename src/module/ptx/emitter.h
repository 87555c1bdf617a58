// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of translating PTX statements to LLVM IR: registers, variables, labels and the
// insertion point, for an asm statement in a function of CUDA C++, or a PTX function's body.
//
// Each PTX register becomes a stack slot, which the optimiser promotes to values. Predicated
// instructions and branches thus become ordinary control flow.
#pragma once

#include "module/ptx/parser.h"
#include "module/ptx/target.h"
#include "module/ptx/type.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

#include <optional>

namespace heddle {

/// The attribute that marks a .texref, .samplerref or .surfref variable: it holds a handle.
inline constexpr llvm::StringLiteral opaque_attribute = "heddle.opaque";

/// The module-level symbols of a whole PTX module.
class PtxSymbols {
public:
  virtual ~PtxSymbols() = default;
  /// The variable or function of that name as a pointer, or null.
  virtual llvm::Constant *find(llvm::StringRef name) = 0;
  /// The signature of the function of that name, or null.
  virtual const PtxSignature *signature(llvm::StringRef name) = 0;
  /// Defines a variable that is declared in a function but has module or block lifetime.
  virtual llvm::Constant *define(const PtxVariable &variable) = 0;
  /// Reports an error; translation continues with the next statement. Inline PTX throws instead.
  virtual void report(const PtxError &error) = 0;
  /// The GPU that the text names.
  virtual const PtxTarget &target() const = 0;
  /// Whether products and sums without a rounding may become fma.
  virtual bool mayFuse() const = 0;
  /// The debug location of a statement, and of those after a .loc.
  virtual llvm::DebugLoc locate(PtxPlace place) = 0;
  virtual void setLine(unsigned file, unsigned line, unsigned column) = 0;
};

/// The type of a function with that signature: arrays are passed in memory, and an array as result
/// through a leading pointer (sret).
llvm::FunctionType *functionType(const PtxSignature &signature, llvm::LLVMContext &context);
/// The attributes of parameters passed in memory, for a function or a call.
llvm::AttributeList functionAttributes(const PtxSignature &signature, llvm::LLVMContext &context);
/// A variable's type in IR: its element if it is a scalar, else an array.
llvm::Type *variableType(const PtxVariable &variable, llvm::LLVMContext &context);

class PtxEmitter {
public:
  /// One operand of the asm statement: a stack slot, or a constant that can be used directly.
  struct AsmOperand {
    llvm::AllocaInst *slot = nullptr;
    llvm::Constant *constant = nullptr;
    bool is_register = true; // of its constraint; a constant has any width
  };

  /// Inserts code before `call`. In a `repeatable` statement loads may be merged or removed (asm
  /// without volatile). `carry` is the function's slot for CC.CF, created on demand: a carry may
  /// pass from one asm statement to the next.
  /// With a `target`, what ptxas refuses for it is refused.
  PtxEmitter(llvm::CallBase &call, bool repeatable, llvm::AllocaInst *&carry,
             const PtxTarget *target);
  /// For the body of `function`, which is empty.
  PtxEmitter(llvm::Function &function, const PtxSignature &signature, PtxSymbols &symbols,
             llvm::AllocaInst *&carry);

  /// A slot for `bits` bits in the entry block.
  llvm::AllocaInst *makeSlot(unsigned bits, const llvm::Twine &name);

  /// Emits all statements, with $0, $1 … standing for `operands`. An error in a statement is
  /// reported, and the next one follows; without symbols and a target it is thrown as PtxError.
  void run(const std::vector<PtxStatement> &statements, std::vector<AsmOperand> operands);

  /// The operand's value as `type` (see PtxType::inIR). Wider registers are truncated.
  llvm::Value *read(const PtxOperand &operand, PtxType type);
  /// The same with the width of the operand's register.
  llvm::Value *readAnyWidth(const PtxOperand &operand);
  /// For a wider register the value is extended according to the type's sign.
  void write(const PtxOperand &operand, PtxType type, llvm::Value *value);
  /// The value of a number in the text, or of an operand of the asm statement that becomes one.
  std::optional<int64_t> literal(const PtxOperand &operand) const;
  /// The value of a constant operand.
  int64_t constant(const PtxOperand &operand);
  /// The pointer that an address operand denotes; `shared` allows 32-bit addresses, which are
  /// complete for shared memory; `local` allows them for local memory.
  llvm::Value *address(const PtxOperand &operand, bool shared, bool local = false);
  /// The variable or function that the operand names, or null.
  llvm::Value *variable(const PtxOperand &operand);

  /// The condition code register's carry flag, CC.CF, one for each thread.
  llvm::AllocaInst *carry();
  /// A new block without predecessors.
  llvm::BasicBlock *makeBlock(const llvm::Twine &name);
  /// Branches to `block` and continues there.
  void continueIn(llvm::BasicBlock *block);
  /// Continues in a block that only labels lead to.
  void continueUnreachable();
  /// Calls a function of the device library.
  llvm::Value *callLibrary(llvm::StringRef name, llvm::Type *result,
                           llvm::ArrayRef<llvm::Value *> arguments);
  llvm::BasicBlock *label(const std::string &name);
  /// The .branchtargets or .callprototype of that name. Throws PtxError if there is none.
  const PtxStatement &declared(const std::string &name, PtxStatement::Kind kind);
  /// Returns the values of the result variables.
  void emitReturn();

  /// Whether registers must have the instruction's width, as ptxas requires for most.
  void setExactWidths(bool exact) { exact_widths_ = exact && target_; }
  /// What the code is checked against, or null.
  const PtxTarget *target() const { return target_; }
  void report(const PtxError &error);
  /// What has been reported of an asm statement.
  const std::vector<PtxError> &problems() const { return problems_; }

  bool repeatable() const { return repeatable_; }
  bool isInline() const { return !symbols_; }
  PtxSymbols &symbols() const { return *symbols_; }
  llvm::Function &function() const { return function_; }
  const PtxSignature &ownSignature() const { return *signature_; }

  llvm::IRBuilder<> builder;

private:
  struct Register {
    PtxType type;
    llvm::AllocaInst *slot = nullptr; // made when first used
  };
  struct Scope {
    llvm::StringMap<Register> registers;                  // of a vector v: v.x, v.y …
    llvm::StringMap<unsigned> vectors;                    // how many elements they have
    std::vector<std::pair<std::string, unsigned>> ranges; // in `registers` once used
    std::vector<PtxType> range_types;
    llvm::StringMap<llvm::Value *> variables;
    llvm::StringMap<llvm::BasicBlock *> labels;
    llvm::StringMap<const PtxStatement *> declared;
  };

  llvm::AllocaInst *slotOf(const PtxOperand &operand);
  Register *registerOf(llvm::StringRef name);
  static Register *registerIn(Scope &scope, llvm::StringRef name);
  bool isRegister(const PtxOperand &operand);
  llvm::Value *readSpecial(llvm::StringRef name);
  llvm::Value *readAtStart(llvm::Intrinsic::ID id);
  llvm::Value *readNumber(const PtxOperand &operand, PtxType type);
  void declare(const PtxStatement &statement);
  void declareVectors(const PtxStatement &statement, PtxType type);
  PtxOperand spreadVectors(PtxOperand operand) const;
  void declareVariable(const PtxVariable &variable);
  void declareParameters();
  llvm::AllocaInst *makeVariable(const PtxVariable &variable);
  llvm::Value *wholeLocalAddress(llvm::Value *low);
  llvm::Value *offsetOfElement(const PtxOperand &operand);
  void openScope(llvm::ArrayRef<PtxStatement> statements);
  void emit(const PtxStatement &statement);
  void emitUnguarded(const PtxStatement &statement);
  void emitStatement(const std::vector<PtxStatement> &statements, size_t i);
  void splitAtCall();

  llvm::Function &function_;
  llvm::CallBase *const call_ = nullptr; // of an asm statement
  const PtxSignature *const signature_ = nullptr;
  PtxSymbols *const symbols_ = nullptr;
  const PtxTarget *const target_;
  std::vector<PtxError> problems_;
  const bool repeatable_;
  llvm::AllocaInst *&carry_;
  std::vector<AsmOperand> operands_;
  std::vector<Scope> scopes_;
  std::vector<llvm::Value *> results_;              // the variables of the function's results
  llvm::DenseMap<unsigned, llvm::Value *> special_; // special registers read so far
  bool split_ = false, exact_widths_ = false;
  llvm::SmallVector<llvm::AllocaInst *, 2> locals_; // variables in local memory
  bool short_locals_ = false;                       // they have been addressed by 32 bits
};

} // namespace heddle
