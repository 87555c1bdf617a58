// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Transforms of data on several devices: descriptors, copies, executions.
#include "layout.h"

#include "common/handles.h"

#include <algorithm>
#include <cstring>
#include <cuda_runtime_api.h>
#include <new>

namespace heddle::cufft {
namespace {

library::Handles<cudaLibXtDesc> &descriptors() { return library::handles<cudaLibXtDesc>(); }

/// The current device comes back at the end.
class KeptDevice {
public:
  KeptDevice() { cudaGetDevice(&device_); }
  KeptDevice(const KeptDevice &) = delete;
  KeptDevice &operator=(const KeptDevice &) = delete;
  ~KeptDevice() { cudaSetDevice(device_); }

private:
  int device_ = 0;
};

bool isFormat(int format) {
  return format >= CUFFT_XT_FORMAT_INPUT && format <= CUFFT_XT_FORMAT_1D_INPUT_SHUFFLED;
}

/// Which side's element types a descriptor holds now: data in natural order are what a plan from
/// real to complex reads and a plan from complex to real makes.
bool holdsInput(const Plan &plan, int format) {
  return plan.Of.What == Kind::ComplexToReal ? isShuffled(format) : !isShuffled(format);
}

Layout layoutOf(const Plan &plan, int format) {
  return Layout(plan, holdsInput(plan, format), isShuffled(format));
}

/// Copies between the whole in natural order and the parts; all of it is memory that the CPU reads.
void gather(const Layout &layout, const cudaXtDesc &from, char *whole) {
  for (const Piece &p : layout.pieces())
    std::memcpy(whole + p.in_whole, static_cast<char *>(from.data[p.device]) + p.on_device,
                p.bytes);
}
void scatter(const Layout &layout, const char *whole, const cudaXtDesc &to) {
  for (const Piece &p : layout.pieces())
    std::memcpy(static_cast<char *>(to.data[p.device]) + p.on_device, whole + p.in_whole, p.bytes);
}

/// Everything put on the legacy streams of the devices so far ends before what `first`'s legacy
/// stream gets next, or the other way round.
cudaError_t join(const std::vector<int> &gpus, bool before) {
  const KeptDevice kept;
  for (const int gpu : gpus) {
    if (gpu == gpus.front())
      continue;
    const int from = before ? gpu : gpus.front(), to = before ? gpus.front() : gpu;
    cudaEvent_t reached;
    cudaError_t error = cudaSetDevice(from);
    if (error == cudaSuccess)
      error = cudaEventCreateWithFlags(&reached, cudaEventDisableTiming);
    if (error != cudaSuccess)
      return error;
    error = cudaEventRecord(reached, nullptr);
    if (error == cudaSuccess)
      error = cudaSetDevice(to);
    if (error == cudaSuccess)
      error = cudaStreamWaitEvent(nullptr, reached, 0);
    cudaEventDestroy(reached);
    if (error != cudaSuccess)
      return error;
  }
  return cudaSuccess;
}

cudaError_t waitForAll(const std::vector<int> &gpus) {
  const KeptDevice kept;
  for (const int gpu : gpus) {
    cudaError_t error = cudaSetDevice(gpu);
    if (error == cudaSuccess)
      error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
      return error;
  }
  return cudaSuccess;
}

cufftResult failed(const char *function, cudaError_t error, cufftResult status) {
  return error == cudaSuccess ? CUFFT_SUCCESS : refuse(function, status, cudaGetErrorString(error));
}

/// The plan of a handle, made for several devices.
cufftResult findPlan(const char *function, cufftHandle handle, std::shared_ptr<Plan> &plan) {
  plan = find(handle);
  if (!plan || !plan->Made)
    return refuse(function, CUFFT_INVALID_PLAN, "the plan was not created and made");
  if (plan->Gpus.empty())
    return refuse(function, CUFFT_INVALID_PLAN, "cufftXtSetGPUs was not called for the plan");
  return CUFFT_SUCCESS;
}

bool fits(const Plan &plan, const cudaLibXtDesc *data) {
  return data && descriptors().has(data) && data->library == LIB_FORMAT_CUFFT &&
         isFormat(data->subFormat) &&
         std::equal(plan.Gpus.begin(), plan.Gpus.end(), data->descriptor->GPUs,
                    data->descriptor->GPUs + data->descriptor->nGPUs);
}

cufftResult executeParts(const char *function, const std::shared_ptr<Plan> &plan,
                         cudaLibXtDesc *input, cudaLibXtDesc *output, int direction) {
  if (!fits(*plan, input) || !fits(*plan, output))
    return refuse(function, CUFFT_INVALID_VALUE,
                  "a descriptor is not one of cufftXtMalloc for the plan's devices");
  if (plan->Of.What == Kind::Complex && direction != CUFFT_FORWARD && direction != CUFFT_INVERSE)
    return refuse(function, CUFFT_INVALID_VALUE,
                  "the direction is neither CUFFT_FORWARD nor CUFFT_INVERSE");
  const bool from_shuffled = isShuffled(input->subFormat);
  if (plan->Of.What != Kind::Complex && from_shuffled != (plan->Of.What == Kind::ComplexToReal))
    return refuse(function, CUFFT_INVALID_VALUE,
                  "the input is not in the order that its transform needs");
  // In place, the order changes.
  const int target =
      input == output ? (from_shuffled ? CUFFT_XT_FORMAT_INPLACE : CUFFT_XT_FORMAT_INPLACE_SHUFFLED)
                      : output->subFormat;
  const Layout from(*plan, true, from_shuffled), to(*plan, false, isShuffled(target));
  const auto work = [=, in = *input->descriptor, out = *output->descriptor, of = plan->Of] {
    const std::unique_ptr<char[]> whole(
        new (std::nothrow) char[std::max(from.bytes(), to.bytes())]);
    if (!whole)
      return;
    gather(from, in, whole.get());
    transform(of, direction == CUFFT_FORWARD, whole.get(), whole.get());
    scatter(to, whole.get(), out);
  };
  const KeptDevice kept;
  cudaError_t error = join(plan->Gpus, true);
  if (error == cudaSuccess)
    error = cudaSetDevice(plan->Gpus.front());
  if (error == cudaSuccess)
    error = library::submit(function, nullptr, work);
  if (error == cudaSuccess)
    error = join(plan->Gpus, false);
  if (error == cudaSuccess)
    output->subFormat = target;
  return failed(function, error, CUFFT_EXEC_FAILED);
}

cufftResult executeParts(const char *function, cufftHandle handle, int type, cudaLibXtDesc *input,
                         cudaLibXtDesc *output, int direction) {
  std::shared_ptr<Plan> plan;
  if (const cufftResult status = findPlan(function, handle, plan))
    return status;
  Kind what = plan->Of.What;
  Precision of = plan->Of.Of;
  if (type)
    split(static_cast<cufftType>(type), what, of);
  if (plan->Of.What != what || plan->Of.Of != of)
    return refuse(function, CUFFT_INVALID_TYPE, "the plan was made for another type of transform");
  return executeParts(function, plan, input, output, direction);
}

} // namespace
} // namespace heddle::cufft

using namespace heddle::cufft;

cufftResult cufftXtSetGPUs(cufftHandle handle, int nGPUs, int *whichGPUs) {
  const std::shared_ptr<Plan> plan = find(handle);
  if (!plan)
    return refuse(__func__, CUFFT_INVALID_PLAN, "the plan was not created, or is destroyed");
  if (plan->Made)
    return refuse(__func__, CUFFT_INVALID_PLAN, "the plan is made already");
  if (nGPUs < 1 || nGPUs > MAX_CUDA_DESCRIPTOR_GPUS || !whichGPUs)
    return refuse(__func__, CUFFT_INVALID_VALUE, "the number of devices is not in 1...64");
  int count = 0;
  cudaGetDeviceCount(&count);
  for (int i = 0; i < nGPUs; ++i)
    if (whichGPUs[i] < 0 || whichGPUs[i] >= count ||
        std::count(whichGPUs, whichGPUs + nGPUs, whichGPUs[i]) > 1)
      return refuse(__func__, CUFFT_INVALID_DEVICE, "a device is not there, or named twice");
  plan->Gpus.assign(whichGPUs, whichGPUs + nGPUs);
  return CUFFT_SUCCESS;
}

cufftResult cufftXtMalloc(cufftHandle plan, cudaLibXtDesc **descriptor, cufftXtSubFormat format) {
  std::shared_ptr<Plan> found;
  if (const cufftResult status = findPlan(__func__, plan, found))
    return status;
  if (!descriptor || !isFormat(format))
    return refuse(__func__, CUFFT_INVALID_VALUE, "descriptor is null, or there is no such format");
  std::unique_ptr<cudaLibXtDesc> outer(new (std::nothrow) cudaLibXtDesc{});
  std::unique_ptr<cudaXtDesc> inner(new (std::nothrow) cudaXtDesc{});
  if (!outer || !inner)
    return CUFFT_ALLOC_FAILED;
  inner->version = outer->version = CUDA_XT_DESCRIPTOR_VERSION;
  inner->nGPUs = int(found->Gpus.size());
  std::copy(found->Gpus.begin(), found->Gpus.end(), inner->GPUs);
  // In place, there must be room for both orders.
  const Layout natural = layoutOf(*found, CUFFT_XT_FORMAT_INPUT),
               shuffled = layoutOf(*found, CUFFT_XT_FORMAT_OUTPUT);
  const bool both = format == CUFFT_XT_FORMAT_INPLACE || format == CUFFT_XT_FORMAT_INPLACE_SHUFFLED;
  const KeptDevice kept;
  for (int i = 0; i < inner->nGPUs; ++i) {
    inner->size[i] = both ? std::max(natural.bytesOn(i), shuffled.bytesOn(i))
                          : (isShuffled(format) ? shuffled : natural).bytesOn(i);
    cudaSetDevice(inner->GPUs[i]);
    if (cudaMalloc(&inner->data[i], std::max<size_t>(inner->size[i], 1)) != cudaSuccess) {
      std::for_each(inner->data, inner->data + i, cudaFree);
      return refuse(__func__, CUFFT_ALLOC_FAILED, "memory is exhausted");
    }
  }
  outer->descriptor = inner.release();
  outer->library = LIB_FORMAT_CUFFT;
  outer->subFormat = format;
  *descriptor = descriptors().add(outer.release());
  return CUFFT_SUCCESS;
}

cufftResult cufftXtFree(cudaLibXtDesc *descriptor) {
  if (!descriptors().remove(descriptor))
    return refuse(__func__, CUFFT_INVALID_VALUE, "the descriptor was not made, or is freed");
  const cudaXtDesc *const inner = descriptor->descriptor;
  waitForAll({inner->GPUs, inner->GPUs + inner->nGPUs});
  std::for_each(inner->data, inner->data + inner->nGPUs, cudaFree);
  delete inner;
  delete descriptor;
  return CUFFT_SUCCESS;
}

cufftResult cufftXtMemcpy(cufftHandle plan, void *dstPointer, void *srcPointer,
                          cufftXtCopyType type) {
  std::shared_ptr<Plan> found;
  if (const cufftResult status = findPlan(__func__, plan, found))
    return status;
  if (unsigned(type) > CUFFT_COPY_DEVICE_TO_DEVICE || !dstPointer || !srcPointer)
    return refuse(__func__, CUFFT_INVALID_VALUE, "a pointer is null, or there is no such copy");
  auto *const to =
      type == CUFFT_COPY_DEVICE_TO_HOST ? nullptr : static_cast<cudaLibXtDesc *>(dstPointer);
  auto *const from =
      type == CUFFT_COPY_HOST_TO_DEVICE ? nullptr : static_cast<cudaLibXtDesc *>(srcPointer);
  if ((to && !fits(*found, to)) || (from && !fits(*found, from)))
    return refuse(__func__, CUFFT_INVALID_VALUE,
                  "a descriptor is not one of cufftXtMalloc for the plan's devices");
  if (const cudaError_t error = waitForAll(found->Gpus))
    return failed(__func__, error, CUFFT_EXEC_FAILED);
  if (!from) {
    scatter(layoutOf(*found, to->subFormat), static_cast<char *>(srcPointer), *to->descriptor);
    return CUFFT_SUCCESS;
  }
  const Layout source = layoutOf(*found, from->subFormat);
  if (!to) {
    gather(source, *from->descriptor, static_cast<char *>(dstPointer));
    return CUFFT_SUCCESS;
  }
  // The data keep their type, whatever order they are copied to.
  const Layout target(*found, holdsInput(*found, from->subFormat), isShuffled(to->subFormat));
  const std::unique_ptr<char[]> whole(new (std::nothrow) char[source.bytes()]);
  if (!whole)
    return CUFFT_ALLOC_FAILED;
  gather(source, *from->descriptor, whole.get());
  scatter(target, whole.get(), *to->descriptor);
  return CUFFT_SUCCESS;
}

cufftResult cufftXtExecDescriptor(cufftHandle plan, cudaLibXtDesc *input, cudaLibXtDesc *output,
                                  int direction) {
  return executeParts(__func__, plan, 0, input, output, direction);
}
cufftResult cufftXtExecDescriptorC2C(cufftHandle plan, cudaLibXtDesc *input, cudaLibXtDesc *output,
                                     int direction) {
  return executeParts(__func__, plan, CUFFT_C2C, input, output, direction);
}
cufftResult cufftXtExecDescriptorZ2Z(cufftHandle plan, cudaLibXtDesc *input, cudaLibXtDesc *output,
                                     int direction) {
  return executeParts(__func__, plan, CUFFT_Z2Z, input, output, direction);
}
#define EXECUTE_REAL(NAME)                                                                         \
  cufftResult cufftXtExecDescriptor##NAME(cufftHandle plan, cudaLibXtDesc *input,                  \
                                          cudaLibXtDesc *output) {                                 \
    return executeParts(__func__, plan, CUFFT_##NAME, input, output, CUFFT_FORWARD);               \
  }
EXECUTE_REAL(R2C)
EXECUTE_REAL(C2R)
EXECUTE_REAL(D2Z)
EXECUTE_REAL(Z2D)

// In one dimension both orders are the natural one, which the factors describe: one string for each
// device, of one substring, of elements one behind the other.
cufftResult cufftXtQueryPlan(cufftHandle plan, void *queryStruct, cufftXtQueryType queryType) {
  std::shared_ptr<Plan> found;
  if (const cufftResult status = findPlan(__func__, plan, found))
    return status;
  if (!queryStruct || queryType != CUFFT_QUERY_1D_FACTORS)
    return refuse(__func__, CUFFT_INVALID_VALUE, "queryStruct is null, or there is no such query");
  if (found->Of.Rank != 1 || found->Of.Batch != 1)
    return refuse(__func__, CUFFT_INVALID_VALUE, "only one transform in one dimension has factors");
  const long long size = found->Of.Size[0], devices = (long long)found->Gpus.size();
  if (size & (size - 1) || devices & (devices - 1))
    return refuse(__func__, CUFFT_INVALID_VALUE, "the size is no power of two");
  cufftXt1dFactors factors{};
  const auto shift = [](long long power) { return __builtin_ctzll(power); };
  factors.size = size;
  factors.stringCount = devices;
  factors.stringLength = factors.substringLength = factors.factor1 = size / devices;
  factors.factor2 = 1;
  factors.stringMask = factors.substringMask = factors.factor1Mask = size / devices - 1;
  factors.factor2Mask = 0;
  factors.stringShift = factors.substringShift = factors.factor1Shift = shift(size / devices);
  factors.factor2Shift = 0;
  *static_cast<cufftXt1dFactors *>(queryStruct) = factors;
  return CUFFT_SUCCESS;
}
