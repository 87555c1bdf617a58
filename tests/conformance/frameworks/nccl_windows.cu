// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnccl
// env: HEDDLE_DEVICES=4
// hardware: skip it wants four GPUs, and one-sided operations without NVLink need a network
//
// Windows and one-sided operations: where ranks find each other's memory, puts, signals and waits
// for them, in threads, in groups, in graphs and between processes.
#include "nccl_threads.h"

#include <nccl_device.h>

namespace {

constexpr int ranks = 4, length = 1024, bytes = length * 4, rounds = 50;
const std::vector<int> all_ranks = {0, 1, 2, 3};

int next(int rank) { return (rank + 1) % ranks; }
int previous(int rank) { return (rank + ranks - 1) % ranks; }

__global__ void fill(int *data, int value) { data[blockIdx.x * blockDim.x + threadIdx.x] = value; }

/// Four ranks with a window each.
struct Windows : Ranks {
  std::vector<int *> data = std::vector<int *>(4);
  std::vector<ncclWindow_t> windows = std::vector<ncclWindow_t>(4);

  Windows() {
    inThreads(all_ranks, [&](int rank) {
      EACH_OK(ncclMemAlloc(reinterpret_cast<void **>(&data[rank]), ranks * bytes));
      EACH_CUDA(cudaMemset(data[rank], 0, ranks * bytes));
      EACH_OK(ncclCommWindowRegister(comms[rank], data[rank], ranks * bytes, &windows[rank],
                                     NCCL_WIN_COLL_SYMMETRIC));
    });
  }
  ~Windows() {
    inThreads(all_ranks, [&](int rank) {
      EACH_CUDA(cudaStreamSynchronize(streams[rank]));
      EACH_OK(ncclCommWindowDeregister(comms[rank], windows[rank]));
      EACH_OK(ncclMemFree(data[rank]));
    });
  }
  ncclResult_t put(const int *from, int rank, int peer, cudaStream_t stream) const {
    return ncclPutSignal(from, length, ncclInt32, peer, windows[rank], size_t(rank) * bytes, 0, 0,
                         0, comms[rank], stream);
  }
  ncclResult_t wait(int rank, int peer, int signals, cudaStream_t stream) const {
    ncclWaitSignalDesc_t awaited = {signals, peer, 0, 0};
    return ncclWaitSignal(1, &awaited, comms[rank], stream);
  }
};

void testPointers() {
  const Windows all;
  for (int rank = 0; rank < ranks; ++rank) {
    void *found = nullptr;
    OK(ncclWinGetUserPtr(all.comms[rank], all.windows[rank], &found));
    CHECK(found == all.data[rank]);
    for (int peer = 0; peer < ranks; ++peer) {
      OK(ncclGetPeerDevicePointer(all.windows[rank], 16, peer, &found));
      CHECK(found == all.data[peer] + 4);
    }
    found = all.data[rank];
    OK(ncclGetLsaMultimemDevicePointer(all.windows[rank], 0, &found)); // there is none
    CHECK(found == nullptr);
  }
  void *found = nullptr;
  const ncclWindow_t none = nullptr;
  CHECK_EQ(ncclGetPeerDevicePointer(all.windows[0], 0, ranks, &found), ncclInvalidArgument);
  CHECK_EQ(ncclGetPeerDevicePointer(all.windows[0], ranks * bytes, 1, &found), ncclInvalidArgument);
  CHECK_EQ(ncclGetPeerDevicePointer(none, 0, 1, &found), ncclInvalidArgument);
  CHECK_EQ(ncclWinGetUserPtr(all.comms[1], all.windows[0], &found), ncclInvalidArgument);
  CHECK_EQ(ncclCommWindowDeregister(all.comms[1], all.windows[0]), ncclInvalidArgument);
}

/// One thread, two windows of each rank, which do not get mixed up.
void testRegisteredInGroup() {
  const Ranks all;
  const auto first = all.buffers(ncclInt32, length), second = all.buffers(ncclInt32, 2 * length);
  std::vector<ncclWindow_t> windows(2 * ranks);
  all.group([&](int rank, ncclComm_t comm, cudaStream_t) {
    OK(ncclCommWindowRegister(comm, first[rank], bytes, &windows[rank], NCCL_WIN_DEFAULT));
    OK(ncclCommWindowRegister(comm, second[rank], 2 * bytes, &windows[ranks + rank],
                              NCCL_WIN_STRICT_ORDERING));
  });
  for (int rank = 0; rank < ranks; ++rank)
    for (int peer = 0; peer < ranks; ++peer) {
      void *found[2];
      OK(ncclGetPeerDevicePointer(windows[rank], 0, peer, &found[0]));
      OK(ncclGetPeerDevicePointer(windows[ranks + rank], bytes, peer, &found[1]));
      CHECK(found[0] == first[peer].at(0) && found[1] == second[peer].at(length));
    }
  OK(ncclCommWindowDeregister(all.comms[0], windows[0]));
  CHECK_EQ(ncclCommWindowDeregister(all.comms[0], windows[0]), ncclInvalidArgument);
  ncclWindow_t window = nullptr;
  const ncclComm_t comm = all.comms[0];
  CHECK_EQ(ncclCommWindowRegister(comm, nullptr, 400, &window, 0), ncclInvalidArgument);
  CHECK_EQ(ncclCommWindowRegister(comm, first[0], 0, &window, 0), ncclInvalidArgument);
  CHECK_EQ(ncclCommWindowRegister(comm, first[0], 400, nullptr, 0), ncclInvalidArgument);
  CHECK_EQ(ncclCommWindowRegister(comm, first[0], 400, &window, 8), ncclInvalidArgument);
}

/// Around the ring again and again, in the order of the streams alone: a rank writes to the next
/// one when that has read what it had.
void testRounds() {
  const Windows all;
  inThreads(all_ranks, [&](int rank) {
    const cudaStream_t stream = all.streams[rank];
    const Buffer own(rank, ncclInt32, length), got(rank, ncclInt32, rounds);
    for (int round = 0; round < rounds; ++round) {
      fill<<<length / 256, 256, 0, stream>>>(static_cast<int *>(static_cast<void *>(own)),
                                             100 * round + rank);
      EACH_OK(all.put(static_cast<int *>(static_cast<void *>(own)), rank, next(rank), stream));
      EACH_OK(all.wait(rank, previous(rank), 1, stream));
      // The last element is written last.
      EACH_CUDA(cudaMemcpyAsync(got.at(size_t(round)),
                                all.data[rank] + previous(rank) * length + length - 1, 4,
                                cudaMemcpyDeviceToDevice, stream));
      EACH_OK(ncclSignal(previous(rank), 0, 1, 0, all.comms[rank], stream));
      ncclWaitSignalDesc_t read = {1, next(rank), 0, 1};
      EACH_OK(ncclWaitSignal(1, &read, all.comms[rank], stream));
    }
    EACH_CUDA(cudaStreamSynchronize(stream));
    std::vector<double> wanted;
    for (int round = 0; round < rounds; ++round)
      wanted.push_back(100 * round + previous(rank));
    const std::vector<double> values = got.read();
    const std::lock_guard lock(check_mutex);
    compare(values, wanted, "received");
  });
}

/// All to all, of one thread: waits do not keep puts of their group back.
void testGroup() {
  const Windows all;
  const auto own = all.buffers(ncclInt32, length);
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK_CUDA(cudaSetDevice(rank));
    fill<<<length / 256, 256, 0, all.streams[rank]>>>(
        static_cast<int *>(static_cast<void *>(own[rank])), 7 + rank);
  }
  all.group([&](int rank, ncclComm_t comm, cudaStream_t stream) {
    std::vector<ncclWaitSignalDesc_t> awaited;
    for (int peer = 0; peer < ranks; ++peer)
      awaited.push_back({1, peer, 0, 0});
    OK(ncclWaitSignal(ranks, awaited.data(), comm, stream));
    for (int peer = 0; peer < ranks; ++peer) // itself, too
      OK(all.put(static_cast<int *>(static_cast<void *>(own[rank])), rank, peer, stream));
  });
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<int> values(ranks * length);
    CHECK_CUDA(cudaStreamSynchronize(all.streams[rank]));
    CHECK_CUDA(cudaMemcpy(values.data(), all.data[rank], ranks * bytes, cudaMemcpyDeviceToHost));
    for (int peer = 0; peer < ranks; ++peer)
      CHECK(std::count(values.begin() + peer * length, values.begin() + (peer + 1) * length,
                       7 + peer) == length);
  }
}

/// A wait on one stream does not keep a signal on another one back; signals are counted.
void testStreams() {
  const Windows all;
  inThreads({0, 1}, [&](int rank) {
    cudaStream_t other;
    EACH_CUDA(cudaStreamCreate(&other));
    EACH_OK(all.wait(rank, 1 - rank, rounds, all.streams[rank]));
    for (int i = 0; i < rounds; ++i)
      EACH_OK(ncclSignal(1 - rank, 0, 0, 0, all.comms[rank], other));
    EACH_CUDA(cudaStreamSynchronize(all.streams[rank]));
    EACH_CUDA(cudaStreamSynchronize(other));
    EACH_CUDA(cudaStreamDestroy(other));
  });
}

void testGraph() {
  const Windows all;
  inThreads(all_ranks, [&](int rank) {
    const cudaStream_t stream = all.streams[rank];
    const Buffer own(rank, ncclInt32, std::vector<double>(length, 40 + rank));
    cudaGraph_t graph;
    cudaGraphExec_t executable;
    EACH_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    EACH_OK(all.put(static_cast<int *>(static_cast<void *>(own)), rank, next(rank), stream));
    EACH_OK(all.wait(rank, previous(rank), 1, stream));
    EACH_CUDA(cudaStreamEndCapture(stream, &graph));
    EACH_CUDA(cudaGraphInstantiate(&executable, graph, 0));
    for (int i = 0; i < 10; ++i)
      EACH_CUDA(cudaGraphLaunch(executable, stream));
    EACH_CUDA(cudaStreamSynchronize(stream));
    int value = 0;
    EACH_CUDA(cudaMemcpy(&value, all.data[rank] + previous(rank) * length, 4, cudaMemcpyDefault));
    EACH_EQ(value, 40 + previous(rank));
    EACH_CUDA(cudaGraphExecDestroy(executable));
    EACH_CUDA(cudaGraphDestroy(graph));
  });
}

void testWrong() {
  const Windows all;
  const Ranks others;
  const Buffer own(0, ncclInt32, length);
  const ncclComm_t comm = all.comms[0];
  const auto put = [&](int peer, size_t offset, int signal, int context, unsigned flags) {
    return ncclPutSignal(own, length, ncclInt32, peer, all.windows[0], offset, signal, context,
                         flags, comm, all.streams[0]);
  };
  CHECK_EQ(put(ranks, 0, 0, 0, 0), ncclInvalidArgument);
  CHECK_EQ(put(1, ranks * bytes - 4, 0, 0, 0), ncclInvalidArgument);
  CHECK_EQ(put(1, SIZE_MAX - 100, 0, 0, 0), ncclInvalidArgument);
  CHECK_EQ(put(1, 0, 1, 0, 0), ncclInvalidArgument);
  CHECK_EQ(put(1, 0, 0, 16, 0), ncclInvalidArgument);
  CHECK_EQ(put(1, 0, 0, 0, 1), ncclInvalidArgument);
  CHECK_EQ(ncclPutSignal(nullptr, length, ncclInt32, 1, all.windows[0], 0, 0, 0, 0, comm, nullptr),
           ncclInvalidArgument);
  CHECK_EQ(
      ncclPutSignal(own, SIZE_MAX / 2, ncclInt64, 1, all.windows[0], 0, 0, 0, 0, comm, nullptr),
      ncclInvalidArgument);
  CHECK_EQ(
      ncclPutSignal(own, 1, ncclInt32, 1, all.windows[0], 0, 0, 0, 0, others.comms[0], nullptr),
      ncclInvalidArgument);
  ncclWaitSignalDesc_t awaited = {-1, 1, 0, 0};
  CHECK_EQ(ncclWaitSignal(1, &awaited, comm, nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclWaitSignal(1, nullptr, comm, nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclWaitSignal(-1, &awaited, comm, nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclSignal(-1, 0, 0, 0, comm, nullptr), ncclInvalidArgument);
  // Kernels do not communicate.
  CHECK_EQ(ncclDevCommCreate(comm, nullptr, nullptr), ncclInvalidUsage);
  CHECK(std::strstr(ncclGetLastError(comm), "kernels") != nullptr);
  CHECK_EQ(ncclDevCommDestroy(comm, nullptr), ncclInvalidUsage);
}

/// What waits for a signal that never comes ends with the communicator, and with the peer.
void testEnds() {
  std::vector<ncclComm_t> comms(ranks);
  OK(ncclCommInitAll(comms.data(), ranks, nullptr));
  ncclWaitSignalDesc_t awaited = {1, 1, 0, 0};
  CHECK_CUDA(cudaSetDevice(0));
  OK(ncclWaitSignal(1, &awaited, comms[0], nullptr));
  awaited.peer = 0;
  CHECK_CUDA(cudaSetDevice(2));
  OK(ncclWaitSignal(1, &awaited, comms[2], nullptr));
  CHECK_EQ(cudaStreamQuery(nullptr), cudaErrorNotReady);
  OK(ncclCommAbort(comms[0]));
  CHECK_CUDA(cudaDeviceSynchronize());
  ncclResult_t state = ncclSuccess;
  OK(ncclCommGetAsyncError(comms[2], &state));
  CHECK_EQ(state, ncclRemoteError);
  for (int rank = 1; rank < ranks; ++rank)
    OK(ncclCommAbort(comms[rank]));
}

/// A process of two: puts, memory of the other one for kernels, and the end of the peer.
int runProcess(char **argv) {
  const int rank = std::atoi(argv[1]), peer = 1 - rank;
  const ncclComm_t comm = joinProcesses(argv, 2);
  int *data, *spare, *found = nullptr;
  CHECK_CUDA(cudaMalloc(&spare, 3 * bytes));
  CHECK_CUDA(cudaMalloc(&data, 3 * bytes));
  CHECK_CUDA(cudaMemset(data, 0, 3 * bytes));
  ncclWindow_t window, second;
  OK(ncclCommWindowRegister(comm, data + length, 2 * bytes, &window, NCCL_WIN_COLL_SYMMETRIC));
  OK(ncclCommWindowRegister(comm, spare, bytes, &second, NCCL_WIN_COLL_SYMMETRIC));
  OK(ncclGetPeerDevicePointer(window, 0, peer, reinterpret_cast<void **>(&found)));
  CHECK(found != nullptr);
  ncclWaitSignalDesc_t awaited = {1, peer, 0, 0};
  for (int round = 0; round < rounds; ++round) {
    fill<<<length / 256, 256>>>(spare, 1000 * rank + round);
    OK(ncclPutSignal(spare, length, ncclInt32, peer, window, bytes, 0, 0, 0, comm, nullptr));
    OK(ncclWaitSignal(1, &awaited, comm, nullptr));
    int got[2] = {};
    CHECK_CUDA(cudaMemcpy(&got[0], data + 2 * length, 4, cudaMemcpyDeviceToHost));
    CHECK_CUDA(cudaMemcpy(&got[1], data + 3 * length - 1, 4, cudaMemcpyDeviceToHost));
    CHECK_EQ(got[0], 1000 * peer + round);
    CHECK_EQ(got[1], 1000 * peer + round);
    OK(ncclSignal(peer, 0, 0, 0, comm, nullptr));
    OK(ncclWaitSignal(1, &awaited, comm, nullptr));
  }
  fill<<<length / 256, 256>>>(found, 77 + rank); // in the peer's memory
  OK(ncclSignal(peer, 0, 0, 0, comm, nullptr));
  OK(ncclWaitSignal(1, &awaited, comm, nullptr));
  int got[2] = {};
  CHECK_CUDA(cudaMemcpy(&got[0], data + length - 1, 4, cudaMemcpyDeviceToHost));
  CHECK_CUDA(cudaMemcpy(&got[1], data + length, 4, cudaMemcpyDeviceToHost));
  CHECK_EQ(got[0], 0); // is outside of the window
  CHECK_EQ(got[1], 77 + peer);
  OK(ncclCommWindowDeregister(comm, second));
  OK(ncclSignal(peer, 0, 0, 0, comm, nullptr));
  OK(ncclWaitSignal(1, &awaited, comm, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  if (rank == 0)
    _exit(check::result() == 0 ? 7 : 1);
  OK(ncclWaitSignal(1, &awaited, comm, nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  ncclResult_t state = ncclSuccess;
  OK(ncclCommGetAsyncError(comm, &state));
  CHECK_EQ(state, ncclRemoteError);
  OK(ncclCommAbort(comm));
  return check::result();
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 4)
    return runProcess(argv);
  testPointers();
  testRegisteredInGroup();
  testRounds();
  testGroup();
  testStreams();
  testGraph();
  testWrong();
  testEnds();
  const std::vector<int> results = inProcesses(2, "windows");
  CHECK_EQ(results[0], 7);
  CHECK_EQ(results[1], 0);
  RETURN_RESULT();
}
