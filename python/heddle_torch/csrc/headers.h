// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nearly all sources here include, precompiled: PyTorch's headers take seconds to read.
#include <ATen/ATen.h>
#include <torch/csrc/autograd/autograd.h>
#include <torch/library.h>
