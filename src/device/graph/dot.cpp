// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device/graph/dot.h"

#include "device/graph/memory.h"
#include "device/graph/operations.h"
#include "device/launch.h"
#include "device/memory/copy.h"

#include <cstdarg>
#include <cstdio>
#include <unordered_map>

namespace heddle {
namespace {

__attribute__((format(printf, 1, 2))) std::string format(const char *text, ...) {
  char buffer[256];
  va_list arguments;
  va_start(arguments, text);
  vsnprintf(buffer, sizeof buffer, text, arguments);
  va_end(arguments);
  return buffer;
}

const char *nameOf(cudaGraphNodeType type) {
  switch (type) {
  case cudaGraphNodeTypeKernel:
    return "KERNEL";
  case cudaGraphNodeTypeMemcpy:
    return "MEMCPY";
  case cudaGraphNodeTypeMemset:
    return "MEMSET";
  case cudaGraphNodeTypeHost:
    return "HOST";
  case cudaGraphNodeTypeGraph:
    return "GRAPH";
  case cudaGraphNodeTypeEmpty:
    return "EMPTY";
  case cudaGraphNodeTypeWaitEvent:
    return "EVENT WAIT";
  case cudaGraphNodeTypeEventRecord:
    return "EVENT RECORD";
  case cudaGraphNodeTypeMemAlloc:
    return "MEM ALLOC";
  case cudaGraphNodeTypeMemFree:
    return "MEM FREE";
  case cudaGraphNodeTypeConditional:
    return "CONDITIONAL";
  default:
    return "NODE";
  }
}

/// Writes the clusters of a graph and of the graphs in it.
class Writer {
public:
  explicit Writer(unsigned flags) : flags(flags) {}
  std::string text = "digraph dot {\n";

  void graph(const Graph &graph, const std::string &indent) {
    const unsigned number = graphs++;
    text += indent + format("subgraph cluster_%u {\n", number);
    text += indent + format("  label=\"graph_%u\"\n", number);
    for (size_t i = 0; i < graph.nodes().size(); ++i)
      names[graph.nodes()[i].get()] = format("graph_%u_node_%zu", number, i);
    for (const NodePointer &node : graph.nodes()) {
      text += indent + "  \"" + names[node.get()] + "\" [shape=\"rectangle\" label=\"" +
              label(*node) + "\"]\n";
      for (const auto &body : node->bodies)
        this->graph(*body, indent + "  ");
    }
    for (const NodePointer &node : graph.nodes())
      for (const Edge &edge : node->after)
        text += indent + "  \"" + names[node.get()] + "\" -> \"" + names[edge.node] + "\"\n";
    text += indent + "}\n";
  }

private:
  const unsigned flags;
  unsigned graphs = 0;
  std::unordered_map<const Node *, std::string> names;

  bool shows(unsigned flag) const { return flags & (flag | cudaGraphDebugDotFlagsVerbose); }

  std::string label(const Node &node) const {
    std::string result = names.at(&node) + "\\n" + nameOf(node.type());
    if (shows(cudaGraphDebugDotFlagsHandles))
      result += format("\\nhandle %p", static_cast<const void *>(&node));
    const Operation &operation = *node.operation;
    switch (node.type()) {
    case cudaGraphNodeTypeKernel:
      return result + describe(static_cast<const KernelOperation &>(operation));
    case cudaGraphNodeTypeMemcpy:
      return result + describe(static_cast<const CopyOperation &>(operation));
    case cudaGraphNodeTypeMemset:
      return result + describe(static_cast<const FillOperation &>(operation));
    case cudaGraphNodeTypeMemAlloc: {
      const auto &memory = static_cast<const AllocateOperation &>(operation).parameters;
      return result + format("\\n%zu bytes at %p", memory.bytesize, memory.dptr);
    }
    case cudaGraphNodeTypeMemFree:
      return result + format("\\n%p", static_cast<const FreeOperation &>(operation).block->address);
    case cudaGraphNodeTypeConditional: {
      static constexpr const char *kinds[] = {"IF", "WHILE", "SWITCH"};
      const auto kind = static_cast<const ConditionalOperation &>(operation).kind;
      return result + "\\n" + kinds[kind];
    }
    default:
      return result;
    }
  }

  std::string describe(const KernelOperation &kernel) const {
    std::string result = "\\n" + kernel.kernel->info().display_name;
    if (!shows(cudaGraphDebugDotFlagsKernelNodeParams))
      return result;
    const engine::Dim3 &grid = kernel.launch.grid, &block = kernel.launch.block;
    return result + format("\\ngrid %u, %u, %u  block %u, %u, %u  shared %u", grid.x, grid.y,
                           grid.z, block.x, block.y, block.z, kernel.launch.dynamic_shared_bytes);
  }

  std::string describe(const CopyOperation &copy) const {
    if (!shows(cudaGraphDebugDotFlagsMemcpyNodeParams))
      return "";
    return format("\\n%p to %p\\n%zu, %zu, %zu", copy.source.base, copy.destination.base,
                  copy.box.width, copy.box.height, copy.box.depth);
  }

  std::string describe(const FillOperation &fill) const {
    if (!shows(cudaGraphDebugDotFlagsMemsetNodeParams))
      return "";
    return format("\\n%p value 0x%x of %u bytes\\n%zu, %zu", fill.destination.base, fill.value,
                  fill.element, fill.parameters.width, fill.parameters.height);
  }
};

} // namespace

std::string dotOf(const Graph &graph, unsigned flags) {
  Writer writer(flags);
  writer.graph(graph, "");
  return writer.text + "}\n";
}

} // namespace heddle
