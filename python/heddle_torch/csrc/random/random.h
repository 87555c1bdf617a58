// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random numbers. A GPU's generator is Philox4x32-10 by a seed and an offset; operations whose
// numbers are worth having as on a GPU draw from it (philox.h), the others from a CPU generator
// that is seeded by it, so that torch.manual_seed decides all of them.
#pragma once

#include <ATen/core/Generator.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/function_schema.h>
#include <ATen/core/stack.h>

#include <cstdint>
#include <optional>

namespace heddle::aten {

/// Whether the argument is a random generator.
bool isGenerator(const c10::Argument &Formal);

/// A CPU generator whose numbers follow from the state of `Cuda` (or of the device's default
/// generator), which is advanced. A generator of the CPU comes back as it is.
at::Generator hostGenerator(const std::optional<at::Generator> &Cuda, c10::DeviceIndex Device);

/// The generator among the arguments, if one was given. A generator of the CPU takes its place, so
/// that the call draws no more from it: the numbers come from a Draw.
std::optional<at::Generator> takeGenerator(const c10::OperatorHandle &Op, torch::jit::Stack *Stack);

/// The place in a GPU's random sequence that an operation draws from. In a graph it is read when
/// the graph runs, so that each launch has other numbers.
class Draw {
public:
  /// Reserves `Increment` numbers for each of the GPU's threads.
  Draw(const std::optional<at::Generator> &Cuda, c10::DeviceIndex Device, uint64_t Increment);
  uint64_t seed() const { return SeedAt ? *SeedAt : Seed; }
  uint64_t offset() const { return OffsetAt ? *OffsetAt + Offset : Offset; }

private:
  uint64_t Seed = 0, Offset = 0;
  const uint64_t *SeedAt = nullptr, *OffsetAt = nullptr; // in a graph
};

} // namespace heddle::aten
