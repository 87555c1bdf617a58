// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias.h"

#include "device.h"

#include <ATen/NestedTensorImpl.h>
#include <ATen/SparseCsrTensorImpl.h>
#include <ATen/SparseCsrTensorUtils.h>
#include <ATen/SparseTensorImpl.h>
#include <ATen/ops/copy.h>
#include <ATen/quantized/QTensorImpl.h>
#include <c10/core/CPUAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>

namespace heddle::aten {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using c10::Storage;
using c10::StorageImpl;

// A tensor of `Memory` with the shape, strides and marks of `Like`.
at::Tensor dense(Storage Memory, DispatchKey Key, const at::Tensor &Like) {
  at::Tensor Made = at::detail::make_tensor<c10::TensorImpl>(std::move(Memory), DispatchKeySet(Key),
                                                             Like.dtype());
  c10::TensorImpl *const To = Made.unsafeGetTensorImpl();
  const c10::TensorImpl *const From = Like.unsafeGetTensorImpl();
  To->set_sizes_and_strides(From->sizes(), From->strides(), From->storage_offset());
  if (From->is_wrapped_number())
    To->set_wrapped_number(true);
  if (From->is_conj())
    To->_set_conj(true);
  if (From->is_neg())
    To->_set_neg(true);
  return Made;
}

c10::intrusive_ptr<StorageImpl> storageOn(at::DataPtr &&Memory, size_t Bytes,
                                          at::Allocator *Allocator) {
  return c10::make_intrusive<StorageImpl>(StorageImpl::use_byte_size_t(), Bytes, std::move(Memory),
                                          Allocator, /*resizable=*/true);
}

bool isCompressed(const at::Tensor &T) { return at::sparse_csr::is_sparse_compressed(T); }

} // namespace

const Storage &Call::hostStorage(const Storage &Cuda, bool Write) {
  for (const Storages &S : Memory)
    if (S.Cuda.unsafeGetStorageImpl() == Cuda.unsafeGetStorageImpl())
      return S.Host;
  // Asking for memory that may be written ends a lazy copy's sharing.
  void *const Data = Write ? Cuda.mutable_data() : const_cast<void *>(Cuda.data());
  Storage Host(storageOn(at::DataPtr(Data, at::kCPU), Cuda.nbytes(), c10::GetCPUAllocator()));
  Memory.push_back({Cuda, std::move(Host), Data});
  return Memory.back().Host;
}

at::Tensor Call::hostDense(const at::Tensor &Cuda, bool Write) {
  if (!Cuda.is_quantized())
    return dense(hostStorage(Cuda.storage(), Write), DispatchKey::CPU, Cuda);
  at::Tensor Made = at::detail::make_tensor<at::QTensorImpl>(
      Storage(hostStorage(Cuda.storage(), Write)), DispatchKeySet(DispatchKey::QuantizedCPU),
      Cuda.dtype(), static_cast<at::QTensorImpl *>(Cuda.unsafeGetTensorImpl())->quantizer());
  Made.unsafeGetTensorImpl()->set_sizes_and_strides(Cuda.sizes(), Cuda.strides(),
                                                    Cuda.storage_offset());
  return Made;
}

at::Tensor Call::hostOther(const at::Tensor &Cuda, bool Write) {
  if (Cuda.is_nested()) {
    auto *Impl = static_cast<at::native::NestedTensorImpl *>(Cuda.unsafeGetTensorImpl());
    // Their sizes are CPU tensors in any case.
    return at::detail::make_tensor<at::native::NestedTensorImpl>(
        Storage(hostStorage(Cuda.unsafeGetTensorImpl()->unsafe_storage(), Write)),
        DispatchKeySet(DispatchKey::NestedTensorCPU), Cuda.dtype(), Impl->get_nested_sizes(),
        Impl->get_nested_strides(), Impl->get_storage_offsets());
  }
  if (Cuda.is_sparse()) {
    auto *From = static_cast<at::SparseTensorImpl *>(Cuda.unsafeGetTensorImpl());
    at::Tensor Made = at::detail::make_tensor<at::SparseTensorImpl>(
        DispatchKeySet(DispatchKey::SparseCPU), Cuda.dtype());
    auto *To = static_cast<at::SparseTensorImpl *>(Made.unsafeGetTensorImpl());
    To->resize_(From->sparse_dim(), From->dense_dim(), From->sizes());
    To->set_indices_and_values_unsafe(toHost(From->indices(), Write),
                                      toHost(From->values(), Write));
    To->set_coalesced(From->coalesced());
    return Made;
  }
  auto *From = static_cast<at::SparseCsrTensorImpl *>(Cuda.unsafeGetTensorImpl());
  at::Tensor Made = at::detail::make_tensor<at::SparseCsrTensorImpl>(
      DispatchKeySet(DispatchKey::SparseCsrCPU), c10::Device(at::kCPU), Cuda.layout(),
      Cuda.dtype());
  static_cast<at::SparseCsrTensorImpl *>(Made.unsafeGetTensorImpl())
      ->set_member_tensors(toHost(From->compressed_indices(), Write),
                           toHost(From->plain_indices(), Write), toHost(From->values(), Write),
                           From->sizes());
  return Made;
}

at::Tensor Call::toHost(const at::Tensor &Cuda, bool Write) {
  if (!Cuda.defined() || !Cuda.is_cuda()) {
    if (Cuda.defined())
      Given.push_back(Cuda);
    return Cuda;
  }
  for (auto T = Known.rbegin(); T != Known.rend(); ++T)
    if (T->Cuda.is_same(Cuda)) {
      T->Write |= Write;
      return T->Host;
    }
  at::Tensor Host = Cuda.layout() == at::kStrided && !Cuda.is_nested() ? hostDense(Cuda, Write)
                                                                       : hostOther(Cuda, Write);
  Known.push_back({Cuda, Host, Write});
  return Host;
}

Storage Call::deviceStorage(const Storage &Host) {
  for (const Storages &S : Memory)
    if (S.Host.unsafeGetStorageImpl() == Host.unsafeGetStorageImpl())
      return S.Cuda;
  StorageImpl *const From = Host.unsafeGetStorageImpl();
  at::Allocator *const Allocator = c10::cuda::CUDACachingAllocator::get();
  const c10::Device Here(at::kCUDA, Device);
  const size_t Bytes = From->nbytes();
  at::DataPtr Taken;
  if (From->data_ptr().get() == nullptr) {
    Taken = at::DataPtr(nullptr, Here);
  } else if (isDeviceMemory(From->data_ptr())) {
    Taken = relabel(From->set_data_ptr(at::DataPtr(From->data_ptr().get(), at::kCPU)), Here);
  } else { // of a thread of ATen's, or a library's own
    OnDevice Scope(Device);
    Taken = relabel(c10::GetCPUAllocator()->allocate(Bytes), Here);
    std::memcpy(Taken.get(), From->data(), Bytes);
  }
  Storage Cuda(storageOn(std::move(Taken), Bytes, Allocator));
  Memory.push_back({Cuda, Host, Cuda.mutable_data()});
  return Cuda;
}

at::Tensor Call::deviceOther(const at::Tensor &Host) {
  if (Host.is_nested()) {
    auto *Impl = static_cast<at::native::NestedTensorImpl *>(Host.unsafeGetTensorImpl());
    return at::detail::make_tensor<at::native::NestedTensorImpl>(
        deviceStorage(Host.unsafeGetTensorImpl()->unsafe_storage()),
        DispatchKeySet(DispatchKey::NestedTensorCUDA), Host.dtype(), Impl->get_nested_sizes(),
        Impl->get_nested_strides(), Impl->get_storage_offsets());
  }
  if (Host.is_sparse()) {
    auto *From = static_cast<at::SparseTensorImpl *>(Host.unsafeGetTensorImpl());
    at::Tensor Made = at::detail::make_tensor<at::SparseTensorImpl>(
        DispatchKeySet(DispatchKey::SparseCUDA), Host.dtype());
    auto *To = static_cast<at::SparseTensorImpl *>(Made.unsafeGetTensorImpl());
    To->resize_(From->sparse_dim(), From->dense_dim(), From->sizes());
    To->set_indices_and_values_unsafe(toDevice(From->indices()), toDevice(From->values()));
    To->set_coalesced(From->coalesced());
    return Made;
  }
  auto *From = static_cast<at::SparseCsrTensorImpl *>(Host.unsafeGetTensorImpl());
  at::Tensor Made = at::detail::make_tensor<at::SparseCsrTensorImpl>(
      DispatchKeySet(DispatchKey::SparseCsrCUDA), c10::Device(at::kCUDA, Device), Host.layout(),
      Host.dtype());
  static_cast<at::SparseCsrTensorImpl *>(Made.unsafeGetTensorImpl())
      ->set_member_tensors(toDevice(From->compressed_indices()), toDevice(From->plain_indices()),
                           toDevice(From->values()), From->sizes());
  return Made;
}

at::Tensor Call::toDevice(const at::Tensor &Host) {
  if (!Host.defined() || !Host.is_cpu())
    return Host;
  for (const Tensors &T : Known)
    if (T.Host.is_same(Host))
      return T.Cuda;
  for (const at::Tensor &T : Given)
    if (T.is_same(Host))
      return Host;
  if (Host.layout() != at::kStrided || Host.is_nested())
    return deviceOther(Host);
  if (!Host.is_quantized())
    return dense(deviceStorage(Host.storage()), DispatchKey::CUDA, Host);
  at::Tensor Made = at::detail::make_tensor<at::QTensorImpl>(
      deviceStorage(Host.storage()), DispatchKeySet(DispatchKey::QuantizedCUDA), Host.dtype(),
      static_cast<at::QTensorImpl *>(Host.unsafeGetTensorImpl())->quantizer());
  Made.unsafeGetTensorImpl()->set_sizes_and_strides(Host.sizes(), Host.strides(),
                                                    Host.storage_offset());
  return Made;
}

void Call::updateSparse(const Tensors &T) {
  if (T.Cuda.is_sparse()) {
    auto *From = static_cast<at::SparseTensorImpl *>(T.Host.unsafeGetTensorImpl());
    auto *To = static_cast<at::SparseTensorImpl *>(T.Cuda.unsafeGetTensorImpl());
    const at::Tensor Indices = toDevice(From->indices()), Values = toDevice(From->values());
    To->raw_resize_(From->sparse_dim(), From->dense_dim(), From->sizes());
    To->set_indices_and_values_unsafe(Indices, Values);
    To->set_coalesced(From->coalesced());
  } else if (isCompressed(T.Cuda)) {
    auto *From = static_cast<at::SparseCsrTensorImpl *>(T.Host.unsafeGetTensorImpl());
    static_cast<at::SparseCsrTensorImpl *>(T.Cuda.unsafeGetTensorImpl())
        ->set_member_tensors(toDevice(From->compressed_indices()), toDevice(From->plain_indices()),
                             toDevice(From->values()), From->sizes());
  }
}

void Call::finish() {
  for (Storages &S : Memory) {
    StorageImpl *const From = S.Host.unsafeGetStorageImpl(), *const To =
                                                                 S.Cuda.unsafeGetStorageImpl();
    if (From->data_ptr().get() == S.Memory && From->nbytes() == To->nbytes())
      continue;
    if (From->data_ptr().get() != S.Memory) { // the kernel has resized it
      To->set_data_ptr_noswap(
          relabel(From->set_data_ptr(at::DataPtr(From->data_ptr().get(), at::kCPU)), To->device()));
      S.Memory = From->data_ptr().get();
    }
    To->set_nbytes(From->nbytes());
  }
  // Sparse tensors add to Known.
  for (size_t I = 0, Count = Known.size(); I < Count; ++I) {
    const Tensors T = Known[I];
    if (!T.Write)
      continue;
    if (T.Cuda.layout() != at::kStrided || T.Cuda.is_nested()) {
      updateSparse(T);
      continue;
    }
    c10::TensorImpl *const To = T.Cuda.unsafeGetTensorImpl();
    const c10::TensorImpl *const From = T.Host.unsafeGetTensorImpl();
    if (To->sizes() != From->sizes() || To->strides() != From->strides() ||
        To->storage_offset() != From->storage_offset())
      To->set_sizes_and_strides(From->sizes(), From->strides(), From->storage_offset());
  }
}

} // namespace heddle::aten
