// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/ptx_output/emit_ptx.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Target/TargetMachine.h"

#include <stdexcept>

using namespace llvm;

namespace heddle {
namespace {

void addAnnotation(Module &module, Function &kernel, StringRef name, unsigned value) {
  LLVMContext &context = module.getContext();
  module.getOrInsertNamedMetadata("nvvm.annotations")
      ->addOperand(MDNode::get(
          context, {ValueAsMetadata::get(&kernel), MDString::get(context, name),
                    ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(context), value))}));
}

// PTX has no visibility, and `.weak` only for symbols that other files may also define.
void simplifyLinkage(Module &module) {
  for (GlobalValue &value : module.global_values())
    value.setVisibility(GlobalValue::DefaultVisibility);
}

void setDenormalMode(Module &module, bool flush) {
  for (Function &function : module) {
    function.removeFnAttr("denormal-fp-math-f32");
    if (flush)
      function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
  }
}

std::string targetName(const PtxOptions &options) {
  const std::string name = "sm_" + std::to_string(options.prepare.arch / 10);
  return options.arch_suffix ? name + options.arch_suffix : name;
}

constexpr unsigned newest_of_llvm = 900; // LLVM 19

// PTX ISA, "Target": the first version with the target, as .version has it.
const char *firstVersionWith(const PtxOptions &options) {
  const unsigned arch = options.prepare.arch;
  return arch >= 1100 && arch < 1200       ? "9.0"
         : arch > 1200 || arch % 100 >= 30 ? "8.8"
         : options.arch_suffix == 'f'      ? "8.8"
         : arch == 1200                    ? "8.7"
                                           : "8.6";
}

// Code for sm_90 runs on all GPUs that came later, and what LLVM does not know of them is in
// inline PTX, as it was written. So only the header says what was asked for.
void nameTarget(std::string &text, const PtxOptions &options) {
  const auto replaceWord = [&](std::string_view before, const std::string &word) {
    const size_t at = text.find(before);
    if (at == std::string::npos)
      throw std::runtime_error("this LLVM writes PTX without '" + std::string(before) + "'");
    const size_t first = at + before.size();
    text.replace(first, text.find_first_of(" ,\n", first) - first, word);
  };
  replaceWord("\n.version ", firstVersionWith(options));
  replaceWord("\n.target ", targetName(options));
}

std::string generate(Module &module, TargetMachine &machine) {
  module.setTargetTriple(machine.getTargetTriple().str());
  module.setDataLayout(machine.createDataLayout());
  SmallString<0> text;
  raw_svector_ostream stream(text);
  legacy::PassManager passes;
  if (machine.addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::AssemblyFile))
    throw std::runtime_error("this LLVM cannot write PTX");
  passes.run(module);
  return text.str().str();
}

} // namespace

std::string emitPtx(Module &module, const PtxOptions &options) {
  if (options.max_registers) // first: LLVM reads a module's annotations once
    for (Function &function : module)
      if (isKernel(function))
        addAnnotation(module, function, "maxnreg", options.max_registers);
  prepareForPtx(module, options.prepare, options.relocatable);
  if (!options.lines)
    StripDebugInfo(module);
  simplifyLinkage(module);
  setDenormalMode(module, options.flush_denormals);
  const bool as_written = options.prepare.debug || options.prepare.optimize == 0;
  const auto level = as_written ? CodeGenOptLevel::None : CodeGenOptLevel::Default;
  if (options.prepare.arch <= newest_of_llvm)
    return generate(module, *nvptxMachine(targetName(options), level));
  std::string text = generate(module, *nvptxMachine("sm_90", level));
  nameTarget(text, options);
  return text;
}

} // namespace heddle
