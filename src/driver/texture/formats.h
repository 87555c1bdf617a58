// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's formats of arrays and textures as the runtime API has them.
#pragma once

#include "driver/entry.h"

namespace heddle::driver {

/// False if there is no such format here.
bool channelFormat(CUarray_format format, unsigned channels, cudaChannelFormatDesc &desc);
/// The reverse.
CUarray_format arrayFormat(const cudaChannelFormatDesc &desc, unsigned &channels);
/// Bytes of a texel of such an array.
size_t texelBytes(const cudaChannelFormatDesc &desc);

} // namespace heddle::driver
