// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What makes a texture's descriptor of what the program says. The errors are those of an H200 with
// CUDA 13.
#include "device/texture/texture.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

namespace heddle {
namespace {

using texture::Address;
using texture::Channel;
using texture::Descriptor;
using texture::Level;

/// Where the texels are: what arrays, linear memory and mipmaps have in common.
struct Source {
  TexelFormat format;
  std::vector<Level> levels;
  bool layered = false, cube = false;
};

/// Memory that a kernel reads as a texture must be known to CUDA; and begin where textures may.
cudaError_t checkMemory(Device &device, const void *pointer) {
  const bool known = pointer && device.memory.find(pointer);
  if (!known || reinterpret_cast<uintptr_t>(pointer) % device.gpu.texture_alignment)
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t linearSource(Device &device, const cudaResourceDesc &resource, Source &source) {
  const auto &linear = resource.res.linear;
  const std::optional<TexelFormat> format = texelFormat(linear.desc);
  if (!format)
    return cudaErrorInvalidChannelDescriptor;
  const size_t texels = linear.sizeInBytes / format->texelBytes();
  if (texels > maxLinearTexels(device.gpu, *format))
    return cudaErrorInvalidValue;
  if (cudaError_t error = checkMemory(device, linear.devPtr))
    return error;
  Level level;
  level.base = reinterpret_cast<uintptr_t>(linear.devPtr);
  level.width = unsigned(texels);
  source.format = *format;
  source.levels = {level};
  return cudaSuccess;
}

cudaError_t pitchSource(Device &device, const cudaResourceDesc &resource, Source &source) {
  const auto &plane = resource.res.pitch2D;
  const std::optional<TexelFormat> format = texelFormat(plane.desc);
  if (!format)
    return cudaErrorInvalidChannelDescriptor;
  const auto &limits = device.gpu.max_texture_2d_linear;
  if (plane.width > size_t(limits[0]) || plane.height > size_t(limits[1]) ||
      plane.pitchInBytes > size_t(limits[2]) ||
      plane.pitchInBytes % device.gpu.texture_pitch_alignment)
    return cudaErrorInvalidValue;
  if (cudaError_t error = checkMemory(device, plane.devPtr))
    return error;
  Level level;
  level.base = reinterpret_cast<uintptr_t>(plane.devPtr);
  level.row_bytes = unsigned(plane.pitchInBytes);
  level.width = std::max(unsigned(plane.width), 1u);
  level.height = std::max(unsigned(plane.height), 1u);
  source.format = *format;
  source.levels = {level};
  return cudaSuccess;
}

cudaError_t arraySource(const cudaResourceDesc &resource, Source &source) {
  std::shared_ptr<Array> first;
  if (resource.resType == cudaResourceTypeArray) {
    if (cudaError_t error = Array::find(resource.res.array.array, first))
      return error;
    source.levels = {first->level()};
  } else {
    std::shared_ptr<MipmappedArray> mipmaps;
    if (cudaError_t error = MipmappedArray::find(resource.res.mipmap.mipmap, mipmaps))
      return error;
    first = mipmaps->levels[0];
    for (const auto &level : mipmaps->levels)
      source.levels.push_back(level->level());
  }
  source.format = first->format;
  source.layered = first->layered();
  source.cube = first->cube();
  return cudaSuccess;
}

cudaError_t sourceOf(Device &device, const cudaResourceDesc &resource, Source &source) {
  switch (resource.resType) {
  case cudaResourceTypeArray:
  case cudaResourceTypeMipmappedArray:
    return arraySource(resource, source);
  case cudaResourceTypeLinear:
    return linearSource(device, resource, source);
  case cudaResourceTypePitch2D:
    return pitchSource(device, resource, source);
  }
  return cudaErrorInvalidValue;
}

/// CUDA runtime API, cudaResourceViewDesc: other texels of the same size, fewer levels or layers.
cudaError_t applyView(const cudaResourceViewDesc &view, Source &source) {
  if (view.format >= cudaResViewFormatUnsignedBlockCompressed1) {
    fprintf(stderr, "heddle: block-compressed textures are not supported\n");
    return cudaErrorNotSupported;
  }
  if (view.format != cudaResViewFormatNone) {
    const std::optional<TexelFormat> format = texelFormat(view.format);
    if (!format || format->texelBytes() != source.format.texelBytes())
      return cudaErrorInvalidValue;
    source.format = *format;
    const Level &first = source.levels[0];
    if (view.width != first.width || (view.height ? view.height : 1) != first.height)
      return cudaErrorInvalidValue;
  }
  if (view.lastMipmapLevel < view.firstMipmapLevel ||
      view.lastMipmapLevel >= source.levels.size() || view.lastLayer < view.firstLayer ||
      (view.lastLayer && view.lastLayer >= source.levels[0].depth))
    return cudaErrorInvalidValue;
  if (view.firstMipmapLevel || view.lastMipmapLevel)
    source.levels = {source.levels.begin() + view.firstMipmapLevel,
                     source.levels.begin() + view.lastMipmapLevel + 1};
  if (view.firstLayer || view.lastLayer)
    for (Level &level : source.levels) {
      level.base += view.firstLayer * level.slice_bytes;
      level.depth = view.lastLayer - view.firstLayer + 1;
    }
  return cudaSuccess;
}

/// Whether such texels can be read in this way.
cudaError_t checkModes(const cudaTextureDesc &desc, const Source &source) {
  for (const cudaTextureAddressMode mode : desc.addressMode)
    if (mode < cudaAddressModeWrap || mode > cudaAddressModeBorder)
      return cudaErrorInvalidValue;
  for (const cudaTextureFilterMode mode : {desc.filterMode, desc.mipmapFilterMode})
    if (mode != cudaFilterModePoint && mode != cudaFilterModeLinear)
      return cudaErrorInvalidValue;
  if (desc.seamlessCubemap && !source.cube)
    return cudaErrorInvalidValue;
  const bool integer = source.format.kind != Channel::Float, wide = source.format.bits == 32;
  const bool normalized = desc.readMode == cudaReadModeNormalizedFloat;
  if (desc.filterMode == cudaFilterModeLinear && integer && (!normalized || wide))
    return cudaErrorInvalidFilterSetting;
  if (normalized && wide)
    return cudaErrorInvalidNormSetting;
  if (desc.sRGB && (integer ? source.format.bits != 8 : true))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

unsigned bitsOf(float value) {
  unsigned bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// A float cut off to a half.
unsigned halfOf(float value) {
  const unsigned sign = bitsOf(value) >> 16 & 0x8000;
  const float magnitude = std::fabs(value);
  if (std::isnan(value))
    return sign | 0x7fff;
  if (magnitude >= 65504.0f)
    return sign | (std::isinf(value) ? 0x7c00 : 0x7bff);
  if (magnitude < 0x1p-14f)
    return sign | unsigned(magnitude * 0x1p24f);
  return sign | ((bitsOf(magnitude) - (112u << 23)) >> 13);
}

/// A channel of the border's colour as if it were a texel in memory. Hardware cuts off numbers that
/// texels cannot hold; of integers that are not normalised, it takes the bits that are there.
unsigned borderChannel(float value, const TexelFormat &format, bool normalized) {
  if (format.kind == Channel::Float)
    return format.bits == 16 ? halfOf(value) : bitsOf(value);
  const unsigned mask = format.bits == 32 ? ~0u : (1u << format.bits) - 1;
  if (!normalized) {
    const unsigned raw = bitsOf(value) & mask;
    const unsigned sign = 1u << (format.bits - 1);
    return format.kind == Channel::Signed ? (raw ^ sign) - sign : raw;
  }
  if (!(value > -1.0f) && !(value <= -1.0f)) // no number
    return 0;
  if (format.kind == Channel::Unsigned)
    return unsigned(std::clamp(std::floor(value * float(mask + 1)), 0.0f, float(mask)));
  const float most = float(mask >> 1);
  return unsigned(int(std::clamp(std::trunc(value * (most + 1)), -most, most)));
}

/// Whether the short ways of the device library will do (devicelib/texture_fetch.cu).
bool isSimple(const Descriptor &d) {
  const bool bordered = std::any_of(std::begin(d.address), std::end(d.address),
                                    [](Address mode) { return mode == Address::Border; });
  // Neighbours along x are loaded together.
  const bool neighbours = !d.linear || d.level.width > 1;
  const auto bytes = d.level.slice_bytes ? d.level.slice_bytes * d.level.depth
                                         : size_t(d.level.row_bytes) * d.level.height;
  return d.levels == 1 && !d.srgb && !d.cube && !bordered && neighbours &&
         bytes < (size_t(1) << 31);
}

} // namespace

cudaError_t describeTexture(Device &device, const cudaResourceDesc &resource,
                            const cudaTextureDesc &desc, const cudaResourceViewDesc *view,
                            Descriptor &d, Level *levels) {
  Source source;
  if (cudaError_t error = sourceOf(device, resource, source))
    return error;
  if (view)
    if (cudaError_t error = applyView(*view, source))
      return error;
  if (cudaError_t error = checkModes(desc, source))
    return error;
  d = {};
  d.level = source.levels[0];
  d.levels = std::min(unsigned(source.levels.size()), texture::most_levels);
  std::copy_n(source.levels.begin(), d.levels, levels);
  d.normalized = desc.normalizedCoords != 0;
  d.linear = desc.filterMode == cudaFilterModeLinear;
  const bool integer = source.format.kind != Channel::Float;
  const bool normalized_read = integer && desc.readMode == cudaReadModeNormalizedFloat;
  d.form = source.format.form(normalized_read);
  d.texel_bytes = source.format.texelBytes();
  for (int i = 0; i < 3; ++i) {
    d.address[i] = Address(unsigned(desc.addressMode[i]));
    // CUDA runtime API, cudaTextureDesc: these need normalised coordinates.
    if (!d.normalized && (d.address[i] == Address::Wrap || d.address[i] == Address::Mirror))
      d.address[i] = Address::Clamp;
    if (source.cube)
      d.address[i] = Address::Clamp;
    d.clamped |= unsigned(d.address[i] == Address::Clamp) << i;
  }
  for (int i = 0; i < 4; ++i)
    d.border[i] = borderChannel(desc.borderColor[i], source.format, normalized_read);
  d.srgb = desc.sRGB != 0 && normalized_read;
  d.cube = source.cube;
  d.layers = source.cube ? d.level.depth / 6 : source.layered ? d.level.depth : 0;
  d.mip_linear = desc.mipmapFilterMode == cudaFilterModeLinear;
  d.bias = desc.mipmapLevelBias;
  d.min_level = desc.minMipmapLevelClamp;
  d.max_level = desc.maxMipmapLevelClamp;
  d.anisotropy = std::clamp(desc.maxAnisotropy, 1u, 16u);
  d.tiled = resource.resType == cudaResourceTypeArray ||
            resource.resType == cudaResourceTypeMipmappedArray;
  d.simple = isSimple(d) ? d.form : texture::general_form;
  return cudaSuccess;
}

cudaError_t describeSurface(const cudaResourceDesc &resource, Descriptor &d) {
  if (resource.resType == cudaResourceTypeMipmappedArray)
    return cudaErrorInvalidValue;
  if (resource.resType != cudaResourceTypeArray)
    return cudaErrorInvalidChannelDescriptor;
  std::shared_ptr<Array> array;
  if (cudaError_t error = Array::find(resource.res.array.array, array))
    return error;
  d = {};
  d.level = array->level();
  d.form = array->format.form(false);
  d.texel_bytes = array->format.texelBytes();
  d.tiled = 1;
  return cudaSuccess;
}

} // namespace heddle
