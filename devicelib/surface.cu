// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a surface access finds its bytes. A surface's descriptor has no modes but the sizes.
#include "texture_entry.h"

namespace heddle::texture {
namespace {
enum Boundary : u32 { Zero, Clamp, Trap };
} // namespace

extern "C" HEDDLE_TEXTURE_API u64 __heddle_surface(u64 handle, i32 x, i32 y, i32 z, u32 bytes,
                                                   u32 mode) {
  HEDDLE_DESCRIPTOR d = descriptorOf(handle);
  const u32 row = d->level.width * d->texel_bytes;
  const i32 last = i32(row) - i32(bytes);
  const u32 misaligned_by = u32(x) & (bytes - 1);
  const bool inside = x >= 0 && x <= last && u32(y) < d->level.height && u32(z) < d->level.depth;
  if (mode == Clamp) {
    x = min(max(x, 0), last);
    y = clampIndex(y, i32(d->level.height));
    z = clampIndex(z, i32(d->level.depth));
  }
  const u64 address = d->level.base + u64(u32(z)) * d->level.slice_bytes +
                      u64(u32(y)) * d->level.row_bytes + u64(u32(x));
  // The access faults there, whether inside or not: an H200 looks at the alignment first.
  if (misaligned_by)
    return d->level.base + misaligned_by;
  if (mode == Clamp || inside)
    return address;
  // The access faults there, as a GPU's does.
  return mode == Trap ? outside_surface : 0;
}
} // namespace heddle::texture
