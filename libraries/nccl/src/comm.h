// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A communicator: one rank of several that call the same operations. Operations are tasks on the
// program's streams, one at a time in the order of the calls (NCCL's user guide, "CUDA Stream
// Semantics"; "Using multiple streams within a group call").
//
// A rank that fails closes its links, so that the ranks that wait for it fail too, and so on: all
// have their error in the end, and none waits for ever.
#pragma once

#include "bootstrap.h"
#include "failure.h"
#include "one_sided/one_sided.h"
#include "operation.h"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>

struct ncclComm : std::enable_shared_from_this<ncclComm> {
  using Pointer = std::shared_ptr<ncclComm>;

  /// Settings of an ncclConfig_t that matter here.
  struct Settings {
    bool blocking = true;
  };

  ncclComm(int device, Settings settings);
  ~ncclComm();
  ncclComm(const ncclComm &) = delete;
  ncclComm &operator=(const ncclComm &) = delete;

  /// Listens for ranks of other processes. Before they are told of this one.
  void listen();
  /// Takes the place among the members, and is ready. `check`: see linkAll().
  void join(const std::vector<heddle::nccl::Member> &members, int rank,
            const std::function<void()> &check);
  /// Meets the other ranks that have this ID, and joins them.
  void begin(const ncclUniqueId &id, int count, int rank);
  /// Waits for what was submitted, then takes part in a split of the ranks by the child's color and
  /// key, and joins the child to its own. All ranks call it.
  void split(ncclComm &child);
  /// Joins the child to these ranks and to new ones, `count` in all. One of these has the ID. All
  /// call it.
  void grow(ncclComm &child, int count, const std::optional<ncclUniqueId> &id);
  /// Joins the child to these ranks, in this order, which all call it; others do not. The links are
  /// not used, so that they may be broken.
  void shrink(ncclComm &child, const std::vector<int> &ranks);

  /// Throws if operations cannot be submitted.
  void requireReady() const;
  /// The place, which is there once the communicator has been ready.
  const heddle::nccl::Place &readyPlace() const;
  /// Puts operations on the first stream, all at once; the other streams wait for them too.
  void submit(std::vector<heddle::nccl::Operation> operations,
              const std::vector<cudaStream_t> &streams);
  /// Puts a one-sided operation on the stream.
  void submitOneSided(heddle::nccl::OneSided operation, cudaStream_t stream);
  /// Where that rank is given signals; null if it is out of reach.
  std::shared_ptr<heddle::nccl::Board> boardOf(int rank);
  /// Returns when what was submitted has been done.
  void flush();
  /// No operation runs from now on; returns when none does.
  void close();
  /// The same, and the communicator can be split, shrunk and destroyed as if it were ready.
  void revoke();
  /// Waits for what was submitted, then gives memory back that operations work with.
  void suspend();
  /// Of what this rank holds for operations.
  heddle::nccl::Link::Memory memory();
  /// Waits for what was submitted, then gathers what all ranks give. All ranks call it.
  template <class T> std::vector<T> exchange(const char *call, const T &own) {
    flush();
    const std::lock_guard lock(running_);
    requireReady();
    try {
      return gather(own, place);
    } catch (...) {
      setFailed(call, heddle::nccl::currentFailure());
      throw;
    }
  }
  /// By rank, once it has been ready.
  const std::vector<heddle::nccl::Member> &members() const { return members_; }

  /// The rank has failed, perhaps before it joined.
  void setFailed(const char *call, const heddle::nccl::Failure &failure);

  const int device;
  const Settings settings;
  heddle::nccl::Member member;
  heddle::nccl::Place place;
  std::atomic<ncclResult_t> state = ncclInProgress;
  std::atomic<bool> finalized = false, revoked = false, suspended = false;

  struct Reduction {
    ncclDataType_t type;
    heddle::nccl::Scalar scalar;
    const void *device_scalar;
  };
  std::mutex tables;
  std::map<int, Reduction> reductions;
  std::set<void *> registrations;
  uintptr_t last_registration = 0;
  std::optional<ncclUniqueId> growing; // has been given away for ncclCommGrow

private:
  /// A rank that has come for a purpose whose turn comes later.
  struct Early {
    uint64_t purpose;
    heddle::nccl::Socket socket;
  };

  void splitLinked(ncclComm &child);
  void splitApart(ncclComm &child);
  void joinFamily(ncclComm &child, const std::vector<heddle::nccl::Member> &all_members,
                  const std::function<void()> &check) const;
  bool runs() const;
  void runOneSided(const heddle::nccl::OneSided &operation);
  void awaitSignals(const ncclWaitSignalDesc_t &awaited);
  ncclUniqueId shareId(const std::vector<int> &ranks, heddle::nccl::Bell &bell);
  heddle::nccl::Socket acceptFor(uint64_t purpose, heddle::nccl::Bell &bell);
  void run(const std::vector<heddle::nccl::Operation> &operations);
  void submitTask(std::vector<heddle::nccl::Operation> operations, cudaStream_t stream,
                  bool capturing);
  void closeLinks();

  std::vector<heddle::nccl::Member> members_; // by rank
  heddle::nccl::Socket listener_;
  std::mutex running_, submitting_, shrinking_;
  std::shared_mutex running_one_sided_;
  std::vector<Early> early_;
  cudaEvent_t done_ = nullptr; // of what was submitted last, on last_
  cudaStream_t last_ = nullptr;
  bool submitted_ = false;
  std::map<cudaStream_t, cudaEvent_t> one_sided_done_; // of what each stream was given last
  heddle::nccl::Signals signals_;
  std::atomic<bool> joined_ = false;
};

namespace heddle::nccl {

/// The communicators that programs have.
void add(const ncclComm::Pointer &comm);
/// Throws if it is none.
ncclComm::Pointer find(ncclComm_t comm);
void remove(const ncclComm::Pointer &comm);

/// The device that a communicator is for is the thread's while this lives.
class DeviceScope {
public:
  explicit DeviceScope(int device);
  ~DeviceScope();
  DeviceScope(const DeviceScope &) = delete;
  DeviceScope &operator=(const DeviceScope &) = delete;

private:
  int before_ = 0;
  bool changed_ = false;
};

} // namespace heddle::nccl
