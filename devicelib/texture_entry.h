// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the library's texture functions share: how handles become descriptors, and the functions
// that the SIMD engine calls lane by lane. Those have names that begin with __heddle_lane_, by
// which the engine knows not to inline them: they are for what is rare, and large.
#ifndef HEDDLE_DEVICELIB_TEXTURE_ENTRY_H
#define HEDDLE_DEVICELIB_TEXTURE_ENTRY_H

#include "texture_general.h"

#define HEDDLE_TEXTURE_API __device__ __attribute__((always_inline))
#define HEDDLE_LANE_API __device__ __attribute__((noinline))

namespace heddle::texture {

HEDDLE_INLINE HEDDLE_DESCRIPTOR descriptorOf(u64 handle) {
  return reinterpret_cast<HEDDLE_DESCRIPTOR>(handle);
}

/// Texels as a lane function returns them: the engine widens structures of numbers, not of arrays.
struct Returned {
  u32 x, y, z, w;
};
HEDDLE_INLINE Returned returned(const Texels &t) {
  return {t.bits[0], t.bits[1], t.bits[2], t.bits[3]};
}
HEDDLE_INLINE Texels unpacked(const Returned &r) { return {{r.x, r.y, r.z, r.w}}; }

extern "C" {
/// Says that a fetch happens, for what counts fetches (module/passes/fetch_marks.h): no code is
/// made of it.
#ifdef __CUDA__
__device__ void __heddle_fetch(u64 handle, u32 what, u32 x, u32 y, u32 z, i32 layer, float level);
#else
inline void __heddle_fetch(u64, u32, u32, u32, u32, i32, float) {}
#endif

/// A fetch from the first level along one to three coordinates.
__device__ Returned __heddle_lane_texture(u64 handle, i32 dimensions, float x, float y, float z,
                                          i32 layer);
/// A texel of linear memory.
__device__ Returned __heddle_lane_texel(u64 handle, i32 x);
/// A fetch at a level of detail.
__device__ Returned __heddle_lane_level(u64 handle, i32 dimensions, float x, float y, float z,
                                        i32 layer, float level);
}

HEDDLE_INLINE void noteFetch(u64 handle, Fetch what, float x, float y, float z, i32 layer = 0,
                             float level = 0) {
  __heddle_fetch(handle, u32(what), bitsOf(x), bitsOf(y), bitsOf(z), layer, level);
}

} // namespace heddle::texture

#endif
