// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "arguments.h"

#include "random/random.h"

#include <c10/cuda/CUDAFunctions.h>

#include <unordered_set>

namespace heddle::aten {
namespace {

using c10::IValue;

// What an operation's arguments say about where it runs.
struct Place {
  c10::DeviceIndex Device = -1;
  bool OnHost = false; // there is a CPU tensor with dimensions
  bool Mixes = false;  // the operation takes several devices

  void see(const at::Tensor &T) {
    if (!T.defined())
      return;
    if (!T.is_cuda()) {
      if (T.is_cpu() && T.dim() > 0)
        OnHost = true;
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
    forEachTensor(V, [&](const at::Tensor &T) { see(T); });
    if (V.isDevice() && V.toDevice().is_cuda() && Device < 0 && V.toDevice().has_index())
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
      "aten::_use_cudnn_ctc_loss",
      "aten::_use_miopen_ctc_loss",
      "aten::_flash_attention_backward",
      "aten::_efficient_attention_backward",
      "aten::_scaled_dot_product_flash_attention_backward",
      "aten::_scaled_dot_product_efficient_attention_backward",
      "aten::_padded_dense_to_jagged_forward"};
  return Names.count(Name) != 0;
}

void argumentToHost(Call &C, IValue &V, bool Write, c10::DeviceIndex Device) {
  mapTensors(V, [&](at::Tensor T) { return C.toHost(std::move(T), Write); });
  if (V.isDevice() && V.toDevice().is_cuda())
    V = c10::Device(at::kCPU);
  else if (V.isGenerator())
    V = hostGenerator(V.toGenerator(), Device);
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
    mapTensors(Results[I], [&](const at::Tensor &T) { return C.toDevice(T); });
}

c10::DispatchKeySet backendKeys(const IValue *Arguments, size_t Count) {
  c10::DispatchKeySet Keys(c10::DispatchKey::CPU);
  for (size_t I = 0; I < Count; ++I)
    forEachTensor(Arguments[I], [&](const at::Tensor &T) {
      if (T.defined())
        Keys = Keys | (T.key_set() & c10::backend_functionality_keys);
    });
  return Keys;
}

} // namespace heddle::aten
