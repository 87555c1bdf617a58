// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texture and surface references. Clang emits a 64-bit variable for each, and reads its handle by
// an intrinsic; here the variable holds the handle, which the host writes when it binds the
// reference.
#pragma once

namespace llvm {
class Module;
}

namespace heddle {

/// Replaces llvm.nvvm.texsurf.handle.internal by loads.
void loadTextureHandles(llvm::Module &module);

} // namespace heddle
