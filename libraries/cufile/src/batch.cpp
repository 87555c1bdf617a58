// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Batches: a thread of its own does their operations one after another, and keeps what became of
// them until the program asks.
#include "driver.h"
#include "transfer.h"

#include "common/handles.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

using namespace heddle::cufile;

namespace {

struct Operation {
  std::shared_ptr<File> file;
  Transfer transfer;
  void *cookie = nullptr;
};

class Batch {
public:
  explicit Batch(unsigned most) : most_(most), thread_([this] { work(); }) {}
  ~Batch() {
    cancel();
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    changed_.notify_all();
    thread_.join();
  }
  Batch(const Batch &) = delete;
  Batch &operator=(const Batch &) = delete;

  /// All of them, or none if the batch has no room.
  bool submit(std::vector<Operation> operations) {
    const std::lock_guard lock(mutex_);
    if (operations.size() > most_ - waiting_.size() - (busy_ ? 1 : 0) - ended_.size())
      return false;
    for (Operation &operation : operations)
      waiting_.push_back(std::move(operation));
    changed_.notify_all();
    return true;
  }

  void cancel() {
    const std::lock_guard lock(mutex_);
    for (const Operation &operation : waiting_)
      ended_.push_back({operation.cookie, CUFILE_CANCELED, 0});
    waiting_.clear();
    changed_.notify_all();
  }

  /// Waits for `least` operations, at most for `time`; takes up to `most` that have ended.
  unsigned collect(unsigned least, unsigned most, CUfileIOEvents_t *events,
                   std::optional<std::chrono::nanoseconds> time) {
    std::unique_lock lock(mutex_);
    // More than there are will never end.
    const auto enough = [&] { return ended_.size() >= least || (waiting_.empty() && !busy_); };
    if (time)
      changed_.wait_for(lock, *time, enough);
    else
      changed_.wait(lock, enough);
    unsigned count = 0;
    for (; count < most && !ended_.empty(); ++count) {
      events[count] = ended_.front();
      ended_.pop_front();
    }
    return count;
  }

private:
  void work() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
      if (ending_)
        return;
      const Operation next = std::move(waiting_.front());
      waiting_.pop_front();
      busy_ = true;
      lock.unlock();
      const ssize_t moved = run(*next.file, next.transfer, false);
      lock.lock();
      busy_ = false;
      ended_.push_back({next.cookie, moved < 0 ? CUFILE_FAILED : CUFILE_COMPLETE, size_t(moved)});
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  const size_t most_;
  std::deque<Operation> waiting_;
  std::deque<CUfileIOEvents_t> ended_;
  bool busy_ = false, ending_ = false;
  std::thread thread_; // begins when all others are there
};

Batch *find(CUfileBatchHandle_t handle) {
  auto *batch = static_cast<Batch *>(handle);
  return heddle::library::handles<Batch>().has(batch) ? batch : nullptr;
}

/// Nothing if one of them is wrong.
std::optional<std::vector<Operation>> read(const CUfileIOParams_t *parameters, unsigned count) {
  std::vector<Operation> operations;
  for (unsigned i = 0; i < count; ++i) {
    const CUfileIOParams_t &one = parameters[i];
    std::shared_ptr<File> file = findFile(one.fh);
    if (!file || one.mode != CUFILE_BATCH || !one.u.batch.devPtr_base ||
        (one.opcode != CUFILE_READ && one.opcode != CUFILE_WRITE))
      return std::nullopt;
    operations.push_back({std::move(file),
                          {one.opcode, one.u.batch.devPtr_base, one.u.batch.size,
                           one.u.batch.file_offset, one.u.batch.devPtr_offset},
                          one.cookie});
  }
  return operations;
}

} // namespace

CUfileError_t cuFileBatchIOSetUp(CUfileBatchHandle_t *batch_idp, unsigned nr) {
  return guarded([&] {
    if (!batch_idp || nr == 0 || nr > sizeParameter(CUFILE_PARAM_PROPERTIES_IO_BATCHSIZE))
      return status(CU_FILE_INVALID_VALUE);
    openDriver();
    *batch_idp = heddle::library::handles<Batch>().add(new Batch(nr));
    return status(CU_FILE_SUCCESS);
  });
}

CUfileError_t cuFileBatchIOSubmit(CUfileBatchHandle_t batch_idp, unsigned nr,
                                  CUfileIOParams_t *iocbp, unsigned int flags) {
  return guarded([&] {
    Batch *const batch = find(batch_idp);
    if (!batch || !iocbp || nr == 0 || flags != 0)
      return status(CU_FILE_INVALID_VALUE);
    auto operations = read(iocbp, nr);
    if (!operations)
      return refuse("cuFileBatchIOSubmit", CU_FILE_INVALID_VALUE,
                    "an operation without a registered file, memory or kind");
    return status(batch->submit(std::move(*operations)) ? CU_FILE_SUCCESS : CU_FILE_BATCH_FULL);
  });
}

CUfileError_t cuFileBatchIOGetStatus(CUfileBatchHandle_t batch_idp, unsigned min_nr, unsigned *nr,
                                     CUfileIOEvents_t *iocbp, struct timespec *timeout) {
  return guarded([&] {
    Batch *const batch = find(batch_idp);
    if (!batch || !nr || !iocbp || min_nr > *nr)
      return status(CU_FILE_INVALID_VALUE);
    std::optional<std::chrono::nanoseconds> time;
    if (timeout)
      time = std::chrono::seconds(timeout->tv_sec) + std::chrono::nanoseconds(timeout->tv_nsec);
    *nr = batch->collect(min_nr, *nr, iocbp, time);
    return status(CU_FILE_SUCCESS);
  });
}

CUfileError_t cuFileBatchIOCancel(CUfileBatchHandle_t batch_idp) {
  return guarded([&] {
    Batch *const batch = find(batch_idp);
    if (!batch)
      return status(CU_FILE_INVALID_VALUE);
    batch->cancel();
    return status(CU_FILE_SUCCESS);
  });
}

void cuFileBatchIODestroy(CUfileBatchHandle_t batch_idp) {
  auto *batch = static_cast<Batch *>(batch_idp);
  if (heddle::library::handles<Batch>().remove(batch))
    delete batch;
}
