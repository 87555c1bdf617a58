// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a device's properties say that other calls must hold to.
#pragma once

namespace heddle::api {

/// Whatever the GPU, kernels here reach all of the host's memory, as they do on a GPU whose driver
/// has heterogeneous memory management; a program that asks must get the truth. It is another one
/// under heddle check, which reports what a GPU would not forgive: there it is what `of_gpu` says.
bool pageableMemoryAccess(bool of_gpu);

} // namespace heddle::api
