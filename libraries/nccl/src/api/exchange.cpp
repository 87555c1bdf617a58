// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ncclAlltoAll, ncclGather, ncclScatter: groups of sends and receives, as programs wrote them
// before.
#pragma GCC visibility push(default)
#include "nccl.h"
#pragma GCC visibility pop

#include "reduce.h"

using namespace heddle::nccl;

namespace {

/// One rank's part of an exchange.
struct Exchange {
  Exchange(size_t count, ncclDataType_t type, ncclComm_t comm, cudaStream_t stream)
      : count(count), type(type), comm(comm), stream(stream) {
    result = ncclCommCount(comm, &ranks);
    if (result == ncclSuccess)
      result = ncclCommUserRank(comm, &rank);
  }

  /// Runs `calls` as a group; what the first of them that fails gives.
  template <class Calls> ncclResult_t run(Calls calls) {
    if (result != ncclSuccess)
      return result;
    if ((result = ncclGroupStart()) != ncclSuccess)
      return result;
    calls();
    const ncclResult_t ended = ncclGroupEnd();
    return result != ncclSuccess ? result : ended;
  }

  // Where the part of a buffer begins that is rank `peer`'s.
  size_t offset(int peer) const { return size_t(peer) * count * elementSize(type); }
  void send(const void *buffer, int peer) {
    note(ncclSend(buffer, count, type, peer, comm, stream));
  }
  void receive(void *buffer, int peer) { note(ncclRecv(buffer, count, type, peer, comm, stream)); }
  void sendPart(const void *buffer, int peer) {
    send(buffer ? static_cast<const char *>(buffer) + offset(peer) : nullptr, peer);
  }
  void receivePart(void *buffer, int peer) {
    receive(buffer ? static_cast<char *>(buffer) + offset(peer) : nullptr, peer);
  }

  int ranks = 0, rank = 0;

private:
  void note(ncclResult_t one) {
    if (result == ncclSuccess)
      result = one;
  }

  const size_t count;
  const ncclDataType_t type;
  const ncclComm_t comm;
  const cudaStream_t stream;
  ncclResult_t result;
};

} // namespace

extern "C" {

ncclResult_t ncclAlltoAll(const void *send, void *receive, size_t count, ncclDataType_t type,
                          ncclComm_t comm, cudaStream_t stream) {
  Exchange exchange(count, type, comm, stream);
  return exchange.run([&] {
    for (int peer = 0; peer < exchange.ranks; ++peer) {
      exchange.sendPart(send, peer);
      exchange.receivePart(receive, peer);
    }
  });
}

ncclResult_t ncclGather(const void *send, void *receive, size_t count, ncclDataType_t type,
                        int root, ncclComm_t comm, cudaStream_t stream) {
  Exchange exchange(count, type, comm, stream);
  return exchange.run([&] {
    exchange.send(send, root);
    for (int peer = 0; exchange.rank == root && peer < exchange.ranks; ++peer)
      exchange.receivePart(receive, peer);
  });
}

ncclResult_t ncclScatter(const void *send, void *receive, size_t count, ncclDataType_t type,
                         int root, ncclComm_t comm, cudaStream_t stream) {
  Exchange exchange(count, type, comm, stream);
  return exchange.run([&] {
    for (int peer = 0; exchange.rank == root && peer < exchange.ranks; ++peer)
      exchange.sendPart(send, peer);
    exchange.receive(receive, root);
  });
}

#pragma GCC visibility push(default)
#define __NCCL_FUNCTION(TYPE, NAME, PARAMETERS)                                                    \
  TYPE pnccl##NAME PARAMETERS __attribute__((alias("nccl" #NAME)));
#include "__nccl/exchanges.h"
#pragma GCC visibility pop

} // extern "C"
