// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions on CPU tensors for operations that only CUDA has, by the operations' names.
#pragma once

#include "../fallback.h"

#include <ATen/core/boxing/impl/WrapFunctionIntoFunctor.h>
#include <ATen/core/boxing/impl/make_boxed_from_unboxed_functor.h>

#include <string>
#include <unordered_map>

namespace heddle::aten {

struct OnlyCuda {
  Boxed Kernel;
  size_t Arguments; // an operation of another version of PyTorch may have others
};

/// Several of a name differ in the number of arguments.
using OnlyCudaKernels = std::unordered_multimap<std::string, OnlyCuda>;

template <typename R, typename... A> constexpr size_t countArguments(R (*)(A...)) {
  return sizeof...(A);
}

/// `Fn` as a boxed kernel that finds CPU tensors on the stack. Its integers may be symbolic in the
/// operation's schema.
template <auto *Fn>
void boxed(const c10::OperatorHandle &Op, c10::DispatchKeySet Keys, torch::jit::Stack *Stack) {
  using Pointer = c10::CompileTimeFunctionPointer<std::remove_pointer_t<decltype(Fn)>, Fn>;
  using Functor = typename c10::impl::WrapFunctionIntoFunctor<Pointer>::type;
  Functor F;
  c10::impl::make_boxed_from_unboxed_functor<Functor, /*AllowDeprecatedTypes=*/false>::call(
      &F, Op, Keys, Stack);
}

template <auto *Fn> OnlyCuda onlyCuda() { return {&boxed<Fn>, countArguments(Fn)}; }

OnlyCudaKernels attentionKernels();
OnlyCudaKernels convolutionKernels();
OnlyCudaKernels normalizationKernels();
OnlyCudaKernels productKernels();
OnlyCudaKernels recurrentKernels();
OnlyCudaKernels samplingKernels();

/// The kernel of aten::NAME with that many arguments, or null.
Boxed onlyCudaKernel(const std::string &Name, size_t Arguments);

} // namespace heddle::aten
