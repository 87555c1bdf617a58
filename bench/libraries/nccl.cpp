// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ncclAllReduce beside Open MPI's MPI_Allreduce on the same device memory, in the same run: 64 MB
// of floats, or as many bytes as the argument says.
//
//   heddlecc -O2 bench/libraries/nccl.cpp -ccbin mpicxx -lnccl -o nccl
//   mpirun --allow-run-as-root --oversubscribe -np 4 ./nccl
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <mpi.h>
#include <nccl.h>
#include <vector>

namespace {

template <class Function> double bestSeconds(int rounds, Function function) {
  double best = 1e9;
  for (int round = 0; round < rounds; ++round) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    function();
    double seconds = MPI_Wtime() - start, slowest = 0;
    MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    best = std::min(best, slowest);
  }
  return best;
}

void check(int result, const char *call) {
  if (result == 0)
    return;
  std::fprintf(stderr, "%s failed: %d\n", call, result);
  MPI_Abort(MPI_COMM_WORLD, 1);
}
#define CHECK(call) check(int(call), #call)

} // namespace

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const size_t bytes = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 64 << 20;
  const size_t count = bytes / sizeof(float);

  ncclUniqueId id;
  if (rank == 0)
    CHECK(ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  ncclComm_t comm;
  CHECK(ncclCommInitRank(&comm, ranks, id, rank));

  float *input, *output;
  CHECK(cudaMalloc(&input, bytes));
  CHECK(cudaMalloc(&output, bytes));
  std::vector<float> host(count, float(rank + 1));
  CHECK(cudaMemcpy(input, host.data(), bytes, cudaMemcpyHostToDevice));
  const auto good = [&] {
    CHECK(cudaMemcpy(host.data(), output, bytes, cudaMemcpyDeviceToHost));
    CHECK(cudaMemset(output, 0, bytes));
    const float sum = float(ranks * (ranks + 1) / 2);
    return std::all_of(host.begin(), host.end(), [sum](float value) { return value == sum; });
  };

  const int rounds = bytes > 1 << 20 ? 15 : 200;
  // In turns, so that both have the same share of what else the machine does.
  double mpi = 1e9, nccl = 1e9;
  bool right = true;
  for (int turn = 0; turn < 3; ++turn) {
    mpi = std::min(mpi, bestSeconds(rounds, [&] {
                     MPI_Allreduce(input, output, int(count), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
                   }));
    right = good() && right;
    nccl = std::min(nccl, bestSeconds(rounds, [&] {
                      CHECK(ncclAllReduce(input, output, count, ncclFloat, ncclSum, comm, nullptr));
                      CHECK(cudaStreamSynchronize(nullptr));
                    }));
    right = good() && right;
  }
  check(right ? 0 : 1, "the comparison of the sums");
  if (rank == 0)
    std::printf(
        "all-reduce of %zu bytes over %d ranks: MPI_Allreduce %.3f ms, ncclAllReduce %.3f ms, "
        "ratio %.2f\n",
        bytes, ranks, mpi * 1e3, nccl * 1e3, mpi / nccl);
  CHECK(ncclCommDestroy(comm));
  MPI_Finalize();
}
