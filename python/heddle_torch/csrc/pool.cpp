// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "pool.h"

#include "device.h"

#include <c10/core/CPUAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>

namespace heddle::aten {
namespace {

using c10::DispatchKey;
using c10::DispatchKeySet;
using c10::StorageImpl;
using c10::TensorImpl;

constexpr size_t MostKept = 8;
thread_local std::vector<at::Tensor> Kept;

at::Tensor makeHostTensor() {
  auto Memory = c10::make_intrusive<StorageImpl>(StorageImpl::use_byte_size_t(), 0,
                                                 at::DataPtr(nullptr, at::kCPU),
                                                 c10::GetCPUAllocator(), /*resizable=*/true);
  return at::detail::make_tensor<TensorImpl>(c10::Storage(std::move(Memory)),
                                             DispatchKeySet(DispatchKey::CPU),
                                             caffe2::TypeMeta::Make<float>());
}

// Whether `T` is the only reference to a tensor without marks, and that the only one to its
// storage.
bool isAlone(const at::Tensor &T, DispatchKeySet Keys) {
  TensorImpl *const Impl = T.unsafeGetTensorImpl();
  if (Impl->key_set() != Keys || T.use_count() != 1 || T.weak_use_count() != 1 ||
      Impl->autograd_meta() || !Impl->allow_tensor_metadata_change())
    return false;
  const c10::Storage &Memory = Impl->unsafe_storage();
  return Memory && Memory.use_count() == 1;
}

DispatchKeySet keysOf(DispatchKey Key, c10::DeviceType Device) {
  return at::detail::make_tensor<TensorImpl>(DispatchKeySet(Key), caffe2::TypeMeta::Make<float>(),
                                             c10::Device(Device, 0))
      .key_set();
}

} // namespace

DispatchKeySet plainHostKeys() {
  static const DispatchKeySet Keys = keysOf(DispatchKey::CPU, at::kCPU);
  return Keys;
}

DispatchKeySet plainCudaKeys() {
  static const DispatchKeySet Keys = keysOf(DispatchKey::CUDA, at::kCUDA);
  return Keys;
}

at::Tensor takeHostTensor(void *Memory, size_t Bytes, const at::Tensor &Like) {
  if (Kept.empty())
    Kept.push_back(makeHostTensor());
  at::Tensor T = std::move(Kept.back());
  Kept.pop_back();
  TensorImpl *const To = T.unsafeGetTensorImpl();
  const TensorImpl *const From = Like.unsafeGetTensorImpl();
  StorageImpl *const Storage = To->unsafe_storage().unsafeGetStorageImpl();
  Storage->set_data_ptr_noswap(at::DataPtr(Memory, at::kCPU));
  Storage->set_nbytes(Bytes);
  if (To->dtype() != From->dtype())
    To->set_storage_and_dtype(To->storage(), From->dtype());
  To->set_sizes_and_strides(From->sizes(), From->strides(), From->storage_offset());
  if (From->is_wrapped_number() || To->is_wrapped_number())
    To->set_wrapped_number(From->is_wrapped_number());
  return T;
}

void giveHostTensor(at::Tensor &&T) {
  if (Kept.size() < MostKept && isAlone(T, plainHostKeys()))
    Kept.push_back(std::move(T));
}

bool moveToDevice(const at::Tensor &T, c10::DeviceIndex Device) {
  if (!isAlone(T, plainHostKeys()))
    return false;
  TensorImpl *const Impl = T.unsafeGetTensorImpl();
  StorageImpl *const Storage = Impl->unsafe_storage().unsafeGetStorageImpl();
  at::DataPtr &Memory = Storage->_mutable_data_ptr_no_checks();
  if (Memory.get() && !isDeviceMemory(Memory))
    return false;
  const c10::Device Here(at::kCUDA, Device);
  Storage->set_data_ptr_noswap(relabel(std::move(Memory), Here));
  Storage->set_allocator(c10::cuda::CUDACachingAllocator::get());
  Impl->set_storage_keep_dtype(Impl->storage()); // tells it of the device
  Impl->_change_backend_component_keys(Here);
  return true;
}

} // namespace heddle::aten
