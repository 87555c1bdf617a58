// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cudaMemcpy and cudaMemset in all their forms.
#include "api/memory/copy.h"
#include "api/memory/array_copy.h"
#include "device/registry.h"

using namespace heddle;
using namespace heddle::api;

namespace {

BoxPlace place(const void *pointer, size_t pitch) { return {const_cast<void *>(pointer), pitch}; }

/// A place in 3-D memory that begins at its first byte.
BoxPlace place(const cudaPitchedPtr &pointer) {
  return {pointer.ptr, pointer.pitch, pointer.ysize ? pointer.ysize : 1};
}

cudaError_t copyIn(cudaStream_t handle, const BoxPlace &to, const BoxPlace &from, const Box &box,
                   cudaMemcpyKind kind, CopyMode mode) {
  return callStream(handle, [&](DeviceStream &stream) {
    return copy(*stream.device, stream, to, from, box, kind, mode);
  });
}

cudaError_t fillIn(cudaStream_t handle, const BoxPlace &to, int value, const Box &box,
                   CopyMode mode) {
  return callStream(handle, [&](DeviceStream &stream) {
    return fill(*stream.device, stream, to, static_cast<unsigned char>(value), 1, box, mode);
  });
}

/// The box of a 3-D copy, in bytes, and where it lies.
struct Placed {
  BoxPlace to, from;
  Box box;
};

template <class Parameters> cudaError_t placed(const Parameters &parameters, Placed &result) {
  return placeBox({parameters.dstArray, parameters.dstPos, parameters.dstPtr},
                  {parameters.srcArray, parameters.srcPos, parameters.srcPtr}, parameters.extent,
                  result.to, result.from, result.box);
}

cudaError_t copy3D(const cudaMemcpy3DParms *parameters, cudaStream_t stream, CopyMode mode) {
  return callPlatform([&](Platform &) {
    if (!parameters)
      return cudaErrorInvalidValue;
    return callStream(stream, [&](DeviceStream &stream) {
      std::shared_ptr<CopyOperation> operation;
      cudaError_t error = prepareCopy3D(*stream.device, *parameters, operation);
      return error ? error : copy(stream, std::move(operation), mode);
    });
  });
}

/// False for memory of another device.
bool liesOn(const void *pointer, int ordinal) {
  std::optional<Allocation> found = Platform::instance().memory().find(pointer);
  return !found || !found->onDevice() || found->device == ordinal;
}

/// A copy between devices waits for both of them, as work in both default streams would.
cudaError_t copyPeer(cudaStream_t handle, const BoxPlace &to, int to_device, const BoxPlace &from,
                     int from_device, const Box &box, CopyMode mode) {
  return callStream(handle, [&](DeviceStream &stream) {
    Platform &platform = Platform::instance();
    for (int ordinal : {to_device, from_device})
      if (ordinal < 0 || ordinal >= platform.deviceCount())
        return cudaErrorInvalidDevice;
    if (!liesOn(to.base, to_device) || !liesOn(from.base, from_device))
      return cudaErrorInvalidValue;
    for (int ordinal : {to_device, from_device}) {
      Device &device = platform.device(ordinal);
      if (cudaError_t error = device.error())
        return error;
      if (mode == CopyMode::Async || &device == stream.device)
        continue;
      auto work = makeWork([] {});
      work->after = device.lastPoints();
      stream.device->submit(stream, std::move(work));
    }
    return copy(*stream.device, stream, to, from, box, cudaMemcpyDefault, mode);
  });
}

cudaError_t copy3DPeer(const cudaMemcpy3DPeerParms *parameters, cudaStream_t stream,
                       CopyMode mode) {
  return callPlatform([&](Platform &) {
    if (!parameters)
      return cudaErrorInvalidValue;
    Placed at;
    if (cudaError_t error = placed(*parameters, at))
      return error;
    return copyPeer(stream, at.to, parameters->dstDevice, at.from, parameters->srcDevice, at.box,
                    mode);
  });
}

cudaError_t copySymbol(cudaStream_t handle, const void *symbol, const void *other, size_t count,
                       size_t offset, cudaMemcpyKind kind, bool to_symbol, CopyMode mode) {
  return callStream(handle, [&](DeviceStream &stream) {
    void *address = nullptr;
    if (cudaError_t error =
            symbolPlace(*stream.device, symbol, count, offset, kind, to_symbol, address))
      return error;
    BoxPlace variable = place(address, count);
    return copy(*stream.device, stream, to_symbol ? variable : place(other, count),
                to_symbol ? place(other, count) : variable, {count}, kind, mode);
  });
}

} // namespace

cudaError_t heddle::api::prepareCopy3D(Device &device, const cudaMemcpy3DParms &parameters,
                                       std::shared_ptr<CopyOperation> &operation) {
  Placed at;
  if (cudaError_t error = placed(parameters, at))
    return error;
  if (cudaError_t error =
          checkArrayDirection(parameters.dstArray, parameters.srcArray, parameters.kind))
    return error;
  const cudaError_t error = prepareCopy(device, at.to, at.from, at.box, parameters.kind, operation);
  if (error == cudaSuccess && (parameters.dstArray || parameters.srcArray))
    operation->parameters = parameters;
  return error;
}

cudaError_t heddle::api::symbolPlace(Device &device, const void *symbol, size_t count,
                                     size_t offset, cudaMemcpyKind kind, bool to_symbol,
                                     void *&address) {
  size_t size = 0;
  if (cudaError_t error = Registry::instance().findVariable(device, symbol, address, size))
    return error;
  if (count > size || offset > size - count)
    return cudaErrorInvalidValue;
  cudaMemcpyKind with_host = to_symbol ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;
  if (kind != with_host && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
    return cudaErrorInvalidMemcpyDirection;
  address = static_cast<char *>(address) + offset;
  return cudaSuccess;
}

// ---- In the default stream ----------------------------------------------------------------------

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpy,
                           (void *dst, const void *src, size_t count, cudaMemcpyKind kind),
                           copyIn(stream, place(dst, count), place(src, count), {count}, kind,
                                  CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpy2D,
                           (void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                            size_t height, cudaMemcpyKind kind),
                           copyIn(stream, place(dst, dpitch), place(src, spitch), {width, height},
                                  kind, CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpy3D, (const cudaMemcpy3DParms *params),
                           copy3D(params, stream, CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpy3DPeer, (const cudaMemcpy3DPeerParms *params),
                           copy3DPeer(params, stream, CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpyToSymbol,
                           (const void *symbol, const void *src, size_t count, size_t offset,
                            cudaMemcpyKind kind),
                           copySymbol(stream, symbol, src, count, offset, kind, true,
                                      CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemcpyFromSymbol,
                           (void *dst, const void *symbol, size_t count, size_t offset,
                            cudaMemcpyKind kind),
                           copySymbol(stream, symbol, dst, count, offset, kind, false,
                                      CopyMode::Blocking))

cudaError_t cudaMemcpyPeer(void *dst, int dstDevice, const void *src, int srcDevice, size_t count) {
  return copyPeer(cudaStreamLegacy, place(dst, count), dstDevice, place(src, count), srcDevice,
                  {count}, CopyMode::Blocking);
}

HEDDLE_DEFAULT_STREAM_CALL(cudaMemset, (void *devPtr, int value, size_t count),
                           fillIn(stream, place(devPtr, count), value, {count}, CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemset2D,
                           (void *devPtr, size_t pitch, int value, size_t width, size_t height),
                           fillIn(stream, place(devPtr, pitch), value, {width, height},
                                  CopyMode::Blocking))

HEDDLE_DEFAULT_STREAM_CALL(cudaMemset3D, (cudaPitchedPtr devPtr, int value, cudaExtent extent),
                           fillIn(stream, place(devPtr), value,
                                  {extent.width, extent.height, extent.depth}, CopyMode::Blocking))

// ---- In a given stream --------------------------------------------------------------------------

HEDDLE_STREAM_CALL(cudaMemcpyAsync,
                   (void *dst, const void *src, size_t count, cudaMemcpyKind kind,
                    cudaStream_t stream),
                   copyIn(stream, place(dst, count), place(src, count), {count}, kind,
                          CopyMode::Async))

HEDDLE_STREAM_CALL(cudaMemcpy2DAsync,
                   (void *dst, size_t dpitch, const void *src, size_t spitch, size_t width,
                    size_t height, cudaMemcpyKind kind, cudaStream_t stream),
                   copyIn(stream, place(dst, dpitch), place(src, spitch), {width, height}, kind,
                          CopyMode::Async))

HEDDLE_STREAM_CALL(cudaMemcpy3DAsync, (const cudaMemcpy3DParms *params, cudaStream_t stream),
                   copy3D(params, stream, CopyMode::Async))

HEDDLE_STREAM_CALL(cudaMemcpy3DPeerAsync,
                   (const cudaMemcpy3DPeerParms *params, cudaStream_t stream),
                   copy3DPeer(params, stream, CopyMode::Async))

HEDDLE_STREAM_CALL(cudaMemcpyToSymbolAsync,
                   (const void *symbol, const void *src, size_t count, size_t offset,
                    cudaMemcpyKind kind, cudaStream_t stream),
                   copySymbol(stream, symbol, src, count, offset, kind, true, CopyMode::Async))

HEDDLE_STREAM_CALL(cudaMemcpyFromSymbolAsync,
                   (void *dst, const void *symbol, size_t count, size_t offset, cudaMemcpyKind kind,
                    cudaStream_t stream),
                   copySymbol(stream, symbol, dst, count, offset, kind, false, CopyMode::Async))

cudaError_t cudaMemcpyPeerAsync(void *dst, int dstDevice, const void *src, int srcDevice,
                                size_t count, cudaStream_t stream) {
  return copyPeer(stream, place(dst, count), dstDevice, place(src, count), srcDevice, {count},
                  CopyMode::Async);
}

HEDDLE_STREAM_CALL(cudaMemsetAsync, (void *devPtr, int value, size_t count, cudaStream_t stream),
                   fillIn(stream, place(devPtr, count), value, {count}, CopyMode::Async))

HEDDLE_STREAM_CALL(cudaMemset2DAsync,
                   (void *devPtr, size_t pitch, int value, size_t width, size_t height,
                    cudaStream_t stream),
                   fillIn(stream, place(devPtr, pitch), value, {width, height}, CopyMode::Async))

HEDDLE_STREAM_CALL(cudaMemset3DAsync,
                   (cudaPitchedPtr devPtr, int value, cudaExtent extent, cudaStream_t stream),
                   fillIn(stream, place(devPtr), value, {extent.width, extent.height, extent.depth},
                          CopyMode::Async))
