// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/runtime/runtime_source.h"

#include "frontend/clang_run.h"
#include "frontend/compile.h"
#include "frontend/runtime/prelude.h"
#include "frontend/source/device_reads.h"
#include "frontend/source/host_only_calls.h"
#include "support/hash.h"
#include "support/paths.h"
#include "support/strict.h"

#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/IR/Constants.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"

#include <algorithm>
#include <fmt/format.h>

namespace heddle::frontend {
namespace {

// Where the headers that the program hands over seem to lie: deep enough for "../../x.h".
constexpr const char *header_folder = "/__nvrtc/1/2/3/4/5/6/7/8";
constexpr const char *precompiled_file = "/__nvrtc/prelude.pch";
constexpr const char *default_device_file = "/__nvrtc/default_device.h";
constexpr const char *default_device = "#pragma clang force_cuda_host_device begin\n";
constexpr llvm::StringLiteral expression_mark = "__heddle_expression_";

// The end of the source: variables that hold the addresses that the expressions name. They are
// gone before code is made.
std::string expressionVariables(const std::vector<std::string> &expressions) {
  std::string text;
  for (size_t i = 0; i < expressions.size(); ++i) {
    const std::string &expression = expressions[i];
    const size_t first = expression.find_first_not_of(" \t\n");
    const bool address = first != std::string::npos && expression[first] == '&';
    text += fmt::format("\n#line 1 \"name expression\"\n"
                        "static __device__ __attribute__((used)) auto *const {}{} = {}\n"
                        "#line 1 \"name expression\"\n{}\n;",
                        expression_mark.str(), i, address ? "" : "&", expression);
  }
  return text;
}

std::vector<std::string> takeSymbols(llvm::Module &module, size_t count) {
  std::vector<std::string> symbols(count);
  std::vector<llvm::GlobalVariable *> gone;
  for (llvm::GlobalVariable &variable : module.globals()) {
    const auto [before, after] = variable.getName().split(expression_mark);
    size_t number = 0;
    if (after.empty() || after.take_while(llvm::isDigit).getAsInteger(10, number) ||
        number >= count || !variable.hasInitializer())
      continue;
    if (const auto *named =
            llvm::dyn_cast<llvm::GlobalValue>(variable.getInitializer()->stripPointerCasts()))
      symbols[number] = named->getName().str();
    gone.push_back(&variable);
  }
  removeFromUsedLists(module, [&](llvm::Constant *user) {
    return llvm::is_contained(gone, user->stripPointerCasts());
  });
  for (llvm::GlobalVariable *variable : gone)
    variable->eraseFromParent();
  return symbols;
}

// Without host code in the same file, programs find static variables by the name in the source, as
// nvcc's compiler leaves it (`static __constant__ float table[4]`): not by C++'s for it, _ZL5table.
void nameStaticVariables(llvm::Module &module) {
  constexpr unsigned global = 1, constant = 4;
  for (llvm::GlobalVariable &variable : module.globals()) {
    llvm::StringRef name = variable.getName();
    size_t length = 0;
    const unsigned space = variable.getAddressSpace();
    if (!variable.hasLocalLinkage() || (space != global && space != constant) ||
        (space == global && variable.isConstant()) || !name.consume_front("_ZL") ||
        name.consumeInteger(10, length) || name.size() != length || module.getNamedValue(name))
      continue;
    variable.setName(name.str());
    variable.setLinkage(llvm::GlobalValue::ExternalLinkage);
    variable.setExternallyInitialized(true);
  }
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
makeFiles(const RuntimeSource &source, const std::string &text, const std::string &precompiled) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  auto disk = llvm::vfs::getRealFileSystem();
  if (auto folder = disk->getCurrentWorkingDirectory())
    memory->setCurrentWorkingDirectory(*folder);
  auto add = [&](const std::string &path, const std::string &content) {
    memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(content, path));
  };
  add(source.name, text);
  add(precompiled_file, precompiled);
  add(default_device_file, default_device);
  // Python packages bring CUDA's headers of small floats with them, which rest on what only
  // NVIDIA's compiler knows: Heddle's come first.
  for (const char *name : {"cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuda_fp6.h", "cuda_fp4.h"})
    add(fmt::format("{}/{}", header_folder, name),
        fmt::format("#include \"{}\"\n", (installRoot() / "include" / name).string()));
  for (const auto &[name, content] : source.headers)
    add(llvm::sys::path::is_absolute(name) ? name : fmt::format("{}/{}", header_folder, name),
        content);
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk);
  files->pushOverlay(memory);
  return files;
}

std::vector<std::string> diskFiles(const clang::DependencyCollector &read,
                                   const RuntimeSource &source) {
  std::vector<std::string> files;
  for (const std::string &file : read.getDependencies())
    if (file != source.name && !file.starts_with("/__nvrtc/") && !isInternalHeader(file))
      files.push_back(file);
  return files;
}

std::unique_ptr<llvm::Module> compileOnce(const Options &options, const RuntimeSource &source,
                                          llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                          llvm::LLVMContext &context, ShownMessages &shown,
                                          std::vector<std::string> &read, unsigned &errors) {
  std::vector<std::string> arguments =
      deviceArguments(options, {source.name, Language::Cuda},
                      contentHash(source.name + '\n' + source.text).substr(0, 16));
  // Before all folders that the program names.
  arguments.insert(arguments.begin() + 1, {"-I", header_folder});
  const std::string prefix = fmt::format("={}/=", header_folder);
  arguments.insert(arguments.end(), {"-fdiagnostics-format=msvc", "-fno-show-column",
                                     "-fmacro-prefix-map" + prefix, "-fdebug-prefix-map" + prefix});
  if (source.all_for_device)
    arguments.insert(arguments.end(), {"-include", default_device_file});
  ClangRun clang(shown, options.verbose, std::move(files));
  if (!clang.prepare(arguments))
    return nullptr;
  clang.instance().getPreprocessorOpts().ImplicitPCHInclude = precompiled_file;
  const auto dependencies = collectFiles(clang.instance(), true);
  // Functions without a word of their own are device code, then.
  DeviceAction action(&context, options, strict() && !source.all_for_device);
  if (!clang.instance().ExecuteAction(action)) {
    errors = clang.instance().getDiagnosticClient().getNumErrors();
    return nullptr;
  }
  read = diskFiles(*dependencies, source);
  return action.takeModule();
}

} // namespace

RuntimeModule compileRuntimeSource(const Options &options, const RuntimeSource &source,
                                   llvm::LLVMContext &context) {
  const std::string text = source.text + expressionVariables(source.expressions);
  const auto files = makeFiles(source, text, precompiledPrelude(options));
  RuntimeModule result;
  unsigned errors = 0;
  ShownMessages shown;
  do // as compile.cpp does for a file
    result.module = compileOnce(options, source, files, context, shown, result.files, errors);
  while (!result.module && (int(shown.shared_objects.grew()) | int(shown.redeclarations.grew())));
  if (!result.module && errors) // as NVRTC's logs end
    llvm::errs() << errors << (errors == 1 ? " error" : " errors")
                 << " detected in the compilation of \"" << source.name << "\".\n";
  if (result.module && !options.rdc)
    nameStaticVariables(*result.module);
  if (result.module)
    result.symbols = takeSymbols(*result.module, source.expressions.size());
  return result;
}

} // namespace heddle::frontend
