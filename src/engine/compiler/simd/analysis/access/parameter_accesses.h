// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a kernel accesses by which of its pointer parameters.
//
// Changes of memory may be kept back for a while if no access reads it meanwhile
// (aggregated_atomics.h, histogram_privatization.h). Two parameters may point to the same memory;
// which allocations they lead to is known at the launch. So what is asked here is which parameters
// are left to be looked at then, and whether there is any access by other ways, or anything that
// says in which order accesses happen.
#pragma once

#include "llvm/IR/Function.h"
#include "llvm/IR/InstrTypes.h"

#include <functional>
#include <optional>

namespace heddle::engine::simd {

/// Of a thread's function or of a sweep, whose parameters the second argument points to. A pointer
/// parameter, or a pointer in a structure that is one, has the number of the eight bytes of the
/// packed parameters in which it lies; those behind the first 64 are not known.
class ParameterAccesses {
public:
  explicit ParameterAccesses(const llvm::Function &function) : function_(function) {}

  /// The number of the parameter that this is, itself.
  std::optional<unsigned> parameterOf(const llvm::Value &pointer) const;
  /// The parameter that the address is computed from, if it is the only one.
  std::optional<unsigned> parameterBehind(const llvm::Value &address) const;

  /// The parameters, a bit for each, by which instructions access memory; not those that are
  /// `passed`. Nothing if other memory may be accessed than local, shared and constant one, or
  /// something is a fence.
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
