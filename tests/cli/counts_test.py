# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""heddle profile: what is counted of warps of 64, textures and surfaces, caches, and any pattern of addresses."""

import json

from cli import SOURCE, main
from profiled import Profile, branch, metric

WIDE = """\
__global__ void matmul(const float *a, const float *b, float *c, int rows, int columns, int depth) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (y < rows && x < columns) {
    float sum = 0;
    for (int k = 0; k < depth; ++k)
      sum += a[y * depth + k] * b[k * columns + x];
    c[y * columns + x] = sum;
  }
}
__global__ void rounds(volatile int *out) {
  int t = threadIdx.x;
#pragma unroll 1
  for (int k = 0; k < t % 7 + t / 32; ++k)
#pragma unroll 1
    for (int j = 0; j < k % 3; ++j)
      if ((t / 16 + k + j) % 3 == 0) // inner
        out[t] = out[t] + j;
}
int main() {
  float *data;
  cudaMalloc(&data, 3 * 1000 * 1000 * sizeof(float));
  matmul<<<dim3(63, 63), dim3(16, 16)>>>(data, data + 1000000, data + 2000000, 1000, 1000, 20);
  rounds<<<3, 240>>>(reinterpret_cast<int *>(data));
  return cudaDeviceSynchronize();
}
"""


class WarpsOf64(Profile):
    """A GPU of which the device file says that warps have 64 threads."""

    def setUp(self):
        super().setUp()
        self.write("wide.cu", WIDE)
        gpu = json.loads((SOURCE / "gpus" / "t4.json").read_text(encoding="utf-8"))
        (self.work / "wide.json").write_text(json.dumps({**gpu, "warp_size": 64}), encoding="utf-8")
        self.expect(self.heddlecc("wide.cu", "-o", "wide"))

    def kernels(self, *options):
        return {kernel["name"].split("(")[0]: kernel for kernel in self.profile(*options, "./wide")["kernels"]}

    @staticmethod
    def inner_visits(warp_size):
        """For each warp of a block of rounds(), the visits to the inner branch: whether they diverge."""
        for first in range(0, 240, warp_size):
            threads = range(first, min(first + warp_size, 240))
            visits = []
            for k in range(max(t % 7 + t // 32 for t in threads)):
                for j in range(k % 3):
                    ways = {(t // 16 + k + j) % 3 == 0 for t in threads if k < t % 7 + t // 32}
                    visits.append(len(ways) == 2)
            yield visits

    def test_matrix_product(self):
        """Section C: 1000 x 1000 in blocks of 16 x 16."""
        wide, narrow = self.kernels("--gpu", "wide.json")["matmul"], self.kernels()["matmul"]
        self.assertEqual(metric(wide, "diverging_warps"), 250)
        self.assertEqual(metric(wide, "warps_launched"), 63 * 63 * 4)
        self.assertEqual(metric(narrow, "diverging_warps"), 500)
        for name in ("threads_launched", "thread_instructions", "global_load_sectors", "fp32_operations"):
            self.assertEqual(metric(wide, name), metric(narrow, name), name)

    def test_halves_that_part(self):
        for warp_size, options in ((32, ()), (64, ("--gpu", "wide.json"))):
            kernel = self.kernels(*options)["rounds"]
            warps = list(self.inner_visits(warp_size))
            found = branch(kernel, WIDE, "inner")
            by_visit = [3 * sum(k < len(visits) and visits[k] for visits in warps)
                        for k in range(max(len(visits) for visits in warps))]
            while by_visit and not by_visit[-1]:
                by_visit.pop()
            self.assertEqual(found["visits"], 3 * sum(len(visits) for visits in warps))
            self.assertEqual(found["divergent"], sum(by_visit))
            self.assertEqual(found["divergent_by_visit"], by_visit)
            self.assertEqual(found["warps_diverging"], 3 * sum(any(visits) for visits in warps))

    def test_a_file_that_is_wrong(self):
        gpu = json.loads((self.work / "wide.json").read_text(encoding="utf-8"))
        (self.work / "odd.json").write_text(json.dumps({**gpu, "warp_size": 48}), encoding="utf-8")
        self.expect(self.heddle("profile", "--gpu", "odd.json", "./wide"), 2, err_has="must be 32 or 64")
        self.expect(self.heddle("profile", "--gpu", "none.json", "./wide"), 2, err_has="none.json: cannot be read")


TEXTURES = """\
#include <cuda_runtime.h>
constexpr int width = 64;
__global__ void rows(cudaTextureObject_t image, float *out) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[y * width + x] = tex2D<float>(image, x + 0.5f, y + 0.5f);
}
__global__ void columns(cudaTextureObject_t image, float *out) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  out[y * width + x] = tex2D<float>(image, y + 0.5f, x + 0.5f);
}
__global__ void line(cudaTextureObject_t memory, float *out) {
  int i = blockIdx.x * 256 + threadIdx.x;
  out[i] = tex1Dfetch<float>(memory, i) + tex1Dfetch<float>(memory, i * 8 % (width * width));
}
__global__ void step(cudaSurfaceObject_t image) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float old;
  surf2Dread(&old, image, x * 4, y, cudaBoundaryModeZero);
  if (x < width / 2)
    surf2Dwrite(old + 1, image, x * 4 + width * 2, y, cudaBoundaryModeZero);
}
__global__ void outside(cudaSurfaceObject_t image) {
  surf2Dwrite(1.0f, image, 4 * (int(threadIdx.x) - 16), 0, cudaBoundaryModeZero);
}
cudaTextureObject_t textureOf(const cudaResourceDesc &resource, cudaTextureFilterMode filter) {
  cudaTextureDesc desc{};
  desc.filterMode = filter;
  cudaTextureObject_t made = 0;
  cudaCreateTextureObject(&made, &resource, &desc, nullptr);
  return made;
}
int main() {
  float *data, *out;
  cudaMalloc(&data, width * width * 4);
  cudaMalloc(&out, width * width * 4);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  cudaMallocArray(&array, &floats, width, width, cudaArraySurfaceLoadStore);
  cudaResourceDesc image{}, memory{};
  image.resType = cudaResourceTypeArray;
  image.res.array.array = array;
  memory.resType = cudaResourceTypeLinear;
  memory.res.linear = {data, floats, width * width * 4};
  cudaSurfaceObject_t surface = 0;
  cudaCreateSurfaceObject(&surface, &image);
  const dim3 grid(width / 16, width / 16), block(16, 16);
  rows<<<grid, block>>>(textureOf(image, cudaFilterModePoint), out);
  columns<<<grid, block>>>(textureOf(image, cudaFilterModePoint), out);
  line<<<width * width / 256, 256>>>(textureOf(memory, cudaFilterModePoint), out);
  step<<<grid, block>>>(surface);
  outside<<<1, 32>>>(surface);
  return cudaDeviceSynchronize();
}
"""


# Branches that ptxas predicates on an H100, and those that it does not.
JUMPS = """\
#define INDEX blockIdx.x * blockDim.x + threadIdx.x
__global__ void eight_stores(float *out, float x) {
  const int t = INDEX;
  if (t & 1)
    for (int i = 0; i < 8; ++i) out[t + 64 * i] = i;
  out[t + 1024] = x;
}
__global__ void nine_stores(float *out, float x) {
  const int t = INDEX;
  if (t & 1)
    for (int i = 0; i < 9; ++i) out[t + 64 * i] = i;
  out[t + 1024] = x;
}
__global__ void guard(float *out, float x) {
  const int t = INDEX;
  if (t & 1)
    for (int i = 0; i < 12; ++i) out[t + 64 * i] = i;
}
__global__ void addition(float *out, float x) {
  const int t = INDEX;
  if (t & 1) atomicAdd(out + t, x);
  out[t + 1024] = x;
}
int main() {
  float *out;
  cudaMalloc(&out, 1 << 20);
  eight_stores<<<4, 64>>>(out, 1);
  nine_stores<<<4, 64>>>(out, 1);
  guard<<<4, 64>>>(out, 1);
  addition<<<4, 64>>>(out, 1);
  return cudaDeviceSynchronize();
}
"""


class Jumps(Profile):
    def test_what_a_gpu_predicates(self):
        self.write("jumps.cu", JUMPS)
        kernels = {kernel["name"].split("(")[0]: kernel for kernel in self.profile("jumps.cu")["kernels"]}
        for name, jumps in (("eight_stores", 0), ("nine_stores", 8), ("guard", 0), ("addition", 8)):
            metrics = kernels[name]["metrics"]
            self.assertEqual(metrics["divergent_branches"], 8, name)
            self.assertEqual((metrics["divergent_jumps"], metrics["jumps"]), (jumps, jumps), name)
            self.assertEqual(metrics["jump_efficiency"], 0 if jumps else 100, name)
        # NVIDIA's names are those of jumps.
        nsight = "smsp__sass_branch_targets_threads_divergent.sum"
        result = self.expect(self.heddle("profile", "--metrics", nsight + ",divergent_branches", "jumps.cu"))
        self.assertEqual((result.out + result.err).count("divergent_jumps"), 4, result)


class Textures(Profile):
    """A texture unit makes a request of 4 threads, of linear memory and surfaces of 8; a sector of an array holds 16
    bytes of two rows. (tests/hardware has the same of a GPU.)"""

    def test_requests_and_sectors(self):
        self.write("textures.cu", TEXTURES)
        found = {kernel["name"].split("(")[0]: kernel for kernel in self.profile("textures.cu")["kernels"]}
        warps = 64 * 64 // 32
        for name, instructions, requests, sectors, ideal in [
                ("rows", warps, 8 * warps, 8 * warps, 8 * warps), ("columns", warps, 8 * warps, 16 * warps, 8 * warps),
                ("line", 2 * warps, 8 * warps, 4 * (1 + 8) * warps, 8 * warps)]:
            kernel = found[name]
            self.assertEqual(metric(kernel, "texture_instructions"), instructions, name)
            self.assertEqual(metric(kernel, "texture_requests"), requests, name)
            self.assertEqual(metric(kernel, "texture_sectors"), sectors, name)
            self.assertEqual(metric(kernel, "texture_ideal_sectors"), ideal, name)
            self.assertEqual(metric(kernel, "texture_bytes"), 32 * 4 * instructions, name)
            # What the texture unit does is no work of the kernel's.
            self.assertEqual(metric(kernel, "global_load_requests"), 0, name)
            self.assertEqual(metric(kernel, "constant_load_requests"), 0, name)
            self.assertEqual(metric(kernel, "branches"), 0, name)
        step = found["step"]
        self.assertEqual(metric(step, "surface_load_requests"), 4 * warps)
        self.assertEqual(metric(step, "surface_load_sectors"), 8 * warps)
        self.assertEqual(metric(step, "surface_store_requests"), 2 * warps)
        self.assertEqual(metric(step, "surface_store_sectors"), 4 * warps)
        self.assertEqual(metric(step, "global_store_requests"), 0)
        self.assertEqual(metric(found["outside"], "surface_store_requests"), 2)  # the other half lies outside

    def test_in_words_and_by_line(self):
        self.write("textures.cu", TEXTURES)
        self.expect(self.heddle("profile", "--lines", "--kernel", "columns", "textures.cu"), 0, err_has=[
            "textures: 2048 sectors fetched in 1024 requests",
            "textures.cu:9: fetches from a texture touch 2 sectors a request where 1 would do",
            "   Fetches  Tex.sect."])


class Caches(Profile):
    REUSE = """\
__global__ void again(const float *in, float *out) {
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < 4; ++pass)
    sum += in[(threadIdx.x + pass * 32) % 1024];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
__global__ void other(float *out) { out[threadIdx.x] = 1; }
int main() {
  float *a;
  cudaMalloc(&a, 1 << 20);
  again<<<80, 256>>>(a, a + 4096);
  other<<<1, 256>>>(a);
  return cudaDeviceSynchronize();
}
"""

    def test_hits(self):
        self.write("again.cu", self.REUSE)
        self.expect(self.heddlecc("again.cu", "-o", "again"))
        found = self.profile("--caches", "--kernel", "again", "./again")["kernels"][0]
        # 80 blocks of 8 warps on the 40 SMs of a T4, in two warps' steps: each SM reads 352 floats once.
        sectors, first = 80 * 8 * 4 * 4, 40 * 352 // 8
        stores = 80 * 8 * 4
        self.assertEqual(metric(found, "l1_sectors"), sectors + stores)
        self.assertEqual(metric(found, "l1_hit_rate"), 100 * (sectors - first) / (sectors + stores))
        self.assertEqual(metric(found, "l2_read_sectors"), first)
        self.assertEqual(metric(found, "l2_write_sectors"), stores)
        self.assertEqual(metric(found, "dram_read_bytes"), 352 * 4)
        self.assertEqual(metric(found, "dram_write_bytes"), 0)  # it is in the L2 cache
        load = [access for access in found["accesses"] if access["kind"] == "load"]
        self.assertEqual(sum(access["l1_hits"] for access in load), sectors - first)
        # Nothing else changes, and the workers play no part.
        plain = self.profile("--kernel", "again", "./again")["kernels"][0]
        self.assertEqual({name: value for name, value in found["metrics"].items() if name in plain["metrics"]},
                         plain["metrics"])
        self.assertNotIn("l1_hit_rate", plain["metrics"])
        csv = self.heddle("profile", "--csv", "--caches", "./again")
        self.expect(self.command("taskset", "-c", "0", "heddle", "profile", "--csv", "--caches", "./again"), 0, csv.out)

    def test_in_words_and_who_asks(self):
        self.write("again.cu", self.REUSE)
        self.expect(self.heddlecc("again.cu", "-o", "again"))
        self.expect(self.heddle("profile", "--caches", "--lines", "./again"), 0, err_has=[
            "  caches, as a model: 66.25 % of 12800 sectors hit in L1", "L1 hit %   L2 sect.   L2 hit %  DRAM read"])
        self.expect(self.heddle("profile", "--csv", "--metrics", "l1tex__t_sector_hit_rate.pct", "./again"), 0,
                    out_has=',l1_hit_rate,%,')
        self.write("guards.txt", "again l2_hit_rate > 50\nother dram_read_bytes == 0\n")
        self.expect(self.heddle("expect", "guards.txt", "./again"), 0)
        self.write("asserted.cu", self.REUSE.replace("% 1024];", "% 1024]; // heddle: l1_hit_rate >= 80"))
        self.expect(self.heddle("profile", "asserted.cu"), 1, err_has="l1_hit_rate >= 80: it is known with --caches")
        self.expect(self.heddle("profile", "--caches", "asserted.cu"), 0)


FORMULAS = [  # of what a thread asks for, and whether it asks: as C++ and Python have them in common
    ("(x + 99) % 100 + y * 100", "x < 100"),       # a neighbour in a field without edges
    ("x * stride + y", "x < stride"),               # columns
    ("x + y * stride", "(x * 7 + y * 5 + block * 3) % 11 < 4"),
    ("4000 - x * 3 - y", "x + y > 2"),
    ("x * x % 97 + y * y % 89", "x < 1000"),        # no steps
    ("x * stride + y * 3", "x % 8 > 1"),            # the first lanes take no part
    ("x * 0 + y", "(x + y) % 5 > block"),           # a broadcast in each row
]
BLOCKS = [(64, 1), (16, 16), (8, 8), (4, 24), (32, 3), (100, 1), (1, 40)]
GRID, STRIDE = 3, 37


class Patterns(Profile):
    """What requests cost, whether or not code knows their steps."""

    def expected(self, what, whether, shape):
        counts = dict.fromkeys(("requests", "threads", "units", "lines", "unaligned", "ideal", "broadcasts"), 0)
        index, asks = eval(f"lambda x, y, block, stride: {what}"), eval(f"lambda x, y, block, stride: {whether}")
        for block in range(GRID):
            threads = [(i % shape[0], i // shape[0]) for i in range(shape[0] * shape[1])]
            for first in range(0, len(threads), 32):
                lanes = [4 * index(x + shape[0] * block, y, block, STRIDE) for x, y in threads[first:first + 32]
                         if asks(x + shape[0] * block, y, block, STRIDE)]
                if not lanes:
                    continue
                sectors = len({address // 32 for address in lanes})
                counts["requests"] += 1
                counts["threads"] += len(lanes)
                counts["units"] += sectors
                counts["lines"] += len({address // 128 for address in lanes})
                counts["unaligned"] += min(lanes) % 32 != 0
                counts["ideal"] += min(sectors, -(-4 * len(lanes) // 32))
                counts["broadcasts"] += len(lanes) > 1 and len(set(lanes)) == 1
        return counts

    def test_requests(self):
        text = "#include <cstdio>\n"
        for i, (what, whether) in enumerate(FORMULAS):
            text += (f"__global__ void formula{i}(const float *in, float *out, int stride) {{\n"
                     "  int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y, block = blockIdx.x;\n"
                     f"  if ({whether})\n    out[0] = in[{what}];\n}}\n")
        text += "int main() {\n  float *in;\n  cudaMalloc(&in, 1 << 20);\n  cudaMemset(in, 0, 1 << 20);\n"
        for i in range(len(FORMULAS)):
            for shape in BLOCKS:
                text += f"  formula{i}<<<{GRID}, dim3({shape[0]}, {shape[1]})>>>(in, in + 100000, {STRIDE});\n"
        self.write("formulas.cu", text + "  return cudaDeviceSynchronize();\n}\n")
        found = {kernel["name"].split("(")[0]: kernel for kernel in self.profile("formulas.cu")["kernels"]}
        for i, (what, whether) in enumerate(FORMULAS):
            # One entry for each class of block shapes.
            loads = [a for a in found[f"formula{i}"]["accesses"] if a["kind"] == "load"]
            counts = [self.expected(what, whether, shape) for shape in BLOCKS]
            for name in counts[0]:
                with self.subTest(formula=what, counter=name):
                    self.assertEqual(sum(load[name] for load in loads), sum(one[name] for one in counts))


if __name__ == "__main__":
    main()
