// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Determines through which pointer parameters a kernel accesses memory.
//
// Updates of memory may be delayed if no access reads that memory meanwhile (aggregated_atomics.h,
// histogram_privatization.h). Two parameters may point to the same allocation, which is known only
// at the launch. So this analysis finds the parameters that the launch must compare, and whether
// there are accesses by other pointers, or fences, which rule the transformation out.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <functional>
#include <optional>

namespace heddle::engine::simd {

/// For a thread's function or a sweep, whose second argument points to the packed parameters. A
/// pointer parameter, or a pointer in a structure parameter, is numbered by the eight bytes in
/// which it lies there; only the first 64 numbers are tracked.
class ParameterAccesses {
public:
  explicit ParameterAccesses(const llvm::Function &function) : function_(function) {}

  /// The number of the parameter whose value `pointer` is.
  std::optional<unsigned> parameterOf(const llvm::Value &pointer) const;
  /// The parameter that the address is based on, if it is the only one.
  std::optional<unsigned> parameterBehind(const llvm::Value &address) const;

  /// The parameters, one bit each, through which instructions access memory, except `passed`
  /// instructions. Nothing if memory other than local, shared and constant may be accessed
  /// otherwise, or if there is a fence.
  std::optional<uint64_t>
  accessed(const std::function<bool(const llvm::Instruction &)> &passed) const;

private:
  struct Field;
  Field fieldAt(const llvm::Value &value) const;
  bool noteCall(const llvm::CallBase &call, uint64_t &accessed) const;
  bool note(const llvm::Value &pointer, uint64_t &accessed) const;
  bool isContext(const llvm::Value &object) const;
  bool isBlock(const llvm::Value &value) const;

  const llvm::Function &function_;
};

} // namespace heddle::engine::simd
