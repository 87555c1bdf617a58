// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lnvrtc -lcuda
//
// CUB's algorithms for blocks and warps in a source that NVRTC compiles.
#include "../driver/driver.h"

#include <dlfcn.h>
#include <nvrtc.h>

namespace {

const char *const source = R"(
#include <cub/block/block_load.cuh>
#include <cub/block/block_radix_sort.cuh>
#include <cub/block/block_reduce.cuh>
#include <cub/block/block_scan.cuh>
#include <cub/warp/warp_scan.cuh>

// Sorts 512 numbers, and gives their sums from the smallest on, and each warp's of the largest.
extern "C" __global__ void summarize(const int *in, int *sums, int *warps, int *total) {
  using Load = cub::BlockLoad<int, 128, 4, cub::BLOCK_LOAD_TRANSPOSE>;
  using Sort = cub::BlockRadixSort<int, 128, 4>;
  using Scan = cub::BlockScan<int, 128>;
  using Reduce = cub::BlockReduce<int, 128>;
  using WarpScan = cub::WarpScan<int>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
    typename Reduce::TempStorage reduce;
    typename WarpScan::TempStorage warps[4];
  } shared;
  int items[4];
  Load(shared.load).Load(in, items);
  __syncthreads();
  Sort(shared.sort).Sort(items);
  __syncthreads();
  const int largest = items[3];
  const int sum = Reduce(shared.reduce).Sum(items);
  __syncthreads();
  Scan(shared.scan).InclusiveSum(items, items);
  for (int i = 0; i < 4; ++i)
    sums[threadIdx.x * 4 + i] = items[i];
  __syncthreads();
  int scanned;
  WarpScan(shared.warps[threadIdx.x / 32]).InclusiveSum(largest, scanned);
  if (threadIdx.x % 32 == 31)
    warps[threadIdx.x / 32] = scanned;
  if (threadIdx.x == 0)
    *total = sum;
}
)";

// Where CUB's headers are, beside the library: of CUDA 12 and 13, and Heddle's.
std::vector<std::string> includeOptions() {
  Dl_info info = {};
  CHECK(dladdr((const void *)nvrtcVersion, &info) != 0);
  const std::string library = info.dli_fname, folder = library.substr(0, library.rfind('/'));
  return {"-I" + folder + "/heddle/cccl/include", "-I" + folder + "/../include/cccl",
          "-I" + folder + "/../include", "-I" + folder + "/../targets/x86_64-linux/include/cccl",
          "-I" + folder + "/../targets/x86_64-linux/include"};
}

std::vector<char> compile() {
  int major = 0, minor = 0;
  CHECK_DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  CHECK_DRIVER(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0));
  std::vector<std::string> words = includeOptions();
  words.push_back("-arch=sm_" + std::to_string(10 * major + minor));
  words.push_back("-std=c++17");
  std::vector<const char *> options;
  for (const std::string &word : words)
    options.push_back(word.c_str());
  nvrtcProgram program;
  size_t size = 0;
  CHECK_EQ(int(nvrtcCreateProgram(&program, source, "summarize.cu", 0, nullptr, nullptr)), 0);
  const nvrtcResult result = nvrtcCompileProgram(program, int(options.size()), options.data());
  CHECK_EQ(int(result), 0);
  if (result != NVRTC_SUCCESS) {
    nvrtcGetProgramLogSize(program, &size);
    std::vector<char> log(size + 1);
    nvrtcGetProgramLog(program, log.data());
    std::fprintf(stderr, "%s\n", log.data());
    std::exit(1);
  }
  CHECK_EQ(int(nvrtcGetCUBINSize(program, &size)), 0);
  std::vector<char> cubin(size);
  CHECK_EQ(int(nvrtcGetCUBIN(program, cubin.data())), 0);
  CHECK_EQ(int(nvrtcDestroyProgram(&program)), 0);
  return cubin;
}

} // namespace

int main() {
  driver::begin();
  CUmodule module;
  CUfunction function;
  CHECK_DRIVER(cuModuleLoadData(&module, compile().data()));
  CHECK_DRIVER(cuModuleGetFunction(&function, module, "summarize"));
  std::vector<int> numbers(512);
  for (int i = 0; i < 512; ++i)
    numbers[i] = i * 37 % 512; // 0 to 511
  DeviceBuffer<int> in(numbers), sums(512), warps(4), total(1);
  int *pointers[] = {in.data(), sums.data(), warps.data(), total.data()};
  void *parameters[] = {&pointers[0], &pointers[1], &pointers[2], &pointers[3]};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, 128, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_DRIVER(cuCtxSynchronize());
  const std::vector<int> found = sums.download(), of_warps = warps.download();
  for (int i = 0; i < 512; ++i)
    CHECK_EQ(found[i], i * (i + 1) / 2);
  for (int w = 0; w < 4; ++w) // of 3, 7, 11 …: 32 of them
    CHECK_EQ(of_warps[w], 32 * (3 + 128 * w) + 4 * 31 * 32 / 2);
  CHECK_EQ(total.download()[0], 511 * 512 / 2);
  RETURN_RESULT();
}
