// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/native_code.h"

#include "engine/code/compiled_module.h"
#include "engine/debugged.h"
#include "support/switches.h"

#include <filesystem>

namespace heddle::frontend {

void makeNativeCode(std::string_view image, const ImageInfo &info) {
  if (switchedOn("HEDDLE_LAZY") || (info.kernels.empty() && info.variables.empty()))
    return;
  const auto run = engine::imageToRun(image.data());
  const engine::CompiledFile native =
      engine::compiledModule({reinterpret_cast<const char *>(run.data()), run.size()},
                             readImage(run).info.debug ? "reference" : engine::chosenEngine());
  if (native.temporary)
    std::filesystem::remove(native.path);
}

} // namespace heddle::frontend
