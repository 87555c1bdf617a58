// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "engine/compiler/skipped.h"

#include "llvm/ADT/STLExtras.h"

#include <cstdlib>

using namespace llvm;

namespace heddle::engine {
namespace {

ArrayRef<StringRef> skipped() {
  static const SmallVector<StringRef> names = [] {
    const char *text = std::getenv("HEDDLE_SIMD_SKIP");
    SmallVector<StringRef> result;
    StringRef(text ? text : "").split(result, ',', -1, /*KeepEmpty=*/false);
    return result;
  }();
  return names;
}

} // namespace

bool isSkipped(StringRef name) {
  return any_of(skipped(), [&](StringRef other) { return other == name || other == "all"; });
}

std::vector<std::string> unknownSkipped(ArrayRef<std::string> known) {
  std::vector<std::string> result;
  for (const StringRef name : skipped())
    if (name != "all" && !is_contained(known, name.str()))
      result.push_back(name.str());
  return result;
}

} // namespace heddle::engine
