// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnccl
// hardware: skip it wants four GPUs, and NVIDIA's library waits for ever for ranks that have died
//
// NCCL between processes of one host, by shared memory and by sockets: the program runs itself once
// for each process. What becomes of ranks when another one dies, leaves or calls something else.
#include "nccl_check.h"

#include <arpa/inet.h>
#include <csignal>
#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

/// What a process is told: the ranks that it has are those from `first` on.
struct Task {
  std::string what;
  int first = 0, here = 1, ranks = 4;
  ncclUniqueId id;
};

/// The ranks of this process, each on a device of its own.
struct Here {
  const Task &task;
  std::vector<ncclComm_t> comms;
  std::vector<cudaStream_t> streams;

  explicit Here(const Task &task) : task(task), comms(task.here), streams(task.here) {
    OK(ncclGroupStart());
    for (int i = 0; i < task.here; ++i) {
      CHECK_CUDA(cudaSetDevice(i));
      CHECK_CUDA(cudaStreamCreate(&streams[i]));
      OK(ncclCommInitRank(&comms[i], task.ranks, task.id, task.first + i));
    }
    OK(ncclGroupEnd());
  }
  template <class Function> void group(Function function) const {
    OK(ncclGroupStart());
    for (int i = 0; i < task.here; ++i)
      function(i, task.first + i, comms[i], streams[i]);
    OK(ncclGroupEnd());
  }
  void destroy() {
    for (const ncclComm_t comm : comms)
      OK(ncclCommDestroy(comm));
  }
};

void testCollectives(const Here &here, ncclDataType_t type, ncclRedOp_t op, size_t count) {
  const size_t ranks = here.task.ranks;
  const int root = int(count % ranks);
  std::vector<Buffer> in, sum, at_root, scattered, gathered, sent;
  for (int i = 0; i < here.task.here; ++i) {
    in.emplace_back(i, type, elements(type, here.task.first + i, count * ranks));
    for (auto *buffers : {&sum, &at_root, &gathered})
      buffers->emplace_back(i, type, count * ranks);
    scattered.emplace_back(i, type, count);
    sent.emplace_back(i, type, elements(type, here.task.first + i, count));
  }
  here.group([&](int i, int, ncclComm_t comm, cudaStream_t stream) {
    OK(ncclAllReduce(in[i], sum[i], count * ranks, type, op, comm, stream));
    OK(ncclReduce(in[i], at_root[i], count * ranks, type, op, root, comm, stream));
    OK(ncclReduceScatter(in[i], scattered[i], count, type, op, comm, stream));
    OK(ncclAllGather(in[i], gathered[i], count, type, comm, stream));
    OK(ncclBcast(sent[i], count, type, root, comm, stream));
  });
  std::vector<double> all(count * ranks), parts;
  for (size_t k = 0; k < all.size(); ++k)
    all[k] = expected(type, op, int(ranks), k);
  for (size_t rank = 0; rank < ranks; ++rank) {
    const auto part = elements(type, int(rank), count);
    parts.insert(parts.end(), part.begin(), part.end());
  }
  for (int i = 0; i < here.task.here; ++i) {
    const int rank = here.task.first + i;
    compare(sum[i].read(), all, "ncclAllReduce");
    if (rank == root)
      compare(at_root[i].read(), all, "ncclReduce");
    compare(scattered[i].read(), {all.begin() + count * rank, all.begin() + count * (rank + 1)},
            "ncclReduceScatter");
    compare(gathered[i].read(), parts, "ncclAllGather");
    compare(sent[i].read(), elements(type, root, count), "ncclBcast");
  }
}

void testExchange(const Here &here) {
  const size_t most = 300000;
  const auto size = [&](int from, int to) { return size_t(1000 + 70000 * from + to); };
  std::vector<Buffer> in, out;
  for (int i = 0; i < here.task.here; ++i) {
    in.emplace_back(i, ncclFloat, elements(ncclFloat, here.task.first + i, most * here.task.ranks));
    out.emplace_back(i, ncclFloat, most * here.task.ranks);
  }
  here.group([&](int i, int rank, ncclComm_t comm, cudaStream_t stream) {
    for (int other = 0; other < here.task.ranks; ++other) {
      OK(ncclSend(in[i].at(most * other), size(rank, other), ncclFloat, other, comm, stream));
      OK(ncclRecv(out[i].at(most * other), size(other, rank), ncclFloat, other, comm, stream));
    }
  });
  for (int i = 0; i < here.task.here; ++i) {
    const auto result = out[i].read();
    const int rank = here.task.first + i;
    for (int other = 0; other < here.task.ranks; ++other) {
      const auto all = elements(ncclFloat, other, most * here.task.ranks);
      const auto got = result.begin() + most * other, sent = all.begin() + most * rank;
      compare({got, got + size(other, rank)}, {sent, sent + size(other, rank)}, "received");
    }
  }
}

void testSplit(const Here &here) {
  std::vector<ncclComm_t> children(here.task.here);
  here.group([&](int i, int rank, ncclComm_t comm, cudaStream_t) {
    OK(ncclCommSplit(comm, rank == 1 ? NCCL_SPLIT_NOCOLOR : 3, -rank, &children[i], nullptr));
  });
  std::vector<Buffer> data;
  for (int i = 0; i < here.task.here; ++i)
    data.emplace_back(i, ncclInt64, std::vector<double>{here.task.first + i + 1.0});
  double sum = 0;
  for (int rank = 0; rank < here.task.ranks; ++rank)
    sum += rank == 1 ? 0 : rank + 1;
  here.group([&](int i, int rank, ncclComm_t, cudaStream_t stream) {
    int count = 0, own = -1;
    CHECK_EQ(children[i] == nullptr, rank == 1);
    if (!children[i])
      return;
    OK(ncclCommCount(children[i], &count));
    OK(ncclCommUserRank(children[i], &own));
    CHECK_EQ(count, here.task.ranks - 1);
    CHECK_EQ(own, here.task.ranks - 1 - rank - (rank < 1));
    OK(ncclAllReduce(data[i], data[i], 1, ncclInt64, ncclSum, children[i], stream));
  });
  for (int i = 0; i < here.task.here; ++i) {
    if (children[i])
      CHECK_EQ(data[i].read()[0], sum);
    OK(ncclCommDestroy(children[i]));
  }
}

void collectives(const Task &task) {
  Here here(task);
  testCollectives(here, ncclFloat, ncclSum, 3);
  testCollectives(here, ncclFloat, ncclSum, 250007);
  testCollectives(here, ncclInt8, ncclMin, 70001);
  testCollectives(here, ncclFloat16, ncclAvg, 1001);
  testCollectives(here, ncclDouble, ncclProd, 9);
  testExchange(here);
  testSplit(here);
  testCollectives(here, ncclBfloat16, ncclMax, 4099);
  here.destroy();
}

/// All ranks but one sum until they fail, which they must.
void outlive(const Task &task, int mortal, void (*die)(const Here &, void *)) {
  Here here(task);
  const size_t count = 1 << 20;
  const Buffer data(0, ncclFloat, elements(ncclFloat, task.first, count));
  OK(ncclAllReduce(data, data, count, ncclFloat, ncclMax, here.comms[0], here.streams[0]));
  CHECK_CUDA(cudaStreamSynchronize(here.streams[0]));
  if (task.first == mortal) {
    die(here, data);
    return;
  }
  ncclResult_t state = ncclSuccess, result = ncclSuccess;
  for (int i = 0; i < 100 && result == ncclSuccess; ++i) {
    result = ncclAllReduce(data, data, count, ncclFloat, ncclMax, here.comms[0], here.streams[0]);
    CHECK_CUDA(cudaStreamSynchronize(here.streams[0]));
    OK(ncclCommGetAsyncError(here.comms[0], &state));
  }
  CHECK(state == ncclRemoteError || state == ncclSystemError);
  CHECK_EQ(result, state);
  CHECK(std::strlen(ncclGetLastError(here.comms[0])) > 0);
  OK(ncclCommAbort(here.comms[0]));
}

void death(const Task &task) {
  outlive(task, 2, [](const Here &, void *) { std::_Exit(check::result()); });
}

// In the middle of an operation.
void violentDeath(const Task &task) {
  outlive(task, 1, [](const Here &here, void *data) {
    OK(ncclAllReduce(data, data, 1 << 20, ncclFloat, ncclMax, here.comms[0], here.streams[0]));
    raise(SIGKILL);
  });
}

void leaving(const Task &task) {
  outlive(task, 3, [](const Here &here, void *data) {
    OK(ncclCommAbort(here.comms[0]));
    // What was destroyed is refused.
    ncclResult_t state;
    CHECK_EQ(ncclCommGetAsyncError(here.comms[0], &state), ncclInvalidArgument);
    CHECK_EQ(ncclAllReduce(data, data, 1, ncclInt8, ncclSum, here.comms[0], nullptr),
             ncclInvalidArgument);
    CHECK_EQ(ncclCommDestroy(here.comms[0]), ncclInvalidArgument);
  });
}

// One rank sums fewer numbers.
void disagreement(const Task &task) {
  Here here(task);
  const Buffer data(0, ncclFloat, 200);
  OK(ncclAllReduce(data, data, task.first == 0 ? 100 : 200, ncclFloat, ncclSum, here.comms[0],
                   here.streams[0]));
  CHECK_CUDA(cudaStreamSynchronize(here.streams[0]));
  ncclResult_t state = ncclSuccess;
  OK(ncclCommGetAsyncError(here.comms[0], &state));
  CHECK(state == ncclInvalidUsage || state == ncclRemoteError);
  OK(ncclCommDestroy(here.comms[0]));
}

void sameRank(const Task &task) {
  ncclComm_t comm = nullptr;
  const ncclResult_t result =
      ncclCommInitRank(&comm, task.ranks, task.id, std::min(task.first, task.ranks - 2));
  CHECK(result == ncclInvalidUsage || result == ncclRemoteError || result == ncclSystemError);
  CHECK_EQ(comm, static_cast<ncclComm_t>(nullptr));
  CHECK_EQ(ncclCommInitRank(&comm, 1, ncclUniqueId(), 0), ncclInvalidArgument); // none of NCCL's
}

// A rank that waits for others gives up when the program says so.
void abortedStart(const Task &task) {
  ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
  config.blocking = 0;
  ncclComm_t comm = nullptr;
  ncclResult_t state = ncclSuccess;
  int count = 0;
  const Buffer data(0, ncclFloat, 10);
  CHECK_EQ(ncclCommInitRankConfig(&comm, task.ranks + 1, task.id, task.first, &config),
           ncclInProgress);
  OK(ncclCommGetAsyncError(comm, &state));
  CHECK_EQ(state, ncclInProgress);
  CHECK_EQ(ncclAllReduce(data, data, 10, ncclFloat, ncclSum, comm, nullptr), ncclInvalidArgument);
  CHECK_EQ(ncclCommCount(comm, &count), ncclInvalidArgument);
  OK(ncclCommAbort(comm));
}

// Buffers that are not there, or not on the communicator's device.
void pointers(const Task &task) {
  Here here(task);
  const Buffer first(0, ncclFloat, 4), second(1, ncclFloat, 4);
  float on_stack[4];
  const auto sum = [&](const void *in, void *out) {
    return ncclAllReduce(in, out, 4, ncclFloat, ncclSum, here.comms[1], here.streams[1]);
  };
  CHECK_EQ(sum(nullptr, second), ncclInvalidArgument);
  CHECK_EQ(sum(second, nullptr), ncclInvalidArgument);
  CHECK_EQ(sum(first, second), ncclInvalidArgument);
  CHECK_EQ(sum(second, on_stack), ncclInvalidArgument);
  CHECK_EQ(ncclAllReduce(second, second, SIZE_MAX / 2, ncclFloat, ncclSum, here.comms[1], nullptr),
           ncclInvalidArgument);
  testCollectives(here, ncclFloat, ncclSum, 10); // the rest is well
  here.destroy();
}

void byVariable(const Task &task) {
  Task own = task;
  OK(ncclGetUniqueId(&own.id)); // NCCL_COMM_ID, the same in each process
  Here here(own);
  testCollectives(here, ncclFloat, ncclSum, 1000);
  here.destroy();
}

const struct {
  const char *name;
  void (*run)(const Task &);
} tasks[] = {{"collectives", collectives},   {"death", death},
             {"violentDeath", violentDeath}, {"leaving", leaving},
             {"disagreement", disagreement}, {"sameRank", sameRank},
             {"abortedStart", abortedStart}, {"pointers", pointers},
             {"byVariable", byVariable}};

int runTask(char **argv) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  alarm(200);
  Task task{argv[1], std::atoi(argv[2]), std::atoi(argv[3]), std::atoi(argv[4]), {}};
  for (size_t i = 0; i < sizeof task.id; ++i) {
    unsigned byte = 0;
    std::sscanf(argv[5] + 2 * i, "%2x", &byte);
    task.id.internal[i] = char(byte);
  }
  for (const auto &known : tasks)
    if (task.what == known.name)
      known.run(task);
  return check::result();
}

/// Runs a task in `processes` processes with so many ranks each; `killed` is one that dies. A "%"
/// in a variable's value stands for the number of the process.
void testTask(const char *what, int processes, int here, const char *variable = nullptr,
              const char *value = nullptr, int killed = -1) {
  ncclUniqueId id;
  OK(ncclGetUniqueId(&id));
  std::string hex;
  for (const char byte : id.internal) {
    char text[3];
    std::snprintf(text, sizeof text, "%02x", static_cast<unsigned char>(byte));
    hex += text;
  }
  const std::string devices = std::to_string(here), ranks = std::to_string(processes * here);
  setenv("HEDDLE_DEVICES", devices.c_str(), 1);
  if (variable)
    setenv(variable, value, 1);
  std::vector<pid_t> children;
  for (int i = 0; i < processes; ++i) {
    const std::string first = std::to_string(i * here);
    children.push_back(fork());
    if (children.back() == 0) {
      if (std::string text = variable ? value : ""; text.find('%') != std::string::npos)
        setenv(variable, text.replace(text.find('%'), 1, first).c_str(), 1);
      execl("/proc/self/exe", "nccl_processes", what, first.c_str(), devices.c_str(), ranks.c_str(),
            hex.c_str(), static_cast<char *>(nullptr));
      _exit(127);
    }
  }
  for (int i = 0; i < processes; ++i) {
    int status = -1;
    CHECK_EQ(waitpid(children[i], &status, 0), children[i]);
    CHECK_EQ(status, i == killed ? SIGKILL : 0);
    if (status != 0 && i != killed)
      std::fprintf(stderr, "  process %d of %s, %s=%s\n", i, what, variable ? variable : "",
                   variable ? value : "");
  }
  if (variable)
    unsetenv(variable);
}

std::string freeAddress() {
  const int socket_ = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  socklen_t size = sizeof address;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  CHECK_EQ(bind(socket_, reinterpret_cast<sockaddr *>(&address), size), 0);
  CHECK_EQ(getsockname(socket_, reinterpret_cast<sockaddr *>(&address), &size), 0);
  close(socket_);
  return "127.0.0.1:" + std::to_string(ntohs(address.sin_port));
}

} // namespace

int main(int argc, char **argv) {
  if (argc == 6)
    return runTask(argv);
  testTask("collectives", 4, 1);
  testTask("collectives", 2, 2);
  testTask("collectives", 4, 1, "NCCL_SHM_DISABLE", "1");
  testTask("collectives", 2, 2, "NCCL_SHM_DISABLE", "1");
  testTask("collectives", 2, 2, "NCCL_HOSTID", "host %");
  testTask("collectives", 2, 1, "NCCL_SOCKET_IFNAME", "=lo");
  for (const char *disabled : {"0", "1"}) {
    testTask("death", 4, 1, "NCCL_SHM_DISABLE", disabled);
    testTask("violentDeath", 4, 1, "NCCL_SHM_DISABLE", disabled, 1);
    testTask("leaving", 4, 1, "NCCL_SHM_DISABLE", disabled);
  }
  testTask("disagreement", 4, 1);
  testTask("sameRank", 4, 1);
  testTask("abortedStart", 1, 1);
  testTask("pointers", 1, 2, "NCCL_CHECK_POINTERS", "1");
  testTask("byVariable", 4, 1, "NCCL_COMM_ID", freeAddress().c_str());
  RETURN_RESULT();
}
