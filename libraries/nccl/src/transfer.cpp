// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transfer.h"
#include "failure.h"
#include "reduce.h"

#include <algorithm>
#include <cstring>
#include <sched.h>

namespace heddle::nccl {
namespace {

/// How much is received before something is sent again: it then is still in the core's cache.
constexpr size_t piece = 64 << 10;
/// How often to look again before sleeping, which costs some microseconds.
constexpr int looks = 200;

void finishSegment(Lane &lane) {
  ++lane.index;
  lane.offset = 0;
}

void checkHeader(Lane &lane) {
  if (lane.headers.empty() || lane.headers.front().first != lane.index)
    return;
  const Header expected = lane.headers.front().second;
  lane.headers.pop_front();
  if (lane.received != expected)
    fail(ncclInvalidUsage, "rank " + std::to_string(lane.peer) + " called " +
                               textOf(lane.received) + " where this rank expects " +
                               textOf(expected));
}

} // namespace

Lane &Transfer::addLane(std::deque<Lane> &lanes, int peer, Link &link) {
  for (Lane &lane : lanes)
    if (lane.peer == peer)
      return lane;
  Lane &lane = lanes.emplace_back();
  lane.link = &link;
  lane.peer = peer;
  return lane;
}

void Transfer::addHeader(Lane &lane, const Header &header, bool sending) {
  auto &[index, content] = lane.headers.emplace_back(lane.segments.size(), header);
  Header &place = sending ? content : lane.received;
  lane.segments.push_back({.data = reinterpret_cast<char *>(&place), .bytes = sizeof(Header)});
}

char *Transfer::scratch(size_t bytes) { return scratch_.emplace_back(new char[bytes]).get(); }

void Transfer::run(Bell &bell) {
  const auto done = [](const std::deque<Lane> &lanes) {
    return std::ranges::all_of(lanes, &Lane::done);
  };
  for (int idle = 0; !done(sends) || !done(receives);) {
    if (bell.stopped())
      fail(ncclInternalError, "the communicator was aborted");
    if (pass()) {
      idle = 0;
    } else if (++idle < looks) {
      if (idle % 16 == 0)
        sched_yield();
    } else {
      sleep(bell);
      idle = 0;
    }
  }
}

bool Transfer::pass() {
  bool moved = false;
  for (Lane &lane : sends)
    moved |= !lane.done() && send(lane);
  for (Lane &lane : receives)
    moved |= !lane.done() && receive(lane);
  return moved;
}

bool Transfer::send(Lane &lane) {
  const Segment &segment = lane.segments[lane.index];
  size_t ready = segment.bytes;
  if (segment.after >= 0) {
    const Lane &source = receives.front();
    if (source.index < size_t(segment.after))
      return false;
    if (source.index == size_t(segment.after))
      ready = source.offset;
  }
  if (ready == lane.offset)
    return false;
  const size_t sent = lane.link->push(segment.data + lane.offset, ready - lane.offset);
  lane.offset += sent;
  if (lane.offset == segment.bytes) {
    lane.link->endPush();
    finishSegment(lane);
  }
  return sent > 0;
}

bool Transfer::receive(Lane &lane) {
  const Segment &segment = lane.segments[lane.index];
  if (segment.after >= 0 && sends.front().index <= size_t(segment.after))
    return false;
  const std::span<const char> came = lane.link->peek();
  size_t bytes = std::min({came.size(), segment.bytes - lane.offset, piece});
  if (segment.own)
    bytes -= bytes % elementSize(type);
  if (bytes > 0)
    store(segment, lane.offset, came.data(), bytes);
  lane.link->consume(bytes);
  lane.offset += bytes;
  if (lane.offset == segment.bytes) {
    lane.link->endConsume();
    checkHeader(lane);
    finishSegment(lane);
  }
  return bytes > 0;
}

void Transfer::store(const Segment &segment, size_t offset, const char *data, size_t bytes) const {
  char *const to = segment.data + offset;
  if (!segment.own) {
    std::memcpy(to, data, bytes);
    return;
  }
  const size_t count = bytes / elementSize(type);
  arithmetic().combine(type, op, to, segment.own + offset, data, count);
  if (segment.complete && divisor != 1)
    arithmetic().divide(type, to, divisor, count);
}

Lane *Transfer::findGone() {
  for (auto *lanes : {&sends, &receives})
    for (Lane &lane : *lanes)
      if (!lane.done() && lane.link->gone())
        return &lane;
  return nullptr;
}

void Transfer::sleep(Bell &bell) {
  entries_.assign(1, {bell.descriptor(), POLLIN, 0});
  bell.arm();
  for (Lane &lane : sends)
    if (!lane.done())
      lane.link->arm(entries_.emplace_back(), true, false);
  for (Lane &lane : receives)
    if (!lane.done())
      lane.link->arm(entries_.emplace_back(), false, true);
  if (!pass()) {
    if (const Lane *gone = findGone()) {
      // What it sent before it went may have come after we looked.
      if (!pass())
        fail(ncclRemoteError,
             "rank " + std::to_string(gone->peer) + " has ended, failed or left the communicator");
    } else {
      poll(entries_.data(), entries_.size(), -1);
    }
  }
  bell.disarm();
  for (auto *lanes : {&sends, &receives})
    for (Lane &lane : *lanes)
      lane.link->disarm();
}

} // namespace heddle::nccl
