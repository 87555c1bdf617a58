# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of several processes: MPI with device pointers, NCCL that MPI sets up, and MPS's commands."""

import os
import shutil
import subprocess
import unittest

from cli import BUILD, CliTest, main

# Each rank computes on its device, and MPI sends and sums what lies there.
KERNELS = """\
#include "kernels.h"
__global__ void square(float *data, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) data[i] *= data[i];
}
bool squareAll(float *data, int count) {
  square<<<(count + 255) / 256, 256>>>(data, count);
  return cudaDeviceSynchronize() == cudaSuccess;
}
"""

HEADER = """\
#pragma once
#include <cuda_runtime.h>
bool squareAll(float *data, int count);
"""

MAIN = """\
#include "kernels.h"
#include <cstdio>
#include <mpi.h>
#include <vector>
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int count = 300000;
  std::vector<float> host(count, float(rank + 1));
  float *data, *other;
  cudaMalloc(&data, count * sizeof(float));
  cudaMalloc(&other, count * sizeof(float));
  cudaMemcpy(data, host.data(), count * sizeof(float), cudaMemcpyHostToDevice);
  bool good = squareAll(data, count);
  MPI_Sendrecv(data, count, MPI_FLOAT, (rank + 1) % ranks, 0, other, count, MPI_FLOAT,
               (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  cudaMemcpy(host.data(), other, count * sizeof(float), cudaMemcpyDeviceToHost);
  const int previous = (rank + ranks - 1) % ranks + 1;
  for (float value : host) good = good && value == float(previous * previous);
  MPI_Allreduce(data, other, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  cudaMemcpy(host.data(), other, count * sizeof(float), cudaMemcpyDeviceToHost);
  for (float value : host) good = good && value == 30;
  std::vector<float> all(ranks);
  MPI_Gather(data + count - 1, 1, MPI_FLOAT, all.data(), 1, MPI_FLOAT, 0, MPI_COMM_WORLD);
  if (rank == 0) good = good && all[3] == 16;
  int one = good, sum = 0;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d of %d ranks are right\\n", sum, ranks);
  MPI_Finalize();
  return sum != ranks;
}
"""

NCCL = """\
#include <cstdio>
#include <mpi.h>
#include <nccl.h>
#include <unistd.h>
#define NCCL(call) do { ncclResult_t r = call; if (r != ncclSuccess) { \\
  std::fprintf(stderr, "%s: %s\\n", #call, ncclGetErrorString(r)); MPI_Abort(MPI_COMM_WORLD, 1); } } while (0)
int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank, ranks, local;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm node;
  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &local);
  if (cudaSetDevice(local) != cudaSuccess) MPI_Abort(MPI_COMM_WORLD, 1);
  ncclUniqueId id;
  if (rank == 0) NCCL(ncclGetUniqueId(&id));
  MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, MPI_COMM_WORLD);
  ncclComm_t comm;
  NCCL(ncclCommInitRank(&comm, ranks, id, rank));
  int *data, device, sum = rank + 1;
  cudaMalloc(&data, sizeof(int));
  cudaMemcpy(data, &sum, sizeof(int), cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  NCCL(ncclAllReduce(data, data, 1, ncclInt, ncclSum, comm, stream));
  cudaStreamSynchronize(stream);
  cudaMemcpy(&sum, data, sizeof(int), cudaMemcpyDeviceToHost);
  NCCL(ncclCommCuDevice(comm, &device));
  NCCL(ncclCommDestroy(comm));
  int good = sum == ranks * (ranks + 1) / 2 && device == local, all = 0;
  MPI_Reduce(&good, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%d of %d\\n", all, ranks);
  MPI_Finalize();
}
"""

HAS_MPI = bool(shutil.which("mpirun") and shutil.which("mpicxx"))


class Communication(CliTest):
    def mpirun(self, *arguments, **settings):
        # Ranks give up the core while they wait, as several tests may run at once.
        environment = {"OMPI_MCA_mpi_yield_when_idle": "1", "OMPI_MCA_btl": "self,vader,tcp",
                       "OMPI_MCA_rmaps_base_oversubscribe": "1", **settings.pop("env", {})}
        return self.command("mpirun", "--allow-run-as-root", "--oversubscribe", "-np", "4",
                            *arguments, env=environment, **settings)

    @unittest.skipUnless(HAS_MPI, "Open MPI is not installed (openmpi-bin, libopenmpi-dev)")
    def test_device_pointers(self):
        self.write("kernels.h", HEADER)
        self.write("kernels.cu", KERNELS)
        self.write("main.cpp", MAIN)
        shown = self.expect(self.command("mpicxx", "-show")).out.split()
        flags = [word for word in shown[1:] if word.startswith(("-I", "-L", "-l"))]
        self.expect(self.heddlecc("-c", "kernels.cu", "-o", "kernels.o"), 0, "", "")
        for command in (
                ["heddlecc", "-ccbin", "mpicxx", "main.cpp", "kernels.cu"],
                ["heddlecc", "-ccbin=mpicxx", "-Xcompiler", "-Wall", "-x", "cu", "main.cpp", "kernels.cu"],
                ["heddlecc", *flags, "main.cpp", "kernels.cu"],
                ["mpicxx", f"-I{BUILD}/include", "main.cpp", "kernels.o", f"-L{BUILD}/lib", "-lcudart",
                 f"-Wl,-rpath,{BUILD}/lib"]):
            with self.subTest(command):
                self.expect(self.command(*command, "-o", "program"), 0)
                self.expect(self.mpirun("./program"), 0, "4 of 4 ranks are right\n")
                os.remove(self.work / "program")

    @unittest.skipUnless(HAS_MPI, "Open MPI is not installed (openmpi-bin, libopenmpi-dev)")
    def test_nccl_set_up_by_mpi(self):
        self.write("main.cu", NCCL)
        self.expect(self.heddlecc("-ccbin", "mpicxx", "main.cu", "-lnccl", "-o", "program"), 0)
        self.expect(self.mpirun("./program", env={"HEDDLE_DEVICES": "4"}), 0, "4 of 4\n")
        result = self.mpirun("./program", env={"HEDDLE_DEVICES": "4", "NCCL_DEBUG": "VERSION"})
        self.expect(result, 0, out_has=["NCCL version 2.", "4 of 4\n"])

    def test_wrapper_that_is_not_there(self):
        self.write("main.cpp", "int main() {}\n")
        self.expect(self.heddlecc("-ccbin", "/nowhere/mpicxx", "main.cpp"), 1, "",
                    err_has=["/nowhere/mpicxx", "libopenmpi-dev"])

    def test_second_names_of_nccl(self):
        symbols = self.expect(self.command("nm", "-D", "--defined-only", BUILD / "lib/libnccl.so.2")).out
        addresses = {line.split()[2].split("@")[0]: line.split()[0] for line in symbols.splitlines()}
        names = [name for name in addresses if name.startswith("nccl")]
        self.assertEqual(len(names), 54)
        for name in names:
            self.assertEqual(addresses["p" + name], addresses[name])
        self.assertEqual(len(addresses), 2 * len(names))

    def test_header_in_c(self):
        self.write("main.c", "#include <nccl.h>\nint main(void) {\n  ncclConfig_t c = NCCL_CONFIG_INITIALIZER;\n"
                             "  int version = 0;\n  return pncclGetVersion(&version) != ncclSuccess ||\n"
                             "         version != NCCL_VERSION_CODE || c.blocking != NCCL_CONFIG_UNDEF_INT; }\n")
        self.expect(self.command("gcc", "-Wall", "-Werror", f"-I{BUILD}/include", "main.c",
                                 f"-L{BUILD}/lib", f"-Wl,-rpath,{BUILD}/lib", "-lnccl", "-o", "program"), 0)
        self.expect(self.command("./program"), 0, "", "")


class Mps(CliTest):
    def setUp(self):
        super().setUp()
        self.env["CUDA_MPS_PIPE_DIRECTORY"] = str(self.work / "pipe")
        self.program = BUILD / "share/heddle/toolkit/bin/nvidia-cuda-mps-control"

    def control(self, *arguments, commands=""):
        return self.command(self.program, *arguments, stdin=commands)

    def test_daemon(self):
        nothing = "Cannot find MPS control daemon process\n"
        self.expect(self.control(commands="quit\n"), 1, "", nothing)
        self.expect(self.control("-d"), 0, "", err_has=["no MPS server", "no effect"])
        self.expect(self.control("-d"), 1, "", "An instance of this daemon is already running\n")
        self.expect(self.control(commands="quit -t 10\n"), 0, "", "")
        self.expect(self.control(commands="get_server_list\n"), 1, "", nothing)
        self.assertEqual(self.files(self.work / "pipe"), [])

    def test_foreground(self):
        with subprocess.Popen([str(self.program), "-f"], env=self.env, stderr=subprocess.DEVNULL) as daemon:
            try:
                while not (self.work / "pipe/heddle-mps").exists():
                    self.assertIsNone(daemon.poll())
                self.expect(self.control(commands="quit\n"), 0, "", "")
                self.assertEqual(daemon.wait(timeout=60), 0)
            finally:
                daemon.kill()

    def test_commands(self):
        self.expect(self.control("-d"), 0)
        for command, answer in [
                ("get_server_list", ""), ("get_default_active_thread_percentage", "100.0\n"),
                ("set_default_active_thread_percentage 40", "40.0\n"),
                ("get_default_active_thread_percentage", "40.0\n"),
                ("set_default_active_thread_percentage 400",
                 "set_default_active_thread_percentage: 400 is not from 0 to 100\n"),
                ("set_default_active_thread_percentage",
                 "set_default_active_thread_percentage: wrong number of arguments\n"),
                ("set_default_client_priority 1", "1\n"), ("get_default_client_priority", "1\n"),
                ("set_default_device_pinned_mem_limit 0 2G", "2G\n"),
                ("get_default_device_pinned_mem_limit 0", "2G\n"),
                ("get_default_device_pinned_mem_limit 1", "\n"),
                ("get_client_list 77", "Server 77 not found: no MPS server runs\n"),
                ("shutdown_server", "shutdown_server: a process ID is missing\n"),
                ("ps", "PID ID SERVER DEVICE NAMESPACE COMMAND ATTRIBUTES\n"),
                ("frobnicate", "Unrecognized command: frobnicate\n")]:
            with self.subTest(command):
                self.expect(self.control(commands=command + "\n"), 0, answer, "")
        self.expect(self.control(commands="start_server -uid 0\nhelp\n"), 0,
                    out_has=["no MPS server", "get_server_list"])
        self.expect(self.control("-x"), 1, "", err_has="usage: nvidia-cuda-mps-control")
        self.expect(self.control("--help"), 0, out_has="usage: nvidia-cuda-mps-control")


if __name__ == "__main__":
    main()
