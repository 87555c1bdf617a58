// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/clang_run.h"

#include "frontend/compile.h"
#include "frontend/source/source_files.h"

#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <mutex>
#include <stdexcept>
#include <unistd.h>

namespace heddle::frontend {

ClangRun::ClangRun(ShownMessages &shown, bool verbose,
                   llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk)
    : shown_(shown), verbose_(verbose), disk_(std::move(disk)) {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeAllTargetInfos();
    llvm::InitializeAllTargets();
    llvm::InitializeAllTargetMCs();
    llvm::InitializeAllAsmPrinters();
    llvm::InitializeAllAsmParsers();
  });
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
