// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiled_module.h"

#include "engine/cache.h"
#include "support/paths.h"
#include "support/process.h"

#include <cerrno>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <stdexcept>
#include <system_error>

namespace heddle::engine {
namespace fs = std::filesystem;
namespace {

// For blocks of one dimension whose threads are whole warps.
constexpr std::string_view most_likely_variant = "simd:32:full";

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

} // namespace

CompiledFile compiledModule(std::string_view image, std::string_view engine) {
  if (engine == "simd")
    engine = most_likely_variant;
  const std::string key = cacheKey(image, engine);
  if (fs::path found = findInCache(key); !found.empty())
    return {found, false};
  CompiledFile result;
  result.path = addToCache(
      key,
      [&](const fs::path &output) {
        const fs::path input = output.string() + ".image";
        writeWhole(input, image);
        const ProcessResult compiler =
            runProcess({jitProgram().string(), "compile", std::string(engine), input.string(),
                        output.string()},
                       Capture::OutputAndErrors);
        std::error_code ignored;
        fs::remove(input, ignored);
        if (compiler.exit_code == 127)
          throw std::runtime_error(
              fmt::format("cannot run Heddle's compiler {}", jitProgram().string()));
        if (compiler.exit_code != 0)
          throw std::runtime_error("compiling device code failed: " + compiler.output);
      },
      result.temporary);
  return result;
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
