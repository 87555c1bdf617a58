// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/compile.h"

#include "frontend/managed_variables.h"
#include "frontend/source_files.h"
#include "module/prepare.h"
#include "support/paths.h"

#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Driver/Compilation.h"
#include "clang/Driver/Driver.h"
#include "clang/Driver/Tool.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/FrontendTool/Utils.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"

#include <atomic>
#include <fstream>
#include <stdexcept>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heddle::frontend {
namespace {

// What nvcc's users expect beyond plain Clang. Narrowing in braces is an error in Clang and a
// warning in g++; the rest is noise about options.
const std::vector<std::string> common_arguments = {
    "-Wno-c++11-narrowing", "-Wno-unknown-cuda-version", "-Wno-unused-command-line-argument",
    "-Wno-unknown-warning-option", "-Wno-ignored-optimization-argument", "-Wno-cuda-compat",
    // A function that ends without its value returns; only who uses the value is wrong.
    "-fno-strict-return"};

void append(std::vector<std::string> &list, const std::vector<std::string> &more) {
  list.insert(list.end(), more.begin(), more.end());
}

std::string languageName(Language language) {
  return language == Language::Cuda ? "cuda" : language == Language::Cxx ? "c++" : "c";
}

// What all passes over a source share.
std::vector<std::string> baseArguments(const Options &options, const Input &input) {
  std::vector<std::string> arguments = {clangDriver().string()};
  append(arguments, common_arguments);
  append(arguments, {"-isystem", (installRoot() / "include").string()});
  if (input.language == Language::Cuda)
    append(arguments, {"--cuda-path=/nonexistent", "-nocudainc", "-nocudalib", "-Xclang",
                       "-target-sdk-version=12.4", "-include", "__heddle/prelude.h"});
  append(arguments, options.preprocessor);
  if (input.language != Language::C)
    arguments.push_back("-std=" + (options.standard.empty() ? "gnu++17" : options.standard));
  else if (options.standard.starts_with("c") && !options.standard.starts_with("c++"))
    arguments.push_back("-std=" + options.standard);
  if (options.fast_math && input.language == Language::Cuda)
    append(arguments, {"-fgpu-approx-transcendentals", "-D__USE_FAST_MATH__=1"});
  if (options.per_thread_default_stream) {
    if (input.language == Language::Cuda)
      append(arguments, {"-Xclang", "-fgpu-default-stream=per-thread"});
    else
      arguments.push_back("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  }
  append(arguments, {"-x", languageName(input.language), input.path});
  return arguments;
}

std::vector<std::string> deviceArguments(const Options &options, const Input &input) {
  std::vector<std::string> arguments = baseArguments(options, input);
  append(arguments,
         {"--cuda-device-only", "--cuda-gpu-arch=sm_" + std::to_string(options.arch / 10),
          // Clang knows instructions by PTX version; ours is whatever it knows.
          "-Xclang", "-target-feature", "-Xclang", "+ptx84", "-emit-llvm", "-c", "-Xclang",
          "-disable-llvm-passes", options.fma ? "-ffp-contract=fast" : "-ffp-contract=off",
          // A lane may hand on what it has never set, as long as nobody uses it: when one lane has
          // set a variable, all take part in the shuffle that reads it.
          "-Xclang", "-no-enable-noundef-analysis",
          // nvcc lets memory be looked at as another type than it was stored as (measured).
          "-fno-strict-aliasing",
          // Lines for messages; everything for a debugger. (The driver's own -g gives
          // optimised device code what ptxas can use, which is less.)
          "-Xclang",
          options.debug_device ? "-debug-info-kind=limited" : "-debug-info-kind=line-tables-only",
          "-Xclang", "-dwarf-version=4", options.debug_device ? "-O0" : "-O2",
          "-D__CUDA_ARCH_LIST__=" + std::to_string(options.arch)});
  if (options.openmp) // host code only, but the program may ask
    arguments.push_back("-D_OPENMP=201511");
  return arguments;
}

std::vector<std::string> hostArguments(const Options &options, const Input &input,
                                       const std::string &image_file, const std::string &object) {
  std::vector<std::string> arguments = baseArguments(options, input);
  append(arguments, {"-c", "-o", object, "-fPIC"});
  if (input.language == Language::Cuda)
    append(arguments, {"--cuda-host-only", "-D__CUDA_ARCH_LIST__=" + std::to_string(options.arch)});
  if (!image_file.empty())
    append(arguments, {"-Xclang", "-fcuda-include-gpubinary", "-Xclang", image_file});
  append(arguments, options.host);
  append(arguments, options.dependencies);
  if (options.debug_host || options.debug_device)
    arguments.push_back("-g");
  // Without -O, nvcc leaves host code as the host compiler does: not optimised.
  const int level = std::max(options.optimize, 0);
  arguments.push_back("-O" + std::to_string(level));
  if (options.openmp)
    arguments.push_back("-fopenmp");
  return arguments;
}

// One run of Clang's compiler proper.
class Compilation {
public:
  Compilation(ShownMessages &shown, bool verbose) : shown_(shown), verbose_(verbose) {
    static std::once_flag once;
    std::call_once(once, [] {
      llvm::InitializeAllTargetInfos();
      llvm::InitializeAllTargets();
      llvm::InitializeAllTargetMCs();
      llvm::InitializeAllAsmPrinters();
      llvm::InitializeAllAsmParsers();
    });
  }

  // False if the driver or the frontend found errors.
  bool prepare(const std::vector<std::string> &arguments) {
    auto options = llvm::makeIntrusiveRefCnt<clang::DiagnosticOptions>();
    options->ShowColors = isatty(STDERR_FILENO) && !std::getenv("NO_COLOR");
    auto ids = llvm::makeIntrusiveRefCnt<clang::DiagnosticIDs>();
    auto files = makeSourceFiles();
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

  clang::CompilerInstance &instance() { return *instance_; }

private:
  ShownMessages &shown_;
  bool verbose_;
  std::unique_ptr<clang::CompilerInstance> instance_;
};

// Compiles the device side. Returns false if it has errors.
bool compileDevice(const Options &options, const Input &input, ShownMessages &shown,
                   CompiledSource &result) {
  Compilation clang(shown, options.verbose);
  if (!clang.prepare(deviceArguments(options, input)))
    return false;
  llvm::LLVMContext context;
  clang::EmitLLVMOnlyAction action(&context);
  if (!clang.instance().ExecuteAction(action))
    return false;
  std::unique_ptr<llvm::Module> module = action.takeModule();
  PrepareOptions prepare;
  prepare.source = input.path;
  prepare.arch = options.arch;
  prepare.debug = options.debug_device;
  prepare.optimize = unsigned(options.device_optimize);
  prepare.device_library = installRoot() / "lib" / "heddle" / "devicelib.bc";
  PreparedImage image = prepareImage(*module, prepare);
  if (image.info.kernels.empty() && image.info.variables.empty())
    return true;
  result.image = std::move(image.bytes);
  result.info = std::move(image.info);
  return true;
}

// In the temporary folder, so that an interrupted compilation leaves nothing beside the object.
fs::path temporaryName(const fs::path &object) {
  static std::atomic<unsigned> counter{0};
  return fs::temp_directory_path() / (object.string() + "." + std::to_string(getpid()) + "." +
                                      std::to_string(counter++) + ".heddle");
}

// A file that is deleted when it is no longer needed.
class TemporaryFile {
public:
  TemporaryFile(const fs::path &path, const std::string &content) : path_(path) {
    std::ofstream stream(path, std::ios::binary);
    stream << content;
    if (!stream.flush())
      throw std::runtime_error("cannot write " + path.string());
  }
  ~TemporaryFile() {
    std::error_code ignored;
    fs::remove(path_, ignored);
  }
  std::string path() const { return path_.string(); }

private:
  fs::path path_;
};

} // namespace

fs::path clangDriver() { return fs::path(HEDDLE_LLVM_ROOT) / "bin" / "clang++"; }

std::optional<CompiledSource> compileToObject(const Options &options, const Input &input,
                                              const fs::path &object, ShownMessages &shown) {
  CompiledSource result;
  std::optional<TemporaryFile> image_file;
  if (input.language == Language::Cuda) {
    if (!compileDevice(options, input, shown, result))
      return std::nullopt;
    if (!result.image.empty())
      image_file.emplace(temporaryName(object.filename()), result.image);
  }
  Compilation clang(shown, options.verbose);
  if (!clang.prepare(
          hostArguments(options, input, image_file ? image_file->path() : "", object.string())))
    return std::nullopt;
  clang::CompilerInstance &instance = clang.instance();
  instance.getCodeGenOpts().PassBuilderCallbacks.push_back(registerManagedVariables);
  HostAction action;
  if (!instance.ExecuteAction(action))
    return std::nullopt;
  return result;
}

bool preprocess(const Options &options, const Input &input, const std::string &output,
                ShownMessages &shown) {
  std::vector<std::string> arguments = baseArguments(options, input);
  if (input.language == Language::Cuda)
    arguments.push_back("--cuda-host-only");
  if (options.action == Action::Preprocess)
    arguments.push_back("-E");
  append(arguments, options.dependencies);
  append(arguments, {"-o", output.empty() ? "-" : output});
  Compilation clang(shown, options.verbose);
  return clang.prepare(arguments) && clang::ExecuteCompilerInvocation(&clang.instance());
}

} // namespace heddle::frontend
