// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/device.h"

#include "device/context.h"
#include "device/graph/memory.h"
#include "engine/observe/observer.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <thread>

namespace heddle {
namespace {

std::atomic<uint64_t> next_stream_id = 1;

/// The default streams of one host thread; they end with it.
struct ThreadStreams {
  struct Entry {
    std::shared_ptr<DeviceStream> stream;
    uint64_t generation;
  };
  std::map<Device *, Entry> by_device;

  ~ThreadStreams() {
    for (auto &[device, entry] : by_device)
      if (entry.generation == device->generation())
        device->destroyStream(entry.stream);
  }
};
thread_local ThreadStreams thread_streams;

} // namespace

Device::Device(int ordinal, const gpu::Gpu &gpu, Memory &memory, std::optional<int> board)
    : ordinal(ordinal), board(board.value_or(ordinal)), gpu(gpu), memory(memory),
      print(Limits().print) {
  legacy = std::make_shared<DeviceStream>();
  legacy->device = this;
  legacy->kind = StreamKind::Legacy;
  legacy->id = next_stream_id++;
}

engine::observe::StreamName DeviceStream::name() const {
  return {id, kind == StreamKind::Legacy, device->ordinal,
          kind == StreamKind::Legacy ? nullptr : this};
}

Handles<DeviceStream> &Device::streamHandles() {
  // Never destroyed: the program's own static objects may still use streams at its end.
  static auto *handles = new Handles<DeviceStream>;
  return *handles;
}

void Device::fail(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  failure.compare_exchange_strong(none, error, std::memory_order_acq_rel);
}

std::shared_ptr<DeviceStream> Device::createStream(StreamKind kind, int priority,
                                                   std::optional<unsigned> owner) {
  auto stream = std::make_shared<DeviceStream>();
  stream->device = this;
  stream->kind = kind;
  stream->priority = priority;
  stream->id = next_stream_id++;
  stream->context = owner.value_or(Context::currentOwner(ordinal));
  streamHandles().add(stream);
  {
    std::lock_guard lock(mutex);
    streams.push_back(stream);
  }
  if (engine::observe::HostObserver *observer = engine::observe::hostObserver())
    observer->made(engine::observe::Resource::Stream, Context::find(*this, stream->context).get(),
                   stream.get());
  return stream;
}

void Device::destroyStream(const std::shared_ptr<DeviceStream> &stream) {
  if (engine::observe::HostObserver *observer = engine::observe::hostObserver())
    observer->ends(engine::observe::Resource::Stream, Context::find(*this, stream->context).get(),
                   stream.get());
  streamHandles().remove(stream.get());
  stream->queue->close();
  std::lock_guard lock(mutex);
  // A destroyed stream with work left still counts for synchronisation. An observer hears of that
  // also when the work is done.
  std::erase_if(streams, [](const std::shared_ptr<DeviceStream> &other) {
    return other->queue->idle() && (!engine::observe::observer || other->queue->told()) &&
           !streamHandles().find(other.get());
  });
}

std::vector<std::shared_ptr<DeviceStream>>
Device::streamsOf(std::optional<unsigned> context) const {
  std::vector<std::shared_ptr<DeviceStream>> wanted;
  std::shared_lock lock(mutex);
  for (const auto &stream : streams)
    if (!context || stream->context == *context)
      wanted.push_back(stream);
  return wanted;
}

void Device::destroyStreamsOf(unsigned context) {
  for (const auto &stream : streamsOf(context))
    destroyStream(stream);
}

std::shared_ptr<DeviceStream> Device::threadStream() {
  ThreadStreams::Entry &entry = thread_streams.by_device[this];
  if (!entry.stream || entry.generation != generation())
    entry = {createStream(StreamKind::Blocking, 0), generation()};
  if (!streamHandles().find(entry.stream.get())) // ended with its context
    entry = {createStream(StreamKind::Blocking, 0), generation()};
  return entry.stream;
}

// An observer hears of an order also where there is nothing to wait for any more.
static bool counts(Stream &queue) { return !queue.idle() || engine::observe::observer; }

// What streams would do at the same time happens in the order of the host's calls, if that leads to
// anything: the work may wait for what the host does next.
static void settle(const Point &point, Start start) {
  constexpr auto patience = std::chrono::seconds(2);
  if (start == Start::ByCaller)
    return;
  if (point.stream->reached(point.ticket - 1)) {
    const auto end = std::chrono::steady_clock::now() + patience;
    while (!point.reached() && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
  if (!point.reached())
    engine::observe::observer->runsBesideHost({point.stream.get(), point.ticket});
}

Point Device::submit(DeviceStream &stream, std::unique_ptr<Work> work, Start start) {
  if (stream.kind == StreamKind::Legacy) {
    for (Point &point : blockingPoints())
      work->after.push_back(std::move(point));
  } else if (stream.kind == StreamKind::Blocking && counts(*legacy->queue)) {
    work->after.push_back(legacy->queue->last());
  }
  Point point = stream.queue->submit(std::move(work), start);
  if (engine::observe::observer && engine::observe::observer->wantsOrder())
    settle(point, start);
  return point;
}

std::vector<Point> Device::lastPoints() {
  std::vector<Point> points = {legacy->queue->last()};
  std::shared_lock lock(mutex);
  for (const auto &stream : streams)
    if (counts(*stream->queue))
      points.push_back(stream->queue->last());
  return points;
}

std::vector<Point> Device::blockingPoints() {
  std::vector<Point> points;
  std::shared_lock lock(mutex);
  for (const auto &stream : streams)
    if (stream->kind == StreamKind::Blocking && counts(*stream->queue))
      points.push_back(stream->queue->last());
  return points;
}

cudaError_t Device::synchronize() {
  for (const Point &point : lastPoints()) {
    point.wait();
    point.tellHost();
  }
  print.flush();
  return error();
}

cudaError_t Device::synchronize(const Point &point) {
  point.wait();
  point.tellHost();
  print.flush();
  return error();
}

void Device::reset() {
  synchronize();
  std::lock_guard lock(mutex);
  ++resets;
  for (const auto &stream : streams) {
    streamHandles().remove(stream.get());
    stream->queue->close();
  }
  streams.clear();
  peers.clear();
  limits = Limits();
  print.setCapacity(limits.print);
  heap.clear();
  flags = cudaDeviceMapHost;
  cache_config = cudaFuncCachePreferNone;
  shared_config = cudaSharedMemBankSizeFourByte;
  GraphMemory::of(*this).forget();
  memory.releaseAll(ordinal);
  failure = cudaSuccess;
}

size_t *Device::limitOf(cudaLimit limit) {
  switch (limit) {
  case cudaLimitStackSize:
    return &limits.stack;
  case cudaLimitPrintfFifoSize:
    return &limits.print;
  case cudaLimitMallocHeapSize:
    return &limits.heap;
  case cudaLimitDevRuntimeSyncDepth:
    return &limits.sync_depth;
  case cudaLimitDevRuntimePendingLaunchCount:
    return &limits.pending_launches;
  case cudaLimitMaxL2FetchGranularity:
    return &limits.l2_fetch;
  case cudaLimitPersistingL2CacheSize:
    return &limits.persisting_l2;
  default:
    return nullptr;
  }
}

/// Kernels that launch kernels and wait for them ended with compute capability 9.0.
bool Device::supports(cudaLimit limit) const {
  return limit != cudaLimitDevRuntimeSyncDepth || gpu.compute_major < 9;
}

cudaError_t Device::setLimit(cudaLimit limit, size_t value) {
  std::lock_guard lock(mutex);
  size_t *slot = limitOf(limit);
  if (!slot)
    return cudaErrorInvalidValue;
  if (!supports(limit))
    return cudaErrorUnsupportedLimit;
  // The local memory of one thread is at most 512 KiB (CUDA C++ Programming Guide, "Technical
  // Specifications per Compute Capability").
  if (limit == cudaLimitStackSize && value > (512 << 10))
    return cudaErrorInvalidValue;
  if (limit == cudaLimitMaxL2FetchGranularity)
    value = std::min<size_t>(value, 128);
  if (limit == cudaLimitPersistingL2CacheSize)
    value = std::min<size_t>(value, gpu.persisting_l2_bytes);
  // The least that a GPU's driver sets aside for these two.
  if (limit == cudaLimitPrintfFifoSize)
    value = std::max<size_t>(value, 512 << 10);
  if (limit == cudaLimitMallocHeapSize)
    value = std::max<size_t>(value, 4 << 20);
  *slot = value;
  if (limit == cudaLimitPrintfFifoSize)
    print.setCapacity(value);
  return cudaSuccess;
}

cudaError_t Device::getLimit(cudaLimit limit, size_t &value) const {
  std::shared_lock lock(mutex);
  const size_t *slot = const_cast<Device *>(this)->limitOf(limit);
  if (!slot)
    return cudaErrorInvalidValue;
  if (!supports(limit))
    return cudaErrorUnsupportedLimit;
  value = *slot;
  return cudaSuccess;
}

cudaError_t Device::enablePeer(int peer) {
  std::lock_guard lock(mutex);
  return peers.insert(peer).second ? cudaSuccess : cudaErrorPeerAccessAlreadyEnabled;
}

cudaError_t Device::disablePeer(int peer) {
  std::lock_guard lock(mutex);
  return peers.erase(peer) ? cudaSuccess : cudaErrorPeerAccessNotEnabled;
}

} // namespace heddle
