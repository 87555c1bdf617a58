# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A program built with -g -G stops in gdb inside a kernel, with its built-in and local variables."""

import re
import shutil
import unittest

from cli import CliTest, main

PROGRAM = """\
#include <cstdio>

__device__ int square(int x) {
  int result = x * x;
  return result;
}

__global__ void fill(int *out, int scale) {
  int index = blockIdx.x * blockDim.x + threadIdx.x;
  int value = square(index) * scale;
  out[index] = value;
}

int main() {
  int *out, last = 0;
  cudaMalloc(&out, 8 * sizeof(int));
  fill<<<2, 4>>>(out, 10);
  cudaMemcpy(&last, out + 7, sizeof last, cudaMemcpyDeviceToHost);
  printf("last = %d\\n", last);
}
"""


@unittest.skipUnless(shutil.which("gdb"), "gdb is not installed")
class Gdb(CliTest):
    def session(self, *commands):
        """What gdb says to the commands, in batch mode."""
        self.write("fill.cu", PROGRAM)
        self.expect(self.heddlecc("-g", "-G", "fill.cu", "-o", "fill"), 0, "", "")
        arguments = ["gdb", "-q", "-batch", "-nx", "-ex", "set breakpoint pending on",
                     "-ex", "set debuginfod enabled off"]
        for command in commands:
            arguments += ["-ex", command]
        # gdb's exit code says nothing about the session: it is that of the last command, and when
        # threads end while gdb looks at them it complains.
        return self.command(*arguments, "./fill")

    def test_stop_at_a_line(self):
        result = self.session("break fill.cu:11", "run", "print threadIdx", "print blockIdx",
                              "print blockDim", "info locals", "print scale", "print value * 2",
                              "delete", "continue")
        self.assertRegex(result.out, r"fill\.cu:11\b", result)
        # Blocks start in ascending order, so thread 0 of block 0 or 1 is the first to come by.
        self.assertRegex(result.out, r"\$1 = \{x = 0, y = 0, z = 0\}", result)
        self.assertRegex(result.out, r"\$2 = \{x = [01], y = 0, z = 0\}", result)
        self.assertRegex(result.out, r"\$3 = \{x = 4, y = 1, z = 1\}", result)
        block = int(re.search(r"\$2 = \{x = (\d)", result.out)[1])
        index = 4 * block
        self.assertRegex(result.out, rf"(?m)^index = {index}$", result)
        self.assertRegex(result.out, rf"(?m)^value = {index * index * 10}$", result)
        self.assertRegex(result.out, r"\$4 = 10\n", result)
        self.assertIn("last = 490", result.out)

    def test_a_certain_thread(self):
        # Until kernels are loaded gdb knows no threadIdx; it is told to believe us.
        stop = "break fill.cu:11 -force-condition if threadIdx.x == 3 && blockIdx.x == 1"
        result = self.session(stop, "run", "print index", "print value", "kill")
        self.assertIn("$1 = 7\n", result.out, result)
        self.assertIn("$2 = 490\n", result.out, result)

    def test_step_into_device_function(self):
        result = self.session("break fill.cu:10", "run", "delete", "step", "step", "info locals",
                              "backtrace 2", "kill")
        self.assertRegex(result.out, r"(?m)^result = \d+$", result)
        self.assertRegex(result.out, r"#0 +.*square.*fill\.cu:5", result)
        self.assertRegex(result.out, r"#1 +.*fill.*fill\.cu:10", result)


class WithoutGdb(CliTest):
    def test_optimised(self):
        # HEDDLE_EXPLAIN tells of kernels that the SIMD engine runs.
        self.write("fill.cu", PROGRAM)
        self.expect(self.heddlecc("-g", "-G", "fill.cu", "-o", "fill"), 0, "", "")
        explain = {"HEDDLE_EXPLAIN": "1"}
        self.expect(self.command("./fill", env=explain), 0, "last = 490\n", err_has="fill(int*, int)")
        for slow in ({"HEDDLE_DEBUG": "1"}, {"HEDDLE_ENGINE": "reference"}):
            self.expect(self.command("./fill", env={**explain, **slow}), 0, "last = 490\n", "")

    def test_names_of_lines(self):
        self.write("fill.cu", PROGRAM.replace("cudaMalloc(&out, 8 * sizeof(int))", "out = nullptr").replace(
            "cudaMemcpy(&last, out + 7, sizeof last, cudaMemcpyDeviceToHost)", "cudaDeviceSynchronize()"))
        self.expect(self.heddlecc("-G", "fill.cu", "-o", "fill"), 0, "", "")
        for env in ({}, {"HEDDLE_DEBUG": "1"}):
            self.expect(self.command("./fill", env=env), 0, err_has="fill.cu:11")

    def test_files_with_and_without(self):
        self.write("fill.cu", PROGRAM.replace("""__device__ int square(int x) {
  int result = x * x;
  return result;
}
""", "extern __device__ int square(int x);"))
        self.write("square.cu", "__device__ int square(int x) { return x * x; }\n")
        for debugged, other in (("fill", "square"), ("square", "fill")):
            self.expect(self.heddlecc("-dc", "-g", "-G", f"{debugged}.cu"), 0, "", "")
            self.expect(self.heddlecc("-dc", f"{other}.cu"), 0, "", "")
            self.expect(self.heddlecc("fill.o", "square.o", "-o", "fill"), 0, "", "")
            for env in ({}, {"HEDDLE_DEBUG": "1"}):
                self.expect(self.command("./fill", env=env), 0, "last = 490\n", "")


if __name__ == "__main__":
    main()
