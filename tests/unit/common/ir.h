// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For tests of LLVM passes: text in, module; run a pass; text out.
#pragma once

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"

#include <memory>
#include <string>
#include <vector>

namespace heddle {

/// A module parsed from LLVM assembly, with the data layout that Clang gives device code.
class Ir {
public:
  explicit Ir(const std::string &text);

  llvm::Module &module() { return *module_; }
  llvm::Function &function(llvm::StringRef name);
  llvm::GlobalVariable *variable(llvm::StringRef name);
  /// The text of the whole module, or of one function.
  std::string text() const;
  std::string text(llvm::StringRef function);
  /// Fails the test if LLVM's verifier finds fault.
  void verify() const;

  template <typename Pass> Ir &run(Pass pass) {
    llvm::FunctionPassManager passes;
    passes.addPass(std::move(pass));
    runPasses(std::move(passes));
    return *this;
  }

private:
  void runPasses(llvm::FunctionPassManager passes);
  llvm::LLVMContext context_;
  std::unique_ptr<llvm::Module> module_;
};

/// Marks functions as kernels (LLVM "NVVM annotations"): metadata to append to a module's text.
std::string kernelAnnotations(const std::vector<std::string> &kernels);

/// Expects the pieces in `text`, one after another.
void expectInOrder(const std::string &text, const std::vector<std::string> &pieces);
void expectNone(const std::string &text, const std::vector<std::string> &pieces);

/// How often `piece` is in the text.
inline unsigned count(const std::string &text, const std::string &piece) {
  unsigned result = 0;
  for (size_t at = text.find(piece); at != std::string::npos; at = text.find(piece, at + 1))
    ++result;
  return result;
}

} // namespace heddle
