// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/executable.h"

#include "device/graph/device_node.h"
#include "device/graph/node_order.h"
#include "device/graph/plan.h"
#include "device/graph/run.h"
#include "device/memory/copy.h"
#include "engine/observe/observer.h"

#include <optional>

namespace heddle {
namespace {

struct SegmentWork final : Work {
  std::shared_ptr<const Plan> plan;
  size_t index;
  std::shared_ptr<GraphRun> graph_run; // of all segments
  GraphMemory::Backing backing;        // of the first segment

  SegmentWork(std::shared_ptr<const Plan> plan, size_t index, std::shared_ptr<GraphRun> graph_run)
      : plan(std::move(plan)), index(index), graph_run(std::move(graph_run)) {
    on_worker_only = this->plan->segments[index].work.on_worker_only;
  }
  void run() noexcept override {
    if (index == 0)
      begin();
    graph_run->execute(plan->segments[index].work);
    if (index + 1 == plan->segments.size())
      graph_run->finish();
  }

private:
  void begin() {
    graph_run->begin();
    if (!backing.prepare())
      backing.pairs.front().first->device.fail(cudaErrorMemoryAllocation);
    for (const auto &condition : plan->conditions)
      condition->value = condition->assigns_initial ? condition->initial : 0;
  }
};

} // namespace

Handles<Executable> &Executable::handles() {
  static auto *handles = new Handles<Executable>; // outlives the program's static objects
  return *handles;
}

Executable::Executable(Device &device, const Graph &from, unsigned long long flags)
    : flags(flags), device(device), graph(from.clone(Graph::Role::Private)), memory(*graph) {}

Executable::~Executable() = default;

/// Returns a node that waits for itself, or null.
const Node *Executable::arrange(const Graph &graph, Sequence &sequence) {
  std::vector<Node *> ordered;
  if (const Node *bad = graph.order(ordered))
    return bad;
  for (Node *node : ordered) {
    if (node->type() == cudaGraphNodeTypeEmpty)
      continue;
    if (node->type() == cudaGraphNodeTypeGraph) {
      if (const Node *bad = arrange(*node->bodies.front(), sequence))
        return bad;
      continue;
    }
    Step step{node, {}};
    for (const auto &body : node->bodies)
      if (const Node *bad = arrange(*body, step.bodies.emplace_back()))
        return bad;
    sequence.push_back(std::move(step));
  }
  return nullptr;
}

std::shared_ptr<Executable> Executable::create(Device &device, Graph &graph,
                                               unsigned long long flags, Problem &problem) {
  if (!graph.copyable() && !graph.only_executable.expired()) {
    problem = {
        cudaErrorNotSupported, cudaGraphInstantiateError, nullptr,
        "it has memory or conditional nodes, or such as kernels change, and another executable of "
        "it still exists"};
    return nullptr;
  }
  if (graph.hasUnusedCondition()) {
    problem = {cudaErrorInvalidValue, cudaGraphInstantiateError, nullptr,
               "a conditional handle was made for it that no node uses"};
    return nullptr;
  }
  if (flags & cudaGraphInstantiateFlagDeviceLaunch && refusesDeviceLaunch(device, graph, problem))
    return nullptr;
  if (const Node *bad = graph.wrongInBody()) {
    problem = {cudaErrorInvalidValue, cudaGraphInstantiateNodeOperationNotSupported, bad,
               "a conditional node may run only kernels, copies, fills, child graphs and other "
               "conditional nodes"};
    return nullptr;
  }
  std::shared_ptr<Executable> made(new Executable(device, graph, flags));
  if (const Node *own = arrange(*made->graph, made->sequence)) {
    problem = {cudaErrorInvalidValue, cudaGraphInstantiateInvalidStructure,
               graph.withId(own->origin), "it has a cycle, in which a node waits for itself"};
    return nullptr;
  }
  if (graph.holdsDeviceNode())
    made->providePlan(); // kernels may change it from now on
  handles().add(made);
  graph.only_executable = made;
  return made;
}

// CUDA guide, "Device Graph Requirements".
bool Executable::refusesDeviceLaunch(const Device &device, const Graph &graph, Problem &problem) {
  const auto refuse = [&](cudaGraphInstantiateResult result, const Node *node, const char *why) {
    problem = {cudaErrorInvalidValue, result, node, why};
    return true;
  };
  if (graph.nodes().empty())
    return refuse(cudaGraphInstantiateError, nullptr, "kernels cannot launch an empty graph");
  for (const NodePointer &node : graph.nodes()) {
    const Operation &operation = *node->operation;
    const cudaGraphNodeType type = node->type();
    if (&operation.device != &device)
      return refuse(cudaGraphInstantiateMultipleDevicesNotSupported, node.get(),
                    "kernels can launch only graphs of one device");
    if (type == cudaGraphNodeTypeGraph) {
      if (refusesDeviceLaunch(device, *node->bodies.front(), problem))
        return true;
    } else if (type == cudaGraphNodeTypeMemcpy) {
      const auto &copy = static_cast<const CopyOperation &>(operation);
      if (copy.to_pageable || copy.from_pageable)
        return refuse(cudaGraphInstantiateMultipleDevicesNotSupported, node.get(),
                      "in a graph that kernels launch, copies are of device memory or pinned "
                      "memory");
      if (copy.parameters.srcArray || copy.parameters.dstArray)
        return refuse(cudaGraphInstantiateNodeOperationNotSupported, node.get(),
                      "in a graph that kernels launch, no copies are of arrays");
    } else if (type != cudaGraphNodeTypeKernel && type != cudaGraphNodeTypeMemset) {
      return refuse(cudaGraphInstantiateNodeOperationNotSupported, node.get(),
                    "a graph that kernels launch has only kernels, copies, fills and child graphs");
    }
  }
  return false;
}

std::shared_ptr<const Plan> Executable::makePlan() const {
  auto made = std::make_shared<Plan>();
  made->graph = graph;
  std::optional<NodeOrder> order;
  if (engine::observe::observer)
    order.emplace(*graph);
  auto fill = [&](auto &self, const Sequence &from, PlanSteps &to) -> void {
    for (const Step &step : from) {
      const std::shared_ptr<DeviceNode> &device_node = step.node->device_node;
      if (!step.node->enabled && !device_node)
        continue;
      const OperationPointer &operation = step.node->operation;
      PlanSteps::Step &added = to.steps.emplace_back(operation);
      added.device_node = device_node;
      if (device_node)
        device_node->provide(operation, step.node->enabled);
      to.on_worker_only |= operation->onWorkerOnly();
      if (order) {
        added.node = step.node;
        added.after = order->before(*step.node);
      }
      if (step.bodies.empty())
        continue;
      added.conditional = static_cast<const ConditionalOperation *>(operation.get());
      made->conditions.push_back(added.conditional->condition);
      for (const Sequence &body : step.bodies) {
        PlanSteps &steps = added.bodies.emplace_back();
        self(self, body, steps);
        to.on_worker_only |= steps.on_worker_only;
      }
    }
  };
  Sequence rest;
  made->segments.emplace_back();
  for (const Step &step : sequence) {
    cudaGraphNodeType type = step.node->type();
    if (type == cudaGraphNodeTypeEventRecord || type == cudaGraphNodeTypeWaitEvent) {
      fill(fill, rest, made->segments.back().work);
      rest.clear();
      made->segments.back().event =
          std::static_pointer_cast<const EventOperation>(step.node->operation);
      made->segments.emplace_back();
    } else {
      rest.push_back(step);
    }
  }
  fill(fill, rest, made->segments.back().work);
  return made;
}

cudaError_t Executable::launch(DeviceStream &stream) {
  std::lock_guard lock(mutex);
  providePlan();
  GraphMemory::Backing backing;
  GraphMemory &graph_memory = GraphMemory::of(device);
  if (!memory.none()) {
    bool frees_first = flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
    if (cudaError_t error = graph_memory.launch(memory, *stream.queue, frees_first, backing))
      return error;
  }
  device.print.flush();
  const auto graph_run = std::make_shared<GraphRun>(
      shared_from_this(),
      Origin{nullptr, stream.name(), engine::observe::ApiCall::current(), true});
  for (size_t i = 0; i < plan->segments.size(); ++i) {
    auto work = std::make_unique<SegmentWork>(plan, i, graph_run);
    if (i == 0) {
      work->backing = backing;
      if (last.stream != stream.queue)
        work->after.push_back(last);
    }
    last = stream.device->submit(stream, std::move(work));
    if (const auto &event = plan->segments[i].event)
      if (cudaError_t error =
              event->records ? event->event->record(stream) : event->event->waitIn(stream))
        return error;
  }
  if (!memory.none())
    graph_memory.launched(backing, last);
  return cudaSuccess;
}

void Executable::providePlan() {
  if (!plan)
    plan = makePlan();
  if (flags & cudaGraphInstantiateFlagDeviceLaunch)
    launching.uploaded = plan;
}

void Executable::forgetPlan() {
  plan = nullptr;
  launching.uploaded.store(nullptr);
}

cudaError_t Executable::upload(DeviceStream &stream) {
  std::lock_guard lock(mutex);
  providePlan();
  if (!memory.none())
    GraphMemory::of(device).upload(memory, *stream.queue);
  stream.device->submit(stream, makeWork([] {}), Start::AtOnceIfIdle);
  return cudaSuccess;
}

void Executable::replace(Node &own, OperationPointer operation) {
  std::lock_guard lock(mutex);
  own.operation = std::move(operation);
  forgetPlan();
}

void Executable::enable(Node &own, bool enabled) {
  std::lock_guard lock(mutex);
  own.enabled = enabled;
  forgetPlan();
}

} // namespace heddle
