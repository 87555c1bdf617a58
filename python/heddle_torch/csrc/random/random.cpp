// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "random.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/cuda/CUDAContextLight.h>
#include <ATen/cuda/CUDAGeneratorImpl.h>

#include <mutex>

namespace heddle::aten {
namespace {

at::Generator generatorOf(const std::optional<at::Generator> &Cuda, c10::DeviceIndex Device) {
  return Cuda && Cuda->defined() ? *Cuda : at::cuda::detail::getDefaultCUDAGenerator(Device);
}

} // namespace

bool isGenerator(const c10::Argument &Formal) {
  const c10::TypePtr Type = Formal.type();
  if (Type->kind() == c10::TypeKind::GeneratorType)
    return true;
  const auto Optional = Type->cast<c10::OptionalType>();
  return Optional && Optional->getElementType()->kind() == c10::TypeKind::GeneratorType;
}

std::optional<at::Generator> takeGenerator(const c10::OperatorHandle &Op,
                                           torch::jit::Stack *Stack) {
  const auto &Formal = Op.schema().arguments();
  std::optional<at::Generator> Found;
  for (size_t I = 0; I < Formal.size(); ++I)
    if (isGenerator(Formal[I])) {
      c10::IValue &Given = (*Stack)[Stack->size() - Formal.size() + I];
      if (Given.isGenerator())
        Found = Given.toGenerator();
      Given = at::detail::getDefaultCPUGenerator();
    }
  return Found;
}

Draw::Draw(const std::optional<at::Generator> &Cuda, c10::DeviceIndex Device, uint64_t Increment) {
  at::Generator Source = generatorOf(Cuda, Device);
  const std::lock_guard Lock(Source.mutex());
  const at::PhiloxCudaState State =
      at::check_generator<at::CUDAGeneratorImpl>(Source)->philox_cuda_state(Increment);
  if (State.captured_) {
    SeedAt = reinterpret_cast<const uint64_t *>(State.seed_.ptr);
    OffsetAt = reinterpret_cast<const uint64_t *>(State.offset_.ptr);
    Offset = State.offset_intragraph_;
  } else {
    Seed = State.seed_.val;
    Offset = State.offset_.val;
  }
}

at::Generator hostGenerator(const std::optional<at::Generator> &Cuda, c10::DeviceIndex Device) {
  if (Cuda && Cuda->defined() && Cuda->device().is_cpu())
    return *Cuda;
  const Draw Place(Cuda, Device, 4);
  // Golden ratio steps keep the seeds of neighbouring offsets apart.
  return at::make_generator<at::CPUGeneratorImpl>(Place.seed() ^
                                                  (Place.offset() * 0x9E3779B97F4A7C15ull));
}

} // namespace heddle::aten
