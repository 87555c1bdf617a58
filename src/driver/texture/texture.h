// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver API's descriptions of textures as the runtime API has them.
#pragma once

#include "driver/texture/formats.h"

namespace heddle::driver {

/// CUDA_ERROR_INVALID_VALUE for what is no description.
CUresult convert(const CUDA_RESOURCE_DESC &from, cudaResourceDesc &to);
void convert(const cudaResourceDesc &from, CUDA_RESOURCE_DESC &to);
cudaTextureDesc convert(const CUDA_TEXTURE_DESC &from, const cudaResourceDesc &resource);
CUDA_TEXTURE_DESC convert(const cudaTextureDesc &from);

} // namespace heddle::driver
