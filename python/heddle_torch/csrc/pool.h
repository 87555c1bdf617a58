// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CPU tensors for the arguments of one operation after another, and results that change their
// device. A tensor with its storage is three pieces of heap memory, which take as long to get and
// to free as a small operation takes to compute. So each thread keeps a few tensors without any
// reference, and a result stays the object that the kernel made.
#pragma once

#include <ATen/core/Tensor.h>

namespace heddle::aten {

/// The dispatch keys of dense tensors without marks (conjugate, negative, for inference, …).
c10::DispatchKeySet plainHostKeys();
c10::DispatchKeySet plainCudaKeys();

/// A dense CPU tensor on `Bytes` bytes of `Memory`, which it does not own, with the type and shape
/// of `Like`.
at::Tensor takeHostTensor(void *Memory, size_t Bytes, const at::Tensor &Like);

/// Keeps the tensor, which takeHostTensor gave, for the next call of that, if this is the only
/// reference to it and to its storage.
void giveHostTensor(at::Tensor &&T);

/// Makes a CPU tensor on device memory a tensor of `Device`, if `T` is the only reference to it.
/// False, and nothing done, if it is not.
bool moveToDevice(const at::Tensor &T, c10::DeviceIndex Device);

} // namespace heddle::aten
