// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stream capture: what is put on a stream becomes nodes of a graph (CUDA C++ Programming Guide,
// "Creating a Graph Using Stream Capture").
//
// A capture begins with one stream. Another joins when it waits for an event recorded in a stream
// of the capture. Each stream has the nodes that its next node will depend on: its ends. What CUDA
// forbids meanwhile invalidates the capture, which says so when it is to end.
#pragma once

#include "device/graph/graph.h"

#include <thread>
#include <unordered_map>

namespace heddle {

/// Thread-safe, apart from the graph.
class Capture : public std::enable_shared_from_this<Capture> {
public:
  /// What a captured event remembers: the ends of its stream.
  struct Place {
    std::weak_ptr<Capture> capture;
    std::vector<Edge> ends;
  };
  struct Status {
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    unsigned long long id = 0;
    std::shared_ptr<Graph> graph;
    // Valid until the stream is used again.
    const cudaGraphNode_t *nodes = nullptr;
    const cudaGraphEdgeData *data = nullptr;
    size_t count = 0;
  };

  /// Whether any stream is being captured: all else need only be asked then.
  static bool anywhere() { return active.load(std::memory_order_acquire) > 0; }

  /// Without a graph the capture makes one.
  static cudaError_t begin(DeviceStream &stream, cudaStreamCaptureMode mode,
                           std::shared_ptr<Graph> graph = nullptr, std::span<const Edge> ends = {});
  /// The graph is null unless all went well.
  static cudaError_t end(DeviceStream &stream, std::shared_ptr<Graph> &graph);

  /// Whether an operation may be put on the stream, be it captured or not; `capturable` is false
  /// for calls that wait. An operation that may not invalidates captures.
  static cudaError_t admit(DeviceStream &stream, bool capturable);
  /// Whether this thread may call what could wait for a capture, such as cudaMalloc.
  static cudaError_t checkUnsafe();
  /// Whether the device, or its legacy stream, can be waited for.
  static cudaError_t checkDeviceWait(const Device &device);
  /// Whether the stream can be waited for or asked.
  static cudaError_t checkWait(DeviceStream &stream);
  static cudaError_t status(DeviceStream &stream, Status &status);
  static cudaError_t setDependencies(DeviceStream &stream, std::span<const Edge> ends,
                                     bool replace);
  static void streamDestroyed(DeviceStream &stream);
  /// Whether a capture adds nodes to the graph.
  static bool fills(const Graph &graph);
  /// Sets how strict checkUnsafe is to this thread; returns how strict it was.
  static cudaStreamCaptureMode exchangeMode(cudaStreamCaptureMode mode);

  /// Adds a node behind the stream's ends.
  cudaError_t append(DeviceStream &stream, OperationPointer operation);
  /// The same with an operation that `make(graph, ends, operation)` gives.
  template <class Make> cudaError_t appendMade(DeviceStream &stream, Make make) {
    OperationPointer operation;
    std::vector<Edge> ends = place(stream).ends;
    cudaError_t error = make(*graph, ends, operation);
    return error ? error : append(stream, std::move(operation));
  }
  Place place(DeviceStream &stream);
  /// Lets the stream's next node depend on a place of this capture; the stream joins it if need be.
  cudaError_t join(DeviceStream &stream, const Place &place);
  void invalidate();
  bool ended() const;

private:
  struct Branch {
    std::shared_ptr<DeviceStream> stream; // which may be destroyed meanwhile
    std::vector<Edge> ends;
    std::vector<cudaGraphNode_t> nodes; // as they were last told, with their data
    std::vector<cudaGraphEdgeData> data;
  };
  static std::atomic<int> active;

  const unsigned long long id;
  const cudaStreamCaptureMode mode;
  const std::thread::id thread = std::this_thread::get_id();
  const std::shared_ptr<Graph> graph;
  const bool made_graph;
  DeviceStream *const origin;
  bool invalid = false;
  std::unordered_map<DeviceStream *, Branch> branches;

  Capture(DeviceStream &stream, cudaStreamCaptureMode mode, std::shared_ptr<Graph> graph,
          bool made_graph);
  Branch &branchOf(DeviceStream &stream);
  bool allJoined() const;
  bool uses(const DeviceStream &legacy) const;
  template <class Test> static bool invalidateWhere(Test test);
  void finish();
};

} // namespace heddle
