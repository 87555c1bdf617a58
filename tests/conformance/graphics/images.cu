// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// OpenGL's textures and renderbuffers as resources: surface writes that OpenGL draws, fetches of
// what it has put there, levels, slices, layers and faces; the program's state of OpenGL stays.
// hardware: skip needs OpenGL
#include "gl.h"

#include <cuda_fp16.h>

__host__ __device__ uchar4 colorOf(int x, int y) {
  return make_uchar4(x * 3, y * 5, (x + y) & 255, 255);
}

__global__ void paint(cudaSurfaceObject_t surface, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    surf2Dwrite(colorOf(x, y), surface, x * int(sizeof(uchar4)), y);
}

__global__ void fetch(cudaTextureObject_t texture, float *values, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height)
    values[y * width + x] = tex2D<float>(texture, x + 0.5f, y + 0.5f);
}

dim3 blocksFor(int width, int height) { return dim3((width + 15) / 16, (height + 15) / 16); }
constexpr dim3 threads(16, 16);

unsigned makeTexture(unsigned target) {
  unsigned texture = 0;
  gl::GenTextures(1, &texture);
  gl::BindTexture(target, texture);
  gl::TexParameteri(target, gl::texture_min_filter, gl::nearest);
  gl::TexParameteri(target, gl::texture_mag_filter, gl::nearest);
  return texture;
}

cudaGraphicsResource_t registered(unsigned texture, unsigned target, unsigned flags = 0) {
  cudaGraphicsResource_t resource = nullptr;
  CHECK_CUDA(cudaGraphicsGLRegisterImage(&resource, texture, target, flags));
  return resource;
}

cudaArray_t mappedArray(cudaGraphicsResource_t resource, unsigned index = 0, unsigned level = 0) {
  cudaArray_t array = nullptr;
  CHECK_CUDA(cudaGraphicsSubResourceGetMappedArray(&array, resource, index, level));
  return array;
}

cudaResourceDesc described(cudaArray_t array) {
  cudaResourceDesc desc = {};
  desc.resType = cudaResourceTypeArray;
  desc.res.array.array = array;
  return desc;
}

void drawTexture() {
  const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1}, places[] = {0, 0, 1, 0, 0, 1, 1, 1};
  gl::VertexPointer(2, gl::float_type, 0, corners);
  gl::TexCoordPointer(2, gl::float_type, 0, places);
  gl::EnableClientState(gl::vertex_array);
  gl::EnableClientState(gl::texture_coord_array);
  gl::Enable(gl::texture_2d);
  gl::DrawArrays(gl::triangle_strip, 0, 4);
  gl::Disable(gl::texture_2d);
  gl::DisableClientState(gl::vertex_array);
  gl::DisableClientState(gl::texture_coord_array);
}

void paintedAndDrawn() {
  constexpr int width = 37, height = 21;
  gl::makeCanvas(width, height);
  const unsigned texture = makeTexture(gl::texture_2d);
  gl::TexImage2D(gl::texture_2d, 0, gl::rgba8, width, height, 0, gl::rgba, gl::unsigned_byte,
                 nullptr);
  cudaGraphicsResource_t resource =
      registered(texture, gl::texture_2d, cudaGraphicsRegisterFlagsSurfaceLoadStore);
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  const cudaResourceDesc desc = described(mappedArray(resource));
  cudaSurfaceObject_t surface = 0;
  CHECK_CUDA(cudaCreateSurfaceObject(&surface, &desc));
  paint<<<blocksFor(width, height), threads>>>(surface, width, height);
  CHECK_CUDA(cudaGetLastError());
  CHECK_CUDA(cudaDestroySurfaceObject(surface));
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  drawTexture();
  const std::vector<uchar4> pixels = gl::readCanvas(width, height);
  for (int i = 0; i < width * height; ++i) {
    const uchar4 expected = colorOf(i % width, i / width);
    CHECK(memcmp(&pixels[i], &expected, sizeof expected) == 0);
  }
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

/// Floats with rows of an odd length; the program packs pixels in a way of its own.
void fetched() {
  constexpr int width = 5, height = 3;
  std::vector<float> content(width * height);
  for (int i = 0; i < width * height; ++i)
    content[i] = i * 1.25f - 7;
  const unsigned texture = makeTexture(gl::texture_2d);
  gl::TexImage2D(gl::texture_2d, 0, gl::r32f, width, height, 0, gl::red, gl::float_type,
                 content.data());
  cudaGraphicsResource_t resource =
      registered(texture, gl::texture_2d, cudaGraphicsRegisterFlagsReadOnly);
  const unsigned packed = gl::makeBuffer(std::vector<char>(64)),
                 other = makeTexture(gl::texture_2d);
  gl::BindBuffer(gl::pixel_pack_buffer, packed);
  gl::PixelStorei(gl::pack_alignment, 8);
  gl::PixelStorei(gl::pack_row_length, 100);
  gl::PixelStorei(gl::unpack_skip_rows, 2);
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  const cudaResourceDesc desc = described(mappedArray(resource));
  const cudaTextureDesc how = {};
  cudaTextureObject_t object = 0;
  CHECK_CUDA(cudaCreateTextureObject(&object, &desc, &how, nullptr));
  DeviceBuffer<float> values(width * height);
  fetch<<<1, threads>>>(object, values.data(), width, height);
  CHECK(values.download() == content);
  CHECK_CUDA(cudaDestroyTextureObject(object));
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  CHECK_EQ(unsigned(gl::integer(gl::pixel_pack_buffer_binding)), packed);
  CHECK_EQ(gl::integer(gl::pack_alignment), 8);
  CHECK_EQ(gl::integer(gl::pack_row_length), 100);
  CHECK_EQ(gl::integer(gl::unpack_skip_rows), 2);
  CHECK_EQ(unsigned(gl::integer(gl::texture_binding_2d)), other);
  gl::BindBuffer(gl::pixel_pack_buffer, 0);
  gl::PixelStorei(gl::pack_alignment, 4);
  gl::PixelStorei(gl::pack_row_length, 0);
  gl::PixelStorei(gl::unpack_skip_rows, 0);
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

/// Copies `texels` to the mapped array, whose format and size must be these.
template <class T>
void write(cudaArray_t array, const std::vector<T> &texels, cudaChannelFormatKind kind, int bits,
           cudaExtent extent) {
  cudaChannelFormatDesc format = {};
  cudaExtent size = {};
  CHECK_CUDA(cudaArrayGetInfo(&format, &size, nullptr, array));
  CHECK_EQ(format.f, kind);
  CHECK_EQ(format.x, bits);
  CHECK_EQ(size.width, extent.width);
  CHECK_EQ(size.height, extent.height);
  CHECK_EQ(size.depth, extent.depth);
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(const_cast<T *>(texels.data()), extent.width * sizeof(T),
                                    extent.width, extent.height);
  copy.dstArray = array;
  copy.extent = {extent.width, extent.height, extent.depth ? extent.depth : 1};
  copy.kind = cudaMemcpyHostToDevice;
  CHECK_CUDA(cudaMemcpy3D(&copy));
}

void levels() {
  const unsigned texture = makeTexture(gl::texture_2d);
  for (int level = 0; level < 3; ++level) {
    const std::vector<unsigned> content(size_t(8 >> level) * (4 >> level), 100 + level);
    gl::TexImage2D(gl::texture_2d, level, gl::r32ui, 8 >> level, 4 >> level, 0, gl::red_integer,
                   gl::unsigned_int, content.data());
  }
  cudaGraphicsResource_t resource = registered(texture, gl::texture_2d);
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  cudaMipmappedArray_t all = nullptr;
  cudaArray_t second = nullptr;
  CHECK_CUDA(cudaGraphicsResourceGetMappedMipmappedArray(&all, resource));
  CHECK_CUDA(cudaGetMipmappedArrayLevel(&second, all, 1));
  CHECK(second == mappedArray(resource, 0, 1));
  unsigned seen[4 * 2] = {};
  CHECK_CUDA(cudaMemcpy2DFromArray(seen, 16, second, 0, 0, 16, 2, cudaMemcpyDeviceToHost));
  for (unsigned value : seen)
    CHECK_EQ(value, 101u);
  write(second, std::vector<unsigned>(8, 7777), cudaChannelFormatKindUnsigned, 32, {4, 2, 0});
  cudaArray_t missing = nullptr;
  CHECK_EQ(cudaGraphicsSubResourceGetMappedArray(&missing, resource, 0, 3), cudaErrorInvalidValue);
  CHECK_EQ(cudaGraphicsSubResourceGetMappedArray(&missing, resource, 1, 0), cudaErrorInvalidValue);
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  const unsigned expected[] = {100, 7777, 102};
  gl::BindTexture(gl::texture_2d, texture);
  for (int level = 0; level < 3; ++level) {
    std::vector<unsigned> texels(size_t(8 >> level) * (4 >> level));
    gl::GetTexImage(gl::texture_2d, level, gl::red_integer, gl::unsigned_int, texels.data());
    for (unsigned texel : texels)
      CHECK_EQ(texel, expected[level]);
  }
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

void slices() {
  std::vector<unsigned char> content(6 * 5 * 4, 1), texels(content.size());
  const unsigned texture = makeTexture(gl::texture_3d);
  gl::PixelStorei(0x0CF5 /* unpack alignment */, 1);
  gl::TexImage3D(gl::texture_3d, 0, gl::r8, 6, 5, 4, 0, gl::red, gl::unsigned_byte, nullptr);
  gl::PixelStorei(0x0CF5, 4);
  cudaGraphicsResource_t resource = registered(texture, gl::texture_3d);
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  for (size_t i = 0; i < content.size(); ++i)
    content[i] = (unsigned char)(i * 2);
  write(mappedArray(resource), content, cudaChannelFormatKindUnsigned, 8, {6, 5, 4});
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  gl::BindTexture(gl::texture_3d, texture);
  gl::PixelStorei(gl::pack_alignment, 1);
  gl::GetTexImage(gl::texture_3d, 0, gl::red, gl::unsigned_byte, texels.data());
  gl::PixelStorei(gl::pack_alignment, 4);
  CHECK(texels == content);
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

/// Layers of an array of textures, one of which is written; all are seen as a layered array.
void layers() {
  constexpr size_t size = 4 * 4;
  const unsigned texture = makeTexture(gl::texture_2d_array);
  std::vector<float> zeros(size * 3), texels(size * 3);
  gl::TexImage3D(gl::texture_2d_array, 0, gl::r32f, 4, 4, 3, 0, gl::red, gl::float_type,
                 zeros.data());
  cudaGraphicsResource_t resource = registered(texture, gl::texture_2d_array);
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  write(mappedArray(resource, 1), std::vector<float>(size, 2.5f), cudaChannelFormatKindFloat, 32,
        {4, 4, 0});
  cudaMipmappedArray_t all = nullptr;
  cudaArray_t layered = nullptr;
  cudaExtent extent = {};
  unsigned flags = 0;
  CHECK_CUDA(cudaGraphicsResourceGetMappedMipmappedArray(&all, resource));
  CHECK_CUDA(cudaGetMipmappedArrayLevel(&layered, all, 0));
  CHECK_CUDA(cudaArrayGetInfo(nullptr, &extent, &flags, layered));
  CHECK_EQ(extent.depth, 3u);
  CHECK_EQ(flags, unsigned(cudaArrayLayered));
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  gl::BindTexture(gl::texture_2d_array, texture);
  gl::GetTexImage(gl::texture_2d_array, 0, gl::red, gl::float_type, texels.data());
  for (size_t i = 0; i < texels.size(); ++i)
    CHECK_EQ(texels[i], i / size == 1 ? 2.5f : 0.0f);
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

void faces() {
  const unsigned texture = makeTexture(gl::texture_cube_map), positive_x = 0x8515;
  const std::vector<uchar4> black(8 * 8);
  for (unsigned face = 0; face < 6; ++face)
    gl::TexImage2D(positive_x + face, 0, gl::rgba8, 8, 8, 0, gl::rgba, gl::unsigned_byte,
                   black.data());
  cudaGraphicsResource_t resource =
      registered(texture, gl::texture_cube_map, cudaGraphicsRegisterFlagsSurfaceLoadStore);
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  const cudaResourceDesc desc = described(mappedArray(resource, cudaGraphicsCubeFaceNegativeY));
  cudaSurfaceObject_t surface = 0;
  CHECK_CUDA(cudaCreateSurfaceObject(&surface, &desc));
  paint<<<1, threads>>>(surface, 8, 8);
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  CHECK_CUDA(cudaDestroySurfaceObject(surface));
  gl::BindTexture(gl::texture_cube_map, texture);
  for (unsigned face = 0; face < 6; ++face) {
    std::vector<uchar4> texels(8 * 8);
    gl::GetTexImage(positive_x + face, 0, gl::rgba, gl::unsigned_byte, texels.data());
    for (int i = 0; i < 64; ++i) {
      const uchar4 expected =
          face == cudaGraphicsCubeFaceNegativeY ? colorOf(i % 8, i / 8) : uchar4{};
      CHECK(memcmp(&texels[i], &expected, sizeof expected) == 0);
    }
  }
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

/// What OpenGL has drawn, and what it shows afterwards.
void renderbuffer() {
  constexpr int width = 9, height = 6;
  gl::makeCanvas(width, height);
  gl::ClearColor(1, 0, 0, 1);
  gl::Clear(gl::color_buffer_bit);
  unsigned colors = unsigned(gl::integer(0x8CA7 /* renderbuffer binding */));
  gl::BindRenderbuffer(gl::renderbuffer, 0);
  gl::Enable(gl::scissor_test);
  gl::Scissor(0, 0, 1, 1);
  const int framebuffer = gl::integer(gl::framebuffer_binding);
  cudaGraphicsResource_t resource = registered(colors, gl::renderbuffer);
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  std::vector<uchar4> pixels(width * height);
  CHECK_CUDA(cudaMemcpy2DFromArray(pixels.data(), width * 4, mappedArray(resource), 0, 0, width * 4,
                                   height, cudaMemcpyDeviceToHost));
  for (const uchar4 &pixel : pixels)
    CHECK(pixel.x == 255 && pixel.y == 0 && pixel.z == 0 && pixel.w == 255);
  for (int i = 0; i < width * height; ++i)
    pixels[i] = colorOf(i % width, i / width);
  write(mappedArray(resource), pixels, cudaChannelFormatKindUnsigned, 8, {width, height, 0});
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  CHECK_EQ(gl::integer(gl::framebuffer_binding), framebuffer);
  gl::Disable(gl::scissor_test);
  const std::vector<uchar4> drawn = gl::readCanvas(width, height);
  CHECK(memcmp(drawn.data(), pixels.data(), pixels.size() * sizeof(uchar4)) == 0);
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

void halves() {
  const unsigned texture = makeTexture(gl::texture_2d);
  gl::TexImage2D(gl::texture_2d, 0, gl::rgba16f, 3, 2, 0, gl::rgba, gl::float_type, nullptr);
  cudaGraphicsResource_t resource = registered(texture, gl::texture_2d);
  CHECK_CUDA(cudaGraphicsMapResources(1, &resource, nullptr));
  struct alignas(8) Texel {
    __half channels[4];
  };
  std::vector<Texel> content(6);
  for (int i = 0; i < 24; ++i)
    content[i / 4].channels[i % 4] = __float2half(i * 0.25f);
  write(mappedArray(resource), content, cudaChannelFormatKindFloat, 16, {3, 2, 0});
  CHECK_CUDA(cudaGraphicsUnmapResources(1, &resource, nullptr));
  float texels[24] = {};
  gl::BindTexture(gl::texture_2d, texture);
  gl::GetTexImage(gl::texture_2d, 0, gl::rgba, gl::float_type, texels);
  for (int i = 0; i < 24; ++i)
    CHECK_EQ(texels[i], i * 0.25f);
  CHECK_CUDA(cudaGraphicsUnregisterResource(resource));
}

int main() {
  const gl::Context context;
  paintedAndDrawn();
  fetched();
  levels();
  slices();
  layers();
  faces();
  renderbuffer();
  halves();
  CHECK_EQ(gl::GetError(), 0u);
  RETURN_RESULT();
}
