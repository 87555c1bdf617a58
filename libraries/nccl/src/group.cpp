// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "group.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace heddle::nccl {
namespace {

void make(const Beginning &beginning) {
  try {
    beginning.work();
  } catch (...) {
    beginning.comm->setFailed(beginning.call, currentFailure());
  }
}

/// What came of a communicator that was made while its caller waited.
ncclResult_t resultOf(const Beginning &beginning) {
  const ncclResult_t result = beginning.comm->state;
  if (result == ncclSuccess || !beginning.handle || !*beginning.handle)
    return result;
  *beginning.handle = nullptr;
  remove(beginning.comm);
  return result;
}

/// What is done with one communicator is done in the order of the calls.
std::vector<std::vector<Beginning>> byComm(const std::vector<Beginning> &beginnings) {
  std::vector<std::vector<Beginning>> lists;
  for (const Beginning &beginning : beginnings) {
    const auto list = std::ranges::find_if(
        lists, [&](const auto &other) { return other.front().comm == beginning.comm; });
    if (list != lists.end())
      list->push_back(beginning);
    else
      lists.push_back({beginning});
  }
  return lists;
}

/// Makes communicators at once, as their ranks wait for each other.
ncclResult_t makeAll(const std::vector<Beginning> &beginnings) {
  if (beginnings.size() == 1 && beginnings[0].isWaitedFor()) {
    make(beginnings[0]);
    return resultOf(beginnings[0]);
  }
  ncclResult_t result = ncclSuccess;
  std::vector<std::jthread> waited_for;
  try {
    for (const std::vector<Beginning> &list : byComm(beginnings)) {
      std::jthread thread([list] { std::ranges::for_each(list, make); });
      if (list.front().isWaitedFor()) {
        waited_for.push_back(std::move(thread));
      } else {
        thread.detach();
        result = ncclInProgress;
      }
    }
  } catch (...) {
    // Without a thread for each, none will be done.
    for (const Beginning &beginning : beginnings) {
      beginning.comm->setFailed(beginning.call, currentFailure());
      beginning.comm->place.bell->stop();
    }
  }
  waited_for.clear();
  for (const Beginning &beginning : beginnings)
    if (beginning.isWaitedFor())
      if (const ncclResult_t one = resultOf(beginning); one != ncclSuccess)
        result = one;
  return result;
}

} // namespace

Group &Group::current() {
  static thread_local Group group;
  return group;
}

void Group::requireOpen() const {
  require(depth_ > 0, ncclInvalidUsage, "no group has been started (ncclGroupStart)");
}

ncclResult_t Group::end() {
  requireOpen();
  return --depth_ > 0 ? ncclSuccess : run();
}

ncclResult_t Group::run() {
  const auto beginnings = std::exchange(beginnings_, {});
  const auto queued = std::exchange(queued_, {});
  auto one_sided = std::exchange(queued_one_sided_, {});
  if (const ncclResult_t failed = std::exchange(failed_, ncclSuccess))
    return failed;
  const ncclResult_t result = beginnings.empty() ? ncclSuccess : makeAll(beginnings);
  submit(queued);
  submit(std::move(one_sided));
  return result;
}

void Group::submit(const std::vector<Queued> &queued) {
  // All ranks have a group's collectives in the same order; sends and receives come after them.
  std::vector<std::pair<std::vector<Operation>, std::vector<cudaStream_t>>> batches;
  std::vector<ncclComm::Pointer> comms;
  for (const Queued &call : queued) {
    if (!call.operation.isPointToPoint()) {
      call.comm->submit({call.operation}, {call.stream});
      continue;
    }
    const size_t index = size_t(std::ranges::find(comms, call.comm) - comms.begin());
    if (index == comms.size()) {
      comms.push_back(call.comm);
      batches.emplace_back();
    }
    auto &[operations, streams] = batches[index];
    operations.push_back(call.operation);
    if (std::ranges::find(streams, call.stream) == streams.end())
      streams.push_back(call.stream);
  }
  for (size_t i = 0; i < comms.size(); ++i)
    comms[i]->submit(std::move(batches[i].first), batches[i].second);
}

void Group::submit(std::vector<QueuedOneSided> queued) {
  // Calls of a group do not block each other: what others may wait for goes first.
  for (const bool waits : {false, true})
    for (QueuedOneSided &call : queued)
      if (call.operation.isWait() == waits)
        call.comm->submitOneSided(call.operation, call.stream);
}

float Group::endWithoutRunning() {
  requireOpen();
  require(depth_ == 1, ncclInvalidUsage, "ncclGroupSimulateEnd can only end the outermost group");
  float microseconds = 0;
  for (const Queued &call : queued_)
    microseconds += 10 + float(call.operation.bytes()) / 2000; // two gigabytes a second
  depth_ = 0;
  for (const QueuedOneSided &call : queued_one_sided_)
    microseconds += 10 + float(call.operation.bytes) / 2000;
  queued_.clear();
  queued_one_sided_.clear();
  beginnings_.clear();
  if (const ncclResult_t failed = std::exchange(failed_, ncclSuccess))
    fail(failed, "a call in the group has failed");
  return microseconds;
}

ncclResult_t Group::add(Beginning beginning) {
  beginnings_.push_back(std::move(beginning));
  return depth_ > 0 ? ncclSuccess : run();
}

ncclResult_t Group::add(const ncclComm::Pointer &comm, const Operation &operation,
                        cudaStream_t stream) {
  queued_.push_back({comm, operation, stream});
  return depth_ > 0 ? ncclSuccess : run();
}

ncclResult_t Group::add(const ncclComm::Pointer &comm, OneSided operation, cudaStream_t stream) {
  queued_one_sided_.push_back({comm, std::move(operation), stream});
  return depth_ > 0 ? ncclSuccess : run();
}

void Group::setFailed(ncclResult_t result) {
  if (depth_ > 0)
    failed_ = result;
}

} // namespace heddle::nccl
