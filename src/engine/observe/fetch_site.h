// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sites of fetches from textures and of accesses to surfaces.
#pragma once

#include "engine/observe/site.h"

namespace heddle::engine::observe {

/// A fetch reads descriptors, and then texels, which accesses with this site tell of.
struct FetchSite : Site {
  uint32_t what; // as __heddle_fetch is told; of a surface 0
};

// Of Site::flags, as those of site.h:
/// The site is a FetchSite.
inline constexpr uint32_t through_texture = 32;
/// Likewise, but it tells of descriptors alone. Or the access to the surface, which is a site of
/// its own.
inline constexpr uint32_t through_surface = 64;
/// The device library loads a descriptor or texels. What the program reads so is told of by a
/// FetchSite: this access is to be guarded alone.
inline constexpr uint32_t of_texture_unit = 16;
static_assert(of_texture_unit > has_value && through_surface < only_reads);

} // namespace heddle::engine::observe
