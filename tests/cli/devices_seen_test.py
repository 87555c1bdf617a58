# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which devices a process sees, and which code runs on them: the environment variables of NVIDIA's driver.

What is expected was recorded on a machine with two H200, driver 580."""

from cli import BUILD, CliTest, main

DEVICES = """\
#include <cstdio>
int main() {
  int n = -7;
  cudaError_t error = cudaGetDeviceCount(&n);
  std::printf("%s %d", cudaGetErrorName(error), n);
  for (int i = 0; i < n; ++i) {
    cudaDeviceProp p;
    char id[32];
    cudaGetDeviceProperties(&p, i);
    cudaDeviceGetPCIBusId(id, sizeof id, i);
    int bus = 0, same = -1;
    cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, i);
    cudaDeviceGetByPCIBusId(&same, id);
    std::printf(" %02x%02x%s", (unsigned char)p.uuid.bytes[14], (unsigned char)p.uuid.bytes[15],
                bus == p.pciBusID && same == i ? "" : "?");
  }
  void *memory;
  std::printf(" %s", cudaGetErrorName(cudaMalloc(&memory, 4)));
  std::printf(" %s\\n", cudaGetErrorName(cudaSetDevice(1)));
}
"""

KERNEL = """\
#include <cstdio>
__global__ void k(int *p) { *p = 1; }
__device__ int v;
int main() {
  int *p = nullptr;
  cudaFuncAttributes a;
  std::printf("%s", cudaGetErrorName(cudaMalloc(&p, 4)));
  k<<<1, 1>>>(p);
  std::printf(" %s", cudaGetErrorName(cudaGetLastError()));
  std::printf(" %s", cudaGetErrorName(cudaDeviceSynchronize()));
  std::printf(" %s\\n", cudaGetErrorName(cudaFuncGetAttributes(&a, k)));
}
"""

FAULT = """\
#include <cstdio>
__global__ void k(int *p) { *p = 1; }
int main() {
  k<<<1, 1>>>(nullptr);
  std::printf("%s", cudaGetErrorName(cudaGetLastError()));
  std::printf(" %s\\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
"""

NONE = "cudaErrorNoDevice -7 cudaErrorNoDevice cudaErrorNoDevice\n"
TWICE = "cudaErrorInvalidDevice -7 cudaErrorInvalidDevice cudaErrorInvalidDevice\n"
RAN = "cudaSuccess cudaSuccess cudaSuccess cudaSuccess\n"
NO_IMAGE = "cudaSuccess cudaErrorNoKernelImageForDevice cudaSuccess cudaErrorNoKernelImageForDevice\n"


class DevicesSeen(CliTest):
    def build(self, name, source, *options):
        self.write(f"{name}.cu", source)
        done = self.command(f"{BUILD}/bin/heddlecc", *options, f"{name}.cu", "-o", name)
        self.assertEqual(done.code, 0, str(done))

    def uuids(self):
        """The machine's devices, as nvidia-smi names them, whatever the process sees."""
        done = self.command(f"{BUILD}/share/heddle/toolkit/bin/nvidia-smi", "-L",
                            env={"HEDDLE_DEVICES": "2", "CUDA_VISIBLE_DEVICES": "1"})
        found = [line.split("UUID: ")[1].rstrip(")") for line in done.out.splitlines()]
        self.assertEqual(len(found), 2, str(done))
        return found

    def expect(self, program, out, **env):
        done = self.command(f"./{program}", env=env)
        self.assertEqual((done.code, done.out), (0, out), f"{env}\n{done}")

    def test_visible_devices(self):
        self.build("devices", DEVICES)
        uuids = self.uuids()
        first, second = (uuid[-4:] for uuid in uuids)
        one = f"cudaSuccess 1 {first} cudaSuccess cudaErrorInvalidDevice\n"
        other = f"cudaSuccess 1 {second} cudaSuccess cudaErrorInvalidDevice\n"
        both = f"cudaSuccess 2 {first} {second} cudaSuccess cudaSuccess\n"
        turned = f"cudaSuccess 2 {second} {first} cudaSuccess cudaSuccess\n"
        shortest = next(i for i in range(len(uuids[0]) + 1) if uuids[0][:i] != uuids[1][:i])
        rows = {
            one: ["0", "0,-1", "0,2,1", "0,abc", " 0", "0;1", "0x1", "0,,1", uuids[0], uuids[0].upper(),
                  uuids[0][:shortest], f"{uuids[0]},1"],
            other: ["1", "1,-1,0", "1abc", "01", "+1", "1.", f"1,{uuids[0]}", uuids[1]],
            both: ["0,1", "0 ,1", "0,1,", f"{uuids[0]},{uuids[1]}"],
            turned: ["1,0", f"{uuids[1]},{uuids[0]}"],
            NONE: ["", "-1", "2", "abc", "GPU-", "GPU-00000000", "MIG-0", "NoDevFiles", "all", "none", "void", ",1"],
            TWICE: ["0,0", f"{uuids[0]},{uuids[0]}"],
        }
        for out, lists in rows.items():
            for visible in lists:
                with self.subTest(visible):
                    self.expect("devices", out, HEDDLE_DEVICES="2", CUDA_VISIBLE_DEVICES=visible)
        self.expect("devices", both, HEDDLE_DEVICES="2")

    def test_device_order(self):
        self.build("devices", DEVICES)
        for order in ("PCI_BUS_ID", "FASTEST_FIRST"):
            done = self.command("./devices", env={"HEDDLE_DEVICES": "2", "CUDA_DEVICE_ORDER": order})
            self.assertTrue(done.out.startswith("cudaSuccess 2 "), str(done))
        self.expect("devices", TWICE, HEDDLE_DEVICES="2", CUDA_DEVICE_ORDER="SOMETHING")

    def test_launch_blocking(self):
        self.build("fault", FAULT)
        self.expect("fault", "cudaErrorIllegalAddress cudaErrorIllegalAddress\n", CUDA_LAUNCH_BLOCKING="1")
        for value in ("0", "2", "yes", ""):
            self.expect("fault", "cudaSuccess cudaErrorIllegalAddress\n", CUDA_LAUNCH_BLOCKING=value)

    def test_code_for_other_gpus(self):
        gencode = "-gencode", "arch=compute_{0},code={1}_{0}"
        programs = {
            "rt90": (["-arch=sm_90"], RAN),
            "rt100": (["-arch=sm_100"], NO_IMAGE),
            "rtp100": ([gencode[0], gencode[1].format("100", "compute")], NO_IMAGE),
            "rtp80": ([gencode[0], gencode[1].format("80", "compute")], RAN),
            "rt80": ([gencode[0], gencode[1].format("80", "sm")], NO_IMAGE),
            "rt75": ([gencode[0], gencode[1].format("75", "sm")], NO_IMAGE),
            "rt90a": ([gencode[0], gencode[1].format("90a", "sm")], RAN),
            "rtp100a": ([gencode[0], gencode[1].format("100a", "compute")], NO_IMAGE),
            "plain": ([], RAN),
        }
        for name, (options, out) in programs.items():
            with self.subTest(name):
                self.build(name, KERNEL, *options)
                self.expect(name, out, HEDDLE_GPU="h100")
        # Machine code of a GPU runs on later ones of the same major version.
        for gpu, out in (("a100", RAN), ("rtx3090", RAN), ("h100", NO_IMAGE)):
            if (BUILD / f"share/heddle/gpus/{gpu}.json").exists():
                self.expect("rt80", out, HEDDLE_GPU=gpu)
        self.expect("rt90", NO_IMAGE, HEDDLE_GPU="t4")
        self.expect("rt90", RAN)  # no GPU is named
        self.expect("rt90", RAN, HEDDLE_GPU="t4", HEDDLE_STRICT="0")
        for name, value in (("CUDA_DISABLE_PTX_JIT", "1"), ("CUDA_CACHE_DISABLE", "1"), ("CUDA_FORCE_PTX_JIT", "1"),
                            ("CUDA_CACHE_PATH", "/nowhere/x"), ("CUDA_MODULE_LOADING", "SOMETIMES")):
            self.expect("rtp80", RAN, HEDDLE_GPU="h100", **{name: value})
        self.expect("rt90a", NO_IMAGE, HEDDLE_GPU="h100", CUDA_FORCE_PTX_JIT="1")


if __name__ == "__main__":
    main()
