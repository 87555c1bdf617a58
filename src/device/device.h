// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One virtual GPU: its description, its streams, its state.
//
// What runs in a stream waits for other streams only where CUDA says so: work in the legacy default
// stream waits for all blocking streams and they for it (CUDA C++ Programming Guide, "Implicit
// Synchronization"). Both are Points given to the work when it is submitted. A point always names
// work that was submitted before, so waiting can never be circular.
#pragma once

#include "device/handles.h"
#include "device/memory/memory.h"
#include "device/print_buffer.h"
#include "device/stream.h"
#include "engine/device_heap.h"
#include "engine/observe/host.h"
#include "gpu/gpu.h"

#include <atomic>
#include <driver_types.h>
#include <optional>
#include <set>
#include <shared_mutex>
#include <vector>

namespace heddle {

class Capture;
class Device;

enum class StreamKind { Legacy, Blocking, NonBlocking };

/// What programs set for a stream and ask again; hints to hardware.
struct StreamAttributes {
  std::mutex mutex; // guards what follows
  cudaAccessPolicyWindow window = {};
  cudaSynchronizationPolicy policy = cudaSyncPolicyAuto;
  cudaLaunchMemSyncDomain domain = cudaLaunchMemSyncDomainDefault;
  cudaLaunchMemSyncDomainMap domains = {0, 1};
};

/// What a cudaStream_t points to.
struct DeviceStream : std::enable_shared_from_this<DeviceStream> {
  Device *device = nullptr;
  StreamKind kind = StreamKind::Blocking;
  std::atomic<int> priority = 0;
  uint64_t id = 0;
  unsigned context = 0; // whose it is (context.h)
  StreamAttributes attributes;
  std::shared_ptr<Stream> queue = Stream::create();
  engine::observe::StreamName name() const;
  /// The capture that the stream takes part in (graph/capture.h), or null.
  std::shared_ptr<Capture> capture() const;
  std::atomic<std::shared_ptr<Capture>> capture_now;
  /// Its execution context has ended; it can only be destroyed.
  std::atomic<bool> detached = false;
};

class Device {
public:
  /// `board`: the number that the machine knows it by, where the process sees only some of its
  /// devices (machine.h).
  Device(int ordinal, const gpu::Gpu &gpu, Memory &memory, std::optional<int> board = std::nullopt);

  const int ordinal, board;
  const gpu::Gpu &gpu;
  Memory &memory;
  PrintBuffer print;
  engine::DeviceHeap heap;

  /// An error after which the device is unusable until it is reset ("sticky"), or cudaSuccess.
  cudaError_t error() const { return failure.load(std::memory_order_acquire); }
  void fail(cudaError_t error);

  /// `owner`: the context that it belongs to, without one the current.
  std::shared_ptr<DeviceStream> createStream(StreamKind kind, int priority,
                                             std::optional<unsigned> owner = std::nullopt);
  /// The work left in it is still done.
  void destroyStream(const std::shared_ptr<DeviceStream> &stream);
  /// Those that were made in this context.
  void destroyStreamsOf(unsigned context);
  /// Those, or all but the default streams.
  std::vector<std::shared_ptr<DeviceStream>> streamsOf(std::optional<unsigned> context) const;
  const std::shared_ptr<DeviceStream> &legacyStream() const { return legacy; }
  /// This host thread's default stream, for programs compiled with per-thread default streams.
  std::shared_ptr<DeviceStream> threadStream();
  /// All streams of all devices, by handle.
  static Handles<DeviceStream> &streamHandles();

  /// Appends work to a stream of this device. The work is dropped if the device has failed by then.
  Point submit(DeviceStream &stream, std::unique_ptr<Work> work, Start start = Start::Now);
  /// The newest work in each stream.
  std::vector<Point> lastPoints();
  /// The newest work in the streams that the legacy default stream waits for.
  std::vector<Point> blockingPoints();
  /// Waits for all work, shows what kernels printed, and returns error().
  cudaError_t synchronize();
  /// Waits for one piece of work, then as synchronize.
  cudaError_t synchronize(const Point &point);
  /// cudaDeviceReset: ends all streams, frees all memory, forgets errors and settings.
  void reset();
  /// Counts resets: what was made before belongs to the past.
  uint64_t generation() const { return resets.load(std::memory_order_acquire); }

  cudaError_t setLimit(cudaLimit limit, size_t value);
  cudaError_t getLimit(cudaLimit limit, size_t &value) const;
  cudaError_t enablePeer(int peer);
  cudaError_t disablePeer(int peer);

  std::atomic<unsigned> flags = cudaDeviceMapHost;
  std::atomic<cudaFuncCache> cache_config = cudaFuncCachePreferNone;
  std::atomic<cudaSharedMemConfig> shared_config = cudaSharedMemBankSizeFourByte;

private:
  struct Limits {
    size_t stack = 1024, print = 1 << 20, heap = 8 << 20;
    size_t sync_depth = 2, pending_launches = 2048, l2_fetch = 64, persisting_l2 = 0;
  };
  std::atomic<cudaError_t> failure = cudaSuccess;
  std::atomic<uint64_t> resets = 0;
  std::shared_ptr<DeviceStream> legacy;
  mutable std::shared_mutex mutex; // guards what follows
  std::vector<std::shared_ptr<DeviceStream>> streams;
  Limits limits;
  std::set<int> peers;

  size_t *limitOf(cudaLimit limit);
  bool supports(cudaLimit limit) const;
};

} // namespace heddle
