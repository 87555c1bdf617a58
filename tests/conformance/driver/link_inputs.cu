// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lnvrtc -lcuda
//
// cuLink* of relocatable cubins, which NVRTC makes, and of PTX, with each other.
#include "driver.h"

#include <nvrtc.h>

using namespace driver;

namespace {

const char *const functions = R"(
__device__ int counter = 7;
extern "C" __device__ int less(int x);
extern "C" __device__ int tripled(int x) { return less(3 * x); }
__managed__ int kept = 30;
)";

const char *const kernels = R"(
extern __device__ int counter;
extern "C" __device__ int tripled(int x);
extern "C" __global__ void compute(int *out) {
  out[threadIdx.x] = tripled(threadIdx.x) + counter;
}
)";

// What the cubins lack.
const char *const text = R"(
.version 7.8
.target sm_70
.address_size 64
.visible .func (.param .b32 result) less(.param .b32 x)
{
	.reg .b32 %r<3>;
	ld.param.u32 %r1, [x];
	sub.u32 %r2, %r1, 1;
	st.param.b32 [result], %r2;
	ret;
}
)";

// A kernel in PTX that calls what a cubin has.
const char *const caller = R"(
.version 7.8
.target sm_70
.address_size 64
.extern .func (.param .b32 result) tripled(.param .b32 x);
.visible .entry called(.param .u64 out)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [out];
	mov.u32 %r1, 5;
	{
	.param .b32 x;
	.param .b32 result;
	st.param.b32 [x], %r1;
	call.uni (result), tripled, (x);
	ld.param.b32 %r2, [result];
	}
	st.global.u32 [%rd1], %r2;
	ret;
}
)";

std::vector<char> cubin(const char *source) {
  int major = 0, minor = 0;
  CHECK_DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0));
  CHECK_DRIVER(cuDeviceGetAttribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0));
  const std::string arch = "-arch=sm_" + std::to_string(10 * major + minor);
  const char *options[] = {arch.c_str(), "-rdc=true"};
  nvrtcProgram program;
  size_t size = 0;
  CHECK_EQ(int(nvrtcCreateProgram(&program, source, "part.cu", 0, nullptr, nullptr)), 0);
  CHECK_EQ(int(nvrtcCompileProgram(program, 2, options)), 0);
  CHECK_EQ(int(nvrtcGetCUBINSize(program, &size)), 0);
  std::vector<char> bytes(size);
  CHECK_EQ(int(nvrtcGetCUBIN(program, bytes.data())), 0);
  CHECK_EQ(int(nvrtcDestroyProgram(&program)), 0);
  return bytes;
}

struct Log {
  char errors[2048] = "";
  CUjit_option options[2] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  void *values[2] = {errors, (void *)sizeof errors};
};

struct Linker {
  Log log;
  CUlinkState state = nullptr;
  Linker() { CHECK_DRIVER(cuLinkCreate(2, log.options, log.values, &state)); }
  ~Linker() { CHECK_DRIVER(cuLinkDestroy(state)); }

  CUresult add(CUjitInputType type, const std::vector<char> &bytes, const char *name) {
    return cuLinkAddData(state, type, (void *)bytes.data(), bytes.size(), name, 0, nullptr,
                         nullptr);
  }
  CUresult add(const char *ptx, const char *name) {
    return cuLinkAddData(state, CU_JIT_INPUT_PTX, (void *)ptx, std::strlen(ptx) + 1, name, 0,
                         nullptr, nullptr);
  }
  CUresult complete(CUmodule *module) {
    void *image = nullptr;
    size_t size = 0;
    const CUresult error = cuLinkComplete(state, &image, &size);
    if (error)
      return error;
    CHECK(size > 0);
    return cuModuleLoadData(module, image);
  }
};

std::vector<int> run(CUmodule module, const char *name, unsigned threads) {
  CUfunction function;
  CUdeviceptr out;
  std::vector<int> host(threads);
  CHECK_DRIVER(cuModuleGetFunction(&function, module, name));
  CHECK_DRIVER(cuMemAlloc(&out, threads * sizeof(int)));
  void *parameters[] = {&out};
  CHECK_DRIVER(cuLaunchKernel(function, 1, 1, 1, threads, 1, 1, 0, nullptr, parameters, nullptr));
  CHECK_DRIVER(cuMemcpyDtoH(host.data(), out, threads * sizeof(int)));
  CHECK_DRIVER(cuMemFree(out));
  return host;
}

void mixed(CUjitInputType type) {
  CUmodule module;
  {
    Linker linker;
    CHECK_DRIVER(linker.add(type, cubin(kernels), "kernels"));
    CHECK_DRIVER(linker.add(text, "text"));
    CHECK_DRIVER(linker.add(type, cubin(functions), "functions"));
    CHECK_DRIVER(linker.add(caller, "caller"));
    CHECK_DRIVER(linker.complete(&module));
  }
  const std::vector<int> computed = run(module, "compute", 40);
  for (int i = 0; i < 40; ++i)
    CHECK_EQ(computed[i], 3 * i + 6);
  CHECK_EQ(run(module, "called", 1)[0], 14);
  CUdeviceptr address = 0;
  size_t size = 0;
  CHECK_DRIVER(cuModuleGetGlobal(&address, &size, module, "kept"));
  CHECK_EQ(*reinterpret_cast<int *>(address), 30);
  CHECK_DRIVER(cuModuleUnload(module));
}

void refused() {
  CUmodule module;
  {
    Linker lacking;
    CHECK_DRIVER(lacking.add(CU_JIT_INPUT_CUBIN, cubin(kernels), "kernels"));
    CHECK(lacking.complete(&module) != CUDA_SUCCESS);
    CHECK(std::string(lacking.log.errors).find("tripled") != std::string::npos);
  }
  {
    Linker twice;
    CHECK_DRIVER(twice.add(CU_JIT_INPUT_CUBIN, cubin(functions), "functions"));
    CHECK_DRIVER(twice.add(text, "text"));
    const std::vector<char> again = cubin(functions);
    CHECK(twice.add(CU_JIT_INPUT_CUBIN, again, "again") != CUDA_SUCCESS ||
          twice.complete(&module) != CUDA_SUCCESS);
  }
  const std::vector<char> nonsense(100, 'x');
  for (const CUjitInputType type : {CU_JIT_INPUT_CUBIN, CU_JIT_INPUT_FATBINARY, CU_JIT_INPUT_OBJECT,
                                    CU_JIT_INPUT_LIBRARY, CU_JIT_INPUT_PTX}) {
    Linker wrong;
    CHECK(wrong.add(type, nonsense, "nonsense") != CUDA_SUCCESS ||
          wrong.complete(&module) != CUDA_SUCCESS);
  }
  Linker wrong;
  CHECK_CODE(cuLinkAddFile(wrong.state, CU_JIT_INPUT_OBJECT, "/no/such/file", 0, nullptr, nullptr),
             CUDA_ERROR_FILE_NOT_FOUND);
}

} // namespace

int main() {
  begin();
  mixed(CU_JIT_INPUT_CUBIN);
  refused();
  RETURN_RESULT();
}
