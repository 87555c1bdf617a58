// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Links by TCP.
#include "links/peer_link.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>
#include <vector>

namespace heddle::nccl {
namespace {

class SocketLink final : public PeerLink {
public:
  explicit SocketLink(Socket socket) : PeerLink(std::move(socket)) {}

  size_t push(const char *data, size_t bytes) override {
    const ssize_t sent = send(socket_.descriptor(), data, bytes, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR)
      gone_ = true;
    return size_t(std::max<ssize_t>(sent, 0));
  }
  std::span<const char> peek() override {
    if (end_ - begin_ < enough)
      receive();
    return {buffer_.data() + begin_, end_ - begin_};
  }
  void consume(size_t bytes) override { begin_ += bytes; }

  Memory memory() const override { return {buffer_.size(), 0}; }
  bool release() override {
    if (begin_ == end_) { // else it has what was sent to this rank ahead of its calls
      buffer_ = {};
      begin_ = end_ = 0;
    }
    return true;
  }

  void arm(pollfd &entry, bool sending, bool receiving) override {
    const int events = (sending ? POLLOUT : 0) | (receiving ? POLLIN : 0) | POLLRDHUP;
    entry = {gone_ ? -1 : socket_.descriptor(), short(events), 0};
  }
  void disarm() override {}

private:
  static constexpr size_t capacity = 512 << 10, enough = 64;

  void receive() {
    if (buffer_.empty())
      buffer_.resize(capacity);
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const ssize_t got =
        recv(socket_.descriptor(), buffer_.data() + end_, capacity - end_, MSG_DONTWAIT);
    if (got > 0)
      end_ += size_t(got);
    else if (got == 0 || (errno != EAGAIN && errno != EINTR))
      gone_ = true;
  }

  std::vector<char> buffer_;
  size_t begin_ = 0, end_ = 0; // what has come and was not consumed
};

} // namespace

std::unique_ptr<Link> linkBySocket(Socket socket) {
  return std::make_unique<SocketLink>(std::move(socket));
}

} // namespace heddle::nccl
