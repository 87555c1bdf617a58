// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/prepare.h"

#include "module/annotations.h"
#include "module/check.h"
#include "module/contract_fma.h"
#include "module/define_arithmetic.h"
#include "module/describe.h"
#include "module/pass_analyses.h"
#include "module/ptx/inline_ptx.h"
#include "module/shared_tables.h"
#include "module/unrolling.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Scalar/SROA.h"

#include <stdexcept>

using namespace llvm;

namespace heddle {
namespace {

std::unique_ptr<TargetMachine> nvptxMachine(const Module &module) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  std::string error;
  const Target *target = TargetRegistry::lookupTarget("nvptx64-nvidia-cuda", error);
  if (!target)
    throw std::runtime_error("this LLVM has no NVPTX target: " + error);
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      "nvptx64-nvidia-cuda", "sm_90", "+ptx83", TargetOptions(), std::nullopt));
}

void linkDeviceLibrary(Module &module, const std::filesystem::path &path) {
  auto file = MemoryBuffer::getFile(path.string());
  if (!file)
    throw std::runtime_error("cannot read Heddle's device library " + path.string() + ": " +
                             file.getError().message());
  auto library = getLazyBitcodeModule((*file)->getMemBufferRef(), module.getContext());
  if (!library)
    throw std::runtime_error("broken device library " + path.string() + ": " +
                             toString(library.takeError()));
  (*library)->setDataLayout(module.getDataLayout());
  (*library)->setTargetTriple(module.getTargetTriple());
  if (Linker::linkModules(module, std::move(*library), Linker::LinkOnlyNeeded))
    throw std::runtime_error("cannot link the device library");
}

// Optimisation would drop the table of annotations.
void markManagedVariables(Module &module) {
  for (GlobalVariable *variable : annotatedVariables(module, managed_attribute))
    variable->addAttribute(managed_attribute);
  if (GlobalVariable *table = module.getGlobalVariable("llvm.global.annotations"))
    table->eraseFromParent();
}

// The GPU that code was compiled for no longer matters, but would keep functions of the device
// library and of the program from being inlined into each other.
void forgetTarget(Module &module) {
  for (Function &function : module) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
}

// LLVM takes functions called malloc and free for the C library's and removes a pair whose memory
// is not used; the device heap has a limit that a program may ask for.
void renameHeapFunctions(Module &module) {
  for (const char *name : {"malloc", "free"})
    if (Function *function = module.getFunction(name); function && function->isDeclaration()) {
      function->setName(std::string("__heddle_") + name);
      function->setAttributes({});
      for (User *user : function->users())
        if (auto *call = dyn_cast<CallBase>(user))
          call->setAttributes({});
    }
}

void runPasses(Module &module, const PrepareOptions &options) {
  std::unique_ptr<TargetMachine> machine = nvptxMachine(module);
  PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = tuning.LoopInterleaving = false;
  PassAnalyses analyses(machine.get(), tuning);

  analyses.builder.registerVectorizerStartEPCallback(
      [](FunctionPassManager &before_unrolling, OptimizationLevel) {
        before_unrolling.addPass(UnrollingPass());
      });
  analyses.builder.registerLateLoopOptimizationsEPCallback(
      [](LoopPassManager &before_unrolling, OptimizationLevel) {
        before_unrolling.addPass(UnrollArrayLoopsPass());
      });
  ModulePassManager passes;
  passes.addPass(InternalizePass([](const GlobalValue &value) {
    auto *function = dyn_cast<Function>(&value);
    auto *variable = dyn_cast<GlobalVariable>(&value);
    // The host names kernels and the variables that it may write.
    return (function && isKernel(*function)) ||
           (variable &&
            (variable->isExternallyInitialized() || variable->hasAttribute(managed_attribute)));
  }));
  passes.addPass(GlobalDCEPass());
  passes.addPass(createModuleToFunctionPassAdaptor(DefineArithmeticPass()));
  const bool optimize = !options.debug && options.optimize > 0;
  if (optimize) {
    FunctionPassManager early;
    early.addPass(SROAPass(SROAOptions::ModifyCFG));
    early.addPass(ContractFmaPass(/*final=*/false));
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(early)));
    passes.addPass(analyses.builder.buildPerModuleDefaultPipeline(
        options.optimize >= 3 ? OptimizationLevel::O3 : OptimizationLevel::O2));
  } else {
    passes.addPass(analyses.builder.buildO0DefaultPipeline(OptimizationLevel::O0));
  }
  passes.addPass(createModuleToFunctionPassAdaptor(ContractFmaPass(/*final=*/true)));
  passes.addPass(GlobalDCEPass());
  passes.run(module, analyses.modules);
}

std::string bitcodeOf(const Module &module) {
  std::string bitcode;
  raw_string_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  return bitcode;
}

} // namespace

PreparedImage prepareImage(Module &module, const PrepareOptions &options) {
  std::vector<std::string> problems = translateInlinePtx(module); // may need the device library
  linkDeviceLibrary(module, options.device_library);
  markManagedVariables(module);
  forgetTarget(module);
  renameHeapFunctions(module);
  expandSharedTables(module);
  append_range(problems, findUnsupported(module));
  if (!problems.empty())
    throw std::runtime_error(join(problems, "\n"));
  runPasses(module, options);

  PreparedImage result;
  result.info.source = options.source;
  result.info.arch = options.arch;
  result.info.debug = options.debug;
  describe(module, result.info);
  result.bytes = writeImage(result.info, bitcodeOf(module));
  return result;
}

} // namespace heddle
