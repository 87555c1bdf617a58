// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gives NVRTC and libNVVM sources that have been changed at random, from two threads. Each call
// must give a documented answer, with a log where it is an error; a compiler that crashed is a
// failure.
//
//   rtc_fuzz [COUNT [SEED]]     2,000 sources of seed 1 by default; 100000 for a night
#include <nvrtc.h>
#include <nvvm.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

namespace {

const std::string cuda_source = R"(
#include <cuda_fp16.h>
#define N 16
template <class T, int size> struct Tile {
  T values[size];
  __device__ T &operator[](int i) { return values[i]; }
};
__constant__ float weights[N];
__device__ int counter = 3;
template <class T> __device__ __noinline__ T blend(T a, T b) {
  switch (int(a) & 3) {
  case 0: return a + b;
  case 1: return a * b - T(1);
  default: return a > b ? a : b;
  }
}
extern "C" __global__ void __launch_bounds__(128) kernel(float *out, const float *in, int n) {
  __shared__ Tile<float, 128> tile;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < N; ++k)
    sum += weights[k] * tile[(threadIdx.x + k) % blockDim.x];
  sum += __shfl_xor_sync(0xffffffffu, sum, 1);
  int lane;
  asm("mov.u32 %0, %%laneid;" : "=r"(lane));
  auto scale = [=](float x) { return x * blend(float(lane), 2.5f); };
  if (i < n)
    out[i] = scale(sum) + __half2float(__float2half(sinf(sum)));
  atomicAdd(&counter, 1);
}
)";

const std::string nvvm_source = R"(
target triple = "nvptx64-nvidia-cuda"
%pair = type { i32, float* }
@table = internal addrspace(1) global [2 x i32] [i32 3, i32 4], align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define void @kernel(float addrspace(1)* nocapture %out, i32 %n, %pair* byval align 8 %p) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %less = icmp slt i32 %tid, %n
  br i1 %less, label %go, label %end
go:
  %place = getelementptr inbounds float, float addrspace(1)* %out, i32 %tid
  %number = load i32, i32* addrspacecast (i32 addrspace(1)* getelementptr inbounds ([2 x i32], [2 x i32] addrspace(1)* @table, i64 0, i64 1) to i32*)
  %value = sitofp i32 %number to float
  %bits = bitcast float %value to i32
  %again = bitcast i32 %bits to float
  store float %again, float addrspace(1)* %place
  br label %end
end:
  ret void
}
!nvvm.annotations = !{!0}
!0 = !{void (float addrspace(1)*, i32, %pair*)* @kernel, !"kernel", i32 1}
)";

using Random = std::mt19937_64;

// Swaps, drops, doubles and inserts pieces; in one text of four, bytes that no source has.
std::string mutate(std::string text, Random &random) {
  const auto below = [&](size_t limit) { return size_t(random() % std::max<size_t>(limit, 1)); };
  static const std::vector<std::string> pieces = {"{",
                                                  "}",
                                                  "(",
                                                  ")",
                                                  "<",
                                                  ">",
                                                  "*",
                                                  "&",
                                                  ";",
                                                  "\"",
                                                  "'",
                                                  "#",
                                                  "//",
                                                  "/*",
                                                  "template",
                                                  "int",
                                                  "[",
                                                  "]",
                                                  "->",
                                                  "::",
                                                  "0x",
                                                  "1e",
                                                  "@",
                                                  "%",
                                                  "!",
                                                  "i32*",
                                                  "ptr",
                                                  "addrspace(",
                                                  "asm(",
                                                  "\\",
                                                  "__device__",
                                                  "\n",
                                                  "typename",
                                                  "byval",
                                                  "=",
                                                  "operator",
                                                  "99999999999999999999"};
  const size_t changes = 1 + below(4);
  for (size_t change = 0; change < changes; ++change) {
    const size_t at = below(text.size()), length = 1 + below(12);
    switch (below(6)) {
    case 0:
      text.erase(at, length);
      break;
    case 1:
      text.insert(at, pieces[below(pieces.size())]);
      break;
    case 2:
      text.insert(below(text.size()), text.substr(at, length * 4));
      break;
    case 3:
      if (!text.empty())
        text[at] = char(random() % 4 == 0 ? 1 + random() % 255 : 33 + random() % 94);
      break;
    case 4:
      text = text.substr(0, at + text.size() / 2);
      break;
    default:
      text.replace(at, std::min(length, text.size() - at), pieces[below(pieces.size())]);
    }
  }
  return text;
}

std::string tryCuda(const std::string &source) {
  nvrtcProgram program = nullptr;
  if (nvrtcCreateProgram(&program, source.c_str(), "fuzz.cu", 0, nullptr, nullptr))
    return "nvrtcCreateProgram failed";
  const char *options[] = {"-arch=compute_80"};
  const nvrtcResult result = nvrtcCompileProgram(program, 1, options);
  size_t log_size = 0, size = 0;
  nvrtcGetProgramLogSize(program, &log_size);
  std::string log(log_size, 0);
  nvrtcGetProgramLog(program, log.data());
  nvrtcGetPTXSize(program, &size);
  nvrtcDestroyProgram(&program);
  if (result == NVRTC_SUCCESS)
    return size > 1 ? "" : "success without PTX";
  if (result != NVRTC_ERROR_COMPILATION)
    return nvrtcGetErrorString(result) + (": " + log);
  return log_size > 1 ? "" : "an error without a log";
}

std::string tryNvvm(const std::string &source) {
  nvvmProgram program = nullptr;
  if (nvvmCreateProgram(&program))
    return "nvvmCreateProgram failed";
  if (source.empty() || nvvmAddModuleToProgram(program, source.data(), source.size(), "fuzz.ll")) {
    nvvmDestroyProgram(&program);
    return source.empty() ? "" : "nvvmAddModuleToProgram failed";
  }
  const nvvmResult verified = nvvmVerifyProgram(program, 0, nullptr);
  const nvvmResult compiled =
      verified == NVVM_SUCCESS ? nvvmCompileProgram(program, 0, nullptr) : verified;
  size_t log_size = 0;
  nvvmGetProgramLogSize(program, &log_size);
  std::string log(log_size, 0);
  nvvmGetProgramLog(program, log.data());
  nvvmDestroyProgram(&program);
  for (const char *failed : {"internal error", "cannot start"})
    if (log.find(failed) != std::string::npos)
      return log;
  return compiled == NVVM_SUCCESS || log_size > 1 ? "" : "an error without a log";
}

} // namespace

int main(int argc, char **argv) {
  const unsigned long count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2000;
  const unsigned long seed = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1;
  char folder[] = "/tmp/heddle-fuzz-XXXXXX";
  if (!mkdtemp(folder))
    return 2;
  setenv("HEDDLE_CACHE", folder, 1); // nothing of it is worth keeping
  std::atomic<unsigned long> next{0}, failures{0};
  const auto work = [&] {
    for (unsigned long i = next++; i < count; i = next++) {
      Random random(seed * 1'000'003 + i);
      const bool cuda = random() % 2 == 0;
      const std::string source = mutate(cuda ? cuda_source : nvvm_source, random);
      const std::string problem = cuda ? tryCuda(source) : tryNvvm(source);
      if (problem.empty())
        continue;
      if (++failures > 20)
        return; // enough to look at
      const std::string file =
          "fuzz-" + std::to_string(seed) + "-" + std::to_string(i) + (cuda ? ".cu" : ".ll");
      std::ofstream(file, std::ios::binary) << source;
      std::fprintf(stderr, "%s: %s\n", file.c_str(), problem.substr(0, 300).c_str());
    }
  };
  std::thread other(work);
  work();
  other.join();
  std::error_code ignored;
  std::filesystem::remove_all(folder, ignored);
  std::printf("%lu sources, %lu failures\n", count, failures.load());
  return failures != 0;
}
