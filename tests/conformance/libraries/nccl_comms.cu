// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnccl
// env: HEDDLE_DEVICES=4
//
// NCCL's communicators in one process: the ways to make them, splits, ends and aborts, what they
// say of themselves, memory, and what bad arguments are answered with.
#include "nccl_check.h"

#include <chrono>
#include <functional>
#include <mutex>
#include <thread>

namespace {

int devices;

/// Calls function(rank) in a thread for each device, which is the thread's.
void inThreads(const std::function<void(int)> &function) {
  std::vector<std::thread> threads;
  for (int rank = 0; rank < devices; ++rank)
    threads.emplace_back([&function, rank] {
      CHECK_CUDA(cudaSetDevice(rank));
      function(rank);
    });
  for (auto &thread : threads)
    thread.join();
}

/// Waits until a communicator that does not block has done what it was asked.
ncclResult_t awaited(ncclComm_t comm) {
  ncclResult_t state = ncclInProgress;
  while (ncclCommGetAsyncError(comm, &state) == ncclSuccess && state == ncclInProgress)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return state;
}

std::mutex check_mutex; // checks count without locks

/// The communicator is what it should be, and sums.
void testComm(ncclComm_t comm, int device, int rank, int ranks) {
  int own_count = -1, own_rank = -1, own_device = -1;
  ncclResult_t state = ncclInternalError;
  const ncclResult_t results[] = {
      ncclCommCount(comm, &own_count), ncclCommUserRank(comm, &own_rank),
      ncclCommCuDevice(comm, &own_device), ncclCommGetAsyncError(comm, &state)};
  std::vector<double> sum;
  ncclResult_t result;
  {
    const Buffer data(device, ncclInt32, std::vector<double>(1000, rank + 1));
    result = ncclAllReduce(data, data, 1000, ncclInt32, ncclSum, comm, nullptr);
    sum = data.read();
  }
  const std::lock_guard<std::mutex> lock(check_mutex);
  for (const ncclResult_t one : results)
    OK(one);
  OK(state);
  OK(result);
  CHECK_EQ(own_count, ranks);
  CHECK_EQ(own_rank, rank);
  CHECK_EQ(own_device, device);
  compare(sum, std::vector<double>(1000, ranks * (ranks + 1) / 2), "a sum");
}

ncclUniqueId newId() {
  ncclUniqueId id;
  OK(ncclGetUniqueId(&id));
  return id;
}

void testThreads() {
  const ncclUniqueId id = newId(), other = newId();
  CHECK(std::memcmp(&id, &other, sizeof id) != 0);
  inThreads([&](int rank) {
    ncclComm_t comm = nullptr;
    const ncclResult_t made = ncclCommInitRank(&comm, devices, id, rank);
    testComm(comm, rank, rank, devices);
    const ncclResult_t finalized = ncclCommFinalize(comm), destroyed = ncclCommDestroy(comm);
    const std::lock_guard<std::mutex> lock(check_mutex);
    OK(made);
    OK(finalized);
    OK(destroyed);
  });
}

void testWithoutBlocking() {
  const ncclUniqueId id = newId();
  inThreads([&](int rank) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    ncclComm_t comm = nullptr, child = nullptr;
    const ncclResult_t made = ncclCommInitRankConfig(&comm, devices, id, rank, &config);
    const ncclResult_t ready = awaited(comm);
    testComm(comm, rank, rank, devices);
    const ncclResult_t split = ncclCommSplit(comm, 5, rank, &child, nullptr);
    while (awaited(comm) == ncclInProgress || !child)
      std::this_thread::yield();
    const ncclResult_t child_ready = awaited(child);
    testComm(child, rank, rank, devices);
    const ncclResult_t finalized = ncclCommFinalize(comm), done = awaited(comm);
    ncclCommFinalize(child);
    awaited(child);
    const ncclResult_t destroyed = ncclCommDestroy(comm);
    ncclCommDestroy(child);
    const std::lock_guard<std::mutex> lock(check_mutex);
    for (const ncclResult_t now : {made, split, finalized})
      CHECK(now == ncclSuccess || now == ncclInProgress);
    for (const ncclResult_t now : {ready, child_ready, done, destroyed})
      OK(now);
  });
}

// One thread makes all ranks, in a group.
void testGroup(bool scalable) {
  ncclUniqueId id = newId();
  std::vector<ncclComm_t> comms(devices);
  OK(ncclGroupStart());
  for (int rank = 0; rank < devices; ++rank) {
    CHECK_CUDA(cudaSetDevice(rank));
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.minCTAs = 1;
    config.maxCTAs = 4;
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 23, 0)
    if (scalable) {
      OK(ncclCommInitRankScalable(&comms[rank], devices, rank, 1, &id, &config));
      continue;
    }
#endif
    OK(ncclCommInitRankConfig(&comms[rank], devices, id, rank, &config));
  }
  OK(ncclGroupEnd());
  std::vector<std::thread> threads;
  for (int rank = 0; rank < devices; ++rank)
    threads.emplace_back([&, rank] { testComm(comms[rank], rank, rank, devices); });
  for (auto &thread : threads)
    thread.join();
  for (const ncclComm_t comm : comms)
    OK(ncclCommDestroy(comm));
}

// Even and odd ranks, in the opposite order; then all but the first rank.
void testSplit() {
  const Ranks ranks;
  for (const bool halves : {true, false}) {
    std::vector<ncclComm_t> children(ranks.count, reinterpret_cast<ncclComm_t>(1));
    OK(ncclGroupStart());
    for (int i = 0; i < ranks.count; ++i)
      OK(ncclCommSplit(ranks.comms[i],
                       halves   ? i % 2
                       : i == 0 ? NCCL_SPLIT_NOCOLOR
                                : 7,
                       halves ? -i : 0, &children[i], nullptr));
    OK(ncclGroupEnd());
    std::vector<std::thread> threads;
    for (int i = 0; i < ranks.count; ++i) {
      if (!halves && i == 0) {
        CHECK_EQ(children[i], static_cast<ncclComm_t>(nullptr));
        continue;
      }
      const int half = (ranks.count + 1 - i % 2) / 2;
      threads.emplace_back([&, i, half] {
        testComm(children[i], i, halves ? half - 1 - i / 2 : i - 1,
                 halves ? half : ranks.count - 1);
      });
    }
    for (auto &thread : threads)
      thread.join();
    for (const ncclComm_t child : children)
      OK(ncclCommDestroy(child));
  }
}

// A rank that waits for what never comes is freed by an abort.
void testAbort() {
  if (devices < 2)
    return;
  const Ranks others;
  std::vector<ncclComm_t> comms(2);
  OK(ncclCommInitAll(comms.data(), 2, nullptr));
  const Buffer data(0, ncclFloat, 100);
  CHECK_CUDA(cudaSetDevice(0));
  OK(ncclRecv(data, 100, ncclFloat, 1, comms[0], others.streams[0]));
  CHECK_EQ(cudaStreamQuery(others.streams[0]), cudaErrorNotReady);
  OK(ncclCommAbort(comms[0]));
  CHECK_CUDA(cudaStreamSynchronize(others.streams[0]));
  OK(ncclCommAbort(comms[1]));
}

void testMemory() {
  const Ranks ranks;
  void *memory = nullptr, *handle = nullptr;
  CHECK_CUDA(cudaSetDevice(0));
  OK(ncclMemAlloc(&memory, 1000));
  cudaPointerAttributes attributes;
  CHECK_CUDA(cudaPointerGetAttributes(&attributes, memory));
  CHECK_EQ(attributes.type, cudaMemoryTypeDevice);
  OK(ncclCommRegister(ranks.comms[0], memory, 1000, &handle));
  OK(ncclCommDeregister(ranks.comms[0], handle));
  OK(ncclMemFree(memory));
  CHECK(ncclMemAlloc(nullptr, 10) != ncclSuccess);
}

void testTexts() {
  int version = 0;
  OK(ncclGetVersion(&version));
  CHECK_EQ(version / 100, NCCL_VERSION_CODE / 100);
  CHECK_EQ(NCCL_VERSION(2, 8, 4), 2804);
  CHECK_EQ(NCCL_VERSION(2, 9, 1), 20901);
  const char *const texts[] = {"no error",
                               "unhandled cuda error (run with NCCL_DEBUG=INFO for details)",
                               "unhandled system error (run with NCCL_DEBUG=INFO for details)",
                               "internal error - please report this issue to the NCCL developers",
                               "invalid argument (run with NCCL_DEBUG=WARN for details)",
                               "invalid usage (run with NCCL_DEBUG=WARN for details)",
                               "remote process exited or there was a network error",
                               "NCCL operation in progress",
                               "unknown result code"};
  for (int i = 0; i < 9; ++i)
    CHECK_EQ(std::string(ncclGetErrorString(ncclResult_t(i))), texts[i]);
  ncclResetDebugInit();
}

void testArgumentsOfComms() {
  ncclComm_t comm = nullptr;
  const ncclUniqueId id = newId();
  int number = 0;
  ncclResult_t state;
  CHECK_EQ(ncclGetVersion(nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclGetUniqueId(nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclCommInitRank(nullptr, 1, id, 0), ncclInvalidArgument);
  CHECK_EQ(ncclCommInitRank(&comm, 0, id, 0), ncclInvalidArgument);
  CHECK_EQ(ncclCommInitRank(&comm, 2, id, 2), ncclInvalidArgument);
  CHECK_EQ(ncclCommInitRank(&comm, 2, id, -1), ncclInvalidArgument);
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 2;
  CHECK_EQ(ncclCommInitRankConfig(&comm, 1, id, 0, &config), ncclInvalidArgument);
  config.blocking = 1;
  config.magic = 1;
  CHECK_EQ(ncclCommInitRankConfig(&comm, 1, id, 0, &config), ncclInvalidArgument);
  CHECK_EQ(ncclCommInitAll(nullptr, 1, nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclCommInitAll(&comm, -1, nullptr), ncclInvalidArgument);
  const int wrong = 1000, twice[] = {0, 0};
  ncclComm_t two[2];
  CHECK_EQ(ncclCommInitAll(&comm, 1, &wrong), ncclInvalidArgument);
  CHECK_EQ(ncclCommInitAll(two, 2, twice), ncclInvalidUsage);
  OK(ncclCommDestroy(nullptr));
  CHECK_EQ(ncclCommCount(nullptr, &number), ncclInvalidArgument);
  CHECK_EQ(ncclCommUserRank(nullptr, &number), ncclInvalidArgument);
  CHECK_EQ(ncclCommCuDevice(nullptr, &number), ncclInvalidArgument);
  CHECK_EQ(ncclCommGetAsyncError(nullptr, &state), ncclInvalidArgument);
  CHECK_EQ(ncclGroupEnd(), ncclInvalidUsage);
}

void testArgumentsOfCalls() {
  const Ranks ranks;
  const ncclComm_t comm = ranks.comms[0];
  const Buffer data(0, ncclFloat, 8);
  const auto type = ncclFloat;
  const auto no_type = ncclDataType_t(15);
  const auto no_op = ncclRedOp_t(1000000);
  CHECK_EQ(ncclAllReduce(data, data, 8, type, ncclSum, nullptr, 0), ncclInvalidArgument);
  CHECK_EQ(ncclAllReduce(data, data, 8, no_type, ncclSum, comm, 0), ncclInvalidArgument);
  CHECK_EQ(ncclAllReduce(data, data, 8, type, no_op, comm, 0), ncclInvalidArgument);
  CHECK_EQ(ncclReduceScatter(data, data, 8, type, ncclRedOp_t(ncclMaxRedOp), comm, 0),
           ncclInvalidArgument);
  CHECK_EQ(ncclAllGather(data, data, 8, no_type, comm, 0), ncclInvalidArgument);
  for (const int root : {-1, ranks.count}) {
    CHECK_EQ(ncclReduce(data, data, 8, type, ncclSum, root, comm, 0), ncclInvalidArgument);
    CHECK_EQ(ncclBroadcast(data, data, 8, type, root, comm, 0), ncclInvalidArgument);
    CHECK_EQ(ncclBcast(data, 8, type, root, comm, 0), ncclInvalidArgument);
    CHECK_EQ(ncclSend(data, 8, type, root, comm, 0), ncclInvalidArgument);
    CHECK_EQ(ncclRecv(data, 8, type, root, comm, 0), ncclInvalidArgument);
  }
  ncclRedOp_t op;
  float scalar = 1;
  CHECK_EQ(ncclRedOpCreatePreMulSum(&op, &scalar, type, ncclScalarHostImmediate, nullptr),
           ncclInvalidArgument);
  CHECK_EQ(ncclRedOpDestroy(ncclSum, comm), ncclInvalidArgument);
  CHECK(std::strlen(ncclGetLastError(comm)) > 0);
  // A failed call fails its group; the next group is a new one.
  OK(ncclGroupStart());
  CHECK_EQ(ncclBcast(data, 8, type, -1, comm, 0), ncclInvalidArgument);
  CHECK_EQ(ncclGroupEnd(), ncclInvalidArgument);
  ranks.group([&](int i, ncclComm_t one, cudaStream_t stream) {
    OK(ncclBcast(nullptr, 0, ncclInt8, 0, one, stream)); // nothing to do
  });
}

void testSimulation() {
#if NCCL_VERSION_CODE >= NCCL_VERSION(2, 22, 0)
  const Ranks ranks;
  std::vector<Buffer> data;
  for (int i = 0; i < ranks.count; ++i)
    data.emplace_back(i, ncclFloat, std::vector<double>(64, 3));
  ncclSimInfo_t info = NCCL_SIM_INFO_INITIALIZER;
  OK(ncclGroupStart());
  for (int i = 0; i < ranks.count; ++i)
    OK(ncclAllReduce(data[i], data[i], 64, ncclFloat, ncclSum, ranks.comms[i], ranks.streams[i]));
  OK(ncclGroupSimulateEnd(&info));
  CHECK(info.estimatedTime > 0 || ranks.count == 1);
  compare(data[0].read(), std::vector<double>(64, 3), "what was not run");
#endif
}

} // namespace

int main() {
  CHECK_CUDA(cudaGetDeviceCount(&devices));
  devices = std::min(devices, 4);
  testThreads();
  testWithoutBlocking();
  testGroup(false);
  testGroup(true);
  testSplit();
  testAbort();
  testMemory();
  testTexts();
  testArgumentsOfComms();
  testArgumentsOfCalls();
  testSimulation();
  RETURN_RESULT();
}
