// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/code/compiled_module.h"

#include "engine/code/cache.h"
#include "support/paths.h"
#include "support/process.h"
#include "support/switches.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace heddle::engine {
namespace fs = std::filesystem;
namespace {

// The compiler would call half a file a damaged image, when it is the disk that is full.
void writeWhole(const fs::path &path, std::string_view bytes) {
  std::ofstream file(path, std::ios::binary);
  file << bytes;
  file.close();
  if (file)
    return;
  const int reason = errno;
  std::error_code ignored;
  fs::remove(path, ignored);
  throw std::system_error(reason, std::generic_category(),
                          "cannot write device code for the compiler to " + path.string());
}

// Calls Heddle's compiler with the image in a file beside `scratch`. Returns what it prints.
std::string callCompiler(std::string_view image, const fs::path &scratch,
                         std::vector<std::string> arguments) {
  const fs::path input = scratch.string() + ".image";
  writeWhole(input, image);
  arguments.insert(arguments.begin(), jitProgram().string());
  arguments.insert(arguments.begin() + 4, input.string());
  const ProcessResult compiler = runProcess(arguments, Capture::OutputAndErrors);
  std::error_code ignored;
  fs::remove(input, ignored);
  if (compiler.exit_code == 127)
    throw std::runtime_error(fmt::format("cannot run Heddle's compiler {}", arguments[0]));
  if (compiler.exit_code != 0)
    throw std::runtime_error("compiling device code failed: " + compiler.output);
  return compiler.output;
}

} // namespace

CompiledFile compiledModule(std::string_view image, std::string_view engine,
                            std::string_view part) {
  if (engine == "simd")
    engine = most_likely_variant;
  const std::string key = cacheKey(image, engine, part);
  if (fs::path found = findInCache(key); !found.empty())
    return {found, false};
  CompiledFile result;
  result.path = addToCache(
      key,
      [&](const fs::path &output) {
        const std::string messages = callCompiler(
            image, output, {"compile", std::string(engine), std::string(part), output.string()});
        // What HEDDLE_SIMD_DUMP and its kin show, and kernels that could not be compiled by a
        // mistake of the compiler's.
        if (!switchedOn("HEDDLE_QUIET"))
          std::fputs(messages.c_str(), stderr);
      },
      result.temporary);
  return result;
}

fs::path cachedModule(std::string_view image, std::string_view engine, std::string_view part) {
  return findInCache(cacheKey(image, engine, part));
}

std::string explainedModule(std::string_view image, std::string_view engine,
                            std::string_view part) {
  const fs::path scratch =
      fs::temp_directory_path() / fmt::format("heddle-explain-{}", static_cast<int>(getpid()));
  return callCompiler(image, scratch, {"explain", std::string(engine), std::string(part)});
}

std::string_view chosenEngine() {
  const char *name = std::getenv("HEDDLE_ENGINE");
  if (!name || !*name)
    return "simd";
  for (std::string_view known : {"reference", "simd"})
    if (name == known)
      return known;
  throw std::runtime_error(
      fmt::format("HEDDLE_ENGINE={}: there is no such engine; known: reference, simd", name));
}

} // namespace heddle::engine
