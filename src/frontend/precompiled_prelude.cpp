// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/precompiled_prelude.h"

#include "engine/code/cache.h"
#include "frontend/source/device_reads.h"
#include "frontend/source/source_files.h"
#include "support/paths.h"

#include "clang/Basic/Version.h"
#include "clang/Frontend/FrontendActions.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace fs = std::filesystem;

namespace heddle::frontend {

const char *const prelude_header = "__heddle/prelude.h";

namespace {

constexpr const char *precompiled_file = "/__heddle/prelude.pch"; // in memory

// What the program adds to the folders where headers are looked for.
std::vector<std::string> addedFolders(const Options &options) {
  std::vector<std::string> folders;
  const std::vector<std::string> &words = options.preprocessor;
  for (size_t i = 0; i < words.size(); ++i)
    if (words[i].starts_with("-I"))
      folders.push_back(words[i].substr(2));
    else if (words[i] == "-isystem" && i + 1 < words.size())
      folders.push_back(words[++i]);
  return folders;
}

// Whether only -I, -isystem, -include, -D and -U say where headers come from.
bool isPlain(const Options &options) {
  for (const char *name : {"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH"})
    if (std::getenv(name))
      return false;
  return std::none_of(options.host.begin(), options.host.end(), [](const std::string &word) {
    return word.starts_with("-i") || word.starts_with("-nostd") || word.starts_with("-X") ||
           word.starts_with("--sysroot") || word.starts_with("-fmodules");
  });
}

// The C++ library's configuration asks whether this is there.
constexpr const char *asked_for = "tbb/tbb.h";

// The compilation of the prelude alone: without the source and all that is about it.
std::shared_ptr<clang::CompilerInvocation> forPrelude(const clang::CompilerInvocation &source,
                                                      const std::vector<std::string> &added) {
  auto own = std::make_shared<clang::CompilerInvocation>(source);
  const fs::path header = installRoot() / "include" / prelude_header;
  clang::FrontendOptions &frontend = own->getFrontendOpts();
  const clang::InputKind kind = frontend.Inputs.front().getKind();
  frontend.Inputs = {clang::FrontendInputFile(header.string(), kind)};
  frontend.ProgramAction = clang::frontend::GeneratePCH;
  frontend.OutputFile.clear();
  own->getLangOpts().CUID.clear();
  own->getPreprocessorOpts().Includes.clear();
  own->getDependencyOutputOpts() = clang::DependencyOutputOptions();
  clang::CodeGenOptions &code = own->getCodeGenOpts();
  code.MainFileName = header.filename().string();
  code.CudaGpuBinaryFileName.clear();
  code.DebugCompilationDir.clear();
  code.CoverageCompilationDir.clear();
  code.DwarfDebugFlags.clear();
  own->getDiagnosticOpts().ShowColors = false;
  own->getDiagnosticOpts().MessageLength = 0;
  llvm::erase_if(own->getHeaderSearchOpts().UserEntries, [&](const auto &entry) {
    return std::find(added.begin(), added.end(), entry.Path) != added.end();
  });
  return own;
}

// By what a file is known to be the same; empty if it is gone.
std::string stamp(const std::string &path) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0)
    return "";
  return fmt::format("{} {} {}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

std::string keyOf(const clang::CompilerInvocation &own) {
  std::string all = clang::getClangFullVersion() + '\n' + stamp("/proc/self/exe") + '\n' +
                    stamp(std::string("/usr/include/") + asked_for);
  for (const std::string &argument : own.getCC1CommandLine())
    all += '\n' + argument;
  return engine::preludeKey(all);
}

// An entry of the cache: what the prelude includes, a line with its stamp for each file and an
// empty one, then Clang's bytes.
struct Prelude {
  std::vector<std::string> files;
  std::string bytes;
};

// Nothing if a file is not what it was.
std::optional<Prelude> unpack(const std::string &entry) {
  Prelude prelude;
  size_t at = 0;
  while (at < entry.size() && entry[at] != '\n') {
    const size_t end = entry.find('\n', at), tab = entry.find('\t', at);
    if (end == std::string::npos || tab > end)
      return std::nullopt;
    prelude.files.push_back(entry.substr(at, tab - at));
    if (stamp(prelude.files.back()) != entry.substr(tab + 1, end - tab - 1))
      return std::nullopt;
    at = end + 1;
  }
  prelude.bytes = entry.substr(std::min(at + 1, entry.size()));
  return prelude;
}

std::string pack(const Prelude &prelude) {
  std::string entry;
  for (const std::string &file : prelude.files)
    entry += fmt::format("{}\t{}\n", file, stamp(file));
  return entry + '\n' + prelude.bytes;
}

// Nothing if it has errors, of which the compilation of the source will tell.
std::optional<Prelude> make(std::shared_ptr<clang::CompilerInvocation> invocation,
                            llvm::vfs::FileSystem &files) {
  clang::CompilerInstance instance;
  instance.setInvocation(std::move(invocation));
  instance.createDiagnostics(new clang::IgnoringDiagConsumer, true);
  instance.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
  instance.createFileManager(&files);
  const auto read = collectFiles(instance, true);
  Prelude prelude;
  prelude.bytes = precompile(instance);
  if (prelude.bytes.empty())
    return std::nullopt;
  prelude.files = read->getDependencies();
  return prelude;
}

// Whether a folder of the program's may have a header that the prelude includes by its name.
bool isShadowed(const Prelude &prelude, const std::vector<std::string> &added) {
  std::error_code error;
  for (const std::string &folder : added) {
    if (fs::equivalent(folder, installRoot() / "include", error) ||
        !fs::is_directory(folder, error))
      continue;
    if (fs::exists(fs::path(folder) / asked_for, error))
      return true;
    for (const std::string &file : prelude.files) {
      fs::path name;
      // <bits/types/time_t.h> is the longest kind of name.
      for (fs::path rest = file; std::distance(name.begin(), name.end()) < 3 && rest.has_filename();
           rest = rest.parent_path()) {
        name = name.empty() ? rest.filename() : rest.filename() / name;
        if (access((folder / name).c_str(), F_OK) == 0)
          return true;
      }
    }
  }
  return false;
}

std::string temporaryFile() {
  static std::atomic<unsigned> counter{0};
  return (fs::temp_directory_path() / fmt::format("heddle-prelude-{}-{}.pch", getpid(), counter++))
      .string();
}

} // namespace

std::string precompile(clang::CompilerInstance &instance) {
  const fs::path output = temporaryFile();
  instance.getFrontendOpts().OutputFile = output.string();
  instance.getFrontendOpts().ProgramAction = clang::frontend::GeneratePCH;
  clang::GeneratePCHAction action;
  const bool good = instance.ExecuteAction(action);
  std::string bytes;
  if (good) {
    std::ifstream file(output, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), {});
  }
  std::error_code ignored;
  fs::remove(output, ignored);
  return bytes;
}

bool usePrecompiledPrelude(clang::CompilerInstance &instance, const Options &options) {
  const std::vector<std::string> added = addedFolders(options);
  if (!isPlain(options) || !engine::keepsPreludes())
    return false;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk =
      instance.getFileManager().getVirtualFileSystemPtr();
  auto invocation = forPrelude(instance.getInvocation(), added);
  const std::string key = keyOf(*invocation);
  std::optional<Prelude> prelude;
  if (const auto kept = engine::readFromCache(key))
    prelude = unpack(*kept);
  if (!prelude && (prelude = make(std::move(invocation), *disk)))
    engine::writeToCache(key, pack(*prelude));
  if (!prelude || isShadowed(*prelude, added))
    return false;
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile(precompiled_file, 0,
                  llvm::MemoryBuffer::getMemBufferCopy(prelude->bytes, precompiled_file));
  auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(disk);
  files->pushOverlay(memory);
  instance.createFileManager(files);
  clang::PreprocessorOptions &preprocessor = instance.getPreprocessorOpts();
  llvm::erase(preprocessor.Includes, prelude_header);
  preprocessor.ImplicitPCHInclude = precompiled_file;
  return true;
}

bool compileWithPrelude(ShownMessages &shown,
                        const std::function<Attempt(ShownMessages &, bool may_take)> &attempt) {
  {
    HeldMessages held(shown);
    const Attempt first = attempt(held.messages(), true);
    if (first.good || !first.took_prelude)
      return first.good;
    held.drop();
  }
  return attempt(shown, false).good;
}

} // namespace heddle::frontend
