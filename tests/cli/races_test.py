# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle check --only race,sync on programs whose lines say what is to be found.

A comment `// KIND:LABEL` marks a line; the lines of one label are the two of one finding. Everything else must be
silent: each program holds correct kernels, too.
"""

import collections
import json
import re

from cli import SOURCE, CliTest, main

FOLDER = SOURCE / "tests" / "cli" / "races"
MARK = re.compile(r"\b([a-z]+(?:-[a-z]+)*):([a-z]+[0-9]*)")
KINDS = {"race", "atomic-scope", "same-value-race", "different-barriers", "barrier-not-reached", "mask-names-absent",
         "mask-lacks-caller", "inactive-source"}


def expected(text):
    """Kinds and lines, as the comments say."""
    lines = collections.defaultdict(set)
    for number, line in enumerate(text.splitlines(), 1):
        for kind, label in MARK.findall(line.partition("//")[2]):
            if kind in KINDS:
                lines[kind, label].add(number)
    return {(kind, frozenset(numbers)) for (kind, _), numbers in lines.items()}


def found(findings):
    result = set()
    for finding in findings:
        lines = {finding["places"][0]["line"]} if finding["places"] else set()
        other = finding.get("other", {}).get("places")
        if other and finding["kind"] != "barrier-not-reached":
            lines.add(other[0]["line"])
        result.add((finding["kind"], frozenset(lines)))
    return result


class Races(CliTest):
    def report(self, source, flags=()):
        env = re.search(r"^// env: (\w+)=(\w+)$", source.read_text(encoding="utf-8"), re.M)
        result = self.heddle("check", "--json", "--only", "race,sync", source, *flags,
                             env={"HEDDLE_STRICT": "1", **(dict([env.groups()]) if env else {})})
        self.assertIn(result.code, (0, 1), result)
        return json.loads(result.out.splitlines()[-1])["findings"], result

    def test_what_the_comments_say(self):
        for source in sorted(FOLDER.glob("*.cu")):
            with self.subTest(source=source.name):
                text = source.read_text(encoding="utf-8")
                flags = re.search(r"^// flags: (.*)$", text, re.M)
                findings, _ = self.report(source, flags.group(1).split() if flags else ())
                told = found(findings)
                self.assertEqual(expected(text) - told, set(), "not found")
                self.assertEqual(told - expected(text), set(), "false alarms")

    def test_programs_that_are_right(self):
        conformance = SOURCE / "tests" / "conformance"
        for name in ("language/last_block", "language/ticket_reset", "language/grid_barrier_by_hand", "language/cg_tiles", "language/cg_grid_sync", "language/named_barrier",
                     "language/warp_lock", "clusters/shared_memory", "clusters/barrier", "kernels/reduce_cooperative", "kernels/scan_block",
                     "host/streams_legacy_default", "async/barrier_objects"):
            with self.subTest(program=name):
                source = conformance / f"{name}.cu"
                flags = re.search(r"^// flags: (.*)$", source.read_text(encoding="utf-8"), re.M)
                findings, _ = self.report(source, ["-std=c++17", f"-I{conformance}",
                                                   *(flags.group(1).split() if flags else [])])
                self.assertEqual(findings, [])

    def test_the_same_report_from_any_number_of_workers(self):
        self.expect(self.heddlecc("-g", "-std=c++17", FOLDER / "shared.cu", "-o", "shared"))
        reports = [self.heddle("check", "--only", "race,sync", "./shared", env={"HEDDLE_WORKERS": workers})
                   for workers in ("1", "2", "16", "16")]
        self.assertEqual(reports[0].code, 1, reports[0])
        for other in reports[1:]:
            self.assertEqual(other.err, reports[0].err)

    def test_a_report_for_people(self):
        self.write("mirror.cu", """\
__global__ void mirror(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[63 - threadIdx.x];
}
int main() {
  int *out;
  cudaMalloc(&out, 256);
  mirror<<<1, 64>>>(out);
  return cudaDeviceSynchronize();
}
""")
        result = self.heddle("check", "mirror.cu")
        self.expect(result, 1, err_has=[
            "race: ", "mirror.cu:3:18 in mirror(int*)", "mirror.cu:4:22 in mirror(int*)",
            "    4 |   out[threadIdx.x] = s[63 - threadIdx.x];\n", "of the __shared__ variable s of 256 bytes",
            "Why: no __syncthreads()", "Remedy: ", "heddle check: 1 finding\n"])
        # Both lines are in the file for code scanning; suppressions know the variable.
        self.expect(self.heddle("check", "--sarif", "out.sarif", "--write-suppressions", "known.json", "mirror.cu"), 1)
        (race,) = json.loads((self.work / "out.sarif").read_text(encoding="utf-8"))["runs"][0]["results"]
        self.assertEqual([race[key][0]["physicalLocation"]["region"]["startLine"]
                          for key in ("locations", "relatedLocations")], [3, 4])
        (written,) = json.loads((self.work / "known.json").read_text(encoding="utf-8"))["suppressions"]
        self.assertEqual((written["kind"], written["variable"]), ("race", "s"))
        self.expect(self.heddle("check", "--suppressions", "known.json", "mirror.cu"), 0, err_has="1 more is suppressed")

    def test_what_a_report_can_say_of_the_other_thread(self):
        # Of a warp's reads of an address, one place is kept; of several warps' reads, no lanes.
        self.write("reads.cu", """\
__global__ void oneWarp(float *out) {
  __shared__ float s[32];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  const float own = s[t];
  const float left = s[t ? t - 1 : 0];
  s[t] = own + left;
  out[t] = s[t];
}
__global__ void twoWarps(float *out, const int *neighbour) {
  __shared__ float s[64];
  const int t = threadIdx.x;
  s[t] = t;
  __syncthreads();
  const float sum = s[t] + s[neighbour[t]];
  __syncwarp();
  s[t] = sum;
  __syncthreads();
  out[t] = s[t];
}
int main() {
  float *out;
  int all[64], *neighbour;
  for (int i = 0; i < 64; ++i)
    all[i] = 32;
  cudaMalloc(&out, 256);
  cudaMalloc(&neighbour, 256);
  cudaMemcpy(neighbour, all, 256, cudaMemcpyHostToDevice);
  oneWarp<<<1, 32>>>(out);
  twoWarps<<<1, 64>>>(out, neighbour);
  return cudaDeviceSynchronize();
}
""")
        result = self.heddle("check", "--only", "race", "reads.cu")
        self.expect(result, 1, err_has=[
            "thread (2,0,0), here or where else it accesses these bytes",
            "kernel twoWarps(float*, int const*): block (0,0,0), a thread of the warp of thread (0,0,0)"])

    def test_places_that_the_optimiser_has_merged(self):
        # LLVM gives them line 0.
        self.write("merged.cu", """\
__global__ void k(int *out) {
#line 0
  out[2] = blockIdx.x;
}
#line 4
int main() {
  int *out;
  cudaMalloc(&out, 400);
  k<<<3, 1>>>(out);
  cudaDeviceSynchronize();
  cudaFree(out);
}
""")
        result = self.heddle("check", "--only", "race", "merged.cu")
        self.expect(result, 1, err_has=[
            "at merged.cu in k(int*), at a line that the optimiser has merged with others (-G keeps them apart)\n",
            # What is freed before the end has a name, too.
            "at byte 8 of the allocation of 400 bytes by cudaMalloc in main at merged.cu:6"])
        self.assertNotIn("merged.cu:0", result.err)

    def test_launches_of_templates_and_in_namespaces(self):
        self.write("launches.cu", """\
namespace n {
__global__ void inside(int *p) { p[100] = 1; }
} // namespace n
template <int at> __global__ void anywhere(int *p) { p[at] = 1; }
int main() {
  int *p;
  cudaMalloc(&p, 400);
  n::inside<<<1, 1>>>(p);
  anywhere<100><<<1, 1>>>(p);
  cudaDeviceSynchronize();
}
""")
        result = self.heddle("check", "launches.cu")
        self.expect(result, 1, err_has=["  launched in main at launches.cu:8\n", "  launched in main at launches.cu:9\n"])
        self.assertNotIn("__device_stub__", result.err)

    def test_host_code(self):
        self.write("early.cu", """\
#include <cstdio>
__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
static void show(const int *p) {
  std::printf("%d\\n", p[3]);
}
int main() {
  int *p;
  cudaMallocManaged(&p, 256);
  fill<<<1, 64>>>(p);
  show(p);
  return cudaDeviceSynchronize();
}
""")
        self.expect(self.heddlecc("-g", "early.cu", "-o", "early"))
        for workers in ("1", "8"):
            result = self.heddle("check", "./early", env={"HEDDLE_WORKERS": workers})
            self.expect(result, 1, out_has="3\n", err_has=[
                "race: read by host code and write by a kernel, which the host has not waited for",
                "early.cu:4 in show(int const*)", "called from main at early.cu:10", "early.cu:2:47 in fill(int*)",
                "kernel fill(int*): block (0,0,0), thread (3,0,0)", "launched in main at early.cu:9",
                "at byte 12 of the allocation of 256 bytes by cudaMallocManaged in main at early.cu:8",
                "no cudaDeviceSynchronize()", "heddle check: 1 finding\n"])
        (finding,) = json.loads(self.heddle("check", "--json", "./early").out.splitlines()[-1])["findings"]
        self.assertEqual((finding["kind"], finding["access"], finding["other"]["kernel"]), ("race", "read", "fill(int*)"))
        # Races are not looked for.
        self.expect(self.heddle("check", "--only", "memory", "./early"), 0, err="heddle check: nothing found\n")

    def test_host_code_with_a_handler_of_its_own(self):
        # It would take a closed page for a mistake of the program's.
        self.write("handler.cu", """\
#include <csignal>
#include <unistd.h>
__global__ void fill(int *p) { p[2 * threadIdx.x] = threadIdx.x; }
int main() {
  int *p;
  cudaMallocManaged(&p, 4096);
  fill<<<1, 32>>>(p);
  cudaDeviceSynchronize();
  std::signal(SIGSEGV, [](int) { _exit(9); });
  fill<<<1, 512>>>(p);
  for (int i = 1; i < 1024; i += 2)
    p[i] = 1;
  return cudaDeviceSynchronize();
}
""")
        self.expect(self.heddle("check", "handler.cu"), 0, err="heddle check: nothing found\n")


if __name__ == "__main__":
    main()
