// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The bytes that one operation moves: lanes to and from other ranks, each a list of segments that
// go one after another. What is received is stored or combined with the rank's own data, and may be
// passed on while more of it comes.
#pragma once

#include "links/link.h"
#include "nccl.h"

#include <deque>
#include <memory>
#include <vector>

namespace heddle::nccl {

/// Goes before the data, so that ranks that call different things learn of it.
struct Header {
  uint32_t call = 0;
  int32_t type = 0, op = 0, root = 0;
  uint64_t count = 0;
  bool operator==(const Header &) const = default;
};
/// "ncclAllReduce of 8 elements".
std::string textOf(const Header &header);

struct Segment {
  char *data = nullptr; // what is sent, or where what is received goes
  size_t bytes = 0;
  /// Index of a segment of the first lane in the other direction. What is sent is what that one
  /// receives; what is received comes to where that one must have been sent from. -1: neither.
  int after = -1;
  const char *own = nullptr; // combined with what is received
  bool complete = false;     // what has been combined is all ranks' result
};

struct Lane {
  Link *link = nullptr;
  int peer = -1;
  std::vector<Segment> segments;
  size_t index = 0, offset = 0; // how far it is
  /// Of each message, by the index of its first segment; for received ones what they should be.
  std::deque<std::pair<size_t, Header>> headers;
  Header received;

  bool done() const { return index == segments.size(); }
};

class Transfer {
public:
  // How received data is combined. An average of integers divides in the end.
  ncclDataType_t type = ncclInt8;
  ncclRedOp_t op = ncclSum;
  int divisor = 1;

  std::deque<Lane> sends, receives;

  /// A lane to or from a peer; links stay the caller's.
  static Lane &addLane(std::deque<Lane> &lanes, int peer, Link &link);
  /// Begins a message in a lane.
  static void addHeader(Lane &lane, const Header &header, bool sending);

  /// Memory that lives as long as the transfer.
  char *scratch(size_t bytes);

  /// Does it; returns when all is sent and received. Throws Failure.
  void run(Bell &bell);

private:
  bool pass();
  bool send(Lane &lane);
  bool receive(Lane &lane);
  void store(const Segment &segment, size_t offset, const char *data, size_t bytes) const;
  void sleep(Bell &bell);
  Lane *findGone();

  std::deque<std::unique_ptr<char[]>> scratch_;
  std::vector<pollfd> entries_;
};

} // namespace heddle::nccl
