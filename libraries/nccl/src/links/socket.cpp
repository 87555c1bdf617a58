// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "links/socket.h"
#include "failure.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>

namespace heddle::nccl {
namespace {

using Clock = std::chrono::steady_clock;

void setOption(int descriptor, int level, int name, int value) {
  setsockopt(descriptor, level, name, &value, sizeof value);
}

/// Small messages go at once, and a host that vanishes is noticed within a minute.
void prepare(int descriptor) {
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  setOption(descriptor, IPPROTO_TCP, TCP_NODELAY, 1);
  setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE, 1);
  setOption(descriptor, IPPROTO_TCP, TCP_KEEPIDLE, 20);
  setOption(descriptor, IPPROTO_TCP, TCP_KEEPINTVL, 10);
  setOption(descriptor, IPPROTO_TCP, TCP_KEEPCNT, 3);
  setOption(descriptor, IPPROTO_TCP, TCP_USER_TIMEOUT, 50000);
}

[[noreturn]] void failBySystem(const std::string &what) {
  fail(ncclSystemError, what + ": " + std::strerror(errno));
}

[[noreturn]] void failByPeer() {
  fail(ncclRemoteError, "the connection to another rank was closed: it has ended or failed");
}

Socket make(const Address &address) {
  Socket made(socket(address.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
  if (made.descriptor() < 0)
    failBySystem("cannot make a socket");
  return made;
}

} // namespace

Socket::~Socket() {
  if (descriptor_ >= 0)
    close(descriptor_);
}

bool Socket::hasEnded() const {
  pollfd entry = {descriptor_, POLLRDHUP, 0};
  return poll(&entry, 1, 0) > 0;
}

Socket Socket::listen(Address &address) {
  Socket made = make(address);
  setOption(made.descriptor(), SOL_SOCKET, SO_REUSEADDR, 1);
  socklen_t size = sizeof address.v6;
  if (bind(made.descriptor(), &address.any, address.size()) != 0 ||
      ::listen(made.descriptor(), SOMAXCONN) != 0 ||
      getsockname(made.descriptor(), &address.any, &size) != 0)
    failBySystem("cannot listen on " + textOf(address));
  prepare(made.descriptor());
  return made;
}

Socket Socket::connect(const Address &address, int seconds, Bell &bell) {
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  for (;;) {
    Socket made = make(address);
    prepare(made.descriptor());
    int error = ::connect(made.descriptor(), &address.any, address.size()) == 0 ? 0 : errno;
    if (error == EINPROGRESS) {
      const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - Clock::now()).count();
      socklen_t size = sizeof error;
      if (!made.await(POLLOUT, bell, int(std::max<int64_t>(left, 1000))))
        error = ETIMEDOUT;
      else
        getsockopt(made.descriptor(), SOL_SOCKET, SO_ERROR, &error, &size);
    }
    if (error == 0)
      return made;
    if ((error != ECONNREFUSED && error != EINTR) || Clock::now() >= end) {
      errno = error;
      failBySystem("cannot connect to " + textOf(address));
    }
    (void)Socket().await(0, bell, 50);
  }
}

Socket Socket::accept(Bell &bell, int milliseconds) {
  for (;;) {
    Socket made(accept4(descriptor_, nullptr, nullptr, SOCK_CLOEXEC));
    if (made.descriptor() >= 0) {
      prepare(made.descriptor());
      return made;
    }
    if (errno != EAGAIN && errno != EINTR && errno != ECONNABORTED)
      failBySystem("cannot accept connections");
    if (!await(POLLIN, bell, milliseconds))
      return made;
  }
}

bool Socket::await(short events, Bell &bell, int milliseconds) const {
  pollfd entries[] = {{descriptor_, events, 0}, {bell.descriptor(), POLLIN, 0}};
  const int ready = poll(entries, 2, milliseconds);
  if (bell.stopped())
    fail(ncclInternalError, "the communicator was aborted");
  return ready != 0;
}

void Socket::sendAll(const void *data, size_t bytes, Bell &bell) {
  const char *next = static_cast<const char *>(data);
  while (bytes > 0) {
    const ssize_t sent = send(descriptor_, next, bytes, MSG_NOSIGNAL);
    if (sent > 0) {
      next += sent;
      bytes -= size_t(sent);
    } else if (sent < 0 && errno == EAGAIN) {
      await(POLLOUT, bell, -1);
    } else if (sent >= 0 || errno != EINTR) {
      failByPeer();
    }
  }
}

void Socket::receiveAll(void *data, size_t bytes, Bell &bell, int seconds) {
  char *next = static_cast<char *>(data);
  const auto end = Clock::now() + std::chrono::seconds(seconds);
  while (bytes > 0) {
    const ssize_t got = recv(descriptor_, next, bytes, 0);
    if (got > 0) {
      next += got;
      bytes -= size_t(got);
    } else if (got < 0 && errno == EAGAIN) {
      await(POLLIN, bell, seconds < 0 ? -1 : 1000);
      if (seconds >= 0 && Clock::now() >= end)
        fail(ncclSystemError, "a connection stays silent");
    } else if (got >= 0 || errno != EINTR) {
      failByPeer();
    }
  }
}

} // namespace heddle::nccl
