// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface references. Clang makes a 64-bit variable of each, and asks for its handle by
// an intrinsic; here the variable holds the handle, written when the host binds the reference.
#pragma once

namespace llvm {
class Module;
}

namespace heddle {

/// Makes loads of llvm.nvvm.texsurf.handle.internal.
void loadTextureHandles(llvm::Module &module);

} // namespace heddle
