// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lnvrtc -lcuda
//
// NVRTC: what it makes of sources, options, headers and name expressions, its logs, and how it
// refuses bad input.
#define NVRTC_GET_TYPE_NAME 1
#include "driver.h"

#include <nvrtc.h>

#include <algorithm>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#define CHECK_NVRTC(call, expected) CHECK_EQ(int(call), int(expected))

using Texts = std::vector<const char *>;
using Headers = std::vector<std::pair<const char *, const char *>>;

struct Program {
  nvrtcProgram handle = nullptr;

  explicit Program(const std::string &source, const Headers &headers = {},
                   const char *name = "prog.cu") {
    Texts texts, names;
    for (const auto &[header, text] : headers) {
      names.push_back(header);
      texts.push_back(text);
    }
    CHECK_NVRTC(nvrtcCreateProgram(&handle, source.c_str(), name, int(texts.size()), texts.data(),
                                   names.data()),
                NVRTC_SUCCESS);
  }
  ~Program() { CHECK_NVRTC(nvrtcDestroyProgram(&handle), NVRTC_SUCCESS); }

  nvrtcResult compile(const Texts &options = {}) {
    return nvrtcCompileProgram(handle, int(options.size()), options.data());
  }
  std::string log() const { return text(nvrtcGetProgramLogSize, nvrtcGetProgramLog); }
  std::string ptx() const { return text(nvrtcGetPTXSize, nvrtcGetPTX); }
  std::vector<char> bytes(nvrtcResult (*size)(nvrtcProgram, size_t *),
                          nvrtcResult (*get)(nvrtcProgram, char *)) const {
    size_t count = 0;
    CHECK_NVRTC(size(handle, &count), NVRTC_SUCCESS);
    std::vector<char> result(count + 1, 'x');
    CHECK_NVRTC(get(handle, result.data()), NVRTC_SUCCESS);
    CHECK(result.back() == 'x'); // no more than was said
    result.pop_back();
    return result;
  }
  std::string text(nvrtcResult (*size)(nvrtcProgram, size_t *),
                   nvrtcResult (*get)(nvrtcProgram, char *)) const {
    const std::vector<char> all = bytes(size, get);
    CHECK(!all.empty() && all.back() == 0);
    return all.data();
  }
};

bool contains(const std::string &text, const char *part) {
  if (text.find(part) != std::string::npos)
    return true;
  std::printf("not in the text: %s\n%s\n", part, text.c_str());
  return false;
}

// The option for a cubin that this device runs.
const std::string &deviceArchitecture() {
  static const std::string option = [] {
    int major = 0, minor = 0;
    CHECK_DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
    CHECK_DRIVER(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0));
    return "-arch=sm_" + std::to_string(10 * major + minor);
  }();
  return option;
}

// Runs `kernel` of an image on `count` ints, one thread each.
std::vector<int> run(const void *image, const char *kernel, int count) {
  CUmodule module;
  CUfunction function;
  CHECK_DRIVER(cuModuleLoadData(&module, image));
  CHECK_DRIVER(cuModuleGetFunction(&function, module, kernel));
  CUdeviceptr memory;
  CHECK_DRIVER(cuMemAlloc(&memory, count * sizeof(int)));
  CHECK_DRIVER(cuMemsetD32(memory, 0, count));
  void *arguments[] = {&memory, &count};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, count, 1, 1, 0, nullptr, arguments, nullptr));
  std::vector<int> host(count);
  CHECK_DRIVER(cuMemcpyDtoH(host.data(), memory, count * sizeof(int)));
  CHECK_DRIVER(cuMemFree(memory));
  CHECK_DRIVER(cuModuleUnload(module));
  return host;
}

constexpr const char *squares = R"(
extern "C" __global__ void squares(int *out, int count) {
  const int i = threadIdx.x;
  if (i < count)
    out[i] = i * i + PLUS;
}
)";

void checkArchitectures() {
  int major = 0, minor = 0, count = 0;
  CHECK_NVRTC(nvrtcVersion(&major, &minor), NVRTC_SUCCESS);
  CHECK(major == 12 || major == 13);
  CHECK_NVRTC(nvrtcVersion(nullptr, &minor), NVRTC_ERROR_INVALID_INPUT);
  CHECK_NVRTC(nvrtcGetNumSupportedArchs(&count), NVRTC_SUCCESS);
  CHECK(count > 0);
  std::vector<int> archs(count);
  CHECK_NVRTC(nvrtcGetSupportedArchs(archs.data()), NVRTC_SUCCESS);
  for (int i = 1; i < count; ++i)
    CHECK(archs[i - 1] < archs[i]);
  if (std::find(archs.begin(), archs.end(), 100) == archs.end())
    return; // a release before these GPUs

  constexpr const char *asks = "static_assert(__CUDA_ARCH__ == ARCH);\n"
                               "static_assert(__CUDA_ARCH_FAMILY_SPECIFIC__ == ARCH);\n"
                               "extern \"C\" __global__ void nothing() {}\n";
  Program own(asks), family(asks);
  CHECK_NVRTC(own.compile({"-arch=compute_100a", "-DARCH=1000"}), NVRTC_SUCCESS);
  CHECK(contains(own.ptx(), ".target sm_100a"));
  CHECK_NVRTC(family.compile({"-arch=compute_120f", "-DARCH=1200"}), NVRTC_SUCCESS);
  CHECK(contains(family.ptx(), ".target sm_120f"));
  for (const char *unknown : {"-arch=compute_80a", "-arch=compute_90f", "-arch=sm_100b"})
    CHECK(family.compile({unknown, "-DARCH=1200"}) != NVRTC_SUCCESS); // 5 or 6, on a GPU with 13.0
}

void checkResults() {
  Program program(squares);
  CHECK_NVRTC(program.compile({deviceArchitecture().c_str(), "-DPLUS=3"}), NVRTC_SUCCESS);
  CHECK(contains(program.ptx(), ".visible .entry squares("));
  CHECK(contains(program.ptx(), (".target " + deviceArchitecture().substr(6)).c_str()));
  const std::vector<int> got =
      run(program.bytes(nvrtcGetCUBINSize, nvrtcGetCUBIN).data(), "squares", 32);
  for (int i = 0; i < 32; ++i)
    CHECK(got[i] == i * i + 3);

  Program only_ptx(squares);
  CHECK_NVRTC(only_ptx.compile({"-arch", "compute_80", "-D", "PLUS=4"}), NVRTC_SUCCESS);
  CHECK(contains(only_ptx.ptx(), ".target sm_80"));
  CHECK(run(only_ptx.ptx().c_str(), "squares", 32)[5] == 29);
  size_t size = 1;
  CHECK_NVRTC(nvrtcGetCUBINSize(only_ptx.handle, &size), NVRTC_SUCCESS);
  CHECK(size == 0);

  Program link_later(squares);
  CHECK_NVRTC(link_later.compile({"-arch=sm_80", "-dlto", "--define-macro=PLUS=5"}), NVRTC_SUCCESS);
  CHECK(!link_later.bytes(nvrtcGetLTOIRSize, nvrtcGetLTOIR).empty());
}

// The program may be compiled again, with other options.
void checkAgain() {
  Program program(squares);
  CHECK_NVRTC(program.compile({deviceArchitecture().c_str()}), NVRTC_ERROR_COMPILATION);
  CHECK(contains(program.log(), "prog.cu(5): error: "));
  CHECK(contains(program.log(), "PLUS"));
  CHECK(contains(program.log(), "1 error detected in the compilation of \"prog.cu\"."));
  CHECK_NVRTC(program.compile({deviceArchitecture().c_str(), "-DPLUS=1"}), NVRTC_SUCCESS);
  CHECK(run(program.bytes(nvrtcGetCUBINSize, nvrtcGetCUBIN).data(), "squares", 8)[7] == 50);
}

void checkHeaders() {
  const Headers headers = {
      {"outer.h", "#include \"folder/inner.h\"\n#define OUTER (INNER + 1)\n"},
      {"folder/inner.h", "#include <sibling.h>\n#define INNER (SIBLING + 1)\n"},
      {"sibling.h", "#define SIBLING 40\n"}};
  Program program("#include <outer.h>\n"
                  "extern \"C\" __global__ void answer(int *out, int) { *out = OUTER; }\n",
                  headers);
  CHECK_NVRTC(program.compile({deviceArchitecture().c_str()}), NVRTC_SUCCESS);
  CHECK(run(program.bytes(nvrtcGetCUBINSize, nvrtcGetCUBIN).data(), "answer", 1)[0] == 42);

  Program broken("#include \"bad.h\"\n", {{"bad.h", "\n\nint x = ;\n"}});
  CHECK_NVRTC(broken.compile(), NVRTC_ERROR_COMPILATION);
  CHECK(contains(broken.log(), "bad.h(3): error: "));
  Program missing("\n#include \"nowhere.h\"\n");
  CHECK_NVRTC(missing.compile(), NVRTC_ERROR_COMPILATION);
  CHECK(contains(missing.log(), "prog.cu(2): "));
  CHECK(contains(missing.log(), "nowhere.h"));
  Program nameless("int x = ;", {}, nullptr);
  CHECK_NVRTC(nameless.compile(), NVRTC_ERROR_COMPILATION);
  CHECK(contains(nameless.log(), "default_program(1): error: "));
}

// Names by which programs find what they have compiled.
void checkNames() {
  Program program(R"(
namespace space {
template <class T, int N> __global__ void fill(T *out, int count) {
  if (threadIdx.x < count)
    out[threadIdx.x] = N;
}
__device__ int variable = 7;
__constant__ float constants[4];
}
static __constant__ int hidden[2];
extern "C" __global__ void reveal(int *out, int) { out[0] = hidden[1]; }
__global__ void plain() {}
)");
  const char *names[] = {"space::fill<int, 3>", "&space::fill<float, 1 + 1>", "&space::variable",
                         "&space::constants", "plain"};
  for (const char *name : names)
    CHECK_NVRTC(nvrtcAddNameExpression(program.handle, name), NVRTC_SUCCESS);
  const char *symbol = nullptr;
  CHECK_NVRTC(nvrtcGetLoweredName(program.handle, names[0], &symbol),
              NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION);
  CHECK_NVRTC(program.compile({deviceArchitecture().c_str()}), NVRTC_SUCCESS);
  const char *expected[] = {"_ZN5space4fillIiLi3EEEvPT_i", "_ZN5space4fillIfLi2EEEvPT_i",
                            "_ZN5space8variableE", "_ZN5space9constantsE", "_Z5plainv"};
  for (int i = 0; i < 5; ++i) {
    CHECK_NVRTC(nvrtcGetLoweredName(program.handle, names[i], &symbol), NVRTC_SUCCESS);
    CHECK(std::string(symbol) == expected[i]);
    CHECK(contains(program.ptx(), expected[i]));
  }
  CHECK_NVRTC(nvrtcGetLoweredName(program.handle, "other", &symbol),
              NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID);
  CHECK_NVRTC(nvrtcAddNameExpression(program.handle, "late"),
              NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION);
  CHECK(run(program.bytes(nvrtcGetCUBINSize, nvrtcGetCUBIN).data(), expected[0], 4)[3] == 3);

  // Static variables have their plain name.
  CUmodule module;
  CUdeviceptr variable;
  size_t size = 0;
  CHECK_DRIVER(cuModuleLoadData(&module, program.bytes(nvrtcGetCUBINSize, nvrtcGetCUBIN).data()));
  CHECK_DRIVER(cuModuleGetGlobal(&variable, &size, module, "hidden"));
  CHECK_EQ(size, 2 * sizeof(int));
  CHECK_DRIVER(cuModuleUnload(module));

  Program wrong("__global__ void f() {}");
  CHECK_NVRTC(nvrtcAddNameExpression(wrong.handle, "g<int>"), NVRTC_SUCCESS);
  CHECK_NVRTC(wrong.compile(), NVRTC_ERROR_COMPILATION);

  std::string type;
  CHECK_NVRTC(nvrtcGetTypeName<const unsigned &>(&type), NVRTC_SUCCESS);
  CHECK(type == "unsigned int const&");
}

// No host headers: what is declared before the first line, and the headers of CUDA.
void checkLanguage() {
  Program program(R"(
#if !defined(__CUDACC_RTC__) || !defined(__CUDACC__) || __CUDA_ARCH__ != ARCH || __CUDACC_VER_MAJOR__ < 12
#error macros
#endif
#if defined(__NVCC__) || defined(INT_MAX) || defined(NAN)
#error macros of others
#endif
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups.h>
#include <curand_kernel.h>
#include <mma.h>
#include <cuComplex.h>
typedef signed char int8_t; // not declared
typedef long long int64_t;
namespace std { template <class T> struct numeric_limits { static constexpr int digits = 5; }; }
__device__ int sum(std::initializer_list<int> list) {
  int result = 0;
  for (int x : list)
    result += x;
  return result;
}
extern "C" __global__ void language(int *out, int count) {
  assert(count > 0);
  const size_t size = sizeof(float4);
  float3 vector = make_float3(1, 2, 3);
  out[0] = int(size + vector.z) + (out == NULL);
  out[1] = int(__half2float(__hadd(__float2half(1.5f), __float2half(2.5f))));
  out[2] = std::numeric_limits<int>::digits;
  out[3] = sum({1, 2, 3});
  out[4] = max(3, min(9, 7));
  out[5] = int(sqrtf(float(count)) + 100.5f);
  int *memory = new int(11);
  out[6] = *memory;
  delete memory;
  auto block = cooperative_groups::this_thread_block();
  block.sync();
  out[7] = int(block.size());
  if (count < 0)
    printf("%d\n", count);
}
)");
  const std::string architecture = deviceArchitecture();
  const std::string macro = "-DARCH=" + architecture.substr(architecture.find('_') + 1) + "0";
  Texts options = {architecture.c_str(), "--std=c++17", macro.c_str()};
#ifndef __clang__ // NVIDIA's NVRTC has no headers of its own
  options.push_back("-I/usr/local/cuda/include");
  options.push_back("-I/usr/local/cuda/include/cccl");
#endif
  CHECK_NVRTC(program.compile(options), NVRTC_SUCCESS);
  const std::vector<int> got =
      run(program.bytes(nvrtcGetCUBINSize, nvrtcGetCUBIN).data(), "language", 16);
  const int expected[] = {19, 4, 5, 6, 7, 104, 11, 16};
  for (int i = 0; i < 8; ++i)
    CHECK(got[i] == expected[i]);

  Program unmarked("int twice(int x) { return 2 * x; }\n"
                   "extern \"C\" __global__ void call(int *out, int) { *out = twice(21); }\n");
  CHECK_NVRTC(unmarked.compile({deviceArchitecture().c_str()}), NVRTC_ERROR_COMPILATION);
  CHECK_NVRTC(unmarked.compile({deviceArchitecture().c_str(), "-default-device"}), NVRTC_SUCCESS);
  CHECK(run(unmarked.bytes(nvrtcGetCUBINSize, nvrtcGetCUBIN).data(), "call", 1)[0] == 42);
}

// Every option of CUDA 12.4's guide, in one of its spellings.
void checkOptions() {
  const Texts options = {"--relocatable-device-code=false",
                         "--device-debug",
                         "--generate-line-info",
                         "--maxrregcount=32",
                         "--ftz=true",
                         "--prec-sqrt=false",
                         "--prec-div=false",
                         "--fmad=false",
                         "--use_fast_math",
                         "--extra-device-vectorization",
                         "--modify-stack-limit=false",
                         "-DPLUS=0",
                         "-U",
                         "OTHER",
                         "-I/nonexistent",
                         "--include-path=/nonexistent",
                         "--no-source-include",
                         "-std=c++20",
                         "--builtin-move-forward=true",
                         "--builtin-initializer-list=true",
                         "-w",
                         "--restrict",
                         "--device-int128",
                         "--optimization-info=inline",
                         "--no-display-error-number",
                         "--display-error-number",
                         "--diag-error=1",
                         "--diag-suppress=2",
                         "--diag-warn=3",
                         "-default-device",
                         "--gpu-architecture=compute_75",
                         "--ptxas-options",
                         "-v",
                         "--device-w",
                         "--jump-table-density=101"};
  Program program(squares);
#ifdef __clang__ // NVIDIA's NVRTC takes each, but not all at once
  CHECK_NVRTC(program.compile(options), NVRTC_SUCCESS);
  CHECK(contains(program.ptx(), ".maxnreg 32"));
#else
  for (const std::string option : options)
    if (option != "-U" && option != "OTHER" && option != "--ptxas-options" && option != "-v")
      CHECK_NVRTC(program.compile({"-DPLUS=0", option.c_str()}), NVRTC_SUCCESS);
#endif

  for (const char *bad : {"-foo", "--nonsense=1", "-arch=sm_1", "-arch=thing", "--fmad=maybe",
                          "--std=c++98", "--maxrregcount=many", "-O3"}) {
    CHECK_NVRTC(program.compile({"-DPLUS=0", bad}), NVRTC_ERROR_INVALID_OPTION);
    CHECK(contains(program.log(), "nvrtc: error: "));
  }
}

void checkBadInput() {
  nvrtcProgram program = nullptr;
  CHECK_NVRTC(nvrtcCreateProgram(nullptr, "", nullptr, 0, nullptr, nullptr),
              NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_NVRTC(nvrtcCreateProgram(&program, nullptr, nullptr, 0, nullptr, nullptr),
              NVRTC_ERROR_INVALID_INPUT);
  CHECK_NVRTC(nvrtcCreateProgram(&program, "", nullptr, -1, nullptr, nullptr),
              NVRTC_ERROR_INVALID_INPUT);
  CHECK_NVRTC(nvrtcCreateProgram(&program, "", nullptr, 1, nullptr, nullptr),
              NVRTC_ERROR_INVALID_INPUT);
  CHECK_NVRTC(nvrtcCompileProgram(nullptr, 0, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_NVRTC(nvrtcDestroyProgram(&program), NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_NVRTC(nvrtcCreateProgram(&program, "", nullptr, 0, nullptr, nullptr), NVRTC_SUCCESS);
  size_t size = 7;
  char letter = 7;
  CHECK_NVRTC(nvrtcGetPTXSize(program, &size), NVRTC_SUCCESS); // not compiled: an empty text
  CHECK_EQ(size, size_t(1));
  CHECK_NVRTC(nvrtcGetPTX(program, &letter), NVRTC_SUCCESS);
  CHECK_EQ(letter, 0);
  CHECK_NVRTC(nvrtcGetCUBINSize(program, &size), NVRTC_SUCCESS);
  CHECK_EQ(size, size_t(0));
  CHECK_NVRTC(nvrtcCompileProgram(program, -1, nullptr), NVRTC_ERROR_INVALID_INPUT);
  CHECK_NVRTC(nvrtcCompileProgram(program, 1, nullptr), NVRTC_ERROR_INVALID_OPTION);
  CHECK_NVRTC(nvrtcCompileProgram(program, 0, nullptr), NVRTC_SUCCESS); // an empty source is one
  CHECK_NVRTC(nvrtcGetPTXSize(program, nullptr), NVRTC_ERROR_INVALID_INPUT);
  CHECK_NVRTC(nvrtcGetProgramLogSize(program, nullptr), NVRTC_ERROR_INVALID_INPUT);
  CHECK_NVRTC(nvrtcAddNameExpression(program, nullptr), NVRTC_ERROR_INVALID_INPUT);
  const nvrtcProgram gone = program;
  CHECK_NVRTC(nvrtcDestroyProgram(&program), NVRTC_SUCCESS);
  CHECK(program == nullptr);
  CHECK(nvrtcGetErrorString(NVRTC_ERROR_COMPILATION) == std::string("NVRTC_ERROR_COMPILATION"));
#ifdef __clang__ // Heddle: a GPU's NVRTC follows such handles
  CHECK_NVRTC(nvrtcCompileProgram(gone, 0, nullptr), NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_NVRTC(nvrtcGetProgramLog(gone, &letter), NVRTC_ERROR_INVALID_PROGRAM);
#else
  (void)gone;
#endif
}

void checkThreads() {
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t)
    threads.emplace_back([t] {
      for (int i = 0; i < 3; ++i) {
        Program program(squares);
        const std::string plus = "-DPLUS=" + std::to_string(t * 10 + i);
        CHECK_NVRTC(program.compile({"-arch=compute_75", plus.c_str()}), NVRTC_SUCCESS);
        CHECK(contains(program.ptx(), "squares"));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

struct Flow {
  int calls = 0, cancel_at = 0; // 0: never
};

int followFlow(void *payload, void *) {
  auto &flow = *static_cast<Flow *>(payload);
  return ++flow.calls >= flow.cancel_at && flow.cancel_at > 0;
}

// nvrtcSetFlowCallback, of CUDA 12.8: it ends a compilation, and the same program compiles later
// on.
void checkCancel() {
  // Another text in each process, so that no earlier one has left its result in a cache.
  Program program("// " + std::to_string(getpid()) + R"(
template <int N> struct Sum { static constexpr int value = N + Sum<N - 1>::value; };
template <> struct Sum<0> { static constexpr int value = 0; };
extern "C" __global__ void cancelled(int *out, int) { out[threadIdx.x] = Sum<200>::value; })");
  Flow flow;
  CHECK_NVRTC(nvrtcSetFlowCallback(nullptr, followFlow, &flow), NVRTC_ERROR_INVALID_PROGRAM);
  CHECK_NVRTC(nvrtcSetFlowCallback(program.handle, nullptr, &flow), NVRTC_ERROR_INVALID_INPUT);
  CHECK_NVRTC(nvrtcSetFlowCallback(program.handle, followFlow, &flow), NVRTC_SUCCESS);
#ifdef __clang__
  const int cancel_last = 2;
#else
  const int cancel_last = 1; // NVIDIA's NVRTC asks once
#endif
  for (int cancel_at = 1; cancel_at <= cancel_last; ++cancel_at) {
    flow = {0, cancel_at};
    CHECK_NVRTC(program.compile(), NVRTC_ERROR_CANCELLED);
    CHECK(flow.calls >= cancel_at);
    size_t size = 0;
    CHECK(nvrtcGetPTXSize(program.handle, &size) != NVRTC_SUCCESS || size <= 1);
  }
  flow = {};
  CHECK_NVRTC(program.compile(), NVRTC_SUCCESS);
  CHECK(flow.calls > 0);
  CHECK_EQ(run(program.ptx().c_str(), "cancelled", 3)[2], 20100);
}

int main() {
  driver::begin();
  checkArchitectures();
  checkResults();
  checkAgain();
  checkHeaders();
  checkNames();
  checkLanguage();
  checkOptions();
  checkBadInput();
  checkThreads();
  checkCancel();
  RETURN_RESULT();
}
