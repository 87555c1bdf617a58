// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How NPP's kernels are told about images. One kernel serves every pixel type: the types, the
// number of channels and the operation are values, the same for all threads of a launch, so that a
// few dozen kernels are compiled instead of thousands.
#pragma once

#include <nppcore.h>

// What libnppc has for the other libraries.
#define HEDDLE_NPP_SHARED __attribute__((visibility("default")))

namespace heddle::npp {

enum class Type : int { U8, S8, U16, S16, U32, S32, F32, F64 };

constexpr int sizeOf(Type type) {
  switch (type) {
  case Type::U8:
  case Type::S8:
    return 1;
  case Type::U16:
  case Type::S16:
    return 2;
  case Type::F64:
    return 8;
  default:
    return 4;
  }
}
constexpr bool isFloat(Type type) { return type == Type::F32 || type == Type::F64; }

/// A pixel is `count` numbers; of an AC4 image the fourth is left alone.
struct Channels {
  int count;
  bool alpha = false;
};

/// Rows of pixels, `step` bytes apart.
struct Operand {
  char *data = nullptr;
  long long step = 0;
  Type type = Type::U8;
};

/// How a result becomes an integer. NPP's documentation (General API Conventions) says for few
/// functions which; what they do here is what an H100 gives.
enum class Round : int { TiesToEven, TiesAway, TowardZero };

} // namespace heddle::npp
