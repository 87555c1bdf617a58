# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle check: what it prints, takes and survives."""

import json
import xml.etree.ElementTree

from checked import UNINITIALISED, CheckTest
from cli import BUILD, SOURCE, main

PAST_THE_END = """\
#include <cstdio>
template <class T> __device__ void twice(T *p, int i) {
  p[i] = 2 * p[i];
}
__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  twice(x, i);
}
int main(int argc, char **argv) {
  float *x, *y;
  cudaMalloc(&x, 1000 * sizeof(float));
  cudaMalloc(&y, 1000 * sizeof(float));
  cudaMemset(x, 0, 1000 * sizeof(float));
  scale<<<8, 128>>>(x, 1000);
  std::printf("%d %s\\n", argc, cudaGetErrorString(cudaDeviceSynchronize()));
  return 3;
}
"""


class Check(CheckTest):
    def test_a_report_for_people(self):
        self.write("scale.cu", PAST_THE_END)
        result = self.heddle("check", "scale.cu", "--", "a", "b")
        self.expect(result, 1, "3 no error\n", err_has=[
            "access out of bounds: write of 4 bytes just past the end of an allocation\n",
            "at scale.cu:3:8 in ", "    3 |   p[i] = 2 * p[i];\n      |        ^\n",
            "inlined at scale.cu:7:3 in scale(float*, int)",
            "24 times, first in block (7,0,0), thread (104,0,0)\n  launched in main at scale.cu:14\n",
            "the allocation of 4000 bytes by cudaMalloc in main at scale.cu:11",
            "Remedy: ", "heddle check: 2 findings\n"])
        self.expect_clean()

    def test_variables_begin_with_their_values(self):
        self.write("variables.cu", """\
__constant__ int table[1000] = {1, 2, 3};
__device__ int zeros[1000];
__global__ void sum(const int *of, int *out) { atomicAdd(out, of[threadIdx.x] + table[threadIdx.x]); }
int main() {
  int *out;
  void *of;
  cudaMalloc(&out, 4);
  cudaMemset(out, 0, 4);
  cudaGetSymbolAddress(&of, zeros);
  sum<<<1, 1000>>>(static_cast<const int *>(of), out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
""")
        self.expect(self.heddle("check", "--only", "memory,init,unused", "variables.cu"), 0,
                    err="heddle check: nothing found\n")

    def test_a_built_program_and_both_engines(self):
        self.write("scale.cu", PAST_THE_END)
        self.expect(self.heddlecc("scale.cu", "-o", "scale"))
        reports = [self.report("./scale", env={"HEDDLE_ENGINE": engine}) for engine in ("simd", "reference")]
        self.assertEqual(reports[0], reports[1])
        self.assertEqual([(f["kind"], f["access"], f["count"], f["block"], f["thread"])
                          for f in reports[0]["findings"]],
                         [("out-of-bounds", "write", 24, [7, 0, 0], [104, 0, 0]),
                          ("out-of-bounds", "read", 24, [7, 0, 0], [104, 0, 0])])
        self.assertEqual(reports[0]["program_exit_code"], 3)
        # Unobserved, it has no trace of it.
        self.expect(self.command("./scale"), 3, err="")

    def test_the_same_report_from_any_number_of_workers(self):
        self.write("scale.cu", PAST_THE_END)
        self.expect(self.heddlecc("-g", "scale.cu", "-o", "scale"))
        for options in ([], ["--only", "memory,leak"]):
            one = self.heddle("check", *options, "./scale", env={"HEDDLE_WORKERS": "1"})
            self.assertEqual(one.code, 1, one)
            for workers in ("", "2", "16"):
                self.expect(self.heddle("check", *options, "./scale", env={"HEDDLE_WORKERS": workers}), 1, one.out, one.err)

    def test_how_many_workers(self):
        # As many blocks wait for each other; and what makes no sense.
        self.write("meet.cu", """\
#include <cstdio>
__global__ void meet(int *count) {
  atomicAdd(count, 1);
  while (atomicAdd(count, 0) < int(gridDim.x)) {}
}
int main() {
  int *count;
  cudaMallocManaged(&count, sizeof(int));
  meet<<<16, 1>>>(count);
  std::printf("%d %d\\n", cudaDeviceSynchronize(), *count);
  return 0;
}
""")
        self.expect(self.heddlecc("meet.cu", "-o", "meet"))
        for workers in ("1", "2", "16"):
            self.expect(self.command("./meet", env={"HEDDLE_WORKERS": workers}), 0, "0 16\n", "")
        for workers in ("0", "many", "-1", "2x", "5000"):
            self.expect(self.command("./meet", env={"HEDDLE_WORKERS": workers}), 0, "0 16\n",
                        f"heddle: HEDDLE_WORKERS={workers}: a number from 1 to 1024 is needed; all cores are used\n")

    def test_streams_with_few_workers(self):
        # Kernels in more streams than there are workers wait for each other.
        self.write("streams.cu", """\
#include <cstdio>
__global__ void meet(int *count, int all) {
  atomicAdd(count, 1);
  while (atomicAdd(count, 0) < all) {}
}
int main() {
  constexpr int streams = 6, blocks = 3;
  int *count;
  cudaMallocManaged(&count, sizeof(int));
  for (int i = 0; i < streams; ++i) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    meet<<<blocks, 1, 0, stream>>>(count, streams * blocks);
  }
  std::printf("%d %d\\n", cudaDeviceSynchronize(), *count);
  return 0;
}
""")
        self.expect(self.heddlecc("streams.cu", "-o", "streams"))
        for workers in ("1", "2", "4"):
            self.expect(self.command("./streams", env={"HEDDLE_WORKERS": workers}), 0, "0 18\n", "")

    def test_exit_code_and_limit(self):
        self.write("scale.cu", PAST_THE_END)
        self.expect(self.heddle("check", "--error-exitcode", "7", "--max-reports=1", "scale.cu"), 7,
                    err_has="2 findings, of which 1 are told (--max-reports)\n")
        self.expect(self.heddle("check", "--only", "leak", "scale.cu"), 1,
                    err_has=["4000 bytes from cudaMalloc in main at scale.cu:11", "2 findings"])

    def test_files_for_other_tools(self):
        self.write("scale.cu", PAST_THE_END)
        self.expect(self.heddle("check", "--sarif", "out.sarif", "--junit", "out.xml", "scale.cu"), 1)
        log = json.loads((self.work / "out.sarif").read_text(encoding="utf-8"))
        self.assertEqual(log["version"], "2.1.0")
        (run,) = log["runs"]
        first = run["results"][0]
        self.assertEqual(run["tool"]["driver"]["rules"][first["ruleIndex"]]["id"], first["ruleId"])
        self.assertEqual([r["ruleId"] for r in run["results"]], ["out-of-bounds"] * 2)
        place = first["locations"][0]["physicalLocation"]
        self.assertEqual((place["artifactLocation"]["uri"], place["region"]),
                         ("scale.cu", {"startLine": 3, "startColumn": 8}))
        self.assertEqual(first["relatedLocations"][0]["physicalLocation"]["region"]["startLine"], 7)
        suite = xml.etree.ElementTree.parse(self.work / "out.xml").getroot()[0]
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite[0][0].get("type")), ("2", "2", "out-of-bounds"))
        self.expect(self.heddle("check", "--sarif", "none/out.sarif", "scale.cu"), 1, err_has="cannot write none/out.sarif")
        for option in ("--sarif", "--report"):
            self.expect(self.heddle("check", option, "/dev/full", "scale.cu"), 1, err_has=[
                "cannot write /dev/full: No space left on device", "2 findings"])

    def test_reports_in_files(self):
        """What notebooks take: the program's own words are all there is on stdout and stderr."""
        self.write("scale.cu", PAST_THE_END)
        self.expect(self.heddle("check", "--json-file", "out.json", "--report", "out.txt", "scale.cu"), 1, "1 no error\n", "")
        report = json.loads((self.work / "out.json").read_text(encoding="utf-8"))
        self.assertEqual((report["count"], report["program_exit_code"], len(report["findings"])), (2, 3, 2))
        self.assertIn("heddle check: 2 findings\n", (self.work / "out.txt").read_text(encoding="utf-8"))

    def test_suppressions(self):
        self.write("scale.cu", PAST_THE_END)
        self.expect(self.heddle("check", "--write-suppressions", "known.json", "scale.cu"), 1)
        written = json.loads((self.work / "known.json").read_text(encoding="utf-8"))["suppressions"]
        self.assertEqual([(s["kind"], s["file"]) for s in written], [("out-of-bounds", "scale.cu")])
        self.expect(self.heddle("check", "--suppressions", "known.json", "scale.cu"), 3,
                    err_has=["nothing found", "2 more are suppressed by known.json"])
        self.write("other.json", '{"suppressions": [{"kernel": "other*"}, {"kind": "null-*"}]}')
        self.expect(self.heddle("check", "--suppressions", "other.json", "scale.cu"), 1, err_has="2 findings",
                    err_lacks="suppressed")
        for text, why in (("[]", "no file of suppressions"), ('{"suppressions": [{"colour": "red"}]}', '"colour"'),
                          ('{"suppressions": [{}]}', "at least one pattern")):
            self.write("wrong.json", text)
            self.expect(self.heddle("check", "--suppressions", "wrong.json", "scale.cu"), 1, out="", err_has=why)
        self.expect(self.heddle("check", "--suppressions", "none.json", "scale.cu"), 1, out="", err_has="cannot read none.json")

    def test_a_program_that_crashes(self):
        self.write("crash.cu", PAST_THE_END.replace("return 3;", "std::fflush(stdout); __builtin_trap();"))
        self.expect(self.heddle("check", "crash.cu"), 1, err_has=["did not come to its end", "2 findings"])

    def test_where_memory_was_allocated(self):
        # With the calls, whether they have been inlined or not.
        self.write("deep.cu", """\
template <class T> struct Buffer {
  T *p;
  explicit Buffer(int n) { cudaMalloc(&p, n * sizeof(T)); }
};
__global__ void fill(int *p) { p[threadIdx.x] = 1; }
__attribute__((noinline)) void run(int n) {
  Buffer<int> buffer(n);
  fill<<<1, 64>>>(buffer.p);
}
int main() {
  run(63);
  return cudaDeviceSynchronize();
}
""")
        for level in ("-O0", "-O2"):
            with self.subTest(level=level):
                (found,) = self.report("--only", "memory", level, "deep.cu")["findings"]
                self.assertIn("Buffer(int) at deep.cu:3, called from run(int) at deep.cu:7, called from main at deep.cu:11", found["object"])

    def test_where_kernels_were_launched(self):
        # Through functions, in a graph, and by another kernel.
        self.write("launch.cu", """\
__global__ void past(int *p) { p[8] = 1; }
__global__ void before(int *p) { p[-1] = 1; }
__global__ void child(int *p) { p[9] = 1; }
__global__ void parent(int *p) { child<<<1, 1>>>(p); }
__attribute__((noinline)) void run(void (*kernel)(int *), int *p) {
  kernel<<<1, 1>>>(p);
}
int main() {
  int *p;
  cudaMalloc(&p, 32);
  run(past, p);
  parent<<<1, 1>>>(p);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  before<<<1, 1, 0, stream>>>(p);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&exec, graph, 0);
  cudaGraphLaunch(exec, stream);
  return cudaDeviceSynchronize();
}
""")
        for only in ("memory", "memory,race"):
            found = self.report("--only", only, "-rdc=true", "launch.cu", "--sarif", "launch.sarif")["findings"]
            self.assertEqual({f["kernel"]: (f.get("launcher"), [(p["function"], p["line"]) for p in f["launched"]]) for f in found},
                             {"past(int*)": (None, [("run(void (*)(int*), int*)", 6), ("main", 11)]),
                              "child(int*)": ("parent(int*)", [("main", 12)]), "before(int*)": (None, [("main", 21)])})
        log = json.loads((self.work / "launch.sarif").read_text(encoding="utf-8"))
        self.assertIn("launched from here", [place["message"]["text"] for result in log["runs"][0]["results"]
                                             for place in result.get("relatedLocations", [])])
        self.expect(self.heddle("check", "-rdc=true", "launch.cu"), 1, err_has=[
            "launched by kernel parent(int*)\n  which was launched in main at launch.cu:12\n",
            "  launched in run(void (*)(int*), int*) at launch.cu:6, called from main at launch.cu:11\n"])

    def test_libraries_that_are_found_by_a_link(self):
        # What Heddle's own libraries do to a device's memory is right, wherever their files seem to be.
        (self.work / "lib64").symlink_to(BUILD / "lib")
        self.write("solver.cu", """\
#include <cusolverRf.h>
int main() {
  int n = 2, rows[] = {0, 2, 4}, columns[] = {0, 1, 0, 1};
  int l_rows[] = {0, 0, 1}, l_columns[] = {0}, u_rows[] = {0, 2, 3}, u_columns[] = {0, 1, 1}, same[] = {0, 1};
  double a[] = {4, 2, 2, 3}, l[] = {0.5}, u[] = {4, 2, 2};
  cusolverRfHandle_t solver;
  cusolverRfCreate(&solver);
  if (cusolverRfSetupHost(n, 4, rows, columns, a, 1, l_rows, l_columns, l, 3, u_rows, u_columns, u, same, same, solver))
    return 2;
  cusolverRfAnalyze(solver);
  return cusolverRfDestroy(solver);
}
""")
        self.expect(self.heddlecc("solver.cu", "-o", "solver", f"-L{self.work}/lib64", "-lcusolver",
                                  "-Xlinker", f"-rpath={self.work}/lib64"))
        self.expect(self.heddle("check", "./solver"), 0, err="heddle check: nothing found\n")

    def test_memory_that_a_library_writes_from_the_host(self):
        conformance = SOURCE / "tests" / "conformance"
        self.expect(self.heddlecc("-g", f"-I{conformance}", conformance / "libraries" / "cufft_devices.cu", "-lcufft",
                                  "-o", "devices"))
        result = self.heddle("check", "--only", "memory,init", "./devices", env={"HEDDLE_DEVICES": "4"})
        self.expect(result, 0, err_has="heddle check: nothing found\n")

    def test_programs_that_end_otherwise(self):
        unfinished = "the program did not come to its end"
        last = "std::fflush(stdout); "
        for end, why in (("raise(SIGKILL);", "(Killed)"), ("*(volatile int *)nullptr = 1;", "(Segmentation fault)"),
                         ("raise(SIGTERM);", unfinished), ("_exit(3);", unfinished), ("std::terminate();", "(Aborted)")):
            with self.subTest(end=end):
                self.write("end.cu", "#include <csignal>\n#include <exception>\n#include <unistd.h>\n" +
                           PAST_THE_END.replace("return 3;", last + end))
                self.expect(self.heddle("check", "end.cu"), 1, err_has=[unfinished, why, "2 findings"])

    def test_processes(self):
        # Before the first call of CUDA's, a program may fork: all processes are checked.
        self.write("fork.cu", """\
#include <sys/wait.h>
#include <unistd.h>
__global__ void parent(int *p) { p[threadIdx.x] = 1; }
__global__ void child(int *p) { p[threadIdx.x] = 1; }
int main() {
  const pid_t pid = fork();
  int *p;
  cudaMalloc(&p, 64);
  if (pid == 0)
    child<<<1, 32>>>(p);
  else
    parent<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  if (pid == 0)
    return 0;
  waitpid(pid, nullptr, 0);
  return 0;
}
""")
        result = self.heddle("check", "fork.cu")
        self.expect(result, 1, err_has=["in child(int*)", "in parent(int*)", "2 findings"])

    def test_what_limits_a_report(self):
        self.write("scale.cu", PAST_THE_END)
        self.expect(self.heddlecc("scale.cu", "-o", "scale"))
        self.expect(self.heddle("check", "./scale"), 1, err_has=["by cudaMalloc in scale+0x", "no debug information", "-g"])
        self.write("fill.cu", """\
__global__ void set(int *p) { *p = 1; }
int main() {
  int *p;
  cudaStream_t stream;
  cudaMalloc(&p, 4);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  cudaMemset(p, 0, 4);
  set<<<1, 1, 0, stream>>>(p);
  return cudaDeviceSynchronize();
}
""")
        self.expect(self.heddlecc("fill.cu", "-o", "fill"))
        self.expect(self.heddle("check", "./fill"), 1, err_has=["the other one: write at fill+0x", "by cudaMemset"])
        self.write("plain.cpp", "int main() { return 5; }")
        self.expect(self.heddlecc("plain.cpp", "-o", "plain"))
        self.expect(self.heddle("check", "./plain"), 5, err="heddle check: nothing found\n")
        self.expect(self.heddle("check", "/bin/true"), 0, err_has="has not used Heddle's CUDA library")

    def test_memory_runs_out(self):
        # The program has what it needs alone; the checker's memory for it does not fit.
        self.write("large.cu", """\
#include <cstdio>
#include <sys/resource.h>
__global__ void past(int *p, size_t n) { p[n] = 1; }
__global__ void set(char *p, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 4096 * (gridDim.x * blockDim.x)) p[i] = 1;
}
int main() {
  int *small;
  char *large;
  const size_t bytes = size_t(1) << 30;
  cudaMalloc(&small, 64);
  past<<<1, 1>>>(small, 16);
  cudaDeviceSynchronize();
  cudaMalloc(&large, bytes);
  // What is mapped now, and a little.
  long pages = 0;
  std::FILE *file = std::fopen("/proc/self/statm", "r");
  if (std::fscanf(file, "%ld", &pages) != 1) return 9;
  std::fclose(file);
  const rlimit limit = {size_t(pages) * 4096 + (8 << 20), size_t(pages) * 4096 + (8 << 20)};
  setrlimit(RLIMIT_AS, &limit);
  set<<<4, 64>>>(large, bytes);
  cudaDeviceSynchronize();
  return 0;
}
""")
        result = self.heddle("check", "large.cu")
        self.expect(result, 1, err_has=["in past(int*, unsigned long)", "out of bounds"])
        self.assertRegex(result.err, "out of memory|no memory is left; --only memory needs least of it", result)

    def test_what_makes_no_sense(self):
        self.expect(self.heddle("check"), 2, err_has="no program to check")
        self.expect(self.heddle("check", "--only", "colour", "x.cu"), 2, err_has="there is no such check")
        self.expect(self.heddle("check", "--max-reports", "many", "x.cu"), 2, err_has="a number from")
        self.expect(self.heddle("check", "none.cu"), 2, err_has="none.cu: no such file")
        self.expect(self.heddle("check", "--help"), 0, out_has="--error-exitcode")
        self.write("broken.cu", "int main() { return x; }\n")
        self.expect(self.heddle("check", "broken.cu"), 1, err_has="broken.cu:1:21: error", err_lacks="nothing found")
        self.expect(self.heddle("check", "/bin/true"), 0, err_has="has not used Heddle's CUDA library")

    def test_nvidias_form(self):
        self.write("scale.cu", PAST_THE_END)
        self.expect(self.heddlecc("scale.cu", "-o", "scale"))
        tool = BUILD / "share" / "heddle" / "toolkit" / "bin" / "compute-sanitizer"
        self.expect(self.command(tool, "--tool", "memcheck", "./scale", "a"), 3, out_has=[
            "2 no error\n", "========= COMPUTE-SANITIZER\n", "========= Invalid __global__ write of size 4 bytes\n",
            "=========     by thread (104,0,0) in block (7,0,0)\n", "========= ERROR SUMMARY: 2 errors\n"])
        self.expect(self.command(tool.with_name("cuda-memcheck"), "--error-exitcode", "9", "--log-file", "log",
                                 "./scale"), 9, "1 no error\n")
        self.assertIn("ERROR SUMMARY", (self.work / "log").read_text(encoding="utf-8"))
        self.write("init.cu", UNINITIALISED)
        self.expect(self.heddlecc("init.cu", "-o", "init"))
        self.expect(self.command(tool, "--tool", "initcheck", "./init"), 0, out_has=[
            "========= Uninitialized __global__ memory read of size 4 bytes\n",
            "========= Uninitialized __shared__ memory read of size 4 bytes\n", "========= ERROR SUMMARY: 5 errors\n"])
        self.expect(self.command(tool, "--tool", "colourcheck", "./scale"), 1, err_has="there are memcheck, initcheck")

    def test_as_makefiles_call_nvidias_tool(self):
        # From its own folder of the toolkit, a program by its name alone, with options that say what is so in any case.
        self.expect(self.heddle("toolkit", "cuda"), 0, out_has="cuda")
        tool = self.work / "cuda" / "compute-sanitizer" / "compute-sanitizer"
        self.write("wrong.cu", """\
__global__ void lacks(int *out) {
  if (threadIdx.x <= 16)
    __syncwarp(0xffff);
  out[threadIdx.x] = 1;
}
__device__ void farAway() { *(int *)0x87654320 = 42; }
__global__ void wild() { farAway(); }
int main() {
  int *out, *too_large;
  cudaMalloc(&out, 128);
  lacks<<<1, 32>>>(out);
  wild<<<1, 1>>>();
  cudaDeviceSynchronize();
  cudaMalloc(&too_large, size_t(1) << 60);
  return 0;
}
""")
        self.expect(self.command(self.work / "cuda" / "bin" / "nvcc", "-g", "wrong.cu", "-o", "wrong"))
        self.expect(self.command(tool, "--tool", "synccheck", "wrong"), 0, out_has=[
            "at lacks(int*) in ", "wrong.cu:3\n", "ERROR SUMMARY: 1 error\n"])
        result = self.command(tool, "--destroy-on-device-error", "kernel", "--leak-check=full", "--save", "known", "--xml", "wrong")
        self.expect(result, 0, out_has=[
            "Invalid __global__ write of size 4 bytes\n", "at farAway in ", "wrong.cu:6\n", "at an address in no allocation\n",
            "on CUDA API call: cudaMalloc in main at wrong.cu:14 returned cudaErrorMemoryAllocation",
            "LEAK SUMMARY: 128 bytes leaked in 1 allocations\n", "ERROR SUMMARY: 3 errors\n"])
        self.expect(self.command(tool, "--leak-check=full", "--suppressions", "known", "wrong"), 0, out_has="ERROR SUMMARY: 0 errors\n")


if __name__ == "__main__":
    main()
