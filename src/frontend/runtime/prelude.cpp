// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/runtime/prelude.h"

#include "engine/code/cache.h"
#include "frontend/clang_run.h"
#include "frontend/compile.h"
#include "frontend/precompiled_prelude.h"
#include "support/paths.h"

#include <filesystem>
#include <fmt/format.h>
#include <stdexcept>

namespace fs = std::filesystem;

namespace heddle::frontend {
namespace {

// The options that Clang's precompiled headers depend on: those of the language and the target. The
// program's own macros and folders come later.
Options preludeOptions(const Options &options) {
  Options own;
  own.at_run_time = true;
  own.action = options.action;
  own.cuda = options.cuda;
  own.arch = options.arch;
  own.arch_suffix = options.arch_suffix;
  own.rdc = options.rdc;
  own.standard = options.standard;
  own.debug_device = options.debug_device;
  own.fast_math = options.fast_math;
  own.fma = options.fma;
  return own;
}

// A developer's build tree has the headers where they are edited.
std::string newestHeader() {
  fs::file_time_type newest = fs::file_time_type::min();
  const fs::path include = installRoot() / "include";
  for (const fs::directory_entry &entry :
       fs::recursive_directory_iterator(include, fs::directory_options::follow_directory_symlink))
    if (entry.is_regular_file())
      newest = std::max(newest, entry.last_write_time());
  return fmt::format("{} {}", include.string(), newest.time_since_epoch().count());
}

std::string make(const Options &options, const std::vector<std::string> &arguments) {
  ShownMessages shown;
  ClangRun clang(shown, options.verbose);
  if (!clang.prepare(arguments))
    throw std::runtime_error("internal error: Clang refuses to precompile its prelude");
  std::string bytes = precompile(clang.instance());
  if (bytes.empty())
    throw std::runtime_error("cannot precompile Heddle's own headers in " +
                             fs::temp_directory_path().string());
  return bytes;
}

} // namespace

std::string precompiledPrelude(const Options &options) {
  const std::string include = (installRoot() / "include" / "__heddle_rtc").string();
  std::vector<std::string> arguments =
      deviceArguments(preludeOptions(options), {include + "/prelude.h", Language::Cuda}, "prelude");
  arguments.insert(arguments.end(), {"-isystem", include + "/std"});
  std::string all = newestHeader();
  for (const std::string &argument : arguments)
    all += '\n' + argument;
  const std::string key = engine::preludeKey(all);
  if (auto kept = engine::readFromCache(key))
    return std::move(*kept);
  std::string bytes = make(options, arguments);
  engine::writeToCache(key, bytes);
  return bytes;
}

} // namespace heddle::frontend
