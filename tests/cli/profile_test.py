# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle profile: the numbers that courses ask for, to the last digit; and what people type and see."""

import fcntl
import json
import os
import re
import signal
import subprocess
import termios
import time

from cli import BUILD, SOURCE, CliTest, Result, main
from profiled import Profile, branch, metric

QUESTIONS = SOURCE / "tests" / "profile" / "questions.cu"

UNCOALESCED = """\
#include <cstdio>
__global__ void columns(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = 0; k < n; ++k)
      out[i * n + k] = in[i * n + k];
}
int main(int argc, char **argv) {
  float *a, *b;
  cudaMalloc(&a, 64 * 64 * sizeof(float));
  cudaMalloc(&b, 64 * 64 * sizeof(float));
  cudaMemset(a, 0, 64 * 64 * sizeof(float));
  columns<<<1, 64>>>(a, b, 64);
  columns<<<1, 64>>>(b, a, 32);
  std::printf("%d\\n", argc);
  return cudaDeviceSynchronize() ? 1 : 3;
}
"""


class Questions(Profile):
    """Section C of the programs that must work: questions with known answers."""

    def setUp(self):
        super().setUp()
        self.source = QUESTIONS.read_text(encoding="utf-8")
        found = self.profile(QUESTIONS, "-std=c++17")
        self.kernels = {}
        for kernel in found["kernels"]:
            name = re.sub(r"^void ", "", kernel["name"]).split("(")[0]
            self.kernels[name] = kernel

    def visit(self, kernel, comment, stride, first=1, halving=False):
        """The warps that diverge at a loop's branch in the round with this stride."""
        by_visit = branch(self.kernels[kernel], self.source, comment)["divergent_by_visit"]
        k, s = 0, first
        while s != stride:
            s = s // 2 if halving else s * 2
            k += 1
        return by_visit[k] if k < len(by_visit) else 0

    def test_answers(self):
        kernels = self.kernels
        for row, diverge in ((1, 0), (2, 50), (3, 300)):
            with self.subTest(picture=row):
                self.assertEqual(metric(kernels[f"picture<{row}>"], "warps_launched"), 15200)
                self.assertEqual(metric(kernels[f"picture<{row}>"], "diverging_warps"), diverge)
        add = kernels["vectorAdd"]
        self.assertEqual((metric(add, "diverging_warps"), metric(add, "warps_launched")), (1, 32))
        body = next(b for b in add["blocks"] if any(i["class"] == "fp32_add" for i in b["instructions"]))
        self.assertEqual((body["warps"], body["threads"]), (32, 31 * 32 + 8))
        self.assertEqual(kernels["fill<8000>"]["grid"], [8, 1, 1])
        self.assertEqual(metric(kernels["fill<8000>"], "threads_launched"), 8192)
        self.assertEqual(metric(kernels["maxInNext"], "diverging_warps"), 1)
        self.assertEqual(metric(kernels["maxInNext"], "warps_launched"), 32)
        box = kernels["maxInNextBox"]
        self.assertEqual(metric(box, "warps_launched"), 128 ** 3 / 32)
        self.assertEqual(metric(box, "diverging_warps"), 128 ** 2)
        self.assertEqual([self.visit("reduceModulo", "modulo", s) for s in (1, 16, 64)], [0, 32, 16])
        self.assertEqual([self.visit("reduceHalving", "halving", s, 1024, True) for s in (16, 64)], [1, 0])
        self.assertEqual(self.visit("upSweep", "up-sweep", 16), 0)
        self.assertEqual([self.visit("doubleBufferScan", "scan", s) for s in (16, 64)], [1, 0])
        average = kernels["average"]
        self.assertEqual(metric(average, "diverging_warps"), 16 * 2)
        self.assertEqual(metric(average, "warps_launched"), 16 * 8)
        for side in ("left", "right"):
            line = next(i for i, text in enumerate(self.source.splitlines(), 1) if f"// {side}" in text)
            load = [a for a in average["accesses"]
                    if a["place"]["line"] == line and a["space"] == "global" and a["kind"] == "load"]
            self.assertEqual([(a["requests"], a["threads"]) for a in load], [(16, 32)])
        naive = metric(kernels["matmulNaive"], "global_load_bytes")
        self.assertEqual(naive, 2 * 128 ** 3 * 4)
        for tile in (16, 32):
            self.assertEqual(metric(kernels[f"matmulTiled<{tile}>"], "global_load_bytes") * tile, naive)
        self.assertEqual(metric(kernels["firstPass"], "global_load_sectors"), 2097152)

    def test_classics(self):
        for pad, ways in ((0, 32), (1, 1)):
            turned = self.kernels[f"transpose<{pad}>"]
            loads = metric(turned, "shared_load_requests")
            self.assertEqual(loads, 16 * 32)
            self.assertEqual(metric(turned, "shared_load_wavefronts"), loads * ways)
            self.assertEqual(metric(turned, "bank_conflicts"), loads * (ways - 1))
            self.assertEqual(metric(turned, "global_store_sectors_per_request"), 4)
        structures = self.kernels["structures"]
        self.assertEqual(metric(structures, "global_load_sectors_per_request"), 32)
        self.assertEqual(metric(structures, "global_load_ideal_sectors") / metric(structures, "global_load_requests"),
                         4)
        self.assertEqual(metric(structures, "global_load_efficiency"), 12.5)


class Command(Profile):
    def test_a_report_for_people(self):
        self.write("columns.cu", UNCOALESCED)
        result = self.heddle("profile", "columns.cu", "--", "a", "b")
        self.expect(result, 3, "3\n", err_has=[
            "API calls\n", "cudaMalloc\n", "cudaLaunchKernel\n", "Memory operations\n", "[CUDA memset]\n", "Kernels (",
            "columns(float const*, float*, int): 2 launches, grid (1,1,1), block (64,1,1)\n",
            "columns.cu:6: loads touch 32 sectors a request where 4 would do: 5120 sectors of 32 bytes in 160 "
            "requests\n", "Remedy: Let threadIdx.x run along the array's fastest index"])
        names = re.findall(r"^ +[\d.]+% .*  (\S.*)$", result.err, re.M)
        self.assertEqual(sorted(names), ["[CUDA memset]", "columns(float const*, float*, int)", "cudaDeviceSynchronize",
                                         "cudaLaunchKernel", "cudaMalloc", "cudaMemset"])
        self.expect_clean()

    def test_lines_metrics_and_launches(self):
        self.write("columns.cu", UNCOALESCED)
        self.expect(self.heddlecc("columns.cu", "-o", "columns"))
        self.expect(self.heddle("profile", "--lines", "./columns"), 3, "1\n", err_has=[
            "6 |       out[i * n + k] = in[i * n + k];"])
        both = self.heddle("profile", "--csv", "--metrics",
                           "global_load_requests,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", "./columns")
        self.expect(both, 3, out_has=["Kernel,Launches,Grid,Block,Metric,Unit,Value\n",
                                      '2,"(1,1,1)","(64,1,1)",global_load_requests,,160\n'])
        second = self.heddle("profile", "--csv", "--metrics", "gld_transactions", "--launch", "2", "./columns")
        self.expect(second, 3, out_has=",global_load_sectors,,1024\n")

    def test_the_same_numbers_from_any_number_of_workers(self):
        self.write("columns.cu", UNCOALESCED)
        self.expect(self.heddlecc("columns.cu", "-o", "columns"))
        one = self.command("taskset", "-c", "0", "heddle", "profile", "--csv", "./columns")
        self.expect(one, 3)
        for _ in range(3):
            self.expect(self.heddle("profile", "--csv", "./columns"), 3, one.out)

    def test_a_trace(self):
        self.write("columns.cu", UNCOALESCED)
        self.expect(self.heddle("profile", "--trace", "trace.json", "columns.cu"), 3)
        events = json.loads((self.work / "trace.json").read_text(encoding="utf-8"))["traceEvents"]
        kernels = [e for e in events if e.get("cat") == "kernel"]
        self.assertEqual([e["args"]["block"] for e in kernels], [[64, 1, 1]] * 2)
        calls = {e["args"]["call"]: e["name"] for e in events if e.get("cat") == "api"}
        self.assertEqual([calls[e["args"]["call"]] for e in kernels], ["cudaLaunchKernel"] * 2)

    def test_what_makes_no_sense(self):
        self.write("columns.cu", UNCOALESCED)
        self.expect(self.heddle("profile"), 2, err_has="no program to profile")
        self.expect(self.heddle("profile", "--kernel", "rows", "columns.cu"), 1,
                    err_has="--kernel rows matches no kernel; there are columns(float const*, float*, int)\n")
        self.expect(self.heddle("profile", "--launch", "3", "columns.cu"), 1, err_has="no kernel has a launch number 3")
        self.expect(self.heddle("profile", "--kernel", "(", "columns.cu"), 2, err_has="not a regular expression")
        self.expect(self.heddle("profile", "--metrics", "global_load_sector", "columns.cu"), 2,
                    err_has="there is no metric global_load_sector; near it are global_load_sectors, ")
        self.expect(self.heddle("profile", "--gpu", "t5", "columns.cu"), 2, err_has=["--gpu", "t4"])
        self.expect(self.heddle("profile", "--trace", "/dev/full", "columns.cu"), 1,
                    err_has="cannot write /dev/full: No space left on device")
        self.expect(self.heddle("profile", "none.cu"), 2, err_has="none.cu: no such file")
        self.expect(self.heddle("profile", "--help"), 0, out_has="--metrics")
        self.expect(self.heddle("profile", "/bin/true"), 1, err_has="has not used Heddle's CUDA library")
        self.write("crash.cu", UNCOALESCED.replace("return cuda", "cudaDeviceSynchronize(); __builtin_trap(); return "
                                                                  "cuda"))
        crash = self.heddle("profile", "crash.cu")
        self.assertNotEqual(crash.code, 0)


ASSERTED = """\
// heddle: global_load_sectors_per_request == 4
__global__ void copy(const float *in, float *out) {
  int i = threadIdx.x;
  out[i] = in[i]; // heddle: gld_transactions == 4
}
int main() {
  float *a;
  cudaMalloc(&a, 256);
  copy<<<1, 32>>>(a, a + 32);
  return cudaDeviceSynchronize();
}
"""


class Assertions(CliTest):
    def test_what_holds_and_what_does_not(self):
        self.write("copy.cu", ASSERTED)
        self.expect(self.heddle("profile", "copy.cu"), 0, err_lacks="does not hold")
        self.write("copy.cu", ASSERTED.replace("== 4\n}", "< 4\n}").replace("request == 4", "request > 4.5"))
        path = self.work / "copy.cu"
        self.expect(self.heddle("profile", "copy.cu"), 1, err_has=[
            f"heddle profile: {path}:1: global_load_sectors_per_request > 4.5: does not hold, it is 4\n",
            f"heddle profile: {path}:4: gld_transactions < 4: does not hold, it is 4\n"])
        self.write("copy.cu", ASSERTED.replace("gld_transactions", "gld_transaction"))
        self.expect(self.heddle("profile", "copy.cu"), 1, err_has="there is no metric gld_transaction; near it are ")
        self.write("copy.cu", ASSERTED.replace("int main() {", "int main() { // heddle: branches == 0"))
        self.expect(self.heddle("profile", "copy.cu"), 1, err_has="no code of a kernel that was run is in this line")


class Expectations(CliTest):
    def test_a_file(self):
        self.write("columns.cu", UNCOALESCED)
        self.write("good.txt", "# guards\n\ncolumns global_load_requests == 160  # of both launches\n. branches > 0\n")
        self.expect(self.heddle("expect", "good.txt", "columns.cu"), 3,
                    err="heddle expect: all 2 expectations hold\n")
        self.write("bad.txt", "colum.s gld_transactions < 1e3\nrows branches >= 0\n")
        for command in [("expect", "bad.txt"), ("profile", "--expect", "bad.txt")]:
            self.expect(self.heddle(*command, "columns.cu", "--", "1"), 3, err_has=[
                "heddle profile: bad.txt:1: colum.s gld_transactions < 1e3: does not hold for "
                "columns(float const*, float*, int), it is 5120\n",
                "heddle profile: bad.txt:2: rows branches >= 0: no kernel of that name was run\n"])

    def test_what_makes_no_sense(self):
        for text, message in [("columns branches", "a.txt:1: a line is KERNEL METRIC RELATION NUMBER"),
                              ("columns branches = 1", "a.txt:1: a line is KERNEL"),
                              ("\ncolumns branchs == 1", "a.txt:2: there is no metric branchs; near it are branch, branches, barriers"),
                              ("( branches == 1", "a.txt:1: ( is not a regular expression"),
                              ("# nothing", "a.txt expects nothing")]:
            self.write("a.txt", text + "\n")
            self.expect(self.heddle("expect", "a.txt", "none.cu"), 2, err_has=message)
        self.expect(self.heddle("expect", "missing.txt", "none.cu"), 2, err_has="cannot read missing.txt: No such file")
        self.expect(self.heddle("expect"), 2, err_has="no file of expectations")


RANGE = """\
#include <cuda_profiler_api.h>
__global__ void copy(const float *from, float *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void other() {}
int main(int argc, char **) {
  float *a;
  cudaMalloc(&a, 64 * sizeof(float));
  copy<<<1, 32>>>(a, a + 32);
  if (argc > 1)
    cudaProfilerStart();
  copy<<<1, 32>>>(a, a + 32);
  copy<<<1, 32>>>(a, a + 32);
  cudaProfilerStop();
  other<<<1, 32>>>();
  return cudaDeviceSynchronize();
}
"""


class FromApi(Profile):
    def test_only_between_start_and_stop(self):
        self.write("range.cu", RANGE)
        found = self.profile("--from-api", "range.cu", "--", "1")
        self.assertEqual([(kernel["name"].split("(")[0], kernel["launches"]) for kernel in found["kernels"]],
                         [("copy", 2)])
        self.assertEqual(sum(event["kind"] == "kernel" for event in found["events"]), 2)
        self.assertEqual(len(self.profile("range.cu", "--", "1")["kernels"]), 2)
        self.expect(self.heddle("profile", "--from-api", "range.cu"), 1,
                    err_has="the program has not called cudaProfilerStart")


class Progress(CliTest):
    LONG = """\
__global__ void nothing() {}
int main() {
  timespec pause = {0, 50'000'000};
  for (int i = 0; i < 20; ++i, nanosleep(&pause, nullptr)) {
    nothing<<<1, 32>>>();
    cudaDeviceSynchronize();
  }
}
"""

    def test_on_a_terminal_and_not_in_a_pipe(self):
        self.write("long.cu", "#include <time.h>\n" + self.LONG)
        self.expect(self.heddle("profile", "long.cu"), 0, err_lacks="kernels done")
        controller, terminal = os.openpty()
        with subprocess.Popen([BUILD / "bin" / "heddle", "profile", "long.cu"], cwd=self.work, stderr=terminal,
                              env={**os.environ, "TERM": "xterm"}) as child:
            os.close(terminal)
            text = b""
            try:
                while more := os.read(controller, 4096):
                    text += more
            except OSError:  # a terminal's end
                pass
            self.assertEqual(child.wait(), 0)
        os.close(controller)
        self.assertRegex(text.decode(), r"\r\x1b\[Kheddle profile: \d+ kernels done, \d s")


ENDLESS = """\
#include <cstdio>
#include <signal.h>
__global__ void done(int *x) { x[threadIdx.x] = 1; }
__global__ void endless(volatile int *x) {
  while (x[threadIdx.x] < 5)
    x[32 + threadIdx.x] += 1;
}
void tidy(int) { _exit(7); }
int main(int argc, char **) {
  int *x;
  cudaMalloc(&x, 64 * sizeof(int));
  done<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  if (argc > 1)
    signal(SIGINT, tidy);
  std::puts("launched");
  std::fflush(stdout);
  endless<<<1, 32>>>(x);
  return cudaDeviceSynchronize();
}
"""


class Interrupted(CliTest):
    """Ctrl-C and SIGTERM: what has been counted is told, also of a kernel that would never end."""

    def interrupt(self, sent, *arguments):
        def own_terminal():
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)

        controller, terminal = os.openpty()
        with subprocess.Popen(["heddle", "profile", *arguments], cwd=self.work, env=self.env, text=True, stdin=terminal,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                              preexec_fn=own_terminal) as child:
            try:
                self.assertEqual(child.stdout.readline(), "launched\n")
                time.sleep(0.5)
                if sent == signal.SIGINT:
                    os.write(controller, b"\x03")  # Ctrl-C: a terminal tells all its processes
                else:
                    child.send_signal(sent)
                out, err = child.communicate(timeout=60)
            finally:
                if child.poll() is None:
                    os.killpg(child.pid, signal.SIGKILL)
                os.close(controller)
                os.close(terminal)
        return Result(child.returncode, out, err)

    def test_tells_what_there_is(self):
        self.write("endless.cu", ENDLESS)
        self.expect(self.heddlecc("endless.cu", "-o", "endless"))
        for sent in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=sent):
                result = self.expect(self.interrupt(sent, "./endless"), 128 + sent, err_has=[
                    "the program did not come to its end", "done(int*): 1 launch, grid (1,1,1)",
                    "endless(int volatile*): 1 launch (1 of them not finished), grid (1,1,1)"])
                loads = re.search(r"endless.*\n.*\n  global memory: (\d+) sectors loaded in (\d+) requests", result.err)
                self.assertGreater(int(loads[2]), 1000)
                self.assertEqual(int(loads[1]) // int(loads[2]), 4)
        result = self.interrupt(signal.SIGTERM, "--json", "./endless")
        kernels = {k["name"].split("(")[0]: k for k in json.loads(result.out.splitlines()[-1])["kernels"]}
        self.assertEqual((kernels["done"]["unfinished"], kernels["endless"]["unfinished"]), (0, 1))
        self.assertGreater(metric(kernels["endless"], "global_store_requests"), 1000)

    def test_a_program_with_a_handler_of_its_own(self):
        self.write("endless.cu", "#include <unistd.h>\n" + ENDLESS)
        self.assertEqual(self.interrupt(signal.SIGINT, "endless.cu", "--", "1").code, 7)


class NoRoom(CliTest):
    def test_for_the_output(self):
        self.write("columns.cu", UNCOALESCED)
        self.expect(self.command("bash", "-c", "heddle profile --json --trace trace.json columns.cu > /dev/full"), 1, err_has=[
            "No space left on device\n", "columns(float const*, float*, int): 2 launches"])
        with open(self.work / "trace.json", encoding="utf-8") as file:
            self.assertTrue(json.load(file)["traceEvents"])
        self.expect(self.heddle("profile", "--report", "report.txt", "columns.cu"), 3, err="")
        self.assertIn("columns(float const*, float*, int): 2 launches", (self.work / "report.txt").read_text(encoding="utf-8"))
        for option in ("--trace", "--report"):
            self.expect(self.heddle("profile", option, "/dev/full", "columns.cu"), 1, err_has=[
                "cannot write /dev/full: No space left on device\n", "columns(float const*, float*, int): 2 launches"])


class Nvidia(CliTest):
    """nvprof, ncu and nsys of the toolkit."""

    def tool(self, name, *arguments):
        return self.command(BUILD / "share" / "heddle" / "toolkit" / "bin" / name, *arguments)

    def setUp(self):
        super().setUp()
        self.write("columns.cu", UNCOALESCED)
        self.expect(self.heddlecc("columns.cu", "-o", "columns"))

    def test_nvprof(self):
        self.expect(self.tool("nvprof", "./columns", "a"), 3, "2\n", err_has=[
            "Profiling result:\n", " GPU activities: ", "      API calls: ", "  cudaMalloc\n", "  [CUDA memset]\n"])
        self.expect(self.tool("nvprof", "--metrics", "gld_efficiency,gld_transactions", "./columns"), 3, err_has=[
            "Metric result:\n", "    Kernel: columns(float const*, float*, int)\n"])
        result = self.tool("nvprof", "--csv", "--log-file", "log", "-m", "gld_transactions", "./columns")
        self.expect(result, 3)
        self.assertIn(',2,"gld_transactions","pieces of 32 bytes that they touch",1024,4096,2560\n',
                      (self.work / "log").read_text(encoding="utf-8"))
        trace = self.tool("nvprof", "--print-gpu-trace", "./columns")
        self.expect(trace, 3, err_has=["[CUDA memset]", "(64 1 1)", "Regs: "])
        self.expect(self.tool("nvprof", "--analysis-metrics", "./columns"), 1, err_has="is not supported")

    def test_ncu(self):
        sectors = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"
        result = self.tool("ncu", "--csv", "--metrics", sectors, "-k", "columns", "-c", "1", "./columns")
        self.expect(result, 3, out_has=f'"columns(float const*, float*, int)","(64, 1, 1)","(1, 1, 1)","0","7.5","{sectors}",'
                                       '"","4096"\n')
        self.assertEqual(result.out.count(sectors), 1)
        self.expect(self.tool("ncu", "--set", "full", "-k", "regex:col", "-s", "1", "./columns"), 3,
                    out_has=["columns(float const*, float*, int) (1, 1, 1)x(64, 1, 1)", sectors])
        self.expect(self.tool("ncu", "-k", "column", "./columns"), 3, err_has="No kernels were profiled")
        self.expect(self.tool("ncu", "--metrics", "sectors", "./columns"), 1, err_has="there is no metric sectors")

    def test_nsys(self):
        self.expect(self.tool("nsys", "profile", "--stats=true", "-o", "r", "./columns"), 3, out_has=[
            " ** CUDA API Summary (cuda_api_sum):\n", " ** CUDA GPU Kernel Summary (cuda_gpu_kern_sum):\n",
            "cudaLaunchKernel\n", "[CUDA memset]\n", "r.nsys-rep\n"])
        self.expect(self.tool("nsys", "stats", "r.nsys-rep"), 0, out_has="columns(float const*, float*, int)\n")
        self.expect(self.tool("nsys", "stats", "columns.cu"), 1, err_has="is no report of Heddle's")


class Occupancy(CliTest):
    """Section C's questions about an SM of 2048 threads, 32 blocks and 65536 registers: an A100."""

    def table(self, *options):
        result = self.heddle("occupancy", "--json", "--gpu", "a100", *options, "columns.cu")
        self.expect(result)
        kernel, = json.loads(result.out)["kernels"]
        return {row["block"]: (row["blocks_per_sm"], row["occupancy"], row["limiter"]) for row in kernel["table"]}

    def test_an_sm_of_2048_threads(self):
        self.write("columns.cu", UNCOALESCED)
        table = self.table("--registers", "32")
        self.assertEqual(table[32], (32, 0.5, "blocks"))  # 32 x 32: 50 %; 64 x 32 is impossible
        self.assertEqual(table[64], (32, 1.0, "warps"))
        self.assertGreaterEqual(table[128][0], 8)  # 8 x 128: 50 %
        table = self.table("--registers", "128")
        self.assertEqual(table[128], (4, 0.25, "registers"))  # 8 x 128 is impossible
        self.assertEqual(table[32], (16, 0.25, "registers"))
        self.assertEqual(table[64], (8, 0.25, "registers"))

    def test_for_people(self):
        self.write("columns.cu", UNCOALESCED)
        self.expect(self.heddlecc("columns.cu", "-o", "columns"))
        for what in ("columns.cu", "columns"):
            self.expect(self.heddle("occupancy", "--gpu=t4", "--registers=80", what), out_has=[
                "Tesla T4 (t4): 1024 threads, 16 blocks, 65536 registers and 65536 bytes of shared memory on an SM\n",
                "columns(float const*, float*, int): 80 registers a thread, 0 bytes of shared memory a block\n",
                "Blocks of 256 threads: 3 on an SM, 24 of 32 warps (75 %); registers limit it. One more block would "
                "fit with 64 registers a thread.\n"])
        self.expect(self.heddle("occupancy"), 2, err_has="no program")
        self.expect(self.heddle("occupancy", "none.cu"), 2, err_has="none.cu: no such file")
        self.expect(self.heddle("occupancy", "--gpu", "t5", "columns.cu"), 2, err_has="--gpu")
        self.expect(self.heddle("occupancy", "/bin/true"), 1, err_has="there is no kernel in /bin/true")


if __name__ == "__main__":
    main()
