// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// Texture and surface references of PTX text, which the host binds by name. Instructions name one,
// or take the handle that mov has put into a register (PTX ISA, "Texture Instructions").
#include "driver.h"

using namespace driver;

namespace {

const char *const text = R"(
.version 7.8
.target sm_70
.address_size 64

.visible .global .texref numbers;
.visible .global .surfref image;

// out[i] = the i-th number, by name and by a handle in a register
.visible .entry fetch(.param .u64 out)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<6>;
	.reg .f32 %f<9>;

	ld.param.u64 %rd1, [out];
	mov.u32 %r1, %tid.x;
	mul.wide.u32 %rd2, %r1, 4;
	add.s64 %rd3, %rd1, %rd2;
	tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [numbers, {%r1}];
	st.global.f32 [%rd3], %f1;
	mov.u64 %rd4, numbers;
	tex.1d.v4.f32.s32 {%f5, %f6, %f7, %f8}, [%rd4, {%r1}];
	st.global.f32 [%rd3+128], %f5;
	ret;
}

// Adds 1 to each texel, whose x counts bytes.
.visible .entry count()
{
	.reg .b32 %r<6>;
	.reg .b64 %rd<3>;

	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	mov.u32 %r3, %tid.y;
	mov.u64 %rd1, image;
	suld.b.2d.b32.trap %r4, [%rd1, {%r2, %r3}];
	add.s32 %r4, %r4, 1;
	sust.b.2d.b32.trap [image, {%r2, %r3}], %r4;
	ret;
}
)";

void textures(CUmodule module) {
  constexpr int count = 32, second = 128; // where a texture may begin: 512 bytes
  CUfunction fetch;
  CUtexref numbers;
  CHECK_DRIVER(cuModuleGetFunction(&fetch, module, "fetch"));
  CHECK_DRIVER(cuModuleGetTexRef(&numbers, module, "numbers"));
  CHECK_DRIVER(cuTexRefSetFormat(numbers, CU_AD_FORMAT_FLOAT, 1));
  CUdeviceptr memory, out;
  CHECK_DRIVER(cuMemAlloc(&memory, 2 * second * sizeof(float)));
  CHECK_DRIVER(cuMemAlloc(&out, 2 * count * sizeof(float)));
  std::vector<float> values(2 * second), got(2 * count);
  for (int i = 0; i < 2 * second; ++i)
    values[i] = float(i * i + 1);
  CHECK_DRIVER(cuMemcpyHtoD(memory, values.data(), values.size() * sizeof(float)));
  for (int begin : {0, second}) { // bound again: the next launch sees it
    size_t offset = 1;
    CHECK_DRIVER(cuTexRefSetAddress(&offset, numbers, memory + begin * sizeof(float),
                                    count * sizeof(float)));
    CHECK_EQ(offset, size_t(0));
    void *arguments[] = {&out};
    CHECK_DRIVER(cuLaunchKernel(fetch, 1, 1, 1, count, 1, 1, 0, nullptr, arguments, nullptr));
    CHECK_DRIVER(cuMemcpyDtoH(got.data(), out, got.size() * sizeof(float)));
    for (int i = 0; i < count; ++i) {
      CHECK_EQ(got[i], values[begin + i]);
      CHECK_EQ(got[count + i], values[begin + i]);
    }
  }
  CHECK_DRIVER(cuMemFree(memory));
  CHECK_DRIVER(cuMemFree(out));
}

void surfaces(CUmodule module) {
  constexpr int width = 4, height = 3;
  CUfunction add;
  CUsurfref image;
  CHECK_DRIVER(cuModuleGetFunction(&add, module, "count"));
  CHECK_DRIVER(cuModuleGetSurfRef(&image, module, "image"));
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
  std::vector<int> texels(width * height, 7);
  const size_t row = width * sizeof(int);
  CHECK_CUDA(cudaMallocArray(&array, &format, width, height, cudaArraySurfaceLoadStore));
  CHECK_CUDA(
      cudaMemcpy2DToArray(array, 0, 0, texels.data(), row, row, height, cudaMemcpyHostToDevice));
  CHECK_DRIVER(cuSurfRefSetArray(image, CUarray(array), 0));
  CHECK_DRIVER(cuLaunchKernel(add, 1, 1, 1, width, height, 1, 0, nullptr, nullptr, nullptr));
  CHECK_CUDA(
      cudaMemcpy2DFromArray(texels.data(), row, array, 0, 0, row, height, cudaMemcpyDeviceToHost));
  for (int texel : texels)
    CHECK_EQ(texel, 8);
  CHECK_CUDA(cudaFreeArray(array));
}

} // namespace

int main() {
  begin();
  CUmodule module;
  CHECK_DRIVER(cuModuleLoadData(&module, text));
  textures(module);
  surfaces(module);
  RETURN_RESULT();
}
