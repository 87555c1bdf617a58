// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/host_compiler.h"

#include "compiler/instrumentation.h"
#include "engine/compiler/codegen/linker.h"
#include "frontend/clang_run.h"
#include "support/paths.h"

#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"

#include <cstdio>
#include <string_view>

namespace heddle::compiler {
namespace {

using clang::driver::Command;
using Arguments = llvm::SmallVector<const char *, 64>;

llvm::IntrusiveRefCntPtr<clang::DiagnosticsEngine> makeDiagnostics() {
  auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
  auto *printer = new clang::TextDiagnosticPrinter(llvm::errs(), options.get());
  return llvm::makeIntrusiveRefCnt<clang::DiagnosticsEngine>(
      llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>(), options, printer);
}

// One source file, in this process: `arguments` as clang -cc1 takes them, with the program's name
// and -cc1 before them.
int compileOneFile(llvm::SmallVectorImpl<const char *> &arguments) {
  const auto diagnostics = makeDiagnostics();
  auto invocation = std::make_shared<clang::CompilerInvocation>();
  const auto own = llvm::ArrayRef(arguments).drop_front(2);
  if (!clang::CompilerInvocation::CreateFromArgs(*invocation, own, *diagnostics))
    return 1;
  clang::CompilerInstance instance;
  instance.setInvocation(invocation);
  instance.createDiagnostics();
  return frontend::executeAction(instance) ? 0 : 1;
}

// What the driver is told before the user's own arguments.
std::vector<std::string> ownArguments() {
  // What only links need is no mistake of the user's where nothing is linked.
  std::vector<std::string> arguments = {frontend::clangDriver().string(), "--driver-mode=g++",
                                        "--start-no-unused-arguments"};
  if (!llvm::sys::findProgramByName("ld"))
    arguments.push_back("--ld-path=" + (installRoot() / "libexec" / "heddle" / "ld.lld").string());
  arguments.push_back("-Wl,-rpath," + (installRoot() / "lib").string());
  arguments.push_back(frontend::LikeGccsSymbols);
  arguments.push_back("--end-no-unused-arguments");
  return arguments;
}

} // namespace

int runHostCompiler(int argc, char **argv) {
  frontend::initializeTargets();
  const std::vector<std::string> own = ownArguments();
  Arguments arguments;
  for (const std::string &argument : own)
    arguments.push_back(argument.c_str());
  // g++'s option for the whole version; Clang's -dumpversion prints that.
  for (int i = 1; i < argc; ++i)
    arguments.push_back(std::string_view(argv[i]) == "-dumpfullversion" ? "-dumpversion" : argv[i]);
  llvm::BumpPtrAllocator words;
  if (llvm::Error error = clang::driver::expandResponseFiles(arguments, false, words)) {
    llvm::errs() << "host-c++: error: " << llvm::toString(std::move(error)) << '\n';
    return 1;
  }

  const auto diagnostics = makeDiagnostics();
  clang::driver::Driver driver(arguments.front(), llvm::sys::getDefaultTargetTriple(), *diagnostics,
                               "host-c++");
  driver.CC1Main = compileOneFile;
  const std::unique_ptr<clang::driver::Compilation> jobs(driver.BuildCompilation(arguments));
  if (!jobs || jobs->containsError())
    return 1;
  // The driver would start itself for all but a single file; there is no program clang++ to start.
  for (Command &job : jobs->getJobs()) {
    if (llvm::isa<clang::driver::LinkJobAction>(job.getSource())) {
      if (!useInstalledRuntimes(job))
        return 1;
    } else {
      job.InProcess = true;
    }
  }
  llvm::SmallVector<std::pair<int, const Command *>, 4> failed;
  const int result = driver.ExecuteCompilation(*jobs, failed);
  return failed.empty() ? result : std::max(1, failed.front().first);
}

int runLinker(int argc, char **argv) {
  const engine::LinkResult result = engine::linkElf({argv + 1, argv + argc});
  std::fputs(result.messages.c_str(), stderr);
  return result.good ? 0 : 1;
}

} // namespace heddle::compiler
