// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ways that data takes. Collectives use a ring: each rank sends to the next one only, and what
// comes from the one before is combined, kept and passed on. Each piece of the data goes the whole
// way before much of the next one, so that it stays in caches. A little data goes directly to all.
#include "operation.h"
#include "failure.h"
#include "reduce.h"

#include <algorithm>
#include <cstring>

namespace heddle::nccl {
namespace {

/// Bytes of a piece: for a rank's share, and in all where the data is not shared out.
constexpr size_t piece = 128 << 10;
/// Pieces under way that a rank only passes on.
constexpr size_t slots = 4;

Header headerOf(const Operation &operation) {
  return {uint32_t(operation.call), operation.type, operation.op, operation.root, operation.count};
}

/// A ring's lanes and what is added to them.
class Ring {
public:
  Ring(Transfer &transfer, const Operation &operation, const Place &place)
      : transfer_(transfer), rank_(place.rank), count_(place.count),
        element_(elementSize(operation.type)) {
    const Header header = headerOf(operation);
    const int next = wrap(rank_ + 1), previous = wrap(rank_ - 1);
    send_ = &Transfer::addLane(transfer.sends, next, *place.links[size_t(next)]);
    receive_ = &Transfer::addLane(transfer.receives, previous, *place.links[size_t(previous)]);
    Transfer::addHeader(*send_, header, true);
    Transfer::addHeader(*receive_, header, false);
  }

  /// The rank, counted around the ring.
  int wrap(int rank) const { return (rank % count_ + count_) % count_; }

  void send(const char *data, size_t elements) { addSend(const_cast<char *>(data), elements, -1); }
  /// What was received last.
  void passOn() {
    if (last_elements_ > 0)
      addSend(receive_->segments.back().data, last_elements_, int(receive_->segments.size()) - 1);
  }
  /// Receives, and combines with what `own` says if it is there. `to` null: only to pass it on.
  void receive(char *to, const char *own, size_t elements, bool complete) {
    last_elements_ = elements;
    if (elements == 0)
      return;
    Segment segment{.data = to, .bytes = elements * element_, .own = own, .complete = complete};
    if (!to) {
      Slot &slot = nextSlot();
      segment.data = slot.data;
      segment.after = slot.sent_by;
      slot.sent_by = int(send_->segments.size()); // passOn() follows
    }
    receive_->segments.push_back(segment);
  }

private:
  struct Slot {
    char *data = nullptr;
    int sent_by = -1;
  };

  void addSend(char *data, size_t elements, int after) {
    if (elements > 0)
      send_->segments.push_back({.data = data, .bytes = elements * element_, .after = after});
  }
  Slot &nextSlot() {
    Slot &slot = slots_[next_slot_++ % slots];
    if (!slot.data)
      slot.data = transfer_.scratch(piece);
    return slot;
  }

  Transfer &transfer_;
  int rank_, count_;
  size_t element_, last_elements_ = 0, next_slot_ = 0;
  Lane *send_, *receive_;
  Slot slots_[slots];
};

/// Calls function(start, elements) for each piece of so many elements.
template <class Function> void forPieces(size_t count, size_t element, Function function) {
  const size_t most = std::max<size_t>(1, piece / element);
  for (size_t start = 0; start < count; start += most)
    function(start, std::min(most, count - start));
}

/// What this rank gives to a reduction.
struct Source {
  const char *data;
  size_t element;
  const char *at(size_t index) const { return data + index * element; }
};

void planAllReduce(Ring &ring, const Operation &operation, const Place &place, Source from) {
  const size_t ranks = size_t(place.count);
  char *const to = operation.receive;
  // A piece for each rank, which first sums it up and then sends the sum around.
  forPieces((operation.count + ranks - 1) / ranks, from.element, [&](size_t start, size_t most) {
    const size_t base = start * ranks, length = std::min(most * ranks, operation.count - base);
    const auto begin = [&](int share) { return base + length * size_t(share) / ranks; };
    const auto elements = [&](int share) { return begin(share + 1) - begin(share); };
    int share = place.rank;
    ring.send(from.at(begin(share)), elements(share));
    for (int step = 1; step < place.count; ++step) {
      share = ring.wrap(place.rank - step);
      ring.receive(to + begin(share) * from.element, from.at(begin(share)), elements(share),
                   step == place.count - 1);
      ring.passOn();
    }
    for (int step = 0; step < place.count - 1; ++step) {
      share = ring.wrap(place.rank - step);
      ring.receive(to + begin(share) * from.element, nullptr, elements(share), false);
      if (step < place.count - 2)
        ring.passOn();
    }
  });
}

void planReduceScatter(Ring &ring, const Operation &operation, const Place &place, Source from) {
  const auto own = [&](int share, size_t start) {
    return from.at(size_t(share) * operation.count + start);
  };
  forPieces(operation.count, from.element, [&](size_t start, size_t elements) {
    ring.send(own(ring.wrap(place.rank - 1), start), elements);
    for (int step = 2; step <= place.count; ++step) {
      const bool last = step == place.count;
      ring.receive(last ? operation.receive + start * from.element : nullptr,
                   own(ring.wrap(place.rank - step), start), elements, last);
      if (!last)
        ring.passOn();
    }
  });
}

void planAllGather(Ring &ring, const Operation &operation, const Place &place, Source from) {
  forPieces(operation.count, from.element, [&](size_t start, size_t elements) {
    ring.send(from.at(start), elements);
    for (int step = 1; step < place.count; ++step) {
      const size_t share = size_t(ring.wrap(place.rank - step));
      ring.receive(operation.receive + (share * operation.count + start) * from.element, nullptr,
                   elements, false);
      if (step < place.count - 1)
        ring.passOn();
    }
  });
}

/// From the root around the ring.
void planBroadcast(Ring &ring, const Operation &operation, const Place &place, Source from) {
  const int distance = ring.wrap(place.rank - operation.root);
  forPieces(operation.count, from.element, [&](size_t start, size_t elements) {
    if (distance == 0) {
      ring.send(from.at(start), elements);
      return;
    }
    ring.receive(operation.receive + start * from.element, nullptr, elements, false);
    if (distance < place.count - 1)
      ring.passOn();
  });
}

/// Around the ring to the root.
void planReduce(Ring &ring, const Operation &operation, const Place &place, Source from) {
  const int distance = ring.wrap(place.rank - operation.root - 1);
  const bool last = place.rank == operation.root;
  forPieces(operation.count, from.element, [&](size_t start, size_t elements) {
    if (distance == 0) {
      ring.send(from.at(start), elements);
      return;
    }
    ring.receive(last ? operation.receive + start * from.element : nullptr, from.at(start),
                 elements, last);
    if (!last)
      ring.passOn();
  });
}

/// The elements that a rank gives.
size_t given(const Operation &operation, const Place &place) {
  return operation.count *
         (operation.call == Call::ReduceScatter ? size_t(place.count) : size_t(1));
}

bool isReduction(Call call) {
  return call == Call::AllReduce || call == Call::Reduce || call == Call::ReduceScatter;
}

/// Scales what this rank gives, if the operation says so: NCCL's averages of floating-point numbers
/// do, too. Returns where it is then.
const char *scaled(const Operation &operation, const Place &place, Transfer &transfer) {
  const bool average = operation.op == ncclAvg && !isInteger(operation.type);
  if (!isReduction(operation.call) || (operation.op != ncclNumOps && !average))
    return operation.send;
  Scalar scalar = operation.scalar;
  if (average)
    arithmetic().convert(operation.type, scalar.bytes, 1.0 / place.count);
  else if (operation.device_scalar)
    std::memcpy(scalar.bytes, operation.device_scalar, elementSize(operation.type));
  const size_t elements = given(operation, place);
  char *const to = operation.call == Call::AllReduce
                       ? operation.receive
                       : transfer.scratch(elements * elementSize(operation.type));
  arithmetic().scale(operation.type, to, operation.send, scalar.bytes, elements);
  return to;
}

void copy(char *to, const char *from, size_t bytes) {
  if (to != from)
    std::memmove(to, from, bytes);
}

/// What needs no other rank: this rank's own part of the result.
void keepOwn(const Operation &operation, const Place &place, Source from) {
  if (operation.call == Call::AllGather)
    copy(operation.receive + size_t(place.rank) * operation.bytes(), from.data, operation.bytes());
  else if (place.count == 1 || (operation.call == Call::Broadcast && place.rank == operation.root))
    copy(operation.receive, from.data, operation.bytes());
}

/// Whether so little is moved that the time is that of messages one after another.
bool isSmall(const Operation &operation, const Place &place) {
  return operation.bytes() <= 8 << 10 && place.count <= 16;
}

/// Sums up what each rank has given, in the order of the ranks.
void combineParts(const Operation &operation, Transfer &transfer,
                  const std::vector<const char *> &parts) {
  char *const sum = transfer.scratch(operation.bytes());
  std::memcpy(sum, parts[0], operation.bytes());
  for (size_t rank = 1; rank < parts.size(); ++rank)
    arithmetic().combine(operation.type, transfer.op, sum, sum, parts[rank], operation.count);
  if (transfer.divisor != 1)
    arithmetic().divide(operation.type, sum, transfer.divisor, operation.count);
  std::memcpy(operation.receive, sum, operation.bytes());
}

/// Each rank sends to all that need what it has, at once.
void runDirectly(const Operation &operation, const Place &place, Transfer &transfer, Source from) {
  const size_t bytes = operation.bytes();
  const auto gives = [&](int rank) {
    return operation.call != Call::Broadcast || rank == operation.root;
  };
  const auto takes = [&](int rank) {
    return operation.call != Call::Reduce || rank == operation.root;
  };
  const auto partFor = [&](int rank) {
    return from.data + (operation.call == Call::ReduceScatter ? size_t(rank) * bytes : 0);
  };
  const auto addMessage = [&](std::deque<Lane> &lanes, int peer, char *data, bool sending) {
    Lane &lane = Transfer::addLane(lanes, peer, *place.links[size_t(peer)]);
    Transfer::addHeader(lane, headerOf(operation), sending);
    lane.segments.push_back({.data = data, .bytes = bytes});
  };
  std::vector<const char *> parts(size_t(place.count), partFor(place.rank));
  for (int step = 1; step < place.count; ++step) {
    const int peer = (place.rank + step) % place.count;
    if (gives(place.rank) && takes(peer))
      addMessage(transfer.sends, peer, const_cast<char *>(partFor(peer)), true);
    if (!gives(peer) || !takes(place.rank))
      continue;
    char *to = operation.receive;
    if (isReduction(operation.call))
      to = transfer.scratch(bytes);
    else if (operation.call == Call::AllGather)
      to += size_t(peer) * bytes;
    addMessage(transfer.receives, peer, to, false);
    parts[size_t(peer)] = to;
  }
  transfer.run(*place.bell);
  if (isReduction(operation.call) && takes(place.rank))
    combineParts(operation, transfer, parts);
}

} // namespace

const char *nameOf(Call call) {
  static constexpr const char *names[] = {"ncclAllReduce", "ncclReduce",        "ncclBroadcast",
                                          "ncclAllGather", "ncclReduceScatter", "ncclSend",
                                          "ncclRecv"};
  return names[int(call)];
}

std::string textOf(const Header &header) {
  if (header.call > uint32_t(Call::Recv))
    return "something unknown";
  return std::string(nameOf(Call(header.call))) + " (count " + std::to_string(header.count) +
         ", data type " + std::to_string(header.type) + ", operation " + std::to_string(header.op) +
         ", root " + std::to_string(header.root) + ")";
}

size_t Operation::bytes() const { return count * elementSize(type); }

void runCollective(const Operation &operation, const Place &place) {
  Transfer transfer;
  transfer.type = operation.type;
  transfer.op = operation.op;
  if (operation.op == ncclAvg || operation.op == ncclNumOps)
    transfer.op = ncclSum;
  if (operation.op == ncclAvg && isInteger(operation.type))
    transfer.divisor = place.count;
  const Source from{scaled(operation, place, transfer), elementSize(operation.type)};
  keepOwn(operation, place, from);
  if (place.count == 1)
    return;
  if (isSmall(operation, place))
    return runDirectly(operation, place, transfer, from);
  Ring ring(transfer, operation, place);
  switch (operation.call) {
  case Call::AllReduce:
    planAllReduce(ring, operation, place, from);
    break;
  case Call::ReduceScatter:
    planReduceScatter(ring, operation, place, from);
    break;
  case Call::AllGather:
    planAllGather(ring, operation, place, from);
    break;
  case Call::Broadcast:
    planBroadcast(ring, operation, place, from);
    break;
  default:
    planReduce(ring, operation, place, from);
    break;
  }
  transfer.run(*place.bell);
}

void runPointToPoint(const std::vector<Operation> &operations, const Place &place) {
  Transfer transfer;
  std::deque<const Operation *> to_self, from_self;
  for (const Operation &operation : operations) {
    const bool sending = operation.call == Call::Send;
    if (operation.root == place.rank) {
      (sending ? to_self : from_self).push_back(&operation);
      continue;
    }
    Lane &lane = Transfer::addLane(sending ? transfer.sends : transfer.receives, operation.root,
                                   *place.links[size_t(operation.root)]);
    Transfer::addHeader(lane, {.call = uint32_t(Call::Send), .count = operation.bytes()}, sending);
    lane.segments.push_back(
        {.data = sending ? const_cast<char *>(operation.send) : operation.receive,
         .bytes = operation.bytes()});
  }
  require(to_self.size() == from_self.size(), ncclInvalidUsage,
          "a rank's sends to itself need as many receives in the same group");
  for (size_t i = 0; i < to_self.size(); ++i) {
    require(to_self[i]->bytes() == from_self[i]->bytes(), ncclInvalidUsage,
            "a rank sends itself more or less than it receives");
    copy(from_self[i]->receive, to_self[i]->send, to_self[i]->bytes());
  }
  transfer.run(*place.bell);
}

} // namespace heddle::nccl
