// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fallback without a stack of boxed values, for operations whose arguments are of the most
// frequent kinds: it is chosen by the operation's C++ signature alone. An operation on a few
// elements then costs little more than on CPU tensors.
#pragma once

#include <torch/library.h>

#include <optional>

namespace heddle::aten {

/// A kernel that does what `fallback` does, and calls it for what is not a plain case (tensors with
/// marks, several devices, graphs, wider types); none, if the operation has another signature.
std::optional<torch::CppFunction> directKernel(const c10::OperatorHandle &Op);

} // namespace heddle::aten
