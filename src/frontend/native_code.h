// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Native code of a new image, made ahead of time.
#pragma once

#include "frontend/progress.h"
#include "module/image/image.h"

#include <string_view>

namespace heddle::frontend {

/// Compiles the image for this machine now, so that the program's first run finds the code in the
/// cache. Not with HEDDLE_LAZY=1, nor, without HEDDLE_LAZY=0, if there are very many kernels or
/// very large ones: then each is compiled when it is first launched. `progress`, if any, learns of
/// it.
void makeNativeCode(std::string_view image, const ImageInfo &info, Progress *progress = nullptr);

} // namespace heddle::frontend
