// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What copies on streams and copies in graphs have in common.
#pragma once

#include "api/entry.h"
#include "device/memory/copy.h"

namespace heddle::api {

/// Checks a copy as cudaMemcpy3D is told of it.
cudaError_t prepareCopy3D(Device &device, const cudaMemcpy3DParms &parameters,
                          std::shared_ptr<CopyOperation> &operation);

/// Checks a copy to or from a variable and says where it begins there.
cudaError_t symbolPlace(Device &device, const void *symbol, size_t count, size_t offset,
                        cudaMemcpyKind kind, bool to_symbol, void *&address);

} // namespace heddle::api
