// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "comm.h"
#include "common/task.h"

#include <cstdlib>
#include <unordered_map>

using namespace heddle::nccl;

namespace heddle::nccl {
namespace {

struct All {
  std::mutex mutex;
  std::unordered_map<ncclComm_t, ncclComm::Pointer> comms;
};
All &all() {
  static auto &instance = *new All; // communicators may outlive static objects
  return instance;
}

/// Streams end at exit only when their tasks do.
void stopAll() {
  const std::lock_guard lock(all().mutex);
  for (const auto &[handle, comm] : all().comms)
    comm->place.bell->stop();
}

} // namespace

void add(const ncclComm::Pointer &comm) {
  [[maybe_unused]] static const int registered = std::atexit(stopAll);
  const std::lock_guard lock(all().mutex);
  all().comms[comm.get()] = comm;
}

ncclComm::Pointer find(ncclComm_t comm) {
  const std::lock_guard lock(all().mutex);
  const auto found = all().comms.find(comm);
  if (found == all().comms.end())
    fail(ncclInvalidArgument,
         comm ? "the communicator was destroyed, or is none" : "the communicator is null");
  return found->second;
}

void remove(const ncclComm::Pointer &comm) {
  const std::lock_guard lock(all().mutex);
  all().comms.erase(comm.get());
}

DeviceScope::DeviceScope(int device) {
  require(cudaGetDevice(&before_));
  if ((changed_ = before_ != device))
    require(cudaSetDevice(device));
}
DeviceScope::~DeviceScope() {
  if (changed_)
    cudaSetDevice(before_);
}

} // namespace heddle::nccl

ncclComm::ncclComm(int device, Settings settings)
    : device(device), settings(settings), member(newMember(device)) {
  place.bell = std::make_shared<Bell>();
  require(place.bell->descriptor() >= 0, ncclSystemError, "no more file descriptors");
  const DeviceScope scope(device);
  require(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
  announce(member.token, place.bell);
  member.board = signals_.own().offer();
}

ncclComm::~ncclComm() {
  withdraw(member.token);
  cudaEventDestroy(done_);
  for (const auto &[stream, done] : one_sided_done_)
    cudaEventDestroy(done);
}

void ncclComm::listen() {
  member.address = ownAddress();
  listener_ = Socket::listen(member.address);
}

void ncclComm::join(const std::vector<Member> &members, int rank,
                    const std::function<void()> &check) {
  for (size_t peer = 0; peer < members.size(); ++peer)
    if (peer != size_t(rank) && members[peer].process == member.process &&
        members[peer].device == device)
      fail(ncclInvalidUsage, "ranks " + std::to_string(rank) + " and " + std::to_string(peer) +
                                 " of one process are both on device " + std::to_string(device));
  const std::lock_guard lock(running_);
  place.rank = rank;
  place.count = int(members.size());
  place.links = linkAll(members, rank, listener_, *place.bell, check);
  members_ = members;
  joined_ = true;
  state = ncclSuccess;
}

void ncclComm::begin(const ncclUniqueId &id, int count, int rank) {
  Meeting meeting = meet(id, rank, count, member, *place.bell);
  join(meeting.members, rank, [&] {
    require(!meeting.root.hasEnded(), ncclRemoteError,
            "another rank has ended before all were linked");
  });
  leave(meeting, *place.bell);
}

void ncclComm::requireReady() const {
  const ncclResult_t now = state;
  require(now != ncclInProgress, ncclInvalidArgument,
          "the communicator is not ready yet (ncclCommGetAsyncError is ncclInProgress)");
  require(now == ncclSuccess, now, "the communicator has failed before");
  require(!revoked, ncclInvalidUsage, "the communicator has been revoked");
  require(!suspended, ncclInvalidUsage, "the communicator is suspended (ncclCommResume)");
  require(!finalized, ncclInvalidUsage, "the communicator has been finalized");
}

const Place &ncclComm::readyPlace() const {
  require(joined_, ncclInvalidArgument, "the communicator is not ready yet");
  return place;
}

void ncclComm::setFailed(const char *call, const Failure &failure) {
  {
    const std::lock_guard lock(tables);
    const ncclResult_t before = state;
    if (revoked || (before != ncclSuccess && before != ncclInProgress))
      return; // what is revoked has not failed
    state = failure.result;
  }
  if (!place.bell->stopped())
    report(call, failure);
  closeLinks();
}

void ncclComm::closeLinks() {
  withdraw(member.token);
  for (const auto &link : place.links)
    if (link)
      link->close();
}

bool ncclComm::runs() const {
  const ncclResult_t now = state;
  return !revoked && (now == ncclSuccess || (now == ncclInProgress && finalized));
}

void ncclComm::run(const std::vector<Operation> &operations) {
  const std::lock_guard lock(running_);
  if (!runs())
    return;
  try {
    if (operations.front().isPointToPoint())
      runPointToPoint(operations, place);
    else
      for (const Operation &operation : operations)
        runCollective(operation, place);
  } catch (...) {
    setFailed(nameOf(operations.front().call), currentFailure());
  }
}

void ncclComm::submitTask(std::vector<Operation> operations, cudaStream_t stream, bool capturing) {
  const char *const name = nameOf(operations.front().call);
  // The program may have used another stream before; captured work has its order from the graph.
  if (!capturing && submitted_ && stream != last_)
    require(cudaStreamWaitEvent(stream, done_, 0));
  require(heddle::library::submit(
      name, stream,
      [self = shared_from_this(), operations = std::move(operations)] { self->run(operations); }));
  if (capturing)
    return;
  require(cudaEventRecord(done_, stream));
  last_ = stream;
  submitted_ = true;
}

namespace {

/// Lets a stream wait for what another one has been given so far.
void letWait(cudaStream_t stream, cudaStream_t other) {
  cudaEvent_t event;
  require(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  cudaError_t error = cudaEventRecord(event, other);
  if (error == cudaSuccess)
    error = cudaStreamWaitEvent(stream, event, 0);
  cudaEventDestroy(event);
  require(error);
}

} // namespace

void ncclComm::submit(std::vector<Operation> operations, const std::vector<cudaStream_t> &streams) {
  const std::lock_guard lock(submitting_);
  const DeviceScope scope(device);
  const cudaStream_t first = streams.front();
  cudaStreamCaptureStatus capture;
  require(cudaStreamIsCapturing(first, &capture));
  for (const cudaStream_t stream : streams)
    if (stream != first)
      letWait(first, stream);
  submitTask(std::move(operations), first, capture != cudaStreamCaptureStatusNone);
  for (const cudaStream_t stream : streams)
    if (stream != first)
      letWait(stream, first);
}

void ncclComm::flush() {
  const std::lock_guard lock(submitting_);
  if (submitted_ && cudaEventSynchronize(done_) != cudaSuccess)
    place.bell->stop(); // the device has failed: what waits on it will not be done
  for (const auto &[stream, done] : one_sided_done_)
    if (cudaEventSynchronize(done) != cudaSuccess)
      place.bell->stop();
}

void ncclComm::close() {
  place.bell->stop();
  const std::lock_guard lock(running_);
  const std::unique_lock one_sided(running_one_sided_);
  if (state == ncclSuccess || state == ncclInProgress)
    state = ncclInvalidUsage; // for graphs that still have its operations
  closeLinks();
}

void ncclComm::revoke() {
  {
    const std::lock_guard lock(tables);
    revoked = true;
    state = ncclInProgress;
  }
  place.bell->stop();
  const std::lock_guard lock(running_);
  const std::unique_lock one_sided(running_one_sided_);
  closeLinks(); // so a rank that waits for this one learns that it does not go on
  state = ncclSuccess;
}
