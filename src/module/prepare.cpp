// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module/prepare.h"

#include "module/annotations.h"
#include "module/description/describe.h"
#include "module/image/image_pair.h"
#include "module/pass_analyses.h"
#include "module/passes/atomic_intrinsics.h"
#include "module/passes/check.h"
#include "module/passes/contract_fma.h"
#include "module/passes/define_arithmetic.h"
#include "module/passes/launches.h"
#include "module/passes/marks.h"
#include "module/passes/promised_alignment.h"
#include "module/passes/read_only_parameters.h"
#include "module/passes/refused.h"
#include "module/passes/shared_tables.h"
#include "module/passes/texture_references.h"
#include "module/passes/unrolling.h"
#include "module/passes/volatile_marks.h"
#include "module/ptx/inline_ptx.h"
#include "module/ptx/module/match_calls.h"
#include "support/refusal.h"
#include "support/strict.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticHandler.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"
#include "llvm/Transforms/IPO/Inliner.h"
#include "llvm/Transforms/IPO/Internalize.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <array>
#include <functional>
#include <stdexcept>

using namespace llvm;

namespace heddle {
namespace {

std::unique_ptr<Module> readDeviceLibrary(const std::filesystem::path &path, LLVMContext &context) {
  auto file = MemoryBuffer::getFile(path.string());
  if (!file)
    throw std::runtime_error("cannot read Heddle's device library " + path.string() + ": " +
                             file.getError().message());
  auto library = getOwningLazyBitcodeModule(std::move(*file), context);
  if (!library)
    throw std::runtime_error("broken device library " + path.string() + ": " +
                             toString(library.takeError()));
  return std::move(*library);
}

void linkDeviceLibrary(Module &module, const std::filesystem::path &path) {
  std::unique_ptr<Module> library = readDeviceLibrary(path, module.getContext());
  library->setDataLayout(module.getDataLayout());
  library->setTargetTriple(module.getTargetTriple());
  if (Linker::linkModules(module, std::move(library), Linker::LinkOnlyNeeded))
    throw std::runtime_error("cannot link the device library");
  describeMarks(module);
}

// Optimisation would drop the table of annotations.
void markManagedVariables(Module &module) {
  for (GlobalVariable *variable : annotatedVariables(module, managed_attribute))
    variable->addAttribute(managed_attribute);
  if (GlobalVariable *table = module.getGlobalVariable("llvm.global.annotations"))
    table->eraseFromParent();
}

// Clang renames a static variable after its file if the host uses it, which it may learn only after
// compiling a kernel that uses it, too.
void joinRenamedVariables(Module &module) {
  for (GlobalVariable &variable : module.globals()) {
    const StringRef name = withoutFileSuffix(variable.getName());
    if (name == variable.getName() || variable.isDeclaration())
      continue;
    if (GlobalVariable *early = module.getGlobalVariable(name); early && early->isDeclaration()) {
      early->replaceAllUsesWith(&variable);
      early->setName("");
    }
  }
}

// With -rdc=true, Clang lists what the host uses of other files, for linkers that drop unused
// symbols. Here all kernels are kept; and a listed kernel may be in a file with its own device
// link.
void dropListOfUsed(Module &module) {
  GlobalVariable *list = module.getGlobalVariable("__clang_gpu_used_external", true);
  if (!list)
    return;
  removeFromUsedLists(module, [&](Constant *user) { return user == list; });
  list->eraseFromParent();
  for (Function &function : module)
    function.removeDeadConstantUsers();
  for (GlobalVariable &variable : module.globals())
    variable.removeDeadConstantUsers();
}

// Translates Clang's annotations.
void translateMarks(Module &module) {
  markClusterDims(module);
  markManagedVariables(module);
  markGridConstants(module);
  loadTextureHandles(module);
  joinRenamedVariables(module);
  dropListOfUsed(module);
}

// The GPU target of functions no longer matters, but would prevent inlining between the program and
// the device library.
void forgetTarget(Module &module) {
  for (Function &function : module) {
    function.removeFnAttr("target-cpu");
    function.removeFnAttr("target-features");
  }
}

constexpr std::array<StringLiteral, 2> heap_functions = {"malloc", "free"};

// LLVM treats malloc and free as the C library's and removes unused pairs; but programs may observe
// the limit of the device heap.
void renameHeapFunctions(Module &module) {
  for (StringRef name : heap_functions)
    if (Function *function = module.getFunction(name); function && function->isDeclaration()) {
      function->setName("__heddle_" + name);
      function->setAttributes({});
      for (User *user : function->users())
        if (auto *call = dyn_cast<CallBase>(user))
          call->setAttributes({});
    }
}

void restoreHeapFunctions(Module &module) {
  for (StringRef name : heap_functions)
    if (Function *function = module.getFunction(("__heddle_" + name).str()))
      function->setName(name);
}

bool isNamedByHost(const GlobalValue &value) {
  auto *function = dyn_cast<Function>(&value);
  auto *variable = dyn_cast<GlobalVariable>(&value);
  return (function && isKernel(*function)) ||
         (variable &&
          (variable->isExternallyInitialized() || variable->hasAttribute(managed_attribute)));
}

// Of a shared variable that nothing in the program writes, LLVM would make undefined values and
// leave nothing of the reads, of which heddle check is to tell.
struct KeepReadsOfSharedPass : PassInfoMixin<KeepReadsOfSharedPass> {
  bool keep;
  explicit KeepReadsOfSharedPass(bool keep) : keep(keep) {}
  static bool isRequired() { return true; }

  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    for (GlobalVariable &variable : module.globals())
      if (variable.getAddressSpace() == address_space::Shared && variable.hasLocalLinkage())
        variable.setExternallyInitialized(keep);
    return PreservedAnalyses::all();
  }
};

// Simplifies a function that will be inlined everywhere, so that its callers get little of it.
class SimplifyInlinedPass : public PassInfoMixin<SimplifyInlinedPass> {
public:
  SimplifyInlinedPass() {
    passes_.addPass(SROAPass(SROAOptions::ModifyCFG));
    passes_.addPass(EarlyCSEPass(/*UseMemorySSA=*/true));
    passes_.addPass(SimplifyCFGPass());
  }
  PreservedAnalyses run(Function &function, FunctionAnalysisManager &analyses) {
    return function.hasFnAttribute(Attribute::AlwaysInline) ? passes_.run(function, analyses)
                                                            : PreservedAnalyses::all();
  }

private:
  FunctionPassManager passes_;
};

// Inlines the functions that must be (__forceinline__), callees first, each simplified before it is
// inlined. LLVM's own pass inlines them all before anything is simplified: a kernel of CUTE then
// holds the private variables of thousands of functions at once, of which SROA takes minutes.
ModulePassManager inlineCalleesFirst() {
  CGSCCPassManager component;
  component.addPass(InlinerPass(/*OnlyMandatory=*/true));
  component.addPass(createCGSCCToFunctionPassAdaptor(SimplifyInlinedPass()));
  ModulePassManager passes;
  passes.addPass(createModuleToPostOrderCGSCCPassAdaptor(std::move(component)));
  passes.addPass(GlobalDCEPass());
  return passes;
}

void runPasses(Module &module, unsigned level,
               const std::function<bool(const GlobalValue &)> &stays = isNamedByHost) {
  std::unique_ptr<TargetMachine> machine = nvptxMachine("sm_90");
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
  // After inlining, and before LLVM simplifies the kernel once more.
  analyses.builder.registerScalarOptimizerLateEPCallback(
      [](FunctionPassManager &before_simplification, OptimizationLevel) {
        before_simplification.addPass(ReadOnlyParametersPass());
      });
  ModulePassManager passes;
  passes.addPass(InternalizePass(stays));
  passes.addPass(GlobalDCEPass());
  passes.addPass(KeepReadsOfSharedPass(true));
  passes.addPass(createModuleToFunctionPassAdaptor(DefineArithmeticPass()));
  if (level > 0) {
    FunctionPassManager early;
    early.addPass(SROAPass(SROAOptions::ModifyCFG));
    early.addPass(ContractFmaPass(/*final=*/false));
    passes.addPass(createModuleToFunctionPassAdaptor(std::move(early)));
    passes.addPass(inlineCalleesFirst());
    passes.addPass(analyses.builder.buildPerModuleDefaultPipeline(
        level >= 3 ? OptimizationLevel::O3 : OptimizationLevel::O2));
  } else {
    passes.addPass(analyses.builder.buildO0DefaultPipeline(OptimizationLevel::O0));
  }
  passes.addPass(createModuleToFunctionPassAdaptor(ContractFmaPass(/*final=*/true)));
  passes.addPass(KeepReadsOfSharedPass(false));
  passes.addPass(GlobalDCEPass());
  markVolatileAccesses(module);
  passes.run(module, analyses.modules);
  removeVolatileMarks(module);
}

// nvcc does not report loops that it could not unroll as requested.
struct QuietOptimizer : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    return info.getKind() == DK_OptimizationFailure;
  }
};

std::string bitcodeOf(const Module &module) {
  std::string bitcode;
  raw_string_ostream stream(bitcode);
  WriteBitcodeToFile(module, stream);
  return bitcode;
}

// What is found out about kernels is about their code when nothing is counted.
void describeWithoutMarks(Module &module, ImageInfo &info, const KernelAnalysis &analyze) {
  if (!hasMarks(module))
    return describe(module, info, analyze);
  const std::unique_ptr<Module> plain = CloneModule(module);
  removeMarks(*plain);
  describe(*plain, info, analyze);
}

PreparedImage makeImage(Module &module, const PrepareOptions &options, bool as_written) {
  runPasses(module, as_written ? 0 : options.optimize);
  refuseMarked(module);
  PreparedImage result;
  result.info.source = options.source;
  result.info.arch = options.arch;
  result.info.codes = options.codes;
  result.info.debug = as_written;
  describeWithoutMarks(module, result.info, options.analyze);
  if (options.max_registers)
    for (KernelInfo &kernel : result.info.kernels)
      kernel.registers = std::min(kernel.registers, options.max_registers);
  result.bytes = writeImage(result.info, bitcodeOf(module));
  return result;
}

} // namespace

std::unique_ptr<TargetMachine> nvptxMachine(const std::string &gpu, CodeGenOptLevel level) {
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  std::string error;
  const Target *target = TargetRegistry::lookupTarget("nvptx64-nvidia-cuda", error);
  if (!target)
    throw std::runtime_error("this LLVM has no NVPTX target: " + error);
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      "nvptx64-nvidia-cuda", gpu, "+ptx84", TargetOptions(), std::nullopt, std::nullopt, level));
}

std::vector<std::string> translateSource(Module &module, const PrepareOptions &options) {
  translateMarks(module);
  lowerAtomicIntrinsics(module);
  const PtxTarget target{options.arch / 10, options.arch_suffix, options.ptx_version};
  std::vector<std::string> problems =
      translateInlinePtx(module, strict() && options.arch ? &target : nullptr);
  append_range(problems, lowerLaunches(module));
  return problems;
}

void checkRefusedCode(const Module &module, const PrepareOptions &options) {
  if (!hasRefusedCode(module))
    return;
  const std::unique_ptr<Module> copy = CloneModule(module);
  runPasses(*copy, options.debug ? 0 : options.optimize, [](const GlobalValue &value) {
    return !value.isDeclaration() && !value.hasLocalLinkage();
  });
  refuseMarked(*copy);
}

BuiltInFunctions::BuiltInFunctions(const std::filesystem::path &device_library) {
  LLVMContext context;
  const std::unique_ptr<Module> library = readDeviceLibrary(device_library, context);
  for (const GlobalValue &value : library->global_values())
    if (!value.isDeclaration() && !value.hasLocalLinkage())
      names_.insert(value.getName());
  names_.insert(heap_functions.begin(), heap_functions.end());
}

bool BuiltInFunctions::contains(const std::string &name) const {
  return names_.contains(name) || isEngineFunction(name);
}

PreparedImage prepareImage(Module &module, const PrepareOptions &options) {
  module.getContext().setDiagnosticHandler(std::make_unique<QuietOptimizer>());
  std::vector<std::string> problems =
      translateSource(module, options); // may need the device library
  linkDeviceLibrary(module, options.device_library);
  append_range(problems, matchCalls(module));
  forgetTarget(module);
  renameHeapFunctions(module);
  expandSharedTables(module);
  limitPromisedAlignment(module);
  append_range(problems, numberKernels(module));
  if (options.whole)
    append_range(problems, findUnsupported(module));
  if (!problems.empty())
    throw Refusal(join(problems, "\n"), 1);

  if (!options.debug)
    return makeImage(module, options, false);
  const PreparedImage as_written = makeImage(*CloneModule(module), options, true);
  stripNonLineTableDebugInfo(module);
  PreparedImage result = makeImage(module, options, false);
  result.bytes = writeImagePair({result.bytes, as_written.bytes});
  return result;
}

void prepareForPtx(Module &module, const PrepareOptions &options, bool relocatable) {
  module.getContext().setDiagnosticHandler(std::make_unique<QuietOptimizer>());
  translateMarks(module);
  std::vector<std::string> problems = lowerLaunches(module);
  StringSet<> own;
  for (const GlobalValue &value : module.global_values())
    if (!value.isDeclaration() && !value.hasLocalLinkage())
      own.insert(value.getName());
  linkDeviceLibrary(module, options.device_library);
  forgetTarget(module);
  renameHeapFunctions(module);
  append_range(problems, relocatable ? std::vector<std::string>() : findUnsupported(module));
  if (!problems.empty())
    throw std::runtime_error(join(problems, "\n"));
  runPasses(module, options.debug ? 0 : options.optimize, [&](const GlobalValue &value) {
    return isNamedByHost(value) || (relocatable && own.contains(value.getName()));
  });
  restoreHeapFunctions(module);
  removeMarks(module);
}

} // namespace heddle
