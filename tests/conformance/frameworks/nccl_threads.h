// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of NCCL's communicators share: ranks as threads and as processes.
#pragma once

#include "../libraries/nccl_check.h"

#include <functional>
#include <mutex>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

inline std::mutex check_mutex; // checks count without locks

// Checks of threads.
#define EACH_EQ(call, wanted)                                                                      \
  do {                                                                                             \
    const auto each_value = (call);                                                                \
    const std::lock_guard each_lock(check_mutex);                                                  \
    CHECK_EQ(each_value, wanted);                                                                  \
  } while (0)
#define EACH_OK(call) EACH_EQ(call, ncclSuccess)
#define EACH_CUDA(call) EACH_EQ(call, cudaSuccess)

inline void inThreads(const std::vector<int> &which, const std::function<void(int)> &function) {
  std::vector<std::thread> threads;
  for (const int rank : which)
    threads.emplace_back([&function, rank] {
      EACH_CUDA(cudaSetDevice(rank));
      function(rank);
    });
  for (auto &thread : threads)
    thread.join();
}

/// What ranks give to testComm, summed up.
inline int sumOf(const std::vector<int> &which) {
  int sum = 0;
  for (const int rank : which)
    sum += 10 + rank;
  return sum;
}

/// The communicator has this place, and sums what the ranks give, by their numbers in a parent.
inline void testComm(ncclComm_t comm, int parent_rank, int rank, int size, int expected) {
  constexpr int count = 1000;
  int device = -1, own_rank = -1, own_size = -1;
  ncclCommCuDevice(comm, &device);
  const ncclResult_t known[] = {ncclCommUserRank(comm, &own_rank), ncclCommCount(comm, &own_size)};
  cudaSetDevice(device);
  std::vector<double> sum;
  ncclResult_t result;
  {
    const Buffer data(device, ncclInt32, std::vector<double>(count, 10 + parent_rank));
    result = ncclAllReduce(data, data, count, ncclInt32, ncclSum, comm, nullptr);
    sum = data.read();
  }
  const std::lock_guard lock(check_mutex);
  OK(known[0]);
  OK(known[1]);
  OK(result);
  CHECK_EQ(own_rank, rank);
  CHECK_EQ(own_size, size);
  compare(sum, std::vector<double>(count, expected), "a sum");
}

/// Runs this program once for each rank, with the rank, an ID and `what` as arguments; what each
/// has exited with.
inline std::vector<int> inProcesses(int ranks, const char *what) {
  ncclUniqueId id;
  OK(ncclGetUniqueId(&id));
  std::string hex;
  for (const char byte : id.internal) {
    char text[3];
    std::snprintf(text, sizeof text, "%02x", static_cast<unsigned char>(byte));
    hex += text;
  }
  std::vector<pid_t> children;
  for (int rank = 0; rank < ranks; ++rank) {
    children.push_back(fork());
    if (children.back() == 0) {
      execl("/proc/self/exe", "rank", std::to_string(rank).c_str(), hex.c_str(), what,
            static_cast<char *>(nullptr));
      _exit(127);
    }
  }
  std::vector<int> results;
  for (const pid_t child : children) {
    int status = -1;
    CHECK_EQ(waitpid(child, &status, 0), child);
    results.push_back(WIFEXITED(status) ? WEXITSTATUS(status) : -1);
  }
  return results;
}

/// Such a process's communicator; it ends with its parent.
inline ncclComm_t joinProcesses(char **argv, int ranks) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(100);
  ncclUniqueId id;
  for (size_t i = 0; i < sizeof id; ++i) {
    unsigned byte = 0;
    std::sscanf(argv[2] + 2 * i, "%2x", &byte);
    id.internal[i] = char(byte);
  }
  ncclComm_t comm;
  OK(ncclCommInitRank(&comm, ranks, id, std::atoi(argv[1])));
  return comm;
}
