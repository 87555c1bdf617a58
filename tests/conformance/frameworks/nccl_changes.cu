// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnccl
// env: HEDDLE_DEVICES=4
// hardware: skip it wants four GPUs, and checks what memory Heddle holds
//
// What happens to communicators while they live: they grow, are revoked, and are suspended.
#include "nccl_threads.h"

namespace {

constexpr int ranks = 4;
const std::vector<int> all_ranks = {0, 1, 2, 3};

void destroy(const std::vector<ncclComm_t> &comms) {
  for (const ncclComm_t comm : comms)
    OK(ncclCommDestroy(comm));
}

/// From two to four, from three to four by another rank's ID, and the parents work on.
void testGrow() {
  std::vector<ncclComm_t> two(2), four(ranks), again(ranks);
  OK(ncclCommInitAll(two.data(), 2, nullptr));
  ncclUniqueId id, second;
  OK(ncclCommGetUniqueId(two[1], &id));
  CHECK_EQ(ncclCommGetUniqueId(two[1], &second), ncclInvalidUsage); // the first is not used yet
  inThreads(all_ranks, [&](int rank) {
    EACH_OK(rank < 2 ? ncclCommGrow(two[rank], ranks, rank == 1 ? &id : nullptr, -1, &four[rank],
                                    nullptr)
                     : ncclCommGrow(nullptr, ranks, &id, rank, &four[rank], nullptr));
    testComm(four[rank], rank, rank, ranks, sumOf(all_ranks));
  });
  inThreads({0, 1}, [&](int rank) { testComm(two[rank], rank, rank, 2, sumOf({0, 1})); });
  // Again, in a group of one thread.
  OK(ncclCommGetUniqueId(two[0], &id));
  OK(ncclGroupStart());
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK_CUDA(cudaSetDevice(rank));
    OK(rank < 2
           ? ncclCommGrow(two[rank], ranks, rank == 0 ? &id : nullptr, -1, &again[rank], nullptr)
           : ncclCommGrow(nullptr, ranks, &id, rank, &again[rank], nullptr));
  }
  OK(ncclGroupEnd());
  inThreads(all_ranks,
            [&](int rank) { testComm(again[rank], rank, rank, ranks, sumOf(all_ranks)); });
  for (const auto *comms : {&two, &four, &again})
    destroy(*comms);
}

void testGrowWrong() {
  std::vector<ncclComm_t> two(2);
  OK(ncclCommInitAll(two.data(), 2, nullptr));
  ncclUniqueId id, other;
  ncclComm_t child = two[0];
  OK(ncclGetUniqueId(&other));
  OK(ncclCommGetUniqueId(two[0], &id));
  CHECK_EQ(ncclCommGrow(two[0], ranks, &other, -1, &child, nullptr), ncclInvalidArgument);
  CHECK(child == nullptr);
  CHECK_EQ(ncclCommGrow(two[0], 2, &id, -1, &child, nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclCommGrow(two[0], ranks, &id, 0, &child, nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclCommGrow(two[1], ranks, &id, -1, &child, nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclCommGrow(two[0], ranks, &id, -1, nullptr, nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclCommGrow(nullptr, ranks, nullptr, 3, &child, nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclCommGrow(nullptr, ranks, &id, ranks, &child, nullptr), ncclInvalidArgument);
  // None has the ID; they do not agree. The parent is none the worse.
  for (const bool agree : {true, false})
    inThreads({0, 1}, [&](int rank) {
      ncclComm_t own = nullptr;
      EACH_EQ(ncclCommGrow(two[rank], agree ? 3 : 3 + rank, nullptr, -1, &own, nullptr),
              ncclInvalidUsage);
      EACH_EQ(own, static_cast<ncclComm_t>(nullptr));
    });
  inThreads({0, 1}, [&](int rank) { testComm(two[rank], rank, rank, 2, sumOf({0, 1})); });
  destroy(two);
}

ncclResult_t stateOf(ncclComm_t comm) {
  ncclResult_t state = ncclInProgress;
  while (ncclCommGetAsyncError(comm, &state) == ncclSuccess && state == ncclInProgress)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  return state;
}

/// One rank waits for what never comes; then all go on, in parts and without one.
void testRevoke(bool blocking) {
  std::vector<ncclComm_t> comms(ranks), halves(ranks), three(ranks);
  ncclUniqueId id;
  OK(ncclGetUniqueId(&id));
  inThreads(all_ranks, [&](int rank) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = blocking;
    ncclCommInitRankConfig(&comms[rank], ranks, id, rank, &config);
    EACH_OK(stateOf(comms[rank]));
  });
  inThreads(all_ranks, [&](int rank) {
    const Buffer data(rank, ncclInt32, 100);
    const ncclComm_t comm = comms[rank];
    if (rank == 0)
      EACH_OK(ncclRecv(data, 100, ncclInt32, 3, comm, nullptr));
    EACH_EQ(ncclCommRevoke(comm, NCCL_REVOKE_DEFAULT), blocking ? ncclSuccess : ncclInProgress);
    EACH_OK(stateOf(comm));
    EACH_CUDA(cudaDeviceSynchronize());
    EACH_EQ(ncclSend(data, 100, ncclInt32, 0, comm, nullptr), ncclInvalidUsage);
    EACH_EQ(ncclSignal(0, 0, 0, 0, comm, nullptr), ncclInvalidUsage);
    EACH_EQ(ncclCommFinalize(comm), ncclInvalidUsage);
  });
  inThreads(all_ranks, [&](int rank) {
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
    EACH_OK(ncclCommSplit(comms[rank], rank % 2, -rank, &halves[rank], &config));
    const int sum = rank % 2 ? sumOf({1, 3}) : sumOf({0, 2});
    testComm(halves[rank], rank, rank < 2, 2, sum);
  });
  inThreads({0, 2, 3}, [&](int rank) {
    int excluded[] = {1};
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 1;
    EACH_OK(ncclCommShrink(comms[rank], excluded, 1, &three[rank], &config, NCCL_SHRINK_DEFAULT));
    testComm(three[rank], rank, rank == 0 ? 0 : rank - 1, 3, sumOf({0, 2, 3}));
  });
  for (const auto *all : {&comms, &halves, &three})
    destroy(*all);
}

void testRevokeWrong() {
  const Ranks all;
  CHECK_EQ(ncclCommRevoke(all.comms[0], 1), ncclInvalidArgument);
  CHECK_EQ(ncclCommRevoke(nullptr, 0), ncclInvalidArgument);
}

uint64_t statistic(ncclComm_t comm, ncclCommMemStat_t what) {
  uint64_t value = 99;
  OK(ncclCommMemStats(comm, what, &value));
  return value;
}

void testSuspend() {
  const Ranks all;
  const ncclComm_t comm = all.comms[0];
  const Buffer data(0, ncclInt32, 10);
  uint64_t value = 0;
  CHECK_EQ(ncclCommResume(comm), ncclInvalidUsage);
  CHECK_EQ(ncclCommSuspend(comm, 0), ncclInvalidArgument);
  CHECK_EQ(ncclCommMemStats(comm, ncclCommMemStat_t(9), &value), ncclInvalidArgument);
  CHECK_EQ(ncclCommMemStats(comm, ncclStatGpuMemTotal, nullptr), ncclInvalidArgument);
  inThreads(all_ranks,
            [&](int rank) { EACH_OK(ncclCommSuspend(all.comms[rank], NCCL_SUSPEND_MEM)); });
  CHECK_EQ(ncclCommSuspend(comm, NCCL_SUSPEND_MEM), ncclInvalidUsage);
  CHECK_EQ(ncclAllReduce(data, data, 10, ncclInt32, ncclSum, comm, nullptr), ncclInvalidUsage);
  CHECK_EQ(statistic(comm, ncclStatGpuMemSuspended), 1u);
  CHECK_EQ(statistic(comm, ncclStatGpuMemTotal), 0u); // ranks of one process need none
  inThreads(all_ranks, [&](int rank) { EACH_OK(ncclCommResume(all.comms[rank])); });
  CHECK_EQ(statistic(comm, ncclStatGpuMemSuspended), 0u);
  inThreads(all_ranks,
            [&](int rank) { testComm(all.comms[rank], rank, rank, ranks, sumOf(all_ranks)); });
}

/// A process of three, which hold memory that all share.
int runProcess(char **argv) {
  const int rank = std::atoi(argv[1]);
  const ncclComm_t comm = joinProcesses(argv, 3);
  const size_t count = 1 << 20;
  Buffer data(0, ncclInt32, count);
  for (int round = 0; round < 5; ++round) {
    data.write(std::vector<double>(count, rank + 1));
    OK(ncclAllReduce(data, data, count, ncclInt32, ncclSum, comm, nullptr));
    compare(data.read(), std::vector<double>(count, 6), "a sum");
    const uint64_t used = statistic(comm, ncclStatGpuMemSuspend);
    CHECK(used >= 64 << 10);
    CHECK_EQ(statistic(comm, ncclStatGpuMemTotal), used + statistic(comm, ncclStatGpuMemPersist));
    OK(ncclCommSuspend(comm, NCCL_SUSPEND_MEM));
    CHECK_EQ(statistic(comm, ncclStatGpuMemSuspend), 0u);
    CHECK_EQ(statistic(comm, ncclStatGpuMemSuspended), 1u);
    OK(ncclCommResume(comm));
  }
  OK(ncclCommDestroy(comm));
  return check::result();
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 4) {
    if (std::strcmp(argv[3], "sockets") == 0)
      setenv("NCCL_SHM_DISABLE", "1", 1);
    return runProcess(argv);
  }
  testGrow();
  testGrowWrong();
  testRevoke(true);
  testRevoke(false);
  testRevokeWrong();
  testSuspend();
  for (const char *by : {"memory", "sockets"})
    CHECK(inProcesses(3, by) == std::vector<int>(3, 0));
  RETURN_RESULT();
}
