// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -std=c++17 -lcuda
//
// PTX text that reads textures and surfaces, through objects that the runtime API has made.
#include "driver.h"

using namespace driver;

namespace {

const char *const text = R"(
.version 7.8
.target sm_70
.address_size 64

// out[y * 4 + x] = the texture at texel (x, y); its width; the four of channel r around (1, 1)
.visible .entry fetch(.param .u64 out, .param .u64 texture)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	.reg .f32 %f<12>;

	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [texture];
	mov.u32 %r1, %tid.x;
	mov.u32 %r2, %tid.y;
	cvt.rn.f32.u32 %f1, %r1;
	cvt.rn.f32.u32 %f2, %r2;
	add.rn.f32 %f1, %f1, 0f3F000000;
	add.rn.f32 %f2, %f2, 0f3F000000;
	tex.2d.v4.f32.f32 {%f3, %f4, %f5, %f6}, [%rd2, {%f1, %f2}];
	mad.lo.u32 %r3, %r2, 4, %r1;
	mul.wide.u32 %rd3, %r3, 4;
	add.s64 %rd4, %rd1, %rd3;
	st.global.f32 [%rd4], %f3;
	tex.level.2d.v4.f32.f32 {%f7, %f8, %f9, %f10}, [%rd2, {%f1, %f2}], 0f00000000;
	st.global.f32 [%rd4+64], %f7;
	tld4.r.2d.v4.f32.f32 {%f7, %f8, %f9, %f10}, [%rd2, {0f3F800000, 0f3F800000}];
	st.global.v4.f32 [%rd1+128], {%f7, %f8, %f9, %f10};
	ret;
}

// Doubles each texel of a surface, whose x counts bytes; what lies outside is read as 0.
.visible .entry change(.param .u64 surface)
{
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	.reg .f32 %f<4>;

	ld.param.u64 %rd1, [surface];
	mov.u32 %r1, %tid.x;
	shl.b32 %r2, %r1, 2;
	mov.u32 %r3, %tid.y;
	suld.b.2d.b32.trap %r4, [%rd1, {%r2, %r3}];
	suld.b.2d.b32.zero %r5, [%rd1, {-4, %r3}];
	mov.b32 %f1, %r4;
	mov.b32 %f2, %r5;
	add.rn.f32 %f1, %f1, %f1;
	add.rn.f32 %f1, %f1, %f2;
	mov.b32 %r4, %f1;
	sust.b.2d.b32.trap [%rd1, {%r2, %r3}], %r4;
	ret;
}
)";

} // namespace

int main() {
  begin();
  constexpr int width = 4, height = 4;
  std::vector<float> texels(width * height);
  for (int i = 0; i < width * height; ++i)
    texels[i] = float(i * i);
  cudaArray_t array;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  CHECK_CUDA(cudaMallocArray(&array, &format, width, height,
                             cudaArraySurfaceLoadStore | cudaArrayTextureGather));
  CHECK_CUDA(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(float),
                                 width * sizeof(float), height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture;
  cudaSurfaceObject_t surface;
  CHECK_CUDA(cudaCreateTextureObject(&texture, &resource, &description, nullptr));
  CHECK_CUDA(cudaCreateSurfaceObject(&surface, &resource));

  CUmodule module;
  CUfunction fetch, change;
  CHECK_DRIVER(cuModuleLoadData(&module, text));
  CHECK_DRIVER(cuModuleGetFunction(&fetch, module, "fetch"));
  CHECK_DRIVER(cuModuleGetFunction(&change, module, "change"));
  CUdeviceptr out;
  std::vector<float> got(36);
  CHECK_DRIVER(cuMemAlloc(&out, got.size() * sizeof(float)));
  void *to_fetch[] = {&out, &texture}, *to_change[] = {&surface};
  for (float factor : {1.0f, 2.0f}) {
    CHECK_DRIVER(cuLaunchKernel(fetch, 1, 1, 1, width, height, 1, 0, nullptr, to_fetch, nullptr));
    CHECK_DRIVER(cuMemcpyDtoH(got.data(), out, got.size() * sizeof(float)));
    for (int i = 0; i < width * height; ++i) {
      CHECK_EQ(got[i], factor * texels[i]);
      CHECK_EQ(got[16 + i], factor * texels[i]);
    }
    const int gathered[] = {4, 5, 1, 0}; // the lower left first, then against the clock
    for (int i = 0; i < 4; ++i)
      CHECK_EQ(got[32 + i], factor * texels[gathered[i]]);
    CHECK_DRIVER(cuLaunchKernel(change, 1, 1, 1, width, height, 1, 0, nullptr, to_change, nullptr));
  }
  RETURN_RESULT();
}
