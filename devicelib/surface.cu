// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a surface access finds its bytes.
#include "texture_entry.h"

namespace heddle::texture {

extern "C" HEDDLE_TEXTURE_API u64 __heddle_surface(u64 handle, i32 x, i32 y, i32 z, u32 bytes,
                                                   u32 kind_and_mode) {
  const u32 mode = kind_and_mode & 255, kind = u32(Fetch::SurfaceLoad) + (kind_and_mode >> 8);
  __heddle_fetch(handle, kind | mode << 8 | bytes << fetch_bytes_shift, u32(x), u32(y), u32(z), 0,
                 0);
  return surfaceAddress(descriptorOf(handle), x, y, z, bytes, mode);
}

} // namespace heddle::texture
