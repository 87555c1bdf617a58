// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "alias.h"

#include "checked.h"
#include "device.h"
#include "pool.h"

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

template <typename Impl> Impl *implOf(const at::Tensor &T) {
  return static_cast<Impl *>(T.unsafeGetTensorImpl());
}

// Gives `To` the shape of `Like`, and what `TensorOf` makes of its parts.
template <typename TensorFn>
void setCoordinates(const at::Tensor &To, const at::Tensor &Like, const TensorFn &TensorOf) {
  const auto *From = implOf<at::SparseTensorImpl>(Like);
  const at::Tensor Indices = TensorOf(From->indices()), Values = TensorOf(From->values());
  auto *Impl = implOf<at::SparseTensorImpl>(To);
  Impl->raw_resize_(From->sparse_dim(), From->dense_dim(), From->sizes());
  Impl->set_indices_and_values_unsafe(Indices, Values);
  Impl->set_coalesced(From->coalesced());
}

template <typename TensorFn>
void setCompressed(const at::Tensor &To, const at::Tensor &Like, const TensorFn &TensorOf) {
  const auto *From = implOf<at::SparseCsrTensorImpl>(Like);
  implOf<at::SparseCsrTensorImpl>(To)->set_member_tensors(TensorOf(From->compressed_indices()),
                                                          TensorOf(From->plain_indices()),
                                                          TensorOf(From->values()), From->sizes());
}

// The dispatch keys of a device's tensors.
struct Kinds {
  DispatchKey Dense, Quantized, Nested, Coordinates, Compressed;
};
constexpr Kinds OnHost = {DispatchKey::CPU, DispatchKey::QuantizedCPU, DispatchKey::NestedTensorCPU,
                          DispatchKey::SparseCPU, DispatchKey::SparseCsrCPU};
constexpr Kinds OnCuda = {DispatchKey::CUDA, DispatchKey::QuantizedCUDA,
                          DispatchKey::NestedTensorCUDA, DispatchKey::SparseCUDA,
                          DispatchKey::SparseCsrCUDA};

// A tensor of the same kind as `Like`, on what `StorageOf` and `TensorOf` make of its storage and
// of its parts.
template <typename StorageFn, typename TensorFn>
at::Tensor madeOf(const at::Tensor &Like, const Kinds &Keys, c10::Device Device,
                  const StorageFn &StorageOf, const TensorFn &TensorOf) {
  if (Like.is_nested()) { // the sizes are CPU tensors in any case
    const auto *From = implOf<at::native::NestedTensorImpl>(Like);
    return at::detail::make_tensor<at::native::NestedTensorImpl>(
        StorageOf(From->unsafe_storage()), DispatchKeySet(Keys.Nested), Like.dtype(),
        From->get_nested_sizes(), From->get_nested_strides(), From->get_storage_offsets());
  }
  if (Like.is_sparse()) {
    at::Tensor Made = at::detail::make_tensor<at::SparseTensorImpl>(
        DispatchKeySet(Keys.Coordinates), Like.dtype());
    setCoordinates(Made, Like, TensorOf);
    return Made;
  }
  if (isCompressed(Like)) {
    at::Tensor Made = at::detail::make_tensor<at::SparseCsrTensorImpl>(
        DispatchKeySet(Keys.Compressed), Device, Like.layout(), Like.dtype());
    setCompressed(Made, Like, TensorOf);
    return Made;
  }
  if (!Like.is_quantized())
    return dense(StorageOf(Like.storage()), Keys.Dense, Like);
  at::Tensor Made = at::detail::make_tensor<at::QTensorImpl>(
      StorageOf(Like.storage()), DispatchKeySet(Keys.Quantized), Like.dtype(),
      implOf<at::QTensorImpl>(Like)->quantizer());
  Made.unsafeGetTensorImpl()->set_sizes_and_strides(Like.sizes(), Like.strides(),
                                                    Like.storage_offset());
  return Made;
}

} // namespace

namespace {

Storage storageOf(StorageImpl *Impl) {
  return Storage(c10::intrusive_ptr<StorageImpl>::reclaim_copy(Impl));
}

// Asking for memory that may be written ends a lazy copy's sharing.
void *dataOf(const Storage &Cuda, bool Write) {
  return Write ? Cuda.mutable_data() : const_cast<void *>(Cuda.data());
}

} // namespace

Call::~Call() {
  Made.clear(); // refers to the tensors' storages
  for (Tensors &T : Known)
    giveHostTensor(std::move(T.Host));
}

Storage Call::hostStorage(const Storage &Cuda, bool Write) {
  for (const Storages &S : Memory)
    if (S.Cuda == Cuda.unsafeGetStorageImpl())
      return storageOf(S.Host);
  void *const Data = dataOf(Cuda, Write);
  Storage Host(storageOn(at::DataPtr(Data, at::kCPU), Cuda.nbytes(), c10::GetCPUAllocator()));
  Memory.push_back({Cuda.unsafeGetStorageImpl(), Host.unsafeGetStorageImpl(), Data});
  Made.push_back(Cuda);
  Made.push_back(Host);
  return Host;
}

// Undefined, if another tensor has brought the storage along already.
at::Tensor Call::plainToHost(const at::Tensor &Cuda, bool Write) {
  const Storage &From = Cuda.unsafeGetTensorImpl()->unsafe_storage();
  for (const Storages &S : Memory)
    if (S.Cuda == From.unsafeGetStorageImpl())
      return {};
  void *const Data = dataOf(From, Write);
  at::Tensor Host = takeHostTensor(Data, From.nbytes(), Cuda);
  Memory.push_back({From.unsafeGetStorageImpl(),
                    Host.unsafeGetTensorImpl()->unsafe_storage().unsafeGetStorageImpl(), Data});
  return Host;
}

at::Tensor Call::madeFor(const at::Tensor &Cuda, bool Write) {
  if (Cuda.key_set() == plainCudaKeys())
    if (at::Tensor Host = plainToHost(Cuda, Write); Host.defined())
      return Host;
  return madeOf(
      Cuda, OnHost, at::kCPU, [&](const Storage &S) { return hostStorage(S, Write); },
      [&](const at::Tensor &T) { return toHost(T, Write); });
}

at::Tensor Call::toHost(c10::MaybeOwned<at::Tensor> Cuda, bool Write) {
  if (!Cuda->defined())
    return {};
  if (!Cuda->is_cuda()) {
    Given.push_back(std::move(Cuda));
    return *Given.back();
  }
  for (auto T = Known.rbegin(); T != Known.rend(); ++T)
    if (T->Cuda->is_same(*Cuda)) {
      T->Write |= Write;
      return T->Host;
    }
  at::Tensor Host = madeFor(*Cuda, Write);
  Known.push_back({std::move(Cuda), Host, Write});
  return Host;
}

Storage Call::deviceStorage(const Storage &Host) {
  for (const Storages &S : Memory)
    if (S.Host == Host.unsafeGetStorageImpl())
      return storageOf(S.Cuda);
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
  tellWritten(Taken.get(), Bytes);
  Storage Cuda(storageOn(std::move(Taken), Bytes, Allocator));
  Memory.push_back({Cuda.unsafeGetStorageImpl(), From, Cuda.mutable_data()});
  Made.push_back(Cuda);
  Made.push_back(Host);
  return Cuda;
}

at::Tensor Call::toDevice(const at::Tensor &Host) {
  if (!Host.defined() || !Host.is_cpu())
    return Host;
  for (const Tensors &T : Known)
    if (T.Host.is_same(Host))
      return *T.Cuda;
  for (const auto &T : Given)
    if (T->is_same(Host))
      return Host;
  if (moveToDevice(Host, Device)) {
    tellWritten(Host.unsafeGetTensorImpl()->unsafe_storage());
    return Host;
  }
  return madeOf(
      Host, OnCuda, c10::Device(at::kCUDA, Device),
      [&](const Storage &S) { return deviceStorage(S); },
      [&](const at::Tensor &T) { return toDevice(T); });
}

void Call::updateSparse(const at::Tensor &Cuda, const at::Tensor &Host) {
  const auto ToDevice = [&](const at::Tensor &Part) { return toDevice(Part); };
  if (Cuda.is_sparse())
    setCoordinates(Cuda, Host, ToDevice);
  else if (isCompressed(Cuda))
    setCompressed(Cuda, Host, ToDevice);
}

void Call::finish() {
  for (Storages &S : Memory) {
    StorageImpl *const From = S.Host, *const To = S.Cuda;
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
    if (!Known[I].Write)
      continue;
    const at::Tensor &Cuda = *Known[I].Cuda;
    if (Cuda.layout() != at::kStrided || Cuda.is_nested()) {
      updateSparse(at::Tensor(Cuda), at::Tensor(Known[I].Host));
      continue;
    }
    c10::TensorImpl *const To = Cuda.unsafeGetTensorImpl();
    const c10::TensorImpl *const From = Known[I].Host.unsafeGetTensorImpl();
    if (To->sizes() != From->sizes() || To->strides() != From->strides() ||
        To->storage_offset() != From->storage_offset())
      To->set_sizes_and_strides(From->sizes(), From->strides(), From->storage_offset());
  }
}

void Call::tellWrites() const {
  for (const Tensors &T : Known) {
    if (!T.Write)
      continue;
    const at::Tensor &Cuda = *T.Cuda;
    if (Cuda.is_nested()) {
      tellWritten(implOf<at::native::NestedTensorImpl>(Cuda)->unsafe_storage());
    } else if (Cuda.layout() == at::kStrided) { // the others' parts are in Known themselves
      tellWritten(Cuda);
    }
  }
}

} // namespace heddle::aten
