# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle check: what it finds, what it does not, and what it prints."""

import json
import re
import xml.etree.ElementTree

from cli import BUILD, SOURCE, CliTest, main

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

# Everything that is right and looks odd: pinned, managed, registered, device heap, constants, function tables,
# local arrays, partial warps, structures by value, pools, symbols.
RIGHT = """\
#include <cstdio>
#include <cstdlib>
struct Big { int values[40]; };
__constant__ int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};
__device__ int counters[8];
__managed__ int answer;
__device__ int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 1 - (n & 1)); }
__device__ const char *const names[] = {"zero", "one"};
__global__ void work(int *device, int *pinned, int *managed, int *registered, Big big, int n) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[37];
  int t = threadIdx.x, local[16];
  for (int i = 0; i < 16; ++i) local[i] = squares[(t + i) % 8];
  fixed[t] = local[t % 16] + big.values[t];
  dynamic[36 - t] = fixed[t];
  __syncthreads();
  int *own = (int *)malloc(t * sizeof(int) + 4);
  own[t] = dynamic[t];
  atomicAdd(&counters[t % 8], own[t]);
  device[t] = own[t] + depth(t);
  pinned[t] = managed[t] = registered[t] = names[t & 1][1];
  if (t == n - 1) { answer = own[t] + 1; device[n] = -1; }
  free(own);
}
int main() {
  int *device, *pooled, *pinned, *managed, *registered = (int *)aligned_alloc(4096, 4096);
  cudaMalloc(&device, 38 * sizeof(int));
  cudaMallocHost(&pinned, 37 * sizeof(int));
  cudaMallocManaged(&managed, 37 * sizeof(int));
  cudaHostRegister(registered, 37 * sizeof(int), 0);
  cudaMallocAsync(&pooled, 38 * sizeof(int), 0);
  Big big = {};
  work<<<3, 37, 37 * sizeof(int)>>>(device, pinned, managed, registered, big, 37);
  work<<<1, 37, 37 * sizeof(int)>>>(pooled, pinned, managed, registered, big, 37);
  cudaFreeAsync(pooled, 0);
  std::printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
  return answer > 0 ? 0 : 4;
}
"""

# Half of an array is copied, padding is copied with its structure, and what a copy of unwritten memory gives is used.
UNINITIALISED = """\
struct Padded { char letter; int number; };
__global__ void twice(const int *x, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2 * x[i]; // wrong: twice
}
__global__ void fill(Padded *p) {
  p[threadIdx.x].letter = 'a';
  p[threadIdx.x].number = 1;
}
__global__ void copy(const Padded *from, Padded *to) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void add(const Padded *p, int *out) { *out = p[0].letter + p[31].number; }
__global__ void words(const int *from, int *to) {
  to[threadIdx.x] = from[threadIdx.x]; // wrong: nothing has ever been written there
}
__global__ void use(const int *p, int *out) {
  out[threadIdx.x] = p[threadIdx.x] + 1; // wrong
}
__global__ void heap(int *out) {
  int *own = (int *)malloc(8);
  own[0] = threadIdx.x;
  out[threadIdx.x] = own[0] + own[1]; // wrong
  free(own);
}
__global__ void tile(int *out) {
  __shared__ int all[32];
  if (threadIdx.x < 31) all[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = 3 * all[31 - threadIdx.x]; // wrong
}
int main() {
  int host[128] = {}, *x, *y, *z, *out;
  Padded *p, *q;
  cudaMalloc(&x, 1024);
  cudaMalloc(&y, 1024);
  cudaMalloc(&z, 1024);
  cudaMalloc(&out, 1024);
  cudaMalloc(&p, 32 * sizeof(Padded));
  cudaMalloc(&q, 32 * sizeof(Padded));
  cudaMemcpy(x, host, 512, cudaMemcpyHostToDevice);
  twice<<<2, 128>>>(x, out);
  fill<<<1, 32>>>(p);
  copy<<<1, 32>>>(p, q);
  add<<<1, 1>>>(q, out);
  words<<<1, 32>>>(z, y);
  use<<<1, 32>>>(y, out);
  heap<<<1, 32>>>(out);
  tile<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
"""

# A fetch and a surface access of memory that is not there.
TEXTURES = """\
#include <cstdio>
__global__ void fetch(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}
__global__ void sample(cudaTextureObject_t t, float *out) {
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x, 0.25f);
}
__global__ void write(cudaSurfaceObject_t s, float *out) {
  surf2Dwrite(1.0f, s, threadIdx.x * 4, 0);
}
__global__ void add(cudaSurfaceObject_t s, float *out) {
  out[threadIdx.x] = surf2Dread<float>(s, threadIdx.x * 4, 0, cudaBoundaryModeZero) + 1;
}
int main() {
  float *p, *out;
  cudaMalloc(&p, 32 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float));
  cudaArray_t array;
  const auto channel = cudaCreateChannelDesc<float>();
  cudaMallocArray(&array, &channel, 32, 1, cudaArraySurfaceLoadStore);
  cudaResourceDesc linear = {}, of_array = {};
  linear.resType = cudaResourceTypeLinear;
  linear.res.linear = {p, channel, 32 * sizeof(float)};
  of_array.resType = cudaResourceTypeArray;
  of_array.res.array.array = array;
  cudaTextureDesc desc = {};
  desc.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texels, image;
  cudaSurfaceObject_t surface;
  cudaCreateTextureObject(&image, &of_array, &desc, nullptr);
  cudaCreateSurfaceObject(&surface, &of_array);
  desc.filterMode = cudaFilterModePoint;
  cudaCreateTextureObject(&texels, &linear, &desc, nullptr);
  cudaMemset(p, 0, 32 * sizeof(float));
  fetch<<<1, 32>>>(texels, out);
  write<<<1, 32>>>(surface, out);
  sample<<<1, 32>>>(image, out);
  add<<<1, 32>>>(surface, out);
  WRONG
  std::printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
"""

# One pool, two pieces with room between them; one is given back.
POOL = """\
#include <cstdio>
#include <nvtx3/nvToolsExtMem.h>
__global__ void set(int *p, int i) { p[i] = 1; }
__global__ void late(int *p) { *p = 1; }
__global__ void jump(int *p, int i) { p[i] = 1; }
int main() {
  char *all;
  cudaMalloc(&all, 4096);
  nvtxMemVirtualRangeDesc_t range = {4096, all}, pieces[] = {{64, all + 512}, {64, all + 1024}};
  nvtxMemHeapDesc_t heap = {NVTX_EXT_COMPATID_MEM, sizeof(heap)};
  heap.usage = NVTX_MEM_HEAP_USAGE_TYPE_SUB_ALLOCATOR;
  heap.type = NVTX_MEM_TYPE_VIRTUAL_ADDRESS;
  heap.typeSpecificDescSize = sizeof(range);
  heap.typeSpecificDesc = &range;
  nvtxMemHeapHandle_t pool = nvtxMemHeapRegister(nullptr, &heap);
  nvtxMemRegionsRegisterBatch_t batch = {NVTX_EXT_COMPATID_MEM, sizeof(batch), NVTX_MEM_TYPE_VIRTUAL_ADDRESS, pool, 2, sizeof(range), pieces};
  nvtxMemRegionsRegister(nullptr, &batch);
  nvtxMemRegionNameDesc_t names[] = {{NVTX_MEM_REGION_REF_TYPE_POINTER, NVTX_MESSAGE_TYPE_ASCII, {all + 1024}, {"mine"}},
                                     {NVTX_MEM_REGION_REF_TYPE_POINTER, NVTX_MESSAGE_TYPE_ASCII, {all}, {"all"}}};
  nvtxMemRegionRef_t first = {all + 512};
  nvtxMemRegionsUnregisterBatch_t gone = {NVTX_EXT_COMPATID_MEM, sizeof(gone), NVTX_MEM_REGION_REF_TYPE_POINTER, 1, sizeof(first), &first};
  set<<<1, 1>>>((int *)all, 128);
  jump<<<1, 1>>>((int *)(all + 512), 128); // wrong: another piece
  nvtxMemRegionsUnregister(nullptr, &gone);
  nvtxMemRegionsNameBatch_t named = {NVTX_EXT_COMPATID_MEM, sizeof(named), 0, 2, sizeof(names[0]), names};
  nvtxMemRegionsName(nullptr, &named);
  set<<<1, 1>>>((int *)(all + 1024), 15);
  set<<<1, 1>>>((int *)(all + 1024), 16); // wrong
  late<<<1, 1>>>((int *)(all + 512));     // wrong
  cudaDeviceSynchronize();
  nvtxMemHeapUnregister(nullptr, pool);
  set<<<1, 1>>>((int *)all, 500);
  std::printf("%d\\n", cudaDeviceSynchronize());
  return 0;
}
"""

SECTION = re.compile(r"^## (\S+)\n(.*?)(?=^## |\Z)", re.M | re.S)
PROGRAM = re.compile(r"^```cuda\n(.*?)^```$", re.M | re.S)


class Check(CliTest):
    def report(self, *arguments, code=1, env=None):
        """The findings of a run, as JSON."""
        result = self.heddle("check", "--json", *arguments, env=env)
        self.expect(result, code)
        return json.loads(result.out.splitlines()[-1])

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

    def test_what_is_right_is_not_told(self):
        self.write("right.cu", RIGHT)
        for engine in ("simd", "reference"):
            self.expect(self.heddle("check", "--only", "memory", "right.cu", env={"HEDDLE_ENGINE": engine}), 0, "no error\n",
                        "heddle check: nothing found\n")

    def test_programs_that_are_right(self):
        programs = ["kernels/reduce_shared", "kernels/queues", "kernels/matmul_register_blocked", "kernels/volatile_sums",
                    "textures/filtering_ways", "graphs/conditional_while", "language/virtual_functions",
                    "launches/device_memory_functions", "launches/launch_buffers"]
        for name in programs:
            with self.subTest(program=name):
                source = SOURCE / "tests" / "conformance" / f"{name}.cu"
                flags = re.search(r"^// flags: (.*)$", source.read_text(encoding="utf-8"), re.M)
                flags = flags.group(1).split() if flags else []
                result = self.heddle("check", "--only", "memory", source, "-std=c++17", f"-I{SOURCE / 'tests' / 'conformance'}", *flags)
                self.expect(result, 0, err="heddle check: nothing found\n")

    def test_the_programs_of_the_documentation(self):
        sections = SECTION.findall((SOURCE / "docs" / "checks.md").read_text(encoding="utf-8"))
        self.assertEqual(len(sections), 25)
        races = {"race", "atomic-scope", "same-value-race"}
        sync = {"different-barriers", "barrier-not-reached", "mask-names-absent", "mask-lacks-caller", "inactive-source"}
        groups = {"leak": "leak", "unused-memory": "unused", "uninitialised": "init", "failed-call": "api", "never-awaited": "api"} | dict.fromkeys(races, "race") | dict.fromkeys(sync, "sync")
        for kind, text in sections:
            programs = PROGRAM.findall(text)
            self.assertEqual((len(programs) % 2, programs == []), (0, False), kind)
            only = groups.get(kind, "memory")
            for wrong, right in zip(programs[::2], programs[1::2]):
                with self.subTest(kind=kind, wrong=wrong):
                    self.check_pair(kind, only, wrong, right)

    def check_pair(self, kind, only, wrong, right):
        """A wrong program of the documentation and its repair; comments say what they need."""
        flags = " ".join(re.findall(r"^// flags: (.*)$", wrong, re.M)).split()
        env = dict(re.findall(r"^// env: (\w+)=(\w+)$", wrong, re.M))
        self.write("wrong.cu", wrong)
        found = self.report("--only", only, "wrong.cu", *flags, env=env)["findings"]
        self.assertEqual({f["kind"] for f in found}, {kind}, found)
        lines = [i for i, line in enumerate(wrong.splitlines(), 1) if "// wrong" in line]
        self.assertEqual({f["places"][0]["line"] for f in found if f["places"]}, set(lines), found)
        self.write("right.cu", right)
        self.expect(self.heddle("check", "--only", only, "right.cu", *flags, env=env), 0,
                    err="heddle check: nothing found\n")

    def test_textures_and_surfaces_without_memory(self):
        gone = "in an array that has been freed"
        for wrong, kind, line, words in (
                ("", None, 0, ""),
                ("cudaFree(p); fetch<<<1, 32>>>(texels, out);", "use-after-free", 3, "texture fetch of 4 bytes in memory"),
                ("fetch<<<1, 32>>>(0, out);", "null-pointer", 3, "texture fetch by the handle 0x0"),
                ("add<<<1, 32>>>(0, out);", "null-pointer", 12, "surface read by the handle 0x0"),
                ("write<<<1, 33>>>(surface, out);", "out-of-bounds", 9, "surface write of 4 bytes outside"),
                ("cudaFreeArray(array); sample<<<1, 32>>>(image, out);", "use-after-free", 6, gone),
                ("cudaFreeArray(array); write<<<1, 32>>>(surface, out);", "use-after-free", 9, gone)):
            self.write("textures.cu", TEXTURES.replace("WRONG", wrong))
            for only in ("memory", "memory,race", "memory,init"):
                with self.subTest(wrong=wrong, only=only):
                    result = self.heddle("check", "--json", "--only", only, "textures.cu")
                    self.assertTrue(result.out.startswith("no error\n"), result)
                    found = json.loads(result.out.splitlines()[-1])["findings"]
                    self.assertEqual([(f["kind"], f["places"][0]["line"]) for f in found], [(kind, line)] if kind else [])
                    self.assertTrue(all(words in f["what"] for f in found), found)

    def test_fetches_of_what_was_never_written(self):
        self.write("textures.cu", TEXTURES.replace("WRONG", "").replace("  cudaMemset(p", "  //").replace("  write<<<", "  //"))
        found = self.report("--only", "init", "textures.cu")["findings"]
        self.assertEqual([(f["kind"], f["places"][0]["line"]) for f in found],
                         [("uninitialised", line) for line in (3, 6, 12)], found)

    def test_an_index_that_leads_into_another_allocation(self):
        # The second launch's pointer is the first one's neighbour, from which the same line may well be reached.
        self.write("jump.cu", """\
__global__ void set(int *p, long long i) { p[i] = 1; }
int main() {
  int *a, *b;
  cudaMalloc(&a, 4096);
  cudaMalloc(&b, 4096);
  set<<<1, 1>>>(a, 0);
  set<<<1, 1>>>(b, a - b);
  return cudaDeviceSynchronize();
}
""")
        found = self.report("jump.cu")["findings"]
        self.assertEqual([(f["kind"], f["count"]) for f in found], [("out-of-bounds", 1)], found)
        self.assertIn("before the beginning of the allocation of 4096 bytes by cudaMalloc in main at jump.cu:5",
                      found[0]["object"])

    def test_the_last_element_of_shared_memory_in_ptx(self):
        # The address is a number, so no array is known; the block's 124 bytes are.
        self.write("ptx.cu", """__global__ void turn(int *out) {
  __shared__ int tile[31];
  const int t = threadIdx.x;
  asm volatile("st.shared.s32 [%0], %1;" ::"r"(unsigned(__cvta_generic_to_shared(&tile[t]))), "r"(t) : "memory");
  __syncthreads();
  out[t] = tile[t % 31];
}
int main() {
  int *out;
  cudaMalloc(&out, 32 * sizeof(int));
  turn<<<1, 32>>>(out);
  return cudaDeviceSynchronize();
}
""")
        found = self.report("ptx.cu")["findings"]
        self.assertEqual([(f["kind"], f["count"], f["places"][0]["line"]) for f in found], [("shared-out-of-bounds", 1, 4)], found)

    def test_uninitialised_reads(self):
        self.write("init.cu", UNINITIALISED)
        for engine, only in (("simd", "init"), ("reference", "init"), ("simd", "init,race"), ("reference", "init,race")):
            with self.subTest(engine=engine, only=only):
                found = self.report("--only", only, "init.cu", env={"HEDDLE_ENGINE": engine})["findings"]
                lines = UNINITIALISED.splitlines()
                self.assertEqual({f["kind"] for f in found}, {"uninitialised"})
                self.assertEqual(sorted(f["places"][0]["line"] for f in found),
                                 [i for i, line in enumerate(lines, 1) if "// wrong" in line], found)
                by_line = {lines[f["places"][0]["line"] - 1].strip(): f for f in found}
                half = next(f for line, f in by_line.items() if "twice" in line)
                self.assertEqual((half["count"], half["block"], half["thread"]), (128, [1, 0, 0], [0, 0, 0]))
                self.assertIn("at byte 512 of the allocation of 1024 bytes by cudaMalloc in main at init.cu:",
                              half["object"])

    def test_freed_memory_is_not_given_out_at_once(self):
        self.write("again.cu", """\
__global__ void set(int *p) { p[threadIdx.x] = 1; }
int main() {
  int *a, *b;
  cudaMalloc(&a, 4096);
  cudaFree(a);
  cudaMalloc(&b, 4096);
  set<<<1, 32>>>(a);
  set<<<1, 32>>>(b);
  return cudaDeviceSynchronize();
}
""")
        found = self.report("again.cu")["findings"]
        self.assertEqual([(f["kind"], f["count"]) for f in found], [("use-after-free", 32)], found)

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

    def test_an_access_that_the_optimiser_leaves_out(self):
        self.write("unrolled.cu", """\
__global__ void squares(int *out, int n) {
  int values[8];
#pragma unroll
  for (int i = 0; i <= 8; ++i)
    values[i] = i * n; // wrong
  out[threadIdx.x] = values[threadIdx.x % 8];
}
int main() {
  int *out;
  cudaMalloc(&out, 128);
  squares<<<1, 32>>>(out, 3);
  return cudaDeviceSynchronize();
}
""")
        found = self.report("-G", "unrolled.cu")["findings"]
        self.assertEqual([(f["kind"], f["places"][0]["line"], f["count"]) for f in found], [("local-out-of-bounds", 5, 32)], found)

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

    def test_host_code_that_accesses_memory_of_a_device(self):
        self.write("host.cu", """\
#include <cstdio>
#include <cstring>
__device__ int seven = 7;
__global__ void set(int *p) { p[threadIdx.x] = seven; }
int main() {
  int *x, *y, *managed, *pinned, copy[16];
  cudaMalloc(&x, 64);
  cudaMalloc(&y, 64);
  cudaMallocManaged(&managed, 64);
  cudaMallocHost(&pinned, 64);
  x[4] = 1; // write
  for (int *p : {x, managed, pinned})
    set<<<1, 16>>>(p);
  cudaDeviceSynchronize();
  managed[1] = pinned[1] + 1;
  y[1] = 2; // write
  std::memcpy(copy, x, sizeof copy); // read
  std::printf("%d %d\\n", copy[4], x[3]); // read
  cudaFree(y);
  y[1] = 1; // freed
  cudaMemcpyFromSymbol(copy, seven, sizeof(int));
  cudaMemcpy(copy, x, 64, cudaMemcpyDeviceToHost);
  return 0;
}
""")
        lines = [i for i, line in enumerate((self.work / "host.cu").read_text(encoding="utf-8").splitlines(), 1) if "; //" in line]
        for only in ("memory", "memory,race", "init,memory"):
            with self.subTest(only=only):
                result = self.heddle("check", "--json", "--only", only, "-O0", "host.cu")
                self.expect(result, 1, out_has="7 7\n")
                found = json.loads(result.out.splitlines()[-1])["findings"]
                self.assertEqual({f["kind"] for f in found}, {"device-pointer"}, found)
                self.assertEqual(sorted(int(f["what"].rpartition(":")[2]) for f in found), lines, found)
                self.assertEqual(sum("host code writes freed memory" in f["what"] for f in found), 1, found)
                self.assertEqual(sum(f["what"].startswith("host code reads memory of a device in main at") for f in found), 2, found)
                self.assertEqual(sum("by cudaMalloc in main at host.cu:7" in f["object"] for f in found), 3, found)
        self.expect(self.heddle("run", "-O0", "host.cu"), 0, "7 7\n", "")

    def test_memory_that_a_program_gives_out_itself(self):
        self.write("pool.cu", POOL)
        result = self.heddle("check", "--leak-check", "full", "pool.cu")
        found = self.report("--only", "memory,leak", "pool.cu")["findings"]
        self.assertEqual([(f["kind"], f["count"]) for f in found],
                         [("use-after-free", 1), ("out-of-bounds", 1), ("out-of-bounds", 1), ("leak", 1)], found)
        self.expect(result, 1, err_has=[
            "write of 4 bytes just past the end of an allocation", "the allocation of 64 bytes called mine by nvtxMemRegionsRegister in main at pool.cu:",
            "at byte 0 of the allocation of 64 bytes by nvtxMemRegionsRegister in main at pool.cu:", "freed in main at pool.cu:",
            "4096 bytes called all from cudaMalloc in main at pool.cu:"])
        self.expect(self.heddle("run", "pool.cu"), 0, "0\n", "")

    def test_shared_memory_that_is_only_copied(self):
        self.write("copied.cu", """\
struct Padded { char letter; int number; };
__global__ void copies(int *out, Padded *padded) {
  __shared__ int never[32], other[64];
  __shared__ Padded tile[32];
  tile[threadIdx.x].letter = 'a';
  tile[threadIdx.x].number = 1;
  other[threadIdx.x] = 1;
  __syncthreads();
  padded[threadIdx.x] = tile[31 - threadIdx.x];
  out[threadIdx.x] = never[31 - threadIdx.x]; // wrong
  out[threadIdx.x + 32] = other[threadIdx.x + 32]; // wrong
}
int main() {
  int *out;
  Padded *padded;
  cudaMalloc(&out, 256);
  cudaMalloc(&padded, 32 * sizeof(Padded));
  copies<<<1, 32>>>(out, padded);
  return cudaDeviceSynchronize();
}
""")
        for engine in ("simd", "reference"):
            found = self.report("--only", "init", "copied.cu", env={"HEDDLE_ENGINE": engine})["findings"]
            self.assertEqual(sorted((f["kind"], f["places"][0]["line"]) for f in found), [("uninitialised", 10), ("uninitialised", 11)])

    def test_calls_that_fail(self):
        self.write("calls.cu", """\
#include <cstdio>
__global__ void set(int *p) { *p = 1; }
int main() {
  int *p;
  cudaMalloc(&p, 4);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  set<<<1, 4096>>>(p);
  for (int i = 0; i < 3; ++i)
    cudaSetDevice(99);
  std::printf("%s\\n", cudaGetErrorString(cudaDeviceSynchronize()));
  if (cudaMalloc(&p, size_t(1) << 60) != cudaSuccess)
    std::printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
  set<<<1, 1, 0, stream>>>(p);
  return 0;
}
""")
        result = self.heddle("check", "--only", "api", "calls.cu")
        self.expect(result, 1, err_has=["cudaErrorInvalidConfiguration (9: invalid configuration argument)", "main at calls.cu:8",
                                        "cudaSetDevice in main at calls.cu:10 returned cudaErrorInvalidDevice",
                                        "calls.cu:14", "heddle check: 3 findings\n"], err_lacks="out of memory")

    def test_leaks_at_a_reset(self):
        self.write("reset.cu", """\
int main() {
  int *kept, *freed, *later;
  cudaMalloc(&kept, 64);
  cudaMalloc(&freed, 64);
  cudaFree(freed);
  cudaDeviceReset();
  cudaMalloc(&later, 32);
  cudaFree(later);
  return 0;
}
""")
        found = self.report("--only", "leak", "reset.cu")["findings"]
        self.assertEqual([(f["kind"], f["bytes"]) for f in found], [("leak", 64)], found)
        self.assertIn("cudaMalloc in main at reset.cu:3", found[0]["what"])

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
