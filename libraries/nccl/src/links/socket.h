// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// TCP sockets, and waiting for them in a way that an abort ends. All throw Failure.
#pragma once

#include "links/bell.h"

#include <cstdint>
#include <netinet/in.h>
#include <string>
#include <utility>

namespace heddle::nccl {

/// An address of IPv4 or IPv6, as plain data that travels in messages.
struct Address {
  union {
    sockaddr any;
    sockaddr_in v4;
    sockaddr_in6 v6;
  };
  Address() : v6{} {}
  socklen_t size() const { return any.sa_family == AF_INET ? sizeof v4 : sizeof v6; }
};
std::string textOf(const Address &address);

/// This host's address for others, by NCCL_SOCKET_IFNAME and NCCL_SOCKET_FAMILY: that of the first
/// network interface but loopback and docker's, or else of these. The port is 0.
Address ownAddress();
/// "host:port", as in NCCL_COMM_ID.
Address parseAddress(const std::string &text);

class Socket {
public:
  explicit Socket(int descriptor = -1) : descriptor_(descriptor) {}
  Socket(Socket &&other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Socket &operator=(Socket &&other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Socket();
  int descriptor() const { return descriptor_; }
  /// The other end has been closed. What came before may still be there to read.
  bool hasEnded() const;

  /// Listens on a free port of the address, which then has that port.
  static Socket listen(Address &address);
  /// Tries again for so many seconds while nothing listens there.
  static Socket connect(const Address &address, int seconds, Bell &bell);
  /// Accepts a connection; waits until the bell stops. Not there (-1) after `milliseconds`, if that
  /// is not -1.
  Socket accept(Bell &bell, int milliseconds = -1);

  void sendAll(const void *data, size_t bytes, Bell &bell);
  /// `seconds`: how long it may take; -1 for as long as the peer lives.
  void receiveAll(void *data, size_t bytes, Bell &bell, int seconds = -1);

private:
  /// Waits until poll() reports something; false after `milliseconds`.
  bool await(short events, Bell &bell, int milliseconds) const;

  int descriptor_;
};

} // namespace heddle::nccl
