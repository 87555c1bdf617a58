// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang_run.h"

#include "frontend/cxx_library.h"
#include "frontend/source/source_files.h"
#include "support/paths.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendActions.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>
#include <stdexcept>
#include <unistd.h>

extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace heddle::frontend {
namespace {

using clang::frontend::ActionKind;

// What clang -cc1 can do and host code needs. Clang's own list (clangFrontendTool) would bring the
// static analyser, refactoring tools and their libraries into the program.
std::unique_ptr<clang::FrontendAction> makeAction(ActionKind kind) {
  switch (kind) {
  case ActionKind::EmitAssembly:
    return std::make_unique<clang::EmitAssemblyAction>();
  case ActionKind::EmitBC:
    return std::make_unique<clang::EmitBCAction>();
  case ActionKind::EmitLLVM:
    return std::make_unique<clang::EmitLLVMAction>();
  case ActionKind::EmitObj:
    return std::make_unique<clang::EmitObjAction>();
  case ActionKind::GeneratePCH:
    return std::make_unique<clang::GeneratePCHAction>();
  case ActionKind::ParseSyntaxOnly:
    return std::make_unique<clang::SyntaxOnlyAction>();
  case ActionKind::PrintPreprocessedInput:
    return std::make_unique<clang::PrintPreprocessedAction>();
  case ActionKind::RunPreprocessorOnly:
    return std::make_unique<clang::PreprocessOnlyAction>();
  default:
    return nullptr;
  }
}

// -mllvm: options of LLVM's own passes.
void applyLlvmOptions(const std::vector<std::string> &options) {
  if (options.empty())
    return;
  std::vector<const char *> words = {"clang (LLVM option parsing)"};
  for (const std::string &option : options)
    words.push_back(option.c_str());
  llvm::cl::ParseCommandLineOptions(int(words.size()), words.data());
}

} // namespace

void initializeTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
}

std::filesystem::path clangDriver() {
  const std::filesystem::path llvm = HEDDLE_LLVM_ROOT;
  return (llvm.empty() ? installRoot() : llvm) / "bin" / "clang++";
}

bool executeAction(clang::CompilerInstance &instance) {
  applyLlvmOptions(instance.getFrontendOpts().LLVMArgs);
  const auto action = makeAction(instance.getFrontendOpts().ProgramAction);
  if (!action) {
    clang::DiagnosticsEngine &diagnostics = instance.getDiagnostics();
    diagnostics.Report(diagnostics.getCustomDiagID(
        clang::DiagnosticsEngine::Error, "Heddle's compiler cannot do what these options ask for"));
    return false;
  }
  return instance.ExecuteAction(*action);
}

ClangRun::ClangRun(ShownMessages &shown, bool verbose,
                   llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk)
    : shown_(shown), verbose_(verbose), disk_(std::move(disk)) {
  initializeTargets();
}

bool ClangRun::prepare(const std::vector<std::string> &arguments) {
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  options->ShowColors = isatty(STDERR_FILENO) && !std::getenv("NO_COLOR");
  auto ids = llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>();
  auto files = makeSourceFiles(shown_.shared_objects, shown_.redeclarations, disk_);
  clang::DiagnosticsEngine driver_diagnostics(ids, options,
                                              makeDiagnosticConsumer(*options, shown_).release());
  clang::driver::Driver driver(clangDriver().string(), llvm::sys::getDefaultTargetTriple(),
                               driver_diagnostics, "heddlecc", files);
  driver.setTitle("heddlecc");
  std::vector<const char *> raw;
  for (const std::string &argument : arguments)
    raw.push_back(argument.c_str());
  std::unique_ptr<clang::driver::Compilation> jobs(driver.BuildCompilation(raw));
  if (!jobs || driver_diagnostics.hasErrorOccurred())
    return false;
  const clang::driver::Command *command = nullptr;
  for (const auto &job : jobs->getJobs())
    if (llvm::StringRef(job.getCreator().getName()) == "clang")
      command = &job;
  if (!command)
    throw std::runtime_error("internal error: Clang has nothing to do");
  if (llvm::is_contained(arguments, "cuda") || llvm::is_contained(arguments, "c++"))
    requireCxxLibrary(command->getArguments());
  if (verbose_)
    command->Print(llvm::errs(), "\n", false);

  auto invocation = std::make_shared<clang::CompilerInvocation>();
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, command->getArguments(),
                                                 driver_diagnostics))
    return false;
  invocation->getFrontendOpts().DisableFree = false;
  instance_ = std::make_unique<clang::CompilerInstance>();
  instance_->setInvocation(invocation);
  instance_->getDiagnosticOpts().ShowColors = options->ShowColors;
  instance_->createDiagnostics(
      makeDiagnosticConsumer(instance_->getDiagnosticOpts(), shown_).release(), true);
  // "1 error generated when compiling for sm_75" would be about how we compile.
  instance_->setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  instance_->createFileManager(files);
  return true;
}

} // namespace heddle::frontend
