// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/kernel_calls/grid_calls.h"

#include "device/graph/device_node.h"
#include "device/graph/run.h"
#include "device/platform.h"
#include "engine/cluster_launch.h"
#include "engine/device_heap.h"

#include <cstring>
#include <cuda_device_runtime_api.h>
#include <iterator>

namespace heddle {

using namespace __heddle;
using engine::CallingThread;
using engine::Fault;

AnswerQuery answer_query = nullptr;

namespace {

// Launches that wait to be run, and grids that wait for their children, need memory, which
// cudaLimitDevRuntimePendingLaunchCount bounds: an H200 lets grids be as deep as that. (With CDP1
// the depth is 24.)
size_t mostPending(const Device &device) {
  size_t count = 0;
  device.getLimit(cudaLimitDevRuntimePendingLaunchCount, count);
  return count;
}

unsigned long long number(const void *handle) {
  return reinterpret_cast<unsigned long long>(handle);
}

/// In their order, up to the first that cannot be.
cudaError_t updateNodes(const cudaGraphKernelNodeUpdate *updates, size_t count) {
  if (count && !updates)
    return cudaErrorInvalidValue;
  for (size_t i = 0; i < count; ++i) {
    const std::shared_ptr<DeviceNode> node = DeviceNode::find(updates[i].node);
    if (const cudaError_t error = node ? node->update(updates[i]) : cudaErrorInvalidValue)
      return error;
  }
  return cudaSuccess;
}

// No address, so that a kernel cannot look at what is behind it.
unsigned long long newHandle() {
  static std::atomic<unsigned long long> next{0x4800000000000010ull};
  return next.fetch_add(16);
}

} // namespace

std::optional<Fault> runWithChildren(const KernelOperation &grid, unsigned depth, GraphRun *graph,
                                     uint64_t parent) {
  // A tail may have a tail, which comes before what is behind it: the next one is the last.
  std::vector<GridCalls::Child> tails;
  GridCalls::Child running;
  for (const KernelOperation *next = &grid;;) {
    GridCalls calls(*next, depth, next == &grid ? graph : nullptr);
    engine::Launch launch = next->launch;
    launch.device.calls = &calls;
    launch.number = calls.launch_number;
    launch.parent = parent;
    if (std::optional<Fault> fault = engine::runClusters(launch, next->cluster))
      return fault;
    std::vector<GridCalls::Child> tail = calls.takeTail();
    tails.insert(tails.end(), std::make_move_iterator(tail.rbegin()),
                 std::make_move_iterator(tail.rend()));
    if (tails.empty())
      return std::nullopt;
    running = std::move(tails.back());
    tails.pop_back();
    next = running.get();
  }
}

uint32_t GridCalls::call(const CallingThread &caller, uint32_t function, void *arguments,
                         std::optional<Fault> &fault) {
  if (function == device_call_get_last_error || function == device_call_peek_at_last_error)
    return lastError(caller, function == device_call_get_last_error);
  const cudaError_t error = answer(caller, function, arguments, fault);
  if (error != cudaSuccess && function != device_call_get_limit) // as on an H200
    remember(caller, error);
  return error;
}

cudaError_t GridCalls::answer(const CallingThread &caller, uint32_t function, void *arguments,
                              std::optional<Fault> &fault) {
  auto *launch_call = static_cast<LaunchCall *>(arguments);
  auto *values = static_cast<Values>(arguments);
  switch (function) {
  case device_call_launch:
    return launch(*launch_call, caller.replayed, fault);
  case device_call_launch_buffer:
    return launchBuffer(*launch_call, caller.replayed, fault);
  case device_call_parameter_buffer:
    return makeBuffer(*launch_call, &launch_call->stream);
  case device_call_get_device_count:
    values[0] = unsigned(Platform::instance().deviceCount());
    return cudaSuccess;
  case device_call_get_limit: {
    size_t limit = 0;
    const cudaError_t error = device.getLimit(cudaLimit(values[0]), limit);
    values[1] = limit;
    return error;
  }
  case device_call_get_cache_config:
    values[0] = unsigned(device.cache_config.load());
    return cudaSuccess;
  case device_call_get_device:
    values[0] = unsigned(device.ordinal);
    return cudaSuccess;
  case device_call_stream_create:
    return create(streams, values);
  case device_call_stream_destroy:
    return destroy(streams, values[0]);
  case device_call_event_create:
    return values[0] & cudaEventDisableTiming ? create(events, values) : cudaErrorInvalidValue;
  case device_call_event_destroy:
    return destroy(events, values[0]);
  case device_call_event_record:
    return useEvent(values[0], values[1]);
  case device_call_stream_wait_event:
    return values[2] ? cudaErrorInvalidValue : useEvent(values[1], values[0]);
  case device_call_fail:
    return cudaError_t(values[0]);
  case device_call_check_stream:
    return values[0] == number(cudaStreamFireAndForget) ? cudaSuccess
                                                        : checkStream(values[0], false);
  case device_call_malloc:
    if (!values[0])
      return cudaErrorInvalidValue;
    values[1] = number(engine::heapAllocate(self.launch.device, values[0]));
    return values[1] ? cudaSuccess : cudaErrorMemoryAllocation;
  case device_call_free:
    return !values[0] ||
                   engine::heapRelease(self.launch.device, reinterpret_cast<void *>(values[0]))
               ? cudaSuccess
               : cudaErrorInvalidValue;
  case device_call_graph_launch:
    if (caller.replayed)
      return cudaSuccess;
    return graph ? graph->launch(reinterpret_cast<const void *>(values[0]), values[1])
                 : cudaErrorInvalidValue;
  case device_call_current_graph:
    values[0] = graph ? number(graph->launchable()) : 0;
    return cudaSuccess;
  case device_call_update_nodes:
    return caller.replayed
               ? cudaSuccess
               : updateNodes(reinterpret_cast<const cudaGraphKernelNodeUpdate *>(values[0]),
                             values[1]);
  case device_call_synchronize:
    return cudaSuccess; // children have ended
  default:
    return answer_query ? answer_query(device, *self.kernel->module, function, values)
                        : cudaErrorNotSupported;
  }
}

// ---- Launches ----

cudaError_t GridCalls::prepare(const LaunchCall &request, Child &child) {
  std::shared_ptr<Kernel> kernel;
  if (cudaError_t error = Registry::instance().findKernel(*self.kernel->module,
                                                          request.kernel - first_kernel, kernel))
    return error;
  LaunchRequest checked;
  checked.grid = {request.grid[0], request.grid[1], request.grid[2]};
  checked.block = {request.block[0], request.block[1], request.block[2]};
  checked.dynamic_shared_bytes = request.shared_bytes;
  checked.packed = request.parameters;
  const cudaError_t error = prepareLaunch(device, kernel, checked, child);
  // Whatever it is that the device cannot run: measured on an H200.
  return error == cudaErrorInvalidValue || error == cudaErrorLaunchOutOfResources
             ? cudaErrorInvalidConfiguration
             : error;
}

cudaError_t GridCalls::launch(const LaunchCall &request, bool replayed,
                              std::optional<Fault> &fault) {
  if (replayed)
    return cudaSuccess;
  if (cudaError_t error = checkStream(request.stream))
    return error;
  const bool at_tail = request.stream == number(cudaStreamTailLaunch);
  if (!at_tail && depth >= mostPending(device))
    return cudaErrorLaunchPendingCountExceeded;
  Child child;
  if (cudaError_t error = prepare(request, child))
    return error;
  if (at_tail) {
    std::lock_guard lock(mutex);
    if (tail.size() >= mostPending(device))
      return cudaErrorLaunchPendingCountExceeded;
    tail.push_back(std::move(child));
    return cudaSuccess;
  }
  fault = runWithChildren(*child, depth + 1, nullptr, launch_number);
  return cudaSuccess;
}

// cudaGetParameterBufferV2: the caller writes the parameters into memory of ours.
cudaError_t GridCalls::makeBuffer(const LaunchCall &request, Values address) {
  size_t bytes = request.shared_bytes; // of cudaGetParameterBuffer, which names no kernel
  if (request.kernel) {
    std::shared_ptr<Kernel> kernel;
    if (cudaError_t error = Registry::instance().findKernel(*self.kernel->module,
                                                            request.kernel - first_kernel, kernel))
      return error;
    bytes = kernel->info().parameter_bytes;
  }
  Buffer buffer{request, std::make_unique<std::byte[]>(bytes + 1)};
  buffer.lent = {buffer.parameters.get(), bytes + 1};
  *address = number(buffer.parameters.get());
  std::lock_guard lock(mutex);
  buffers.emplace(*address, std::move(buffer));
  return cudaSuccess;
}

cudaError_t GridCalls::launchBuffer(LaunchCall &request, bool replayed,
                                    std::optional<Fault> &fault) {
  Buffer buffer;
  {
    std::lock_guard lock(mutex);
    auto node = buffers.extract(number(request.parameters));
    if (!node)
      return cudaErrorInvalidValue;
    buffer = std::move(node.mapped());
  }
  const LaunchCall &kept = buffer.launch;
  LaunchCall call = kept.kernel ? kept : request;
  call.stream = request.stream;
  call.parameters = buffer.parameters.get();
  return launch(call, replayed, fault);
}

// ---- Streams and events ----

// Both exist only in name: whatever was launched has ended, so there is nothing to wait for.
cudaError_t GridCalls::create(std::unordered_set<unsigned long long> &handles, Values values) {
  values[1] = newHandle();
  std::lock_guard lock(mutex);
  handles.insert(values[1]);
  return cudaSuccess;
}

cudaError_t GridCalls::destroy(std::unordered_set<unsigned long long> &handles,
                               unsigned long long handle) {
  std::lock_guard lock(mutex);
  return handles.erase(handle) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t GridCalls::checkStream(unsigned long long stream, bool may_be_special) {
  if (stream == 0 || stream == number(cudaStreamLegacy) || stream == number(cudaStreamPerThread))
    return cudaSuccess;
  if (stream == number(cudaStreamTailLaunch) || stream == number(cudaStreamFireAndForget))
    return may_be_special ? cudaSuccess : cudaErrorInvalidValue;
  std::lock_guard lock(mutex);
  return streams.contains(stream) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t GridCalls::useEvent(unsigned long long event, unsigned long long stream) {
  if (cudaError_t error = checkStream(stream, false))
    return error;
  std::lock_guard lock(mutex);
  return events.contains(event) ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

// ---- Errors ----

void GridCalls::remember(const CallingThread &caller, cudaError_t error) {
  std::lock_guard lock(mutex);
  errors[threadNumber(caller)] = error;
  has_errors.store(true, std::memory_order_relaxed);
}

cudaError_t GridCalls::lastError(const CallingThread &caller, bool forget) {
  if (!has_errors.load(std::memory_order_relaxed))
    return cudaSuccess;
  std::lock_guard lock(mutex);
  auto found = errors.find(threadNumber(caller));
  if (found == errors.end())
    return cudaSuccess;
  const cudaError_t error = found->second;
  if (forget)
    errors.erase(found);
  return error;
}

} // namespace heddle
