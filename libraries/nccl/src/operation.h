// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What one call asks of a communicator, and how it is done.
#pragma once

#include "transfer.h"

namespace heddle::nccl {

enum class Call { AllReduce, Reduce, Broadcast, AllGather, ReduceScatter, Send, Recv };
const char *nameOf(Call call);

/// A number of whichever data type.
struct Scalar {
  alignas(8) char bytes[8] = {};
};

struct Operation {
  Call call = Call::AllReduce;
  const char *send = nullptr;
  char *receive = nullptr;
  size_t count = 0;
  ncclDataType_t type = ncclInt8;
  ncclRedOp_t op = ncclSum; // a built-in one; ncclNumOps: sum of what is scaled
  int root = 0;             // or the peer
  Scalar scalar;
  const void *device_scalar = nullptr; // read when the operation runs

  size_t bytes() const;
  bool isPointToPoint() const { return call == Call::Send || call == Call::Recv; }
};

/// This rank's place among others.
struct Place {
  int rank = 0, count = 1;
  std::vector<std::unique_ptr<Link>> links;
  std::shared_ptr<Bell> bell;
};

/// Does a collective operation.
void runCollective(const Operation &operation, const Place &place);
/// Does sends and receives at once. Those between the same ranks match in their order.
void runPointToPoint(const std::vector<Operation> &operations, const Place &place);
/// Gathers plain data of all ranks, by rank.
template <class T> std::vector<T> gather(const T &own, const Place &place) {
  std::vector<T> all(size_t(place.count));
  runCollective({.call = Call::AllGather,
                 .send = reinterpret_cast<const char *>(&own),
                 .receive = reinterpret_cast<char *>(all.data()),
                 .count = sizeof(T)},
                place);
  return all;
}

} // namespace heddle::nccl
