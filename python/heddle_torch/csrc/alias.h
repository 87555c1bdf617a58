// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One call of an operation, seen by the CPU: its CUDA tensors as CPU tensors on the same memory,
// and what the CPU's kernel returns as CUDA tensors again.
#pragma once

#include <ATen/core/Tensor.h>
#include <c10/core/Storage.h>
#include <c10/util/MaybeOwned.h>
#include <c10/util/SmallVector.h>

#include <utility>

namespace heddle::aten {

class Call {
public:
  explicit Call(c10::DeviceIndex Device) : Device(Device) {}
  ~Call();
  Call(const Call &) = delete;
  Call &operator=(const Call &) = delete;

  /// A CPU tensor with the elements of `Cuda`: dense, sparse (COO and compressed), nested or
  /// quantized. The same tensor, or storage, gives the same one in the whole call. Other tensors
  /// come back as they are. `Write`: the operation may write it. A tensor that is borrowed must
  /// live as long as the call: one more reference to a tensor that Python knows costs as much as a
  /// part of a small operation, as PyTorch asks for the interpreter's lock.
  at::Tensor toHost(c10::MaybeOwned<at::Tensor> Cuda, bool Write);
  at::Tensor toHost(at::Tensor &&Cuda, bool Write) {
    return toHost(c10::MaybeOwned<at::Tensor>::owned(std::move(Cuda)), Write);
  }
  at::Tensor toHost(const at::Tensor &Cuda, bool Write) {
    return toHost(c10::MaybeOwned<at::Tensor>::owned(at::Tensor(Cuda)), Write);
  }

  /// The CUDA tensor for what a kernel returned: the caller's own tensor, a view of the caller's
  /// storage, or a new tensor on the memory that the kernel allocated. Undefined tensors, and CPU
  /// tensors that the caller has given, come back as they are.
  at::Tensor toDevice(const at::Tensor &Host);

  /// Gives the caller's tensors what the operation did to them besides writing elements: new
  /// sizes, new memory after a resize, other indices of a sparse tensor.
  void finish();
  /// Tells heddle check which elements the operation may have written. After finish().
  void tellWrites() const;

private:
  struct Tensors {
    c10::MaybeOwned<at::Tensor> Cuda;
    at::Tensor Host;
    bool Write;
  };
  // Of tensors in Known or in Made.
  struct Storages {
    c10::StorageImpl *Cuda, *Host;
    void *Memory;
  };

  at::Tensor madeFor(const at::Tensor &Cuda, bool Write);
  at::Tensor plainToHost(const at::Tensor &Cuda, bool Write);
  c10::Storage hostStorage(const c10::Storage &Cuda, bool Write);
  c10::Storage deviceStorage(const c10::Storage &Host);
  void updateSparse(const at::Tensor &Cuda, const at::Tensor &Host);

  const c10::DeviceIndex Device;
  // Few in nearly every call; lists of hundreds (foreach, fused optimizers) are searched from the
  // end, where the tensor most likely is.
  c10::SmallVector<Tensors, 6> Known;
  c10::SmallVector<Storages, 6> Memory;
  c10::SmallVector<c10::Storage, 4> Made;
  c10::SmallVector<c10::MaybeOwned<at::Tensor>, 2> Given;
};

} // namespace heddle::aten
