// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/lowering/builtin_forms.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace heddle::engine {
namespace {

using Mode = std::optional<uint32_t>;

template <typename Enum> Mode code(Enum mode) { return uint32_t(mode); }

Mode shuffleMode(StringRef name) {
  return StringSwitch<Mode>(name)
      .Case("idx", code(ShuffleMode::Index))
      .Case("up", code(ShuffleMode::Up))
      .Case("down", code(ShuffleMode::Down))
      .Case("bfly", code(ShuffleMode::Xor))
      .Default(std::nullopt);
}

Mode voteMode(StringRef name) {
  return StringSwitch<Mode>(name)
      .Case("all.sync", code(VoteMode::All))
      .Case("any.sync", code(VoteMode::Any))
      .Case("uni.sync", code(VoteMode::Uniform))
      .Case("ballot.sync", code(VoteMode::Ballot))
      .Default(std::nullopt);
}

Mode reduceOperation(StringRef name) {
  using enum ReduceOperation;
  return StringSwitch<Mode>(name)
      .Case("add", code(Add))
      .Case("min", code(MinSigned))
      .Case("umin", code(MinUnsigned))
      .Case("max", code(MaxSigned))
      .Case("umax", code(MaxUnsigned))
      .Case("and", code(And))
      .Case("or", code(Or))
      .Case("xor", code(Xor))
      .Default(std::nullopt);
}

} // namespace

std::optional<BarrierForm> barrierForm(StringRef name) {
  using enum BarrierReduction;
  // With any barrier number and thread count; LLVM 19 has no intrinsics for these.
  if (name == "__heddle_barrier_popc")
    return BarrierForm{Count, 0, 1, 2};
  if (name == "__heddle_barrier_and")
    return BarrierForm{And, 0, 1, 2};
  if (name == "__heddle_barrier_or")
    return BarrierForm{Or, 0, 1, 2};
  if (!name.consume_front("llvm.nvvm."))
    return std::nullopt;
  if (name == "barrier0")
    return BarrierForm{};
  if (name == "barrier0.popc")
    return BarrierForm{Count, -1, -1, 0};
  if (name == "barrier0.and")
    return BarrierForm{And, -1, -1, 0};
  if (name == "barrier0.or")
    return BarrierForm{Or, -1, -1, 0};
  if (name == "barrier.sync" || name == "bar.sync" || name == "barrier.n")
    return BarrierForm{None, 0, -1, -1};
  if (name == "barrier.sync.cnt" || name == "barrier")
    return BarrierForm{None, 0, 1, -1};
  return std::nullopt;
}

std::optional<WarpForm> warpForm(StringRef name) {
  using enum WarpOperation;
  if (!name.consume_front("llvm.nvvm."))
    return std::nullopt;
  if (name == "bar.warp.sync")
    return WarpForm{Sync};
  if (name == "match.any.sync.i32" || name == "match.any.sync.i64")
    return WarpForm{MatchAny, 0, 0, 1};
  if (name == "match.all.sync.i32p" || name == "match.all.sync.i64p")
    return WarpForm{MatchAll, 0, 0, 1, -1, -1, true};
  if (name.consume_front("shfl.sync.")) {
    auto [mode_name, type] = name.split('.');
    const bool pair = type.consume_back("p");
    const Mode mode = shuffleMode(mode_name);
    if (mode && (type == "i32" || type == "f32"))
      return WarpForm{Shuffle, *mode, 0, 1, 2, 3, pair};
  } else if (name.consume_front("vote.")) {
    if (const Mode mode = voteMode(name))
      return WarpForm{Vote, *mode, 0, 1};
  } else if (name.consume_front("redux.sync.")) {
    if (const Mode mode = reduceOperation(name))
      return WarpForm{Reduce, *mode, 1, 0};
  }
  return std::nullopt;
}

} // namespace heddle::engine
