# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle check: what it finds, and what it does not."""

import json
import re

from checked import UNINITIALISED, CheckTest
from cli import SOURCE, main

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


class Kinds(CheckTest):
    def test_what_is_right_is_not_told(self):
        self.write("right.cu", RIGHT)
        for engine in ("simd", "reference"):
            self.expect(self.heddle("check", "--only", "memory", "right.cu", env={"HEDDLE_ENGINE": engine}), 0, "no error\n",
                        "heddle check: nothing found\n")

    def test_programs_that_are_right(self):
        programs = ["kernels/reduce_shared", "kernels/queues", "kernels/matmul_register_blocked", "kernels/volatile_between_branches",
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
        self.assertEqual(len(sections), 26)
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
            self.expect(self.heddlecc("textures.cu", "-o", "textures", env={"HEDDLE_LAZY": "1"}), 0)
            for only in ("memory", "memory,race", "memory,init"):
                with self.subTest(wrong=wrong, only=only):
                    result = self.heddle("check", "--json", "--only", only, "./textures")
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

    def test_same_values_in_what_triton_exchanges(self):
        # Triton's scratch memory has this name; all threads store what one of them has to.
        self.write("same.cu", """__global__ void exchange(int *out) {
  extern __shared__ int global_smem[];
  global_smem[0] = 7;
  __syncthreads();
  out[threadIdx.x] = global_smem[0];
  __syncthreads();
  global_smem[1] = threadIdx.x; // wrong: race
}
__global__ void own(int *out) {
  extern __shared__ int tile[];
  tile[0] = 7; // wrong: same-value-race
  __syncthreads();
  out[threadIdx.x] = tile[0];
}
int main() {
  int *out;
  cudaMalloc(&out, 64 * sizeof(int));
  exchange<<<1, 64, 8>>>(out);
  own<<<1, 64, 8>>>(out);
  return cudaDeviceSynchronize();
}
""")
        found = self.report("same.cu")["findings"]
        self.assertEqual(sorted((f["kind"], f["places"][0]["line"]) for f in found), [("race", 7), ("same-value-race", 11)], found)

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


if __name__ == "__main__":
    main()
