// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A link: a stream of bytes to another rank and one from it. There are three kinds: within a
// process the receiver reads the sender's memory; processes of one host share memory for rings of
// bytes; hosts are linked by TCP. Calls do not wait. One thread uses a link at a time.
#pragma once

#include "links/bell.h"
#include "links/socket.h"

#include <memory>
#include <poll.h>
#include <span>

namespace heddle::nccl {

class Link {
public:
  virtual ~Link() = default;

  /// Gives bytes to the link; returns how many have been taken. The rest is to be given again, at
  /// its same place in memory, where it must stay unchanged until it is taken.
  virtual size_t push(const char *data, size_t bytes) = 0;
  /// Bytes that have come. They stay until consume() is called, which must follow, if only with 0;
  /// what is not consumed is seen again at the next call, with more behind it.
  virtual std::span<const char> peek() = 0;
  virtual void consume(size_t bytes) = 0;
  /// Both sides call it at the same places of the stream, so that elements are not cut in two by
  /// the end of a buffer.
  virtual void endPush() {}
  virtual void endConsume() {}

  /// What the link holds of its own: what release() can give back now, and the rest.
  struct Memory {
    size_t releasable = 0, other = 0;
  };
  virtual Memory memory() const { return {}; }
  /// Gives memory back, which comes again with its use; false if what was sent is still in it.
  virtual bool release() { return true; }

  virtual bool isWithinProcess() const { return false; }
  /// The peer has closed its side or died; what it sent before may still be read.
  virtual bool gone() = 0;
  /// Lets the peer know that this rank takes part no longer. From any thread.
  virtual void close() = 0;

  /// Before sleeping: asks to be woken, and says what poll() is to wait for.
  virtual void arm(pollfd &entry, bool sending, bool receiving) = 0;
  /// After it.
  virtual void disarm() = 0;
};

/// Ranks of one process know each other by their tokens.
void announce(uint64_t token, std::shared_ptr<Bell> bell);
void withdraw(uint64_t token);
std::unique_ptr<Link> linkWithinProcess(uint64_t own_token, uint64_t peer_token);

std::unique_ptr<Link> linkBySocket(Socket socket);
/// By memory that both processes see, if each can open what the other offers, else by the socket.
std::unique_ptr<Link> linkByMemory(Socket socket, Bell &bell);

} // namespace heddle::nccl
