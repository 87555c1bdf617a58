// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/simd/kernel_code.h"

#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>
#include <stdexcept>

using namespace llvm;

namespace heddle::engine::simd {
namespace {

// Calls `field` with the name and the value of each item of the state.
template <class Code, class Field> void eachField(Code &code, Field field) {
  field("lanes", code.layout.lanes);
  field("kind", code.layout.kind);
  field("row", code.layout.row);
  field("x_multiple", code.layout.x_multiple);
  field("full", code.layout.full);
  field("whole", code.layout.whole);
  field("wanted_lanes", code.width.lanes);
  field("whole_warps", code.width.whole_warps);
  field("may_wait", code.width.may_wait);
  field("spins", code.width.spins);
  field("wider", code.wider);
  field("states", code.waits.states);
  field("diverged", code.waits.diverged);
  field("only_barriers", code.waits.only_barriers);
  field("frame_bytes", code.waits.frame_bytes);
  field("record_bytes", code.waits.record_bytes);
  field("keeps_record", code.waits.keeps_record);
  field("local_bytes", code.result.frame_bytes);
  field("of_one_size", code.result.of_one_size);
  field("blocks_ahead", code.blocks_ahead);
  field("strips", code.strips);
  field("foreseen_strips", code.foreseen_strips);
}

} // namespace

bool sweeps(const KernelCode &code) {
  return code.layout.full && !code.waits.diverged && code.waits.only_barriers;
}

WidenOptions widenOptions(const KernelCode &code) {
  WidenOptions options;
  options.layout = code.layout;
  if (code.layout.lanes == 1) // wide gangs need the registers
    options.parameter_bytes = code.info.parameter_bytes;
  options.record_bytes = unsigned(code.waits.record_bytes);
  options.keeps_record = code.waits.keeps_record;
  options.native_gather = code.target.native_gather;
  options.few_misses = code.target.few_misses;
  options.foreseen_strips = code.foreseen_strips;
  options.foreseen_steps = code.target.foreseen_steps;
  options.blocks_ahead = code.blocks_ahead;
  options.states = code.waits.states;
  options.sweeps = sweeps(code);
  options.strips = code.strips && options.sweeps && code.waits.states == 0;
  return options;
}

std::string stateOf(const KernelCode &code) {
  std::string text;
  eachField(code, [&](const char *name, auto value) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, uint64_t(value));
  });
  return text;
}

void setState(KernelCode &code, const std::string &text) {
  SmallVector<StringRef> words;
  StringRef(text).split(words, ' ', -1, /*KeepEmpty=*/false);
  for (const StringRef word : words) {
    const auto [wanted, number] = word.split('=');
    uint64_t value = 0;
    bool found = !number.getAsInteger(10, value);
    bool known = false;
    eachField(code, [&, name = wanted](const char *field, auto &place) {
      if (name != field)
        return;
      known = true;
      place = static_cast<std::remove_reference_t<decltype(place)>>(value);
    });
    if (!found || !known)
      throw std::runtime_error(
          fmt::format("'{}' is not a part of the compiler's state", word.str()));
  }
}

} // namespace heddle::engine::simd
