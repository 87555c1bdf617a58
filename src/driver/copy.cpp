// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Copies and fills.
#include "driver/copy.h"
#include "device/memory/copy.h"
#include "driver/texture/formats.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::driver;

namespace {

/// One side of a copy, in the runtime's terms.
struct Side {
  cudaArray_t array = nullptr;
  cudaPos position = {};
  cudaPitchedPtr memory = {};
  size_t texel = 1; // bytes
};

struct DriverSide {
  CUmemorytype type;
  const void *host;
  CUdeviceptr device;
  CUarray array;
  size_t x, y, z, level, pitch, height;
};

cudaError_t convert(const DriverSide &from, const CUDA_MEMCPY3D &copy, Side &to) {
  to.position = {from.x, from.y, from.z};
  if (from.level != 0)
    return cudaErrorInvalidValue;
  if (from.type == CU_MEMORYTYPE_ARRAY) {
    cudaChannelFormatDesc desc;
    to.array = runtimeArray(from.array);
    if (cudaError_t error = cudaGetChannelDesc(&desc, to.array))
      return error;
    to.texel = texelBytes(desc);
    if (from.x % to.texel)
      return cudaErrorInvalidValue;
    to.position.x = from.x / to.texel;
    return cudaSuccess;
  }
  if (from.type != CU_MEMORYTYPE_HOST && from.type != CU_MEMORYTYPE_DEVICE &&
      from.type != CU_MEMORYTYPE_UNIFIED)
    return cudaErrorInvalidValue;
  void *base = from.type == CU_MEMORYTYPE_HOST ? const_cast<void *>(from.host) : at(from.device);
  if (!base)
    return cudaErrorInvalidValue;
  // A pitch of 0 stands for rows without gaps, a height of 0 for slices without.
  const size_t pitch = from.pitch ? from.pitch : from.x + copy.WidthInBytes;
  to.memory = {base, pitch, pitch, from.height ? from.height : from.y + copy.Height};
  return cudaSuccess;
}

CUresult copy3D(const CUDA_MEMCPY3D *copy, CUstream stream, bool async) {
  return callContext([&] {
    cudaMemcpy3DParms parameters;
    if (!copy)
      return cudaErrorInvalidValue;
    if (copy->WidthInBytes == 0 || copy->Height == 0 || copy->Depth == 0)
      return api::callStream(stream, [](DeviceStream &) { return cudaSuccess; });
    if (cudaError_t error = runtimeCopy(*copy, parameters))
      return error;
    if (async)
      return cudaMemcpy3DAsync(&parameters, stream);
    return stream == CU_STREAM_PER_THREAD ? cudaMemcpy3D_ptds(&parameters)
                                          : cudaMemcpy3D(&parameters);
  });
}

CUresult copy2D(const CUDA_MEMCPY2D *copy, CUstream stream, bool async) {
  if (!copy)
    return copy3D(nullptr, stream, async);
  CUDA_MEMCPY3D whole = {};
  whole.srcXInBytes = copy->srcXInBytes;
  whole.srcY = copy->srcY;
  whole.srcMemoryType = copy->srcMemoryType;
  whole.srcHost = copy->srcHost;
  whole.srcDevice = copy->srcDevice;
  whole.srcArray = copy->srcArray;
  whole.srcPitch = copy->srcPitch;
  whole.dstXInBytes = copy->dstXInBytes;
  whole.dstY = copy->dstY;
  whole.dstMemoryType = copy->dstMemoryType;
  whole.dstHost = copy->dstHost;
  whole.dstDevice = copy->dstDevice;
  whole.dstArray = copy->dstArray;
  whole.dstPitch = copy->dstPitch;
  whole.WidthInBytes = copy->WidthInBytes;
  whole.Height = copy->Height;
  whole.Depth = 1;
  return copy3D(&whole, stream, async);
}

/// There is one address space, so a copy between contexts is one within the current one.
CUresult copyPeer3D(const CUDA_MEMCPY3D_PEER *copy, CUstream stream, bool async) {
  if (!copy)
    return copy3D(nullptr, stream, async);
  CUDA_MEMCPY3D plain;
  static_assert(sizeof plain == sizeof *copy);
  memcpy(&plain, copy, sizeof plain);
  plain.reserved0 = plain.reserved1 = nullptr;
  for (const CUcontext context : {copy->srcContext, copy->dstContext})
    if (context && !Context::handles().find(context))
      return call([] { return CUDA_ERROR_INVALID_CONTEXT; });
  return copy3D(&plain, stream, async);
}

CUresult copyLinear(void *to, const void *from, size_t bytes, cudaMemcpyKind kind, CUstream stream,
                    bool async) {
  return callContext([&] {
    if (async)
      return cudaMemcpyAsync(to, from, bytes, kind, stream);
    return stream == CU_STREAM_PER_THREAD ? cudaMemcpy_ptds(to, from, bytes, kind)
                                          : cudaMemcpy(to, from, bytes, kind);
  });
}

CUresult copyPeer(CUdeviceptr to, CUcontext to_handle, CUdeviceptr from, CUcontext from_handle,
                  size_t bytes, CUstream stream, bool async) {
  return callContext([&](Context &context) -> CUresult {
    int to_device = context.device.ordinal, from_device = to_device; // null: the current one's
    for (auto [handle, device] : {std::pair{to_handle, &to_device}, {from_handle, &from_device}})
      if (const auto found = handle ? Context::handles().find(handle) : nullptr)
        *device = found->device.ordinal;
      else if (handle)
        return CUDA_ERROR_INVALID_CONTEXT;
    return result(async
                      ? cudaMemcpyPeerAsync(at(to), to_device, at(from), from_device, bytes, stream)
                      : cudaMemcpyPeer(at(to), to_device, at(from), from_device, bytes));
  });
}

/// Copies to and from arrays of one dimension, whose offsets are in bytes.
CUresult toArray(CUarray to, size_t offset, const void *from, size_t bytes, cudaMemcpyKind kind,
                 CUstream stream, bool async) {
  return callContext([&] {
    const cudaArray_t array = runtimeArray(to);
    if (!array)
      return cudaErrorInvalidValue;
    if (async)
      return cudaMemcpyToArrayAsync(array, offset, 0, from, bytes, kind, stream);
    return stream == CU_STREAM_PER_THREAD
               ? cudaMemcpyToArray_ptds(array, offset, 0, from, bytes, kind)
               : cudaMemcpyToArray(array, offset, 0, from, bytes, kind);
  });
}

CUresult fromArray(void *to, CUarray from, size_t offset, size_t bytes, cudaMemcpyKind kind,
                   CUstream stream, bool async) {
  return callContext([&] {
    const cudaArray_t array = runtimeArray(from);
    if (!array)
      return cudaErrorInvalidValue;
    if (async)
      return cudaMemcpyFromArrayAsync(to, array, offset, 0, bytes, kind, stream);
    return stream == CU_STREAM_PER_THREAD
               ? cudaMemcpyFromArray_ptds(to, array, offset, 0, bytes, kind)
               : cudaMemcpyFromArray(to, array, offset, 0, bytes, kind);
  });
}

CUresult betweenArrays(CUarray to, size_t to_offset, CUarray from, size_t from_offset, size_t bytes,
                       CUstream stream) {
  return callContext([&] {
    if (!to || !from)
      return cudaErrorInvalidValue;
    const auto copy =
        stream == CU_STREAM_PER_THREAD ? cudaMemcpyArrayToArray_ptds : cudaMemcpyArrayToArray;
    return copy(runtimeArray(to), to_offset, 0, runtimeArray(from), from_offset, 0, bytes,
                cudaMemcpyDeviceToDevice);
  });
}

/// `width` elements in each of `height` rows. Pitch and address are multiples of the element.
CUresult fill(CUdeviceptr to, size_t pitch, unsigned value, unsigned element, size_t width,
              size_t height, CUstream handle, CopyMode mode) {
  return callContext([&](Context &) {
    return api::callStream(handle, [&](DeviceStream &stream) {
      size_t bytes = 0;
      if (to % element || (height > 1 && pitch % element) ||
          __builtin_mul_overflow(width, element, &bytes))
        return cudaErrorInvalidValue;
      const BoxPlace place = {at(to), height > 1 ? pitch : bytes};
      return heddle::fill(*stream.device, stream, place, value, element, {bytes, height}, mode);
    });
  });
}

} // namespace

cudaError_t heddle::driver::runtimeCopy(const CUDA_MEMCPY3D &copy, cudaMemcpy3DParms &parameters) {
  Side from, to;
  const DriverSide source = {copy.srcMemoryType, copy.srcHost,  copy.srcDevice, copy.srcArray,
                             copy.srcXInBytes,   copy.srcY,     copy.srcZ,      copy.srcLOD,
                             copy.srcPitch,      copy.srcHeight};
  const DriverSide target = {copy.dstMemoryType, copy.dstHost,  copy.dstDevice, copy.dstArray,
                             copy.dstXInBytes,   copy.dstY,     copy.dstZ,      copy.dstLOD,
                             copy.dstPitch,      copy.dstHeight};
  if (cudaError_t error = convert(source, copy, from))
    return error;
  if (cudaError_t error = convert(target, copy, to))
    return error;
  const size_t texel = std::max(from.texel, to.texel);
  if (copy.WidthInBytes % texel || (from.array && to.array && from.texel != to.texel))
    return cudaErrorInvalidValue;
  parameters = {};
  parameters.srcArray = from.array;
  parameters.srcPos = from.position;
  parameters.srcPtr = from.memory;
  parameters.dstArray = to.array;
  parameters.dstPos = to.position;
  parameters.dstPtr = to.memory;
  parameters.extent = {copy.WidthInBytes / texel, copy.Height, copy.Depth};
  parameters.kind = cudaMemcpyDefault;
  return cudaSuccess;
}

void heddle::driver::driverCopy(const cudaMemcpy3DParms &parameters, CUDA_MEMCPY3D &copy) {
  copy = {};
  const auto texelOf = [](cudaArray_t array) {
    cudaChannelFormatDesc desc;
    return array && cudaGetChannelDesc(&desc, array) == cudaSuccess ? texelBytes(desc) : 1;
  };
  const auto typeOf = [](cudaArray_t array, const void *memory) {
    if (array)
      return CU_MEMORYTYPE_ARRAY;
    const std::optional<Allocation> found = Platform::instance().memory().find(memory);
    return found && found->onDevice() ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  };
  const size_t from_texel = texelOf(parameters.srcArray), to_texel = texelOf(parameters.dstArray);
  copy.srcMemoryType = typeOf(parameters.srcArray, parameters.srcPtr.ptr);
  copy.srcArray = reinterpret_cast<CUarray>(parameters.srcArray);
  if (copy.srcMemoryType == CU_MEMORYTYPE_HOST)
    copy.srcHost = parameters.srcPtr.ptr;
  else if (copy.srcMemoryType == CU_MEMORYTYPE_DEVICE)
    copy.srcDevice = reinterpret_cast<CUdeviceptr>(parameters.srcPtr.ptr);
  copy.srcXInBytes = parameters.srcPos.x * from_texel;
  copy.srcY = parameters.srcPos.y;
  copy.srcZ = parameters.srcPos.z;
  copy.srcPitch = parameters.srcPtr.pitch;
  copy.srcHeight = parameters.srcPtr.ysize;
  copy.dstMemoryType = typeOf(parameters.dstArray, parameters.dstPtr.ptr);
  copy.dstArray = reinterpret_cast<CUarray>(parameters.dstArray);
  if (copy.dstMemoryType == CU_MEMORYTYPE_HOST)
    copy.dstHost = parameters.dstPtr.ptr;
  else if (copy.dstMemoryType == CU_MEMORYTYPE_DEVICE)
    copy.dstDevice = reinterpret_cast<CUdeviceptr>(parameters.dstPtr.ptr);
  copy.dstXInBytes = parameters.dstPos.x * to_texel;
  copy.dstY = parameters.dstPos.y;
  copy.dstZ = parameters.dstPos.z;
  copy.dstPitch = parameters.dstPtr.pitch;
  copy.dstHeight = parameters.dstPtr.ysize;
  copy.WidthInBytes = parameters.extent.width * std::max(from_texel, to_texel);
  copy.Height = parameters.extent.height;
  copy.Depth = parameters.extent.depth;
}

// ---- Copies of bytes ----------------------------------------------------------------------------

HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpy, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
                                  copyLinear(at(to), at(from), bytes, cudaMemcpyDefault, stream,
                                             false))
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpyHtoD_v2, (CUdeviceptr to, const void *from, size_t bytes),
                                  copyLinear(at(to), from, bytes, cudaMemcpyHostToDevice, stream,
                                             false))
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpyDtoH_v2, (void *to, CUdeviceptr from, size_t bytes),
                                  copyLinear(to, at(from), bytes, cudaMemcpyDeviceToHost, stream,
                                             false))
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpyDtoD_v2, (CUdeviceptr to, CUdeviceptr from, size_t bytes),
                                  copyLinear(at(to), at(from), bytes, cudaMemcpyDeviceToDevice,
                                             stream, false))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpyAsync,
                          (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
                          copyLinear(at(to), at(from), bytes, cudaMemcpyDefault, stream, true))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpyHtoDAsync_v2,
                          (CUdeviceptr to, const void *from, size_t bytes, CUstream stream),
                          copyLinear(at(to), from, bytes, cudaMemcpyHostToDevice, stream, true))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpyDtoHAsync_v2,
                          (void *to, CUdeviceptr from, size_t bytes, CUstream stream),
                          copyLinear(to, at(from), bytes, cudaMemcpyDeviceToHost, stream, true))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpyDtoDAsync_v2,
                          (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream),
                          copyLinear(at(to), at(from), bytes, cudaMemcpyDeviceToDevice, stream,
                                     true))
HEDDLE_OLDER_NAME("cuMemcpyHtoD", "cuMemcpyHtoD_v2")
HEDDLE_OLDER_NAME("cuMemcpyDtoH", "cuMemcpyDtoH_v2")
HEDDLE_OLDER_NAME("cuMemcpyDtoD", "cuMemcpyDtoD_v2")
HEDDLE_OLDER_NAME("cuMemcpyHtoDAsync", "cuMemcpyHtoDAsync_v2")
HEDDLE_OLDER_NAME("cuMemcpyDtoHAsync", "cuMemcpyDtoHAsync_v2")
HEDDLE_OLDER_NAME("cuMemcpyDtoDAsync", "cuMemcpyDtoDAsync_v2")

HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpyPeer,
                                  (CUdeviceptr to, CUcontext toContext, CUdeviceptr from,
                                   CUcontext fromContext, size_t bytes),
                                  copyPeer(to, toContext, from, fromContext, bytes, stream, false))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpyPeerAsync,
                          (CUdeviceptr to, CUcontext toContext, CUdeviceptr from,
                           CUcontext fromContext, size_t bytes, CUstream stream),
                          copyPeer(to, toContext, from, fromContext, bytes, stream, true))

// ---- Arrays -------------------------------------------------------------------------------------

HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpyDtoA_v2,
                                  (CUarray to, size_t offset, CUdeviceptr from, size_t bytes),
                                  toArray(to, offset, at(from), bytes, cudaMemcpyDeviceToDevice,
                                          stream, false))
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpyAtoD_v2,
                                  (CUdeviceptr to, CUarray from, size_t offset, size_t bytes),
                                  fromArray(at(to), from, offset, bytes, cudaMemcpyDeviceToDevice,
                                            stream, false))
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpyHtoA_v2,
                                  (CUarray to, size_t offset, const void *from, size_t bytes),
                                  toArray(to, offset, from, bytes, cudaMemcpyHostToDevice, stream,
                                          false))
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpyAtoH_v2,
                                  (void *to, CUarray from, size_t offset, size_t bytes),
                                  fromArray(to, from, offset, bytes, cudaMemcpyDeviceToHost, stream,
                                            false))
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpyAtoA_v2,
                                  (CUarray to, size_t toOffset, CUarray from, size_t fromOffset,
                                   size_t bytes),
                                  betweenArrays(to, toOffset, from, fromOffset, bytes, stream))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpyHtoAAsync_v2,
                          (CUarray to, size_t offset, const void *from, size_t bytes,
                           CUstream stream),
                          toArray(to, offset, from, bytes, cudaMemcpyHostToDevice, stream, true))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpyAtoHAsync_v2,
                          (void *to, CUarray from, size_t offset, size_t bytes, CUstream stream),
                          fromArray(to, from, offset, bytes, cudaMemcpyDeviceToHost, stream, true))
HEDDLE_OLDER_NAME("cuMemcpyDtoA", "cuMemcpyDtoA_v2")
HEDDLE_OLDER_NAME("cuMemcpyAtoD", "cuMemcpyAtoD_v2")
HEDDLE_OLDER_NAME("cuMemcpyHtoA", "cuMemcpyHtoA_v2")
HEDDLE_OLDER_NAME("cuMemcpyAtoH", "cuMemcpyAtoH_v2")
HEDDLE_OLDER_NAME("cuMemcpyAtoA", "cuMemcpyAtoA_v2")
HEDDLE_OLDER_NAME("cuMemcpyHtoAAsync", "cuMemcpyHtoAAsync_v2")
HEDDLE_OLDER_NAME("cuMemcpyAtoHAsync", "cuMemcpyAtoHAsync_v2")

// ---- Rows and slices ----------------------------------------------------------------------------

HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpy2D_v2, (const CUDA_MEMCPY2D *copy),
                                  copy2D(copy, stream, false))
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpy2DUnaligned_v2, (const CUDA_MEMCPY2D *copy),
                                  copy2D(copy, stream, false))
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpy3D_v2, (const CUDA_MEMCPY3D *copy),
                                  copy3D(copy, stream, false))
HEDDLE_DRIVER_DEFAULT_STREAM_CALL(cuMemcpy3DPeer, (const CUDA_MEMCPY3D_PEER *copy),
                                  copyPeer3D(copy, stream, false))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpy2DAsync_v2, (const CUDA_MEMCPY2D *copy, CUstream stream),
                          copy2D(copy, stream, true))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpy3DAsync_v2, (const CUDA_MEMCPY3D *copy, CUstream stream),
                          copy3D(copy, stream, true))
HEDDLE_DRIVER_STREAM_CALL(cuMemcpy3DPeerAsync, (const CUDA_MEMCPY3D_PEER *copy, CUstream stream),
                          copyPeer3D(copy, stream, true))
HEDDLE_OLDER_NAME("cuMemcpy2D", "cuMemcpy2D_v2")
HEDDLE_OLDER_NAME("cuMemcpy2DUnaligned", "cuMemcpy2DUnaligned_v2")
HEDDLE_OLDER_NAME("cuMemcpy3D", "cuMemcpy3D_v2")
HEDDLE_OLDER_NAME("cuMemcpy2DAsync", "cuMemcpy2DAsync_v2")
HEDDLE_OLDER_NAME("cuMemcpy3DAsync", "cuMemcpy3DAsync_v2")

// ---- Fills --------------------------------------------------------------------------------------

#define HEDDLE_FILL(bits, Value)                                                                   \
  HEDDLE_DRIVER_DEFAULT_STREAM_CALL(                                                               \
      cuMemsetD##bits##_v2, (CUdeviceptr to, Value value, size_t count),                           \
      fill(to, 0, value, bits / 8, count, 1, stream, CopyMode::Blocking))                          \
  HEDDLE_DRIVER_DEFAULT_STREAM_CALL(                                                               \
      cuMemsetD2D##bits##_v2,                                                                      \
      (CUdeviceptr to, size_t pitch, Value value, size_t width, size_t height),                    \
      fill(to, pitch, value, bits / 8, width, height, stream, CopyMode::Blocking))                 \
  HEDDLE_DRIVER_STREAM_CALL(cuMemsetD##bits##Async,                                                \
                            (CUdeviceptr to, Value value, size_t count, CUstream stream),          \
                            fill(to, 0, value, bits / 8, count, 1, stream, CopyMode::Async))       \
  HEDDLE_DRIVER_STREAM_CALL(                                                                       \
      cuMemsetD2D##bits##Async,                                                                    \
      (CUdeviceptr to, size_t pitch, Value value, size_t width, size_t height, CUstream stream),   \
      fill(to, pitch, value, bits / 8, width, height, stream, CopyMode::Async))                    \
  HEDDLE_OLDER_NAME("cuMemsetD" #bits, "cuMemsetD" #bits "_v2")                                    \
  HEDDLE_OLDER_NAME("cuMemsetD2D" #bits, "cuMemsetD2D" #bits "_v2")

HEDDLE_FILL(8, unsigned char)
HEDDLE_FILL(16, unsigned short)
HEDDLE_FILL(32, unsigned)
