// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device.h"

#include <c10/core/CPUAllocator.h>
#include <c10/cuda/CUDACachingAllocator.h>
#include <c10/cuda/CUDAException.h>
#include <c10/cuda/CUDAGuard.h>

#include <functional>
#include <memory>
#include <optional>

// Of Heddle's libcudart.so.12: cudaLaunchHostFunc whose wrong accesses are the device's error.
extern "C" cudaError_t __heddleLaunchTask(cudaStream_t, cudaHostFn_t, void *Data, const char *Call);
// cudaStreamIsCapturing, and cudaStreamSynchronize if it is not: 1 or 0, or a negative error.
extern "C" int __heddleFinishStream(cudaStream_t);

namespace heddle::aten {
namespace {

thread_local c10::DeviceIndex Current = -1;

// Makes `Device` the current one where there are others: asking for the current device costs as
// much as a part of a small operation.
class OnSeveral {
public:
  explicit OnSeveral(c10::DeviceIndex Device) {
    static const bool Several = c10::cuda::device_count() > 1;
    if (Several)
      Guard.emplace(Device);
  }

private:
  std::optional<c10::cuda::CUDAGuard> Guard;
};

// The current stream of the current device. A CUDAStream asks for the device before it tells its
// handle, which nothing depends on for the default stream.
cudaStream_t currentStream(c10::DeviceIndex Device) {
  const c10::cuda::CUDAStream Stream = c10::cuda::getCurrentCUDAStream(Device);
  return Stream.id() == 0 ? nullptr : Stream.stream();
}

// Device memory while an OnDevice lives, otherwise what ATen would have taken.
class Allocator final : public at::Allocator {
public:
  explicit Allocator(at::Allocator *Host) : Host(Host) {}

  at::DataPtr allocate(size_t Bytes) override {
    if (Current < 0)
      return Host->allocate(Bytes);
    const OnSeveral Guard(Current);
    // Not allocate(), which asks for the device several times.
    at::Allocator *const Device = c10::cuda::CUDACachingAllocator::get();
    void *const Data =
        c10::cuda::CUDACachingAllocator::raw_alloc_with_stream(Bytes, currentStream(Current));
    return {Data, Data, Device->raw_deleter(), at::kCPU};
  }
  // oneDNN frees by address what it has allocated here, in whichever state.
  at::DeleterFnPtr raw_deleter() const override { return freeEither; }
  void copy_data(void *To, const void *From, size_t Bytes) const override {
    default_copy_data(To, From, Bytes);
  }

private:
  static void freeEither(void *Data);
  at::Allocator *const Host;
};

Allocator *Installed = nullptr;

void Allocator::freeEither(void *Data) {
  cudaPointerAttributes What;
  if (Data && cudaPointerGetAttributes(&What, Data) == cudaSuccess &&
      What.type == cudaMemoryTypeDevice)
    c10::cuda::CUDACachingAllocator::get()->raw_deleter()(Data);
  else
    Installed->Host->raw_deleter()(Data);
}

using Task = std::function<void()>;
void CUDART_CB run(void *Data) { (*static_cast<Task *>(Data))(); }
void CUDART_CB destroy(void *Data) { delete static_cast<Task *>(Data); }

} // namespace

OnDevice::OnDevice(c10::DeviceIndex Device) : Before(Current) { Current = Device; }
OnDevice::~OnDevice() { Current = Before; }

c10::DeviceIndex currentDevice() { return Current; }

void installAllocator() {
  if (Installed)
    return;
  Installed = new Allocator(c10::GetCPUAllocator()); // never destroyed: tensors outlive everything
  c10::SetCPUAllocator(Installed, /*priority=*/255);
}

bool isDeviceMemory(const at::DataPtr &Memory) {
  return Memory.get_context() != nullptr &&
         Memory.get_deleter() == c10::cuda::CUDACachingAllocator::get()->raw_deleter();
}

at::DataPtr relabel(at::DataPtr &&Memory, c10::Device Device) {
  void *const Data = Memory.get();
  const at::DeleterFnPtr Deleter = Memory.get_deleter();
  return {Data, Memory.release_context(), Deleter, Device};
}

bool waitForStream(c10::DeviceIndex Device) {
  const OnSeveral Guard(Device);
  const int Captured = __heddleFinishStream(currentStream(Device));
  if (Captured < 0)
    C10_CUDA_CHECK(cudaError_t(-Captured));
  return Captured == 0;
}

void addToGraph(c10::DeviceIndex Device, Task What) {
  c10::cuda::CUDAGuard Guard(Device);
  const cudaStream_t Stream = c10::cuda::getCurrentCUDAStream(Device);
  cudaStreamCaptureStatus Status;
  cudaGraph_t Graph = nullptr;
  C10_CUDA_CHECK(cudaStreamGetCaptureInfo(Stream, &Status, nullptr, &Graph));
  auto Owned = std::make_unique<Task>(std::move(What));
  cudaUserObject_t Owner;
  C10_CUDA_CHECK(
      cudaUserObjectCreate(&Owner, Owned.get(), destroy, 1, cudaUserObjectNoDestructorSync));
  Task *const Kept = Owned.release();
  C10_CUDA_CHECK(cudaGraphRetainUserObject(Graph, Owner, 1, cudaGraphUserObjectMove));
  C10_CUDA_CHECK(__heddleLaunchTask(Stream, run, Kept, "at::Tensor"));
}

} // namespace heddle::aten
