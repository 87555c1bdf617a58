// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texture and surface references, as CUDA had them before version 12: variables of a module that
// hold the handle of a texture object (device/texture/reference.h). Here a reference is the
// description of that object; each change makes the object anew.
#include "device/texture/texture.h"
#include "driver/module/module.h"
#include "driver/texture/texture.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::driver;

namespace {

/// What a CUtexref or a CUsurfref points to.
struct Reference {
  std::shared_ptr<Module> module; // null: made by cuTexRefCreate
  std::string name;
  bool surface = false;
  CUDA_RESOURCE_DESC resource = {};
  CUDA_TEXTURE_DESC texture = {};
  CUarray_format format = CU_AD_FORMAT_FLOAT;
  unsigned channels = 1;
  bool bound = false;
  unsigned long long object = 0;
};

std::mutex mutex;

Handles<Reference> &references() {
  static auto *references = new Handles<Reference>;
  return *references;
}

/// Makes the object and stores its handle where kernels find it, in the order of the default
/// stream.
CUresult store(Reference &reference, Device &device) {
  cudaResourceDesc resource;
  void *variable = nullptr;
  size_t size = 0;
  unsigned long long made = 0;
  if (!reference.bound)
    return CUDA_SUCCESS;
  if (const CUresult error = convert(reference.resource, resource))
    return error;
  const cudaTextureDesc texture = convert(reference.texture, resource);
  if (const cudaError_t error = Textures::instance().create(
          device, resource, reference.surface ? nullptr : &texture, nullptr, made))
    return result(error);
  if (reference.module)
    if (const cudaError_t error =
            reference.module->findVariable(device, reference.name, variable, size))
      return result(error);
  if (variable)
    device.submit(*device.legacyStream(), makeWork([variable, made] {
      *static_cast<unsigned long long *>(variable) = made;
    }),
                  Start::AtOnceIfIdle);
  if (reference.object)
    Textures::instance().destroy(reference.object);
  reference.object = made;
  return CUDA_SUCCESS;
}

/// Runs a body with a reference.
template <class Body> CUresult ask(const void *handle, bool surface, Body body) {
  return callContext([&](Context &context) -> CUresult {
    const std::shared_ptr<Reference> found = references().find(handle);
    if (!found || found->surface != surface)
      return CUDA_ERROR_INVALID_HANDLE;
    std::lock_guard lock(mutex);
    return body(*found, context.device);
  });
}

/// Runs a body that changes a reference.
template <class Body> CUresult change(const void *handle, bool surface, Body body) {
  return ask(handle, surface, [&](Reference &reference, Device &device) {
    const CUresult error = body(reference, device);
    return error ? error : store(reference, device);
  });
}

template <class Value, class Member> CUresult answer(CUtexref handle, Value *value, Member member) {
  return ask(handle, false, [&](const Reference &reference, Device &) {
    if (!value)
      return CUDA_ERROR_INVALID_VALUE;
    *value = Value(member(reference));
    return CUDA_SUCCESS;
  });
}

CUresult find(const void **handle, CUmodule module, const char *name, bool surface) {
  return callModule(module, false, [&](Module &, Context &context) -> CUresult {
    const std::shared_ptr<Module> found = Registry::instance().findModule(module);
    CUdeviceptr pointer = 0;
    size_t size = 0;
    if (!handle || !name)
      return CUDA_ERROR_INVALID_VALUE;
    if (const CUresult error = findVariable(*found, context.device, name, false, &pointer, &size))
      return error;
    if (size != sizeof(unsigned long long))
      return CUDA_ERROR_NOT_FOUND;
    std::shared_ptr<Reference> known;
    references().forEach([&](Reference &reference) {
      if (reference.module == found && reference.name == name && reference.surface == surface)
        known = references().find(&reference);
    });
    if (!known) {
      known = std::make_shared<Reference>();
      known->module = found;
      known->name = name;
      known->surface = surface;
      references().add(known);
    }
    *handle = known.get();
    return CUDA_SUCCESS;
  });
}

} // namespace

CUresult cuModuleGetTexRef(CUtexref *reference, CUmodule module, const char *name) {
  return find(const_cast<const void **>(reinterpret_cast<void **>(reference)), module, name, false);
}

CUresult cuModuleGetSurfRef(CUsurfref *reference, CUmodule module, const char *name) {
  return find(const_cast<const void **>(reinterpret_cast<void **>(reference)), module, name, true);
}

CUresult cuTexRefCreate(CUtexref *reference) {
  return callContext([&](Context &) {
    if (!reference)
      return CUDA_ERROR_INVALID_VALUE;
    auto made = std::make_shared<Reference>();
    *reference = reinterpret_cast<CUtexref>(made.get());
    references().add(std::move(made));
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefDestroy(CUtexref handle) {
  return ask(handle, false, [&](Reference &reference, Device &) {
    if (reference.module)
      return CUDA_ERROR_INVALID_VALUE;
    references().remove(&reference);
    return CUDA_SUCCESS;
  });
}

// ---- What a reference reads ---------------------------------------------------------------------

namespace {

CUresult setArray(const void *handle, bool surface, CUarray array) {
  return change(handle, surface, [&](Reference &reference, Device &) {
    reference.resource = {};
    reference.resource.resType = CU_RESOURCE_TYPE_ARRAY;
    reference.resource.res.array.hArray = array;
    reference.bound = array != nullptr;
    return array ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
  });
}

} // namespace

CUresult cuTexRefSetArray(CUtexref reference, CUarray array, unsigned flags) {
  return flags == CU_TRSA_OVERRIDE_FORMAT || !array
             ? setArray(reference, false, array)
             : ask(reference, false,
                   [](Reference &, Device &) { return CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuSurfRefSetArray(CUsurfref reference, CUarray array, unsigned flags) {
  return flags == 0
             ? setArray(reference, true, array)
             : ask(reference, true, [](Reference &, Device &) { return CUDA_ERROR_INVALID_VALUE; });
}

CUresult cuTexRefSetMipmappedArray(CUtexref handle, CUmipmappedArray mipmap, unsigned flags) {
  return change(handle, false, [&](Reference &reference, Device &) {
    if (!mipmap)
      return CUDA_ERROR_INVALID_HANDLE;
    if (flags != CU_TRSA_OVERRIDE_FORMAT)
      return CUDA_ERROR_INVALID_VALUE;
    reference.resource = {};
    reference.resource.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
    reference.resource.res.mipmap.hMipmappedArray = mipmap;
    reference.bound = true;
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefSetAddress(size_t *offset, CUtexref handle, CUdeviceptr pointer, size_t bytes) {
  return change(handle, false, [&](Reference &reference, Device &device) {
    const size_t behind = pointer % device.gpu.texture_alignment;
    if (!pointer || (behind && !offset))
      return CUDA_ERROR_INVALID_VALUE;
    if (offset)
      *offset = behind;
    auto &linear = reference.resource.res.linear;
    reference.resource = {};
    reference.resource.resType = CU_RESOURCE_TYPE_LINEAR;
    linear.devPtr = pointer - behind;
    linear.format = reference.format;
    linear.numChannels = reference.channels;
    linear.sizeInBytes = bytes + behind;
    reference.bound = true;
    return CUDA_SUCCESS;
  });
}
HEDDLE_OLDER_NAME("cuTexRefSetAddress", "cuTexRefSetAddress_v2")

CUresult cuTexRefSetAddress2D(CUtexref handle, const CUDA_ARRAY_DESCRIPTOR *descriptor,
                              CUdeviceptr pointer, size_t pitch) {
  return change(handle, false, [&](Reference &reference, Device &) {
    if (!descriptor || !pointer)
      return CUDA_ERROR_INVALID_VALUE;
    auto &plane = reference.resource.res.pitch2D;
    reference.resource = {};
    reference.resource.resType = CU_RESOURCE_TYPE_PITCH2D;
    plane.devPtr = pointer;
    plane.format = descriptor->Format;
    plane.numChannels = descriptor->NumChannels;
    plane.width = descriptor->Width;
    plane.height = descriptor->Height;
    plane.pitchInBytes = pitch;
    reference.bound = true;
    return CUDA_SUCCESS;
  });
}
HEDDLE_OLDER_NAME("cuTexRefSetAddress2D", "cuTexRefSetAddress2D_v3")
HEDDLE_OLDER_NAME("cuTexRefSetAddress2D_v2", "cuTexRefSetAddress2D_v3")

CUresult cuTexRefGetAddress(CUdeviceptr *pointer, CUtexref reference) {
  return ask(reference, false, [&](const Reference &found, Device &) {
    if (!pointer || found.resource.resType < CU_RESOURCE_TYPE_LINEAR || !found.bound)
      return CUDA_ERROR_INVALID_VALUE;
    *pointer = found.resource.resType == CU_RESOURCE_TYPE_LINEAR
                   ? found.resource.res.linear.devPtr
                   : found.resource.res.pitch2D.devPtr;
    return CUDA_SUCCESS;
  });
}
HEDDLE_OLDER_NAME("cuTexRefGetAddress", "cuTexRefGetAddress_v2")

namespace {

CUresult getArray(CUarray *array, const void *reference, bool surface) {
  return ask(reference, surface, [&](const Reference &found, Device &) {
    if (!array || !found.bound || found.resource.resType != CU_RESOURCE_TYPE_ARRAY)
      return CUDA_ERROR_INVALID_VALUE;
    *array = found.resource.res.array.hArray;
    return CUDA_SUCCESS;
  });
}

} // namespace

CUresult cuTexRefGetArray(CUarray *array, CUtexref reference) {
  return getArray(array, reference, false);
}

CUresult cuSurfRefGetArray(CUarray *array, CUsurfref reference) {
  return getArray(array, reference, true);
}

CUresult cuTexRefGetMipmappedArray(CUmipmappedArray *mipmap, CUtexref reference) {
  return ask(reference, false, [&](const Reference &found, Device &) {
    if (!mipmap || !found.bound || found.resource.resType != CU_RESOURCE_TYPE_MIPMAPPED_ARRAY)
      return CUDA_ERROR_INVALID_VALUE;
    *mipmap = found.resource.res.mipmap.hMipmappedArray;
    return CUDA_SUCCESS;
  });
}

// ---- How it is read -----------------------------------------------------------------------------

CUresult cuTexRefSetFormat(CUtexref handle, CUarray_format format, int components) {
  return change(handle, false, [&](Reference &reference, Device &) {
    cudaChannelFormatDesc desc;
    if (!channelFormat(format, unsigned(components), desc))
      return CUDA_ERROR_INVALID_VALUE;
    reference.format = format;
    reference.channels = unsigned(components);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefSetAddressMode(CUtexref handle, int dimension, CUaddress_mode mode) {
  return change(handle, false, [&](Reference &reference, Device &) {
    if (dimension < 0 || dimension > 2 || unsigned(mode) > CU_TR_ADDRESS_MODE_BORDER)
      return CUDA_ERROR_INVALID_VALUE;
    reference.texture.addressMode[dimension] = mode;
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefSetFilterMode(CUtexref handle, CUfilter_mode mode) {
  return change(handle, false, [&](Reference &reference, Device &) {
    reference.texture.filterMode = mode;
    return unsigned(mode) > CU_TR_FILTER_MODE_LINEAR ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult cuTexRefSetMipmapFilterMode(CUtexref handle, CUfilter_mode mode) {
  return change(handle, false, [&](Reference &reference, Device &) {
    reference.texture.mipmapFilterMode = mode;
    return unsigned(mode) > CU_TR_FILTER_MODE_LINEAR ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  });
}

CUresult cuTexRefSetMipmapLevelBias(CUtexref handle, float bias) {
  return change(handle, false, [&](Reference &reference, Device &) {
    reference.texture.mipmapLevelBias = bias;
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefSetMipmapLevelClamp(CUtexref handle, float least, float most) {
  return change(handle, false, [&](Reference &reference, Device &) {
    reference.texture.minMipmapLevelClamp = least;
    reference.texture.maxMipmapLevelClamp = most;
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefSetMaxAnisotropy(CUtexref handle, unsigned most) {
  return change(handle, false, [&](Reference &reference, Device &) {
    reference.texture.maxAnisotropy = most;
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefSetBorderColor(CUtexref handle, float *color) {
  return change(handle, false, [&](Reference &reference, Device &) {
    if (!color)
      return CUDA_ERROR_INVALID_VALUE;
    std::copy_n(color, 4, reference.texture.borderColor);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefSetFlags(CUtexref handle, unsigned flags) {
  return change(handle, false, [&](Reference &reference, Device &) {
    reference.texture.flags = flags;
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefGetAddressMode(CUaddress_mode *mode, CUtexref reference, int dimension) {
  if (dimension < 0 || dimension > 2)
    mode = nullptr;
  return answer(reference, mode,
                [&](const Reference &found) { return found.texture.addressMode[dimension]; });
}

CUresult cuTexRefGetFilterMode(CUfilter_mode *mode, CUtexref reference) {
  return answer(reference, mode, [](const Reference &found) { return found.texture.filterMode; });
}

CUresult cuTexRefGetFormat(CUarray_format *format, int *channels, CUtexref reference) {
  return ask(reference, false, [&](const Reference &found, Device &) {
    if (format) // either may be left out
      *format = found.format;
    if (channels)
      *channels = int(found.channels);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefGetMipmapFilterMode(CUfilter_mode *mode, CUtexref reference) {
  return answer(reference, mode,
                [](const Reference &found) { return found.texture.mipmapFilterMode; });
}

CUresult cuTexRefGetMipmapLevelBias(float *bias, CUtexref reference) {
  return answer(reference, bias,
                [](const Reference &found) { return found.texture.mipmapLevelBias; });
}

CUresult cuTexRefGetMipmapLevelClamp(float *least, float *most, CUtexref reference) {
  return ask(reference, false, [&](const Reference &found, Device &) {
    if (!least || !most)
      return CUDA_ERROR_INVALID_VALUE;
    *least = found.texture.minMipmapLevelClamp;
    *most = found.texture.maxMipmapLevelClamp;
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefGetMaxAnisotropy(int *most, CUtexref reference) {
  return answer(reference, most,
                [](const Reference &found) { return found.texture.maxAnisotropy; });
}

CUresult cuTexRefGetBorderColor(float *color, CUtexref reference) {
  return ask(reference, false, [&](const Reference &found, Device &) {
    if (!color)
      return CUDA_ERROR_INVALID_VALUE;
    std::copy_n(found.texture.borderColor, 4, color);
    return CUDA_SUCCESS;
  });
}

CUresult cuTexRefGetFlags(unsigned *flags, CUtexref reference) {
  return answer(reference, flags, [](const Reference &found) { return found.texture.flags; });
}
