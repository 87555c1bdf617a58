// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which operations run on the CPU. PyTorch's dispatcher takes the kernel that was registered last,
// so the wheel's own kernels for CUDA are replaced.
#include "checked.h"
#include "device.h"
#include "direct.h"
#include "fallback.h"
#include "only_cuda/kernels.h"
#include "special.h"

#include <c10/util/Exception.h>
#include <torch/library.h>

#include <map>
#include <unordered_set>

namespace heddle::aten {
namespace {

using c10::DispatchKey;

// Host code of the wheel that launches no kernel: it allocates, describes or copies memory.
bool staysAsItIs(const c10::OperatorName &Op) {
  static const std::unordered_set<std::string> Names = {"aten::empty",
                                                        "aten::empty_strided",
                                                        "aten::view",
                                                        "aten::as_strided",
                                                        "aten::_reshape_alias",
                                                        "aten::view_as_real",
                                                        "aten::view_as_complex",
                                                        "aten::unfold",
                                                        "aten::set_",
                                                        "aten::is_set_to",
                                                        "aten::resize_",
                                                        "aten::_local_scalar_dense",
                                                        "aten::record_stream",
                                                        "aten::_efficientzerotensor",
                                                        "aten::_fused_sdp_choice",
                                                        "aten::_pin_memory",
                                                        "aten::is_pinned",
                                                        "aten::_cudnn_init_dropout_state",
                                                        "aten::_nested_view_from_buffer",
                                                        "aten::detach",
                                                        "aten::alias",
                                                        "aten::sparse_dim",
                                                        "aten::dense_dim",
                                                        "aten::_dimI",
                                                        "aten::_dimV",
                                                        "aten::_nnz",
                                                        "aten::is_coalesced",
                                                        "aten::_indices",
                                                        "aten::_values",
                                                        "aten::indices",
                                                        "aten::values",
                                                        "aten::crow_indices",
                                                        "aten::col_indices",
                                                        "aten::ccol_indices",
                                                        "aten::row_indices",
                                                        "aten::qscheme",
                                                        "aten::q_scale",
                                                        "aten::q_zero_point",
                                                        "aten::q_per_channel_axis",
                                                        "aten::q_per_channel_scales",
                                                        "aten::q_per_channel_zero_points",
                                                        "aten::_cslt_compress",
                                                        "aten::_cslt_sparse_mm",
                                                        "aten::_cslt_sparse_mm_search"};
  const size_t Colons = Op.name.find("::");
  const std::string Namespace = Op.name.substr(0, Colons);
  return Names.count(Op.name) != 0 || Namespace == "c10d" || Namespace == "symm_mem";
}

// PyTorch tells once that a kernel is overridden; here that is the intention.
class Quiet final : public c10::WarningHandler {
public:
  void process(const c10::Warning &) override {}
};

// Whether a kernel for any device, below autograd, is all that `Op` has: it calls CUDA's itself.
bool hasKernelOfAnyDevice(const c10::OperatorName &Op) {
  const auto Handle = c10::Dispatcher::singleton().findSchema(Op);
  return Handle && Handle->hasKernelForDispatchKey(DispatchKey::CompositeExplicitAutograd) &&
         !Handle->hasKernelForDispatchKey(DispatchKey::CUDA);
}

// Those with a kernel for `Key`, and those whose kernel for any device launches CUDA's.
std::vector<c10::OperatorName> operationsOf(DispatchKey Key) {
  std::vector<c10::OperatorName> Found =
      c10::Dispatcher::singleton().getRegistrationsForDispatchKey(Key);
  if (Key != DispatchKey::CUDA)
    return Found;
  Found.emplace_back("aten::copy_", "");
  // Until PyTorch 2.10 ldexp is a formula of other operations.
  for (const c10::OperatorName &Op :
       {c10::OperatorName{"aten::ldexp", "Tensor"}, {"aten::ldexp", "out"}, {"aten::ldexp_", ""}})
    if (hasKernelOfAnyDevice(Op))
      Found.push_back(Op);
  return Found;
}

class Registrar {
public:
  torch::Library &of(const std::string &Namespace, DispatchKey Key) {
    std::unique_ptr<torch::Library> &Found = Libraries[{Namespace, Key}];
    if (!Found)
      Found = std::make_unique<torch::Library>(torch::Library::IMPL, Namespace,
                                               std::make_optional(Key), __FILE__, __LINE__);
    return *Found;
  }

private:
  std::map<std::pair<std::string, DispatchKey>, std::unique_ptr<torch::Library>> Libraries;
};

// A kernel that is known only when the process runs.
struct Functor final : c10::OperatorKernel {
  explicit Functor(Boxed Kernel) : Kernel(Kernel) {}
  void operator()(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys,
                  torch::jit::Stack *Stack) {
    const HostScope Open;
    Kernel(Op, Keys, Stack);
  }
  const Boxed Kernel;
};

DispatchKey hostKeyOf(DispatchKey Key) {
  return c10::toRuntimePerBackendFunctionalityKey(c10::toFunctionalityKey(Key),
                                                  c10::BackendComponent::CPUBit);
}

// A function on CPU tensors, called as the fallback calls kernels.
struct OnHost final : c10::OperatorKernel {
  explicit OnHost(Boxed Kernel) : Kernel(Kernel) {}
  void operator()(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys,
                  torch::jit::Stack *Stack) {
    onHost(Op, Stack, [Op, Keys, K = Kernel](torch::jit::Stack *S) { K(Op, Keys, S); });
  }
  const Boxed Kernel;
};

template <typename F> torch::CppFunction functionOf(Boxed Kernel) {
  return torch::CppFunction::makeFromBoxedKernel(
      c10::BoxedKernel::makeFromFunctor(std::make_unique<F>(Kernel)));
}

torch::CppFunction kernelOf(const c10::OperatorName &Op, const std::string &Name, DispatchKey Key) {
  const auto Handle = c10::Dispatcher::singleton().findSchema(Op);
  if (Key == DispatchKey::CUDA || Key == DispatchKey::NestedTensorCUDA) {
    if (const Boxed Special = specialKernel(Name); Special && Key == DispatchKey::CUDA)
      return functionOf<Functor>(Special);
    if (const Boxed Only =
            Handle ? onlyCudaKernel(Name, Handle->schema().arguments().size()) : nullptr)
      return functionOf<OnHost>(Only);
  }
  if (Handle && !Handle->hasComputedKernelForDispatchKey(hostKeyOf(Key)))
    return torch::CppFunction::makeFromBoxedFunction<&unsupported>();
  if (Handle && Key == DispatchKey::CUDA)
    if (std::optional<torch::CppFunction> Direct = directKernel(*Handle))
      return std::move(*Direct);
  return torch::CppFunction::makeFromBoxedFunction<&fallback>();
}

} // namespace

int registerFallback() {
  static Registrar *const Libraries = new Registrar; // kernels stay until the process ends
  Quiet Nothing;
  c10::WarningUtils::WarningHandlerGuard Guard(&Nothing);
  installAllocator();
  followAllocator();
  int Count = 0;
  for (const DispatchKey Key :
       {DispatchKey::CUDA, DispatchKey::SparseCUDA, DispatchKey::SparseCsrCUDA,
        DispatchKey::NestedTensorCUDA, DispatchKey::QuantizedCUDA})
    for (const c10::OperatorName &Op : operationsOf(Key)) {
      if (staysAsItIs(Op))
        continue;
      const std::string Namespace = Op.name.substr(0, Op.name.find("::"));
      const std::string Name = Op.name + (Op.overload_name.empty() ? "" : "." + Op.overload_name);
      Libraries->of(Namespace, Key).impl(Name.c_str(), kernelOf(Op, Name, Key));
      ++Count;
    }
  return Count;
}

} // namespace heddle::aten
