// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies between a resource's memory and what OpenGL has given, or is to be given: operations of
// the stream like the copies of programs, so that tools hear of them.
#pragma once

#include "device/memory/copy.h"

namespace heddle {

/// The box's rows lie one behind the other in `data`.
cudaError_t copyIn(DeviceStream &stream, const BoxPlace &to, std::vector<char> data,
                   const Box &box);
/// Returns when the stream has done all before it, and it.
cudaError_t copyOut(DeviceStream &stream, std::vector<char> &data, const BoxPlace &from,
                    const Box &box);

} // namespace heddle
