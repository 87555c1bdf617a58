// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operations that need no call of the other rank's: it has its memory written to, and waits for
// signals.
#pragma once

#include "nccl.h"
#include "one_sided/board.h"

#include <vector>

namespace heddle::nccl {

struct OneSided {
  const char *call = "";
  /// What is written, and where; `board` then has a signal. Memory stays the program's.
  const char *from = nullptr;
  char *to = nullptr;
  size_t bytes = 0;
  std::shared_ptr<Board> board;
  int context = 0;
  /// Or what is waited for.
  std::vector<ncclWaitSignalDesc_t> awaited;

  bool isWait() const { return !board; }
};

} // namespace heddle::nccl
