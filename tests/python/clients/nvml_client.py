# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NVML by NVIDIA's package nvidia-ml-py: what monitors ask for."""
import os
import unittest

os.environ.update(HEDDLE_GPU="a100", HEDDLE_DEVICES="2")

import pynvml as nvml  # noqa: E402: the variables come first


class Nvml(unittest.TestCase):
    def setUp(self):
        nvml.nvmlInit()
        self.addCleanup(nvml.nvmlShutdown)
        self.device = nvml.nvmlDeviceGetHandleByIndex(1)

    def test_identity(self):
        self.assertEqual(nvml.nvmlDeviceGetCount(), 2)
        self.assertEqual(nvml.nvmlSystemGetCudaDriverVersion(), 13000)
        self.assertEqual(nvml.nvmlDeviceGetName(self.device), "NVIDIA A100-SXM4-40GB")
        self.assertEqual(nvml.nvmlDeviceGetIndex(self.device), 1)
        uuid = nvml.nvmlDeviceGetUUID(self.device)
        self.assertRegex(uuid, r"^GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")
        self.assertEqual(nvml.nvmlDeviceGetIndex(nvml.nvmlDeviceGetHandleByUUID(uuid)), 1)
        bus = nvml.nvmlDeviceGetPciInfo(self.device).busId
        self.assertEqual(nvml.nvmlDeviceGetIndex(nvml.nvmlDeviceGetHandleByPciBusId(bus)), 1)

    def test_figures(self):
        memory = nvml.nvmlDeviceGetMemoryInfo(self.device)
        self.assertEqual((memory.total, memory.used), (42298834944, 0))
        second = nvml.nvmlDeviceGetMemoryInfo(self.device, version=nvml.nvmlMemory_v2)
        self.assertEqual((second.total, second.free), (memory.total, memory.free))
        self.assertEqual(nvml.nvmlDeviceGetMaxClockInfo(self.device, nvml.NVML_CLOCK_SM), 1410)
        self.assertEqual(nvml.nvmlDeviceGetCudaComputeCapability(self.device), (8, 0))
        self.assertEqual(nvml.nvmlDeviceGetArchitecture(self.device), nvml.NVML_DEVICE_ARCH_AMPERE)
        self.assertEqual(list(nvml.nvmlDeviceGetMigMode(self.device)), [0, 0])
        self.assertEqual(nvml.nvmlDeviceGetNumGpuCores(self.device), 6912)
        self.assertEqual(nvml.nvmlDeviceGetComputeRunningProcesses(self.device), [])

    def test_what_only_a_board_knows(self):
        for ask in (nvml.nvmlDeviceGetUtilizationRates, nvml.nvmlDeviceGetPowerUsage, nvml.nvmlDeviceGetSerial):
            with self.subTest(ask.__name__), self.assertRaises(nvml.NVMLError_NotSupported):
                ask(self.device)
        with self.assertRaises(nvml.NVMLError_InvalidArgument):
            nvml.nvmlDeviceGetHandleByIndex(2)


if __name__ == "__main__":
    unittest.main()
