// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A link to another process, whose end a socket tells.
#pragma once

#include "links/link.h"

#include <atomic>
#include <sys/socket.h>
#include <utility>

namespace heddle::nccl {

class PeerLink : public Link {
public:
  bool gone() override {
    if (!gone_ && socket_.hasEnded())
      gone_ = true;
    return gone_;
  }
  void close() override { shutdown(socket_.descriptor(), SHUT_RDWR); }

protected:
  explicit PeerLink(Socket socket) : socket_(std::move(socket)) {}

  Socket socket_;
  std::atomic<bool> gone_ = false;
};

} // namespace heddle::nccl
