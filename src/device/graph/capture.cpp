// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/capture.h"

#include <algorithm>
#include <set>

namespace heddle {
namespace {

std::atomic<unsigned long long> next_id = 1;

/// Guards all captures: they are rare and short.
std::recursive_mutex mutex;
using Lock = std::lock_guard<std::recursive_mutex>;

std::set<Capture *> &captures() {
  static auto *captures = new std::set<Capture *>;
  return *captures;
}

thread_local cudaStreamCaptureMode thread_mode = cudaStreamCaptureModeGlobal;

void unite(std::vector<Edge> &ends, std::span<const Edge> more) {
  for (const Edge &edge : more)
    if (std::none_of(ends.begin(), ends.end(),
                     [&](const Edge &other) { return other.node == edge.node; }))
      ends.push_back(edge);
}

} // namespace

std::atomic<int> Capture::active = 0;

std::shared_ptr<Capture> DeviceStream::capture() const { return capture_now.load(); }

Capture::Capture(DeviceStream &stream, cudaStreamCaptureMode mode, std::shared_ptr<Graph> graph,
                 bool made_graph)
    : id(next_id++), mode(mode), graph(std::move(graph)), made_graph(made_graph), origin(&stream) {}

cudaError_t Capture::begin(DeviceStream &stream, cudaStreamCaptureMode mode,
                           std::shared_ptr<Graph> graph, std::span<const Edge> ends) {
  Lock lock(mutex);
  if (stream.kind == StreamKind::Legacy)
    return cudaErrorStreamCaptureUnsupported;
  if (stream.capture())
    return cudaErrorIllegalState;
  bool make = !graph;
  if (make)
    graph = Graph::create();
  std::shared_ptr<Capture> capture(new Capture(stream, mode, std::move(graph), make));
  capture->branchOf(stream).ends.assign(ends.begin(), ends.end());
  captures().insert(capture.get());
  stream.capture_now.store(capture);
  ++active;
  return cudaSuccess;
}

Capture::Branch &Capture::branchOf(DeviceStream &stream) {
  Branch &branch = branches[&stream];
  branch.stream = stream.shared_from_this();
  return branch;
}

void Capture::finish() {
  std::shared_ptr<Capture> self = shared_from_this(); // the streams let go of it
  for (auto &[stream, branch] : branches)
    stream->capture_now.store(nullptr);
  branches.clear();
  captures().erase(this);
  --active;
}

/// Whether the origin's ends depend on all that the other streams have done.
bool Capture::allJoined() const {
  std::set<const Node *> seen;
  std::vector<const Node *> open;
  auto visit = [&](const std::vector<Edge> &edges) {
    for (const Edge &edge : edges)
      if (seen.insert(edge.node).second)
        open.push_back(edge.node);
  };
  visit(branches.at(origin).ends);
  while (!open.empty()) {
    const Node *node = open.back();
    open.pop_back();
    visit(node->before);
  }
  return std::all_of(branches.begin(), branches.end(), [&](const auto &branch) {
    return std::all_of(branch.second.ends.begin(), branch.second.ends.end(),
                       [&](const Edge &edge) { return seen.count(edge.node); });
  });
}

cudaError_t Capture::end(DeviceStream &stream, std::shared_ptr<Graph> &graph) {
  Lock lock(mutex);
  std::shared_ptr<Capture> capture = stream.capture();
  if (!capture)
    return cudaErrorIllegalState;
  if (&stream != capture->origin) {
    capture->invalidate();
    return cudaErrorStreamCaptureUnmatched;
  }
  cudaError_t error = cudaSuccess;
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id())
    error = cudaErrorStreamCaptureWrongThread;
  else if (capture->invalid)
    error = cudaErrorStreamCaptureInvalidated;
  else if (!capture->allJoined())
    error = cudaErrorStreamCaptureUnjoined;
  capture->finish();
  if (!error)
    graph = capture->graph;
  else if (capture->made_graph)
    capture->graph->forget();
  return error;
}

void Capture::invalidate() {
  Lock lock(mutex);
  invalid = true;
}

bool Capture::ended() const {
  Lock lock(mutex);
  return branches.empty();
}

cudaError_t Capture::admit(DeviceStream &stream, bool capturable) {
  if (!anywhere())
    return cudaSuccess;
  Lock lock(mutex);
  if (std::shared_ptr<Capture> capture = stream.capture()) {
    if (capture->invalid)
      return cudaErrorStreamCaptureInvalidated;
    if (capturable)
      return cudaSuccess;
    capture->invalidate();
    return cudaErrorStreamCaptureUnsupported;
  }
  if (stream.kind != StreamKind::Legacy)
    return cudaSuccess;
  // The legacy stream would wait for blocking streams, and they for it: not in a capture.
  return invalidateWhere([&](const Capture &capture) { return capture.uses(stream); })
             ? cudaErrorStreamCaptureImplicit
             : cudaSuccess;
}

/// Whether blocking streams of the legacy stream's device take part.
bool Capture::uses(const DeviceStream &legacy) const {
  return std::any_of(branches.begin(), branches.end(), [&](const auto &branch) {
    return branch.first->kind == StreamKind::Blocking && branch.first->device == legacy.device;
  });
}

template <class Test> bool Capture::invalidateWhere(Test test) {
  bool any = false;
  for (Capture *capture : captures())
    if (test(*capture)) {
      capture->invalidate();
      any = true;
    }
  return any;
}

cudaError_t Capture::checkUnsafe() {
  if (!anywhere() || thread_mode == cudaStreamCaptureModeRelaxed)
    return cudaSuccess;
  Lock lock(mutex);
  bool forbidden = invalidateWhere([](const Capture &capture) {
    if (capture.thread == std::this_thread::get_id())
      return capture.mode != cudaStreamCaptureModeRelaxed;
    return capture.mode == cudaStreamCaptureModeGlobal &&
           thread_mode == cudaStreamCaptureModeGlobal;
  });
  return forbidden ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t Capture::checkDeviceWait(const Device &device) {
  if (!anywhere())
    return cudaSuccess;
  Lock lock(mutex);
  bool forbidden = invalidateWhere([&](const Capture &capture) {
    return std::any_of(capture.branches.begin(), capture.branches.end(),
                       [&](const auto &branch) { return branch.first->device == &device; });
  });
  return forbidden ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

cudaError_t Capture::checkWait(DeviceStream &stream) {
  if (!anywhere())
    return cudaSuccess;
  Lock lock(mutex);
  if (std::shared_ptr<Capture> capture = stream.capture()) {
    capture->invalidate();
    return cudaErrorStreamCaptureUnsupported;
  }
  cudaError_t error = admit(stream, true);
  return error ? error : checkUnsafe();
}

cudaError_t Capture::append(DeviceStream &stream, OperationPointer operation) {
  Lock lock(mutex);
  Branch &branch = branchOf(stream);
  NodePointer node;
  if (cudaError_t error = graph->add(std::move(operation), branch.ends, node)) {
    invalidate();
    return error;
  }
  branch.ends = {Edge{node.get(), {}}};
  return cudaSuccess;
}

Capture::Place Capture::place(DeviceStream &stream) {
  Lock lock(mutex);
  return {weak_from_this(), branchOf(stream).ends};
}

cudaError_t Capture::join(DeviceStream &stream, const Place &place) {
  Lock lock(mutex);
  std::shared_ptr<Capture> other = stream.capture();
  if (other && other.get() != this) {
    other->invalidate();
    invalidate();
    return cudaErrorStreamCaptureMerge;
  }
  if (stream.kind == StreamKind::Legacy) {
    invalidate();
    return cudaErrorStreamCaptureImplicit;
  }
  if (invalid)
    return cudaErrorStreamCaptureInvalidated;
  unite(branchOf(stream).ends, place.ends);
  stream.capture_now.store(shared_from_this());
  return cudaSuccess;
}

cudaError_t Capture::status(DeviceStream &stream, Status &status) {
  status = {};
  if (!anywhere())
    return cudaSuccess;
  Lock lock(mutex);
  std::shared_ptr<Capture> capture = stream.capture();
  if (!capture) {
    bool implied = stream.kind == StreamKind::Legacy &&
                   std::any_of(captures().begin(), captures().end(),
                               [&](const Capture *capture) { return capture->uses(stream); });
    return implied ? cudaErrorStreamCaptureImplicit : cudaSuccess;
  }
  status.status =
      capture->invalid ? cudaStreamCaptureStatusInvalidated : cudaStreamCaptureStatusActive;
  if (capture->invalid)
    return cudaSuccess;
  Branch &branch = capture->branchOf(stream);
  branch.nodes.clear();
  branch.data.clear();
  for (const Edge &edge : branch.ends) {
    branch.nodes.push_back(reinterpret_cast<cudaGraphNode_t>(edge.node));
    branch.data.push_back(edge.data);
  }
  status.id = capture->id;
  status.graph = capture->graph;
  status.nodes = branch.nodes.data();
  status.data = branch.data.data();
  status.count = branch.nodes.size();
  return cudaSuccess;
}

cudaError_t Capture::setDependencies(DeviceStream &stream, std::span<const Edge> ends,
                                     bool replace) {
  Lock lock(mutex);
  std::shared_ptr<Capture> capture = stream.capture();
  if (!capture)
    return cudaErrorIllegalState;
  if (capture->invalid)
    return cudaErrorStreamCaptureInvalidated;
  for (const Edge &edge : ends)
    if (&edge.node->graph != capture->graph.get())
      return cudaErrorInvalidValue;
  Branch &branch = capture->branchOf(stream);
  if (replace)
    branch.ends.clear();
  unite(branch.ends, ends);
  return cudaSuccess;
}

void Capture::streamDestroyed(DeviceStream &stream) {
  if (!anywhere())
    return;
  Lock lock(mutex);
  std::shared_ptr<Capture> capture = stream.capture();
  if (!capture || &stream != capture->origin)
    return; // what another stream has done must still be joined
  capture->finish();
  if (capture->made_graph)
    capture->graph->forget();
}

bool Capture::fills(const Graph &graph) {
  if (!anywhere())
    return false;
  Lock lock(mutex);
  return std::any_of(captures().begin(), captures().end(),
                     [&](const Capture *capture) { return capture->graph.get() == &graph; });
}

cudaStreamCaptureMode Capture::exchangeMode(cudaStreamCaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

} // namespace heddle
