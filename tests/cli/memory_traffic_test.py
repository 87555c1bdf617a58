# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle profile: kinds of memory that copies go between, and the traffic of managed memory."""

import json

from cli import BUILD, CliTest, main

COPIES = """\
#include <cstdlib>
int main() {
  const size_t bytes = 1 << 16;
  void *device, *other, *pinned, *managed;
  void *pageable = std::malloc(bytes), *registered = std::malloc(bytes);
  cudaMalloc(&device, bytes);
  cudaMalloc(&other, bytes);
  cudaMallocHost(&pinned, bytes);
  cudaHostRegister(registered, bytes, cudaHostRegisterDefault);
  cudaMallocManaged(&managed, bytes);
  cudaMemcpy(device, pageable, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(pageable, device, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpyAsync(device, pinned, bytes, cudaMemcpyDefault);
  cudaMemcpy(registered, device, bytes, cudaMemcpyDeviceToHost);
  cudaMemcpy(managed, device, bytes, cudaMemcpyDefault);
  cudaMemcpy(other, device, bytes, cudaMemcpyDeviceToDevice);
  cudaHostUnregister(registered);
  cudaMemcpy(device, registered, bytes, cudaMemcpyHostToDevice);
  return cudaDeviceSynchronize();
}
"""

# 4 MiB, of which a program touches parts: a block is 64 KiB.
MANAGED = """\
#include <cstdio>
const size_t block = 1 << 14, all = 64 * block; // of int
__global__ void add(int *data, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    data[i] += 1;
}
int main(int argc, char **argv) {
  const int advice = argc > 1 ? atoi(argv[1]) : 0;
  int *data, sum = 0;
  cudaMallocManaged(&data, all * sizeof(int));
  if (advice == 1)
    cudaMemAdvise(data, all * sizeof(int), cudaMemAdviseSetReadMostly, 0);
  if (advice == 2)
    cudaMemAdvise(data, all * sizeof(int), cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId);
  if (advice == 3)
    cudaMemAdvise(data, all * sizeof(int), cudaMemAdviseSetAccessedBy, 0);
  for (size_t i = 0; i < 40 * block; ++i) // blocks 0 to 39: the host's
    data[i] = 1;
  if (advice == 4)
    cudaMemPrefetchAsync(data, 40 * block * sizeof(int), 0);
  add<<<4, 256>>>(data, 32 * block); // 0 to 31 move to the device, …
  cudaDeviceSynchronize();
  for (size_t i = 0; i < 8; ++i) // … of which 8 move back, each for itself, …
    sum += data[2 * i * block];
  add<<<4, 256>>>(data, 2 * block); // … and one to the device again
  cudaDeviceSynchronize();
  std::printf("%d\\n", sum);
  cudaFree(data);
  return 0;
}
"""

MiB = 1 << 20
BLOCK = 64 << 10


class MemoryTraffic(CliTest):
    def tool(self, name, *arguments):
        return self.command(BUILD / "share" / "heddle" / "toolkit" / "bin" / name, *arguments)

    def test_kinds_of_memory(self):
        self.write("copies.cu", COPIES)
        result = self.expect(self.heddle("profile", "--json", "copies.cu"))
        copies = [e for e in json.loads(result.out.splitlines()[-1])["events"] if e["kind"] == "copy"]
        self.assertEqual([(e["from"], e["to"], e["pageable"]) for e in copies], [
            ("pageable", "device", True), ("device", "pageable", True), ("pinned", "device", False),
            ("device", "pinned", False), ("device", "managed", False), ("device", "device", False),
            ("pageable", "device", True)])
        self.expect(self.heddlecc("copies.cu", "-o", "copies"))
        trace = self.expect(self.tool("nvprof", "--print-gpu-trace", "./copies")).err
        self.assertRegex(trace, r" SrcMemType +DstMemType ")
        self.assertRegex(trace, r" 65\.536 KB +Pageable +Device .*\[CUDA memcpy HtoD\]")
        self.assertRegex(trace, r" 65\.536 KB +Pinned +Device .*\[CUDA memcpy HtoD\]")
        self.assertRegex(trace, r" 65\.536 KB +Device +Managed .*\[CUDA memcpy DtoM\]")

    def traffic(self, *arguments):
        # A T4 has concurrentManagedAccess, which prefetches need.
        result = self.expect(self.heddle("profile", "--json", "--gpu", "t4", "./managed", "--", *arguments), 0)
        *_, printed, profile = result.out.splitlines()
        self.assertEqual(printed, "16" if arguments != ("none",) else "8")
        found = json.loads(profile)["unified_memory"]
        return {name: tuple(value.values()) if isinstance(value, dict) else value for name, value in found.items()}

    def test_managed_memory(self):
        self.write("managed.cu", "#include <cstdlib>\n" + MANAGED)
        self.expect(self.heddlecc("managed.cu", "-o", "managed"))
        def moved(count, blocks, least, most):  # in the order of JSON's keys
            return (blocks * BLOCK, least * BLOCK, most * BLOCK, count)
        # 32 blocks are one transfer of 2 MiB; then block 0, and 8 single ones back.
        self.assertEqual(self.traffic(), {"host_to_device": moved(2, 33, 1, 32), "device_to_host": moved(8, 8, 1, 1),
                                          "gpu_faults": 32 + 1, "cpu_faults": 40 + 8})
        with self.subTest("read mostly: copies stay valid"):
            self.assertEqual(self.traffic("1"), {"host_to_device": moved(1, 32, 32, 32), "device_to_host": (0, 0, 0, 0),
                                                 "gpu_faults": 32, "cpu_faults": 40})
        for advice in ("2", "3"):
            with self.subTest("kernels reach it on the host", advice=advice):
                self.assertEqual(self.traffic(advice), {"host_to_device": (0, 0, 0, 0), "device_to_host": (0, 0, 0, 0),
                                                        "gpu_faults": 0, "cpu_faults": 40})
        with self.subTest("a prefetch moves without faults"):
            self.assertEqual(self.traffic("4"), {"host_to_device": moved(3, 41, 1, 32), "device_to_host": moved(8, 8, 1, 1),
                                                 "gpu_faults": 1, "cpu_faults": 48})
        self.assertEqual(self.traffic(), self.traffic())
        self.expect(self.heddle("profile", "./managed"), 0, err_has=[
            "Unified memory (a model: docs/metrics.md)\n", "  host to device\n", "faults of the host\n"])
        self.expect(self.heddle("profile", "--csv", "./managed"), out_has=[
            f'"[Unified Memory]",,,,host_to_device_bytes,B,{33 * BLOCK}\n', '"[Unified Memory]",,,,cpu_page_faults,,48\n'])
        text = self.expect(self.tool("nvprof", "./managed")).err
        self.assertRegex(text, r"Unified Memory profiling result:\nDevice \"Tesla T4 \(0\)\"\n +Count +Avg Size")
        self.assertRegex(text, r" 8 +65\.536 KB +65\.536 KB +65\.536 KB +524\.288 KB +- +Device To Host\n")
        self.assertRegex(text, r" 33 +- +- +- +- +- +Gpu page fault groups\nTotal CPU Page faults: 48\n")


if __name__ == "__main__":
    main()
