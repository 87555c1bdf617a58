# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nvidia-smi: what scripts and notebooks read from it."""

import csv
import io
import re

from cli import BUILD, CliTest, main


class NvidiaSmi(CliTest):
    def smi(self, *arguments, **settings):
        return self.command(BUILD / "share/heddle/toolkit/bin/nvidia-smi", *arguments, **settings)

    def test_table(self):
        result = self.expect(self.smi(env={"HEDDLE_GPU": "h200", "HEDDLE_DEVICES": "2"}), 0, err="")
        lines = result.out.splitlines()
        self.assertEqual({len(line) for line in lines[1:]}, {91}, "a table of one width")
        self.assertEqual(re.search(r"CUDA Version: (\d+\.\d+)", result.out)[1], "13.0")
        self.assertEqual(re.search(r"Driver Version: (\d+\.\d+\.\d+)", result.out)[1], "580.159.04")
        self.assertEqual(re.findall(r"\|   (\d)  NVIDIA H200 ", result.out), ["0", "1"])

    def test_list(self):
        self.expect(self.smi("-L"), 0, err="")
        result = self.expect(self.smi("-L", env={"HEDDLE_DEVICES": "3"}), 0, err="")
        found = re.findall(r"^GPU (\d+): Tesla T4 \(UUID: (GPU-[0-9a-f-]{36})\)$", result.out, re.M)
        self.assertEqual([index for index, _ in found], ["0", "1", "2"])
        self.assertEqual(len({uuid for _, uuid in found}), 3)

    def test_query(self):
        def rows(*arguments, **env):
            out = self.expect(self.smi(*arguments, env=env), 0, err="").out
            return [[cell.strip() for cell in row] for row in csv.reader(io.StringIO(out))]
        query = "--query-gpu=index, name,memory.total,memory.used,compute_cap,power.draw"
        self.assertEqual(rows(query, "--format=csv"),
                         [["index", "name", "memory.total [MiB]", "memory.used [MiB]",
                           "compute_cap", "power.draw [W]"],
                          ["0", "Tesla T4", "15095 MiB", "0 MiB", "7.5", "[N/A]"]])
        self.assertEqual(rows("--query-gpu", "memory.free", "--format", "csv,noheader,nounits"),
                         [["15095"]])
        self.assertEqual(rows("--query-gpu=gpu_name,index", "--format=csv,noheader", "-i", "1",
                              HEDDLE_GPU="a100", HEDDLE_DEVICES="2"),
                         [["NVIDIA A100-SXM4-40GB", "1"]])
        self.assertEqual(rows("--query-compute-apps=pid,used_memory", "--format=csv,noheader"), [])

    def test_same_as_the_program_sees(self):
        self.write("uuid.cu", """\
#include <cstdio>
int main() {
  char bus[32];
  cudaDeviceProp p;
  if (cudaGetDeviceProperties(&p, 1) || cudaDeviceGetPCIBusId(bus, sizeof bus, 1)) return 1;
  std::printf("GPU-");
  for (int i = 0; i < 16; ++i)
    std::printf("%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", p.uuid.bytes[i] & 255);
  std::printf(", 0000%s, %zu MiB\\n", bus, p.totalGlobalMem >> 20);
}
""")
        env = {"HEDDLE_DEVICES": "2", "HEDDLE_GPU": "l4"}
        program = self.expect(self.heddle("run", "uuid.cu", env=env), 0, err="").out
        self.expect(self.smi("--query-gpu=uuid,pci.bus_id,memory.total", "--format=csv,noheader",
                             "-i", "1", env=env), 0, program)

    def test_properties(self):
        result = self.expect(self.smi("-q"), 0, err="")
        self.assertRegex(result.out, r"Product Name +: Tesla T4\n")
        self.assertRegex(result.out, r"Attached GPUs +: 1\n")

    def test_topology(self):
        result = self.expect(self.smi("topo", "-m", env={"HEDDLE_DEVICES": "2"}), 0, err="")
        rows = [[cell.strip() for cell in line.split("\t")] for line in result.out.splitlines()[:3]]
        self.assertEqual(rows[0], ["", "GPU0", "GPU1", "CPU Affinity", "NUMA Affinity", "GPU NUMA ID"])
        self.assertEqual([row[:3] for row in rows[1:]], [["GPU0", "X", "NODE"], ["GPU1", "NODE", "X"]])
        self.assertRegex(rows[1][3], r"^[0-9,-]+$")

    def test_errors(self):
        for arguments, code, message in [
                (["--query-gpu=name,colour", "--format=csv"], 2, 'Field "colour" is not a valid field'),
                (["--query-gpu=name"], 2, '"--format=" switch is missing'),
                (["--query-gpu=name", "--format=xml"], 2, "Unknown format 'xml'"),
                (["--reset"], 2, "no option '--reset'"), (["-i"], 2, "needs a value"),
                (["-i", "7"], 6, "id '7'")]:
            with self.subTest(arguments):
                self.expect(self.smi(*arguments), code, out_has=message)
        self.expect(self.smi(env={"HEDDLE_DEVICES": "0"}), 6, "No devices were found\n")
        self.expect(self.smi(env={"HEDDLE_GPU": "gtx9999"}), 6, err_has="unknown GPU 'gtx9999'")


if __name__ == "__main__":
    main()
