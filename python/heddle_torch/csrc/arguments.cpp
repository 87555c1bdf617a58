// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.h"

#include "random.h"

#include <ATen/core/List.h>
#include <c10/cuda/CUDAFunctions.h>

#include <unordered_set>

namespace heddle::aten {
namespace {

using c10::IValue;

// What an operation's arguments say about where it runs.
struct Place {
  c10::DeviceIndex Device = -1;
  const at::Tensor *OnHost = nullptr; // a CPU tensor with dimensions

  bool Mixes = false; // the operation takes several devices
  void see(const at::Tensor &T) {
    if (!T.defined())
      return;
    if (!T.is_cuda()) {
      if (T.is_cpu() && T.dim() > 0)
        OnHost = &T;
      return;
    }
    if (Device < 0)
      Device = T.get_device();
    TORCH_CHECK(Mixes || Device == T.get_device(),
                "Expected all tensors to be on the same device, but "
                "found at least two devices, cuda:",
                int(Device), " and cuda:", int(T.get_device()), "!");
  }
  void see(const IValue &V) {
    if (V.isTensor())
      see(V.toTensor());
    else if (V.isTensorList())
      for (const at::Tensor &T : V.toTensorVector())
        see(T);
    else if (V.isList() && V.toListRef().size() && !V.isIntList())
      for (const IValue &E : V.toListRef())
        see(E);
    else if (V.isDevice() && V.toDevice().is_cuda() && Device < 0 && V.toDevice().has_index())
      Device = V.toDevice().index();
  }
};

// Operations that take CPU tensors beside those of a GPU, as PyTorch's documentation of indexing
// and its optimizers allow.
bool mixesDevices(const std::string &Name) {
  static const std::unordered_set<std::string> Names = {
      "aten::copy_",
      "aten::index",
      "aten::_index_put_impl_",
      "aten::index_put_",
      "aten::_unsafe_index",
      "aten::_copy_from_and_resize",
      "aten::_pin_memory",
      "aten::_nested_tensor_from_mask",
      "aten::_cudnn_rnn",
      "aten::segment_reduce",
      "aten::_fused_adam_",
      "aten::_fused_adamw_",
      "aten::_foreach_copy_",
      "aten::_foreach_add_",
      "aten::_foreach_mul_",
      "aten::_foreach_add",
      "aten::_foreach_mul",
      "aten::repeat_interleave",
      "aten::_ctc_loss",
      "aten::_cudnn_ctc_loss",
      "aten::_flash_attention_backward",
      "aten::_efficient_attention_backward",
      "aten::_scaled_dot_product_flash_attention_backward",
      "aten::_scaled_dot_product_efficient_attention_backward",
      "aten::_padded_dense_to_jagged_forward"};
  return Names.count(Name) != 0;
}

void argumentToHost(Call &C, IValue &V, bool Write, c10::DeviceIndex Device) {
  if (V.isTensor()) {
    V = C.toHost(V.toTensor(), Write);
  } else if (V.isTensorList()) {
    c10::List<at::Tensor> Host;
    const c10::List<at::Tensor> Cuda = V.toTensorList();
    Host.reserve(Cuda.size());
    for (const at::Tensor &T : Cuda)
      Host.push_back(C.toHost(T, Write));
    V = std::move(Host);
  } else if (V.isOptionalTensorList()) {
    c10::List<std::optional<at::Tensor>> Host;
    for (const std::optional<at::Tensor> T : V.toOptionalTensorList())
      Host.push_back(T ? std::optional<at::Tensor>(C.toHost(*T, Write)) : std::nullopt);
    V = std::move(Host);
  } else if (V.isDevice()) {
    if (V.toDevice().is_cuda())
      V = c10::Device(at::kCPU);
  } else if (V.isGenerator()) {
    V = hostGenerator(V.toGenerator(), Device);
  }
}

void resultToDevice(Call &C, IValue &V) {
  if (V.isTensor()) {
    V = C.toDevice(V.toTensor());
  } else if (V.isTensorList()) {
    c10::List<at::Tensor> Cuda;
    for (const at::Tensor &T : V.toTensorVector())
      Cuda.push_back(C.toDevice(T));
    V = std::move(Cuda);
  }
}

} // namespace

c10::DeviceIndex deviceOf(const c10::OperatorHandle &Op, const IValue *Arguments) {
  Place Found;
  Found.Mixes = Op.operator_name().name == "aten::copy_";
  for (size_t I = 0; I < Op.schema().arguments().size(); ++I)
    Found.see(Arguments[I]);
  if (Found.Device >= 0 && Found.OnHost && !mixesDevices(Op.operator_name().name))
    TORCH_CHECK(false,
                "Expected all tensors to be on the same device, but found at least two "
                "devices, cuda:",
                int(Found.Device), " and cpu! (when checking an argument of ", Op.operator_name(),
                ")");
  return Found.Device < 0 ? c10::cuda::current_device() : Found.Device;
}

bool isWritten(const c10::Argument &Formal) {
  return Formal.alias_info() && Formal.alias_info()->isWrite();
}

void argumentsToHost(Call &C, const c10::FunctionSchema &Schema, IValue *Arguments,
                     c10::DeviceIndex Device) {
  const auto &Formal = Schema.arguments();
  for (size_t I = 0; I < Formal.size(); ++I) {
    argumentToHost(C, Arguments[I], isWritten(Formal[I]), Device);
    // Without a generator, a CPU kernel would draw from the CPU's own.
    if (Arguments[I].isNone() && isGenerator(Formal[I]))
      Arguments[I] = hostGenerator(std::nullopt, Device);
    // A result in pinned memory is the host's affair.
    if (Arguments[I].isBool() && Arguments[I].toBool() && Formal[I].name() == "pin_memory")
      Arguments[I] = false;
  }
}

void resultsToDevice(Call &C, IValue *Results, size_t Count) {
  for (size_t I = 0; I < Count; ++I)
    resultToDevice(C, Results[I]);
}

c10::DispatchKeySet backendKeys(const IValue *Arguments, size_t Count) {
  c10::DispatchKeySet Keys(c10::DispatchKey::CPU);
  const auto See = [&](const at::Tensor &T) {
    if (T.defined())
      Keys = Keys | (T.key_set() & c10::backend_functionality_keys);
  };
  for (size_t I = 0; I < Count; ++I)
    if (Arguments[I].isTensor())
      See(Arguments[I].toTensor());
    else if (Arguments[I].isTensorList())
      for (const at::Tensor &T : Arguments[I].toTensorVector())
        See(T);
  return Keys;
}

} // namespace heddle::aten
