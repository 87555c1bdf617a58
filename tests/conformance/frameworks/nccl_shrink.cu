// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnccl
// env: HEDDLE_DEVICES=4
// hardware: skip it wants four GPUs, and NVIDIA's library waits for ever for ranks that have died
//
// ncclCommShrink: communicators without some ranks, of one that works, of one whose rank waits for
// what never comes, and of one that has lost a process.
#include "nccl_threads.h"

namespace {

constexpr int ranks = 4, count = 1000;

int placeOf(const std::vector<int> &which, int rank) {
  return int(std::find(which.begin(), which.end(), rank) - which.begin());
}

/// Two of the same parent, one of the child; the parent works on.
void testShrink() {
  const Ranks all;
  std::vector<ncclComm_t> first(ranks), second(ranks), grandchild(ranks);
  const std::vector<int> without_1 = {0, 2, 3}, without_0_2 = {1, 3}, of_child = {0, 3};
  inThreads(without_1, [&](int rank) {
    int excluded[] = {1};
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.shrinkShare = 0;
    const ncclResult_t result =
        ncclCommShrink(all.comms[rank], excluded, 1, &first[rank], &config, NCCL_SHRINK_DEFAULT);
    testComm(first[rank], rank, placeOf(without_1, rank), 3, sumOf(without_1));
    const std::lock_guard lock(check_mutex);
    OK(result);
  });
  inThreads(without_0_2, [&](int rank) {
    int excluded[] = {2, 0, 2};
    ncclCommShrink(all.comms[rank], excluded, 3, &second[rank], nullptr, NCCL_SHRINK_DEFAULT);
    testComm(second[rank], rank, placeOf(without_0_2, rank), 2, sumOf(without_0_2));
  });
  inThreads(of_child, [&](int rank) {
    int excluded[] = {1}; // which is rank 2 of the first
    ncclCommShrink(first[rank], excluded, 1, &grandchild[rank], nullptr, NCCL_SHRINK_DEFAULT);
    testComm(grandchild[rank], rank, placeOf(of_child, rank), 2, sumOf(of_child));
  });
  inThreads({0, 1, 2, 3},
            [&](int rank) { testComm(all.comms[rank], rank, rank, ranks, sumOf({0, 1, 2, 3})); });
  for (const auto *comms : {&first, &second, &grandchild})
    for (const ncclComm_t comm : *comms)
      OK(ncclCommDestroy(comm));
}

/// One thread makes all ranks of it, in a group.
void testGroup() {
  const Ranks all;
  std::vector<ncclComm_t> children(ranks);
  int excluded[] = {3};
  OK(ncclGroupStart());
  for (int rank = 0; rank < 3; ++rank)
    OK(ncclCommShrink(all.comms[rank], excluded, 1, &children[rank], nullptr, NCCL_SHRINK_DEFAULT));
  OK(ncclGroupEnd());
  inThreads({0, 1, 2},
            [&](int rank) { testComm(children[rank], rank, rank, 3, sumOf({0, 1, 2})); });
  for (const ncclComm_t comm : children)
    OK(ncclCommDestroy(comm));
}

/// A rank waits for one that will never send.
void testAbort() {
  const Ranks all;
  const std::vector<int> left = {0, 1, 2};
  std::vector<ncclComm_t> children(ranks);
  inThreads(left, [&](int rank) {
    const Buffer data(rank, ncclInt32, 100);
    if (rank == 0)
      ncclRecv(data, 100, ncclInt32, 3, all.comms[0], all.streams[0]);
    int excluded[] = {3};
    ncclCommShrink(all.comms[rank], excluded, 1, &children[rank], nullptr, NCCL_SHRINK_ABORT);
    cudaStreamSynchronize(all.streams[rank]);
    testComm(children[rank], rank, rank, 3, sumOf(left));
    // The parent is not used any more.
    const ncclResult_t parent =
        ncclAllReduce(data, data, 100, ncclInt32, ncclSum, all.comms[rank], all.streams[rank]);
    const std::lock_guard lock(check_mutex);
    CHECK(parent != ncclSuccess);
  });
  for (const ncclComm_t comm : children)
    OK(ncclCommDestroy(comm));
}

void testWrong() {
  const Ranks all;
  ncclComm_t child;
  int own[] = {0}, none[] = {4}, other[] = {1};
  const ncclComm_t comm = all.comms[0];
  CHECK_EQ(ncclCommShrink(comm, own, 1, &child, nullptr, NCCL_SHRINK_DEFAULT), ncclInvalidUsage);
  CHECK_EQ(ncclCommShrink(comm, none, 1, &child, nullptr, NCCL_SHRINK_DEFAULT),
           ncclInvalidArgument);
  CHECK_EQ(ncclCommShrink(comm, other, 0, &child, nullptr, NCCL_SHRINK_DEFAULT),
           ncclInvalidArgument);
  CHECK_EQ(ncclCommShrink(comm, nullptr, 1, &child, nullptr, NCCL_SHRINK_DEFAULT),
           ncclInvalidArgument);
  CHECK_EQ(ncclCommShrink(comm, other, 1, &child, nullptr, 7), ncclInvalidArgument);
  CHECK_EQ(ncclCommShrink(comm, other, 1, nullptr, nullptr, 0), ncclInvalidArgument);
  CHECK_EQ(ncclCommShrink(nullptr, other, 1, &child, nullptr, 0), ncclInvalidArgument);
  CHECK_EQ(child, static_cast<ncclComm_t>(nullptr));
}

/// A process of four; the first one dies, the others notice and go on without it.
int runProcess(char **argv) {
  const int rank = std::atoi(argv[1]);
  ncclComm_t comm = joinProcesses(argv, ranks), child;
  testComm(comm, rank, rank, ranks, sumOf({0, 1, 2, 3}));
  if (rank == 0)
    _exit(7);
  const Buffer data(0, ncclInt32, count);
  ncclAllReduce(data, data, count, ncclInt32, ncclSum, comm, nullptr);
  CHECK_CUDA(cudaDeviceSynchronize());
  ncclResult_t state = ncclSuccess;
  OK(ncclCommGetAsyncError(comm, &state));
  CHECK_EQ(state, ncclRemoteError);
  int excluded[] = {0};
  CHECK_EQ(ncclCommShrink(comm, excluded, 1, &child, nullptr, NCCL_SHRINK_DEFAULT),
           ncclRemoteError);
  OK(ncclCommShrink(comm, excluded, 1, &child, nullptr, NCCL_SHRINK_ABORT));
  testComm(child, rank, rank - 1, 3, sumOf({1, 2, 3}));
  OK(ncclCommAbort(comm));
  OK(ncclCommDestroy(child));
  return check::result();
}

void testProcesses() {
  const std::vector<int> results = inProcesses(ranks, "shrink");
  for (int rank = 0; rank < ranks; ++rank)
    CHECK_EQ(results[rank], rank == 0 ? 7 : 0);
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 4)
    return runProcess(argv);
  testShrink();
  testGroup();
  testAbort();
  testWrong();
  testProcesses();
  RETURN_RESULT();
}
