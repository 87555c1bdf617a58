// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/native_code.h"

#include "engine/code/compiled_module.h"
#include "engine/debugged.h"

#include <cstdlib>
#include <filesystem>
#include <string_view>

namespace heddle::frontend {
namespace {

// A file with more kernels than this has those of templates for all cases, of which a program
// launches few: of the 164 that 20 algorithms of Thrust have, 36.
constexpr size_t many_kernels = 32;

// And an image of more bytes than this has kernels so large that all of them take 20 s and more:
// those of a file of flash-attention have 6.7 MB.
constexpr size_t much_code = 1 << 20;

bool wanted(std::string_view image, const ImageInfo &info) {
  if (info.kernels.empty() && info.variables.empty())
    return false;
  const char *lazy = std::getenv("HEDDLE_LAZY");
  return lazy && *lazy ? std::string_view(lazy) != "1"
                       : info.kernels.size() <= many_kernels && image.size() <= much_code;
}

} // namespace

void makeNativeCode(std::string_view image, const ImageInfo &info, Progress *progress) {
  if (!wanted(image, info))
    return;
  if (progress)
    progress->enter("kernels for this CPU (HEDDLE_LAZY=1: each when it is launched)");
  const auto run = engine::imageToRun(image.data());
  const engine::CompiledFile native =
      engine::compiledModule({reinterpret_cast<const char *>(run.data()), run.size()},
                             readImage(run).info.debug ? "reference" : engine::chosenEngine());
  if (native.temporary)
    std::filesystem::remove(native.path);
}

} // namespace heddle::frontend
