// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/compile.h"
#include "module/linking/device_object.h"
#include "module/ptx_output/emit_ptx.h"
#include "rtc/compiler/nvvm_intrinsics.h"
#include "rtc/compiler/requests.h"
#include "rtc/compiler/typed_pointers.h"
#include "support/hash.h"

#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/DiagnosticPrinter.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <stdexcept>

using namespace llvm;

namespace heddle::rtc {
namespace {

// What LLVM says of broken bitcode and of modules that do not fit together comes here.
struct Messages : DiagnosticHandler {
  bool handleDiagnostics(const DiagnosticInfo &info) override {
    if (info.getSeverity() != DS_Error && info.getSeverity() != DS_Warning)
      return true;
    DiagnosticPrinterRawOStream printer(errs());
    info.print(printer);
    errs() << "\n";
    return true;
  }
};

std::unique_ptr<Module> readModule(const std::string &name, const std::string &bytes,
                                   LLVMContext &context) {
  const MemoryBufferRef buffer(bytes, name);
  if (isBitcode(reinterpret_cast<const unsigned char *>(bytes.data()),
                reinterpret_cast<const unsigned char *>(bytes.data() + bytes.size()))) {
    auto module = parseBitcodeFile(buffer, context);
    if (!module)
      throw std::runtime_error(name + ": error: " + toString(module.takeError()));
    return std::move(*module);
  }
  const std::string text = withOpaquePointers(bytes);
  SMDiagnostic problem;
  auto module = parseAssembly(MemoryBufferRef(text, name), problem, context);
  if (!module) {
    std::string message;
    raw_string_ostream stream(message);
    problem.print(nullptr, stream, /*ShowColors=*/false);
    throw std::runtime_error(message);
  }
  return module;
}

// NVVM IR names its own data layout (NVVM IR specification, "Data Layout"); the code's is LLVM's.
void takeTarget(Module &module) {
  module.setTargetTriple("nvptx64-nvidia-cuda");
  module.setDataLayout("e-i64:64-i128:128-v16:16-v32:32-n16:32:64");
}

// What libNVVM verifies before LLVM does.
void checkTarget(const Module &module, const std::string &name) {
  const std::string &triple = module.getTargetTriple();
  if (!triple.empty() && !StringRef(triple).starts_with("nvptx64"))
    throw std::runtime_error(name + ": error: target triple '" + triple +
                             "' is not nvptx64-nvidia-cuda");
}

// -fma=1, libNVVM's default: products and sums may be fused, whatever the IR says of each, unless
// nothing is to be optimised. The device library's are not the program's.
void allowContraction(Module &module) {
  for (Function &function : module)
    if (!function.getName().starts_with("__nv_"))
      for (Instruction &instruction : instructions(function))
        if (isa<BinaryOperator>(instruction) && instruction.getType()->isFPOrFPVectorTy())
          instruction.setHasAllowContract(true);
}

// Annotations that LLVM has other names for, and a warning of libNVVM's.
void readAnnotations(Module &module) {
  NamedMDNode *annotations = module.getNamedMetadata("nvvm.annotations");
  for (unsigned i = 0; annotations && i < annotations->getNumOperands(); ++i) {
    const MDNode *node = annotations->getOperand(i);
    SmallVector<Metadata *> values(node->op_begin(), node->op_end());
    const auto *function =
        values.empty() ? nullptr : mdconst::dyn_extract_or_null<Function>(values[0]);
    for (size_t name = 1; name + 1 < values.size(); name += 2) {
      const auto *text = dyn_cast_or_null<MDString>(values[name]);
      if (text && text->getString() == "cluster_max_blocks")
        values[name] = MDString::get(module.getContext(), "maxclusterrank");
      if (text && text->getString() == "kernel" && function &&
          function->hasFnAttribute(Attribute::NoInline))
        errs() << "warning: overriding noinline attribute on kernel " << function->getName()
               << "\n";
    }
    annotations->setOperand(i, MDNode::get(module.getContext(), values));
  }
}

// Whether the program wants .loc in its PTX: it does not say so but by what is in the IR.
bool wantsLines(const Module &module) {
  return any_of(module.debug_compile_units(), [](const DICompileUnit *unit) {
    return unit->getEmissionKind() == DICompileUnit::DebugDirectivesOnly ||
           unit->getEmissionKind() == DICompileUnit::LineTablesOnly;
  });
}

// Kernels of NVVM IR are named by annotations only, and their variables are the host's. Constant
// memory of a module's own counts as a kernel's, too.
void markForHost(Module &module) {
  for (GlobalVariable &variable : module.globals())
    if (variable.hasLocalLinkage() && variable.getAddressSpace() == 4)
      variable.addAttribute("heddle.const");
    else if (!variable.isDeclaration() && !variable.hasLocalLinkage() &&
             (variable.getAddressSpace() == 1 || variable.getAddressSpace() == 4))
      variable.setExternallyInitialized(true);
}

void check(const Module &module) {
  std::string message;
  raw_string_ostream stream(message);
  if (verifyModule(module, &stream))
    throw std::runtime_error("error: " + message);
}

std::unique_ptr<Module> linkAll(const Message &request, const frontend::Options &options,
                                LLVMContext &context) {
  const auto names = request.all("module-name"), texts = request.all("module"),
             lazy = request.all("lazy");
  std::unique_ptr<Module> all = std::make_unique<Module>("nvvm", context);
  takeTarget(*all);
  Linker linker(*all);
  for (const bool lazily : {false, true})
    for (size_t i = 0; i < texts.size() && i < names.size() && i < lazy.size(); ++i) {
      if ((lazy[i] == "1") != lazily)
        continue;
      auto module = readModule(names[i], texts[i], context);
      checkTarget(*module, names[i]);
      check(*module);
      takeTarget(*module);
      readAnnotations(*module);
      if (!lazily && options.fma && options.device_optimize > 0)
        allowContraction(*module);
      if (linker.linkInModule(std::move(module),
                              lazily ? Linker::LinkOnlyNeeded : Linker::Flags::None))
        throw std::runtime_error(names[i] + ": error: it does not fit the other modules");
    }
  return all;
}

} // namespace

Message compileNvvm(const Message &request) {
  LLVMContext context;
  context.setDiagnosticHandler(std::make_unique<Messages>());
  const frontend::Options options = frontend::parseOptions(request.all("option"));
  std::unique_ptr<Module> module = linkAll(request, options, context);
  Message answer;
  const std::string &make = request.first("make");
  if (make.empty())
    return answer;
  const std::vector<std::string> names = request.all("module-name");
  const std::string source = names.empty() ? "" : names[0];
  lowerNvvmIntrinsics(*module);
  markForHost(*module);
  if (make == "ptx") {
    PtxOptions ptx = frontend::ptxOptions(options, source);
    ptx.relocatable = true; // device functions are to be linked by the program that loads the text
    ptx.lines = options.lines || options.debug_host || options.debug_device || wantsLines(*module);
    answer.add("ptx", emitPtx(*module, ptx));
    return answer;
  }
  DeviceObjectInfo info;
  for (const std::string &text : request.all("module"))
    info.id += text;
  info.id = contentHash(info.id).substr(0, 16);
  info.source = source;
  info.archs = options.archs;
  answer.add("ltoir", makeDeviceObject(*module, info, true));
  return answer;
}

} // namespace heddle::rtc
