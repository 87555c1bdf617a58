// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backend API: descriptors and their attributes; one engine runs every graph.
#include "backend.h"

#include <cstring>
#include <set>
#include <string>

namespace heddle::cudnn {
namespace {

size_t elementSize(cudnnBackendAttributeType_t type) {
  switch (type) {
  case CUDNN_TYPE_HANDLE:
  case CUDNN_TYPE_INT64:
  case CUDNN_TYPE_DOUBLE:
  case CUDNN_TYPE_VOID_PTR:
    return 8;
  case CUDNN_TYPE_FRACTION:
    return sizeof(cudnnFraction_t);
  case CUDNN_TYPE_BOOLEAN:
  case CUDNN_TYPE_CHAR:
    return 1;
  default:
    return 4; // the enumerations, int32 and float
  }
}

BackendDescriptor &object(cudnnBackendDescriptor_t descriptor) {
  return live(static_cast<BackendDescriptor *>(descriptor));
}

void needAttributes(const BackendNode &n,
                    std::initializer_list<cudnnBackendAttributeName_t> names) {
  for (const auto name : names)
    need(n.has(name), "an attribute that is needed was not set");
}

void needFinalized(const BackendNode &n) {
  for (const auto &[name, value] : n.values)
    for (const auto &other : value.nodes)
      need(other->finalized, "a descriptor among the attributes was not finalized",
           CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED);
}

void finalizeTensor(const BackendNode &n) {
  needAttributes(n, {CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_ATTR_TENSOR_DIMENSIONS,
                     CUDNN_ATTR_TENSOR_STRIDES, CUDNN_ATTR_TENSOR_UNIQUE_ID,
                     CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT});
  (void)tensorOf(n);
}

void finalizeOperation(const BackendNode &n) {
  supported(portsOf(n.type) != nullptr, "the operation is not supported",
            CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
}

void check(const BackendNode &n) {
  needFinalized(n);
  switch (n.type) {
  case CUDNN_BACKEND_TENSOR_DESCRIPTOR:
    return finalizeTensor(n);
  case CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR:
    return needAttributes(n, {CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_ATTR_CONVOLUTION_CONV_MODE,
                              CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES,
                              CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS});
  case CUDNN_BACKEND_POINTWISE_DESCRIPTOR:
    return needAttributes(n, {CUDNN_ATTR_POINTWISE_MODE});
  case CUDNN_BACKEND_REDUCTION_DESCRIPTOR:
    return needAttributes(n, {CUDNN_ATTR_REDUCTION_OPERATOR});
  case CUDNN_BACKEND_RESAMPLE_DESCRIPTOR:
    return needAttributes(n, {CUDNN_ATTR_RESAMPLE_MODE, CUDNN_ATTR_RESAMPLE_WINDOW_DIMS,
                              CUDNN_ATTR_RESAMPLE_STRIDES, CUDNN_ATTR_RESAMPLE_PRE_PADDINGS});
  case CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR:
    needAttributes(n, {CUDNN_ATTR_OPERATIONGRAPH_OPS});
    return checkGraph(n);
  case CUDNN_BACKEND_ENGINE_DESCRIPTOR:
    needAttributes(n, {CUDNN_ATTR_ENGINE_OPERATION_GRAPH, CUDNN_ATTR_ENGINE_GLOBAL_INDEX});
    return supported(n.get<int64_t>(CUDNN_ATTR_ENGINE_GLOBAL_INDEX) == 0,
                     "there is one engine, number 0");
  case CUDNN_BACKEND_ENGINECFG_DESCRIPTOR:
    return needAttributes(n, {CUDNN_ATTR_ENGINECFG_ENGINE});
  case CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR:
    return needAttributes(n, {CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, CUDNN_ATTR_ENGINEHEUR_MODE});
  case CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR:
    return needAttributes(n, {CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG});
  case CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR:
    needAttributes(n, {CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS});
    return need(n.all<int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS).size() ==
                    n.all<void *>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS).size(),
                "there are not as many pointers as identifiers");
  case CUDNN_BACKEND_RNG_DESCRIPTOR:
    return needAttributes(n, {CUDNN_ATTR_RNG_DISTRIBUTION});
  case CUDNN_BACKEND_MATMUL_DESCRIPTOR:
    return;
  default:
    return finalizeOperation(n);
  }
}

/// The node that the heuristics propose: the one engine, without choices.
std::shared_ptr<BackendNode> configurationOf(const std::shared_ptr<BackendNode> &graph) {
  auto engine = std::make_shared<BackendNode>();
  engine->type = CUDNN_BACKEND_ENGINE_DESCRIPTOR;
  engine->finalized = true;
  engine->values[CUDNN_ATTR_ENGINE_OPERATION_GRAPH] = {CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {graph}};
  engine->values[CUDNN_ATTR_ENGINE_GLOBAL_INDEX] = {
      CUDNN_TYPE_INT64, std::vector<unsigned char>(8), {}};
  auto configuration = std::make_shared<BackendNode>();
  configuration->type = CUDNN_BACKEND_ENGINECFG_DESCRIPTOR;
  configuration->finalized = true;
  configuration->values[CUDNN_ATTR_ENGINECFG_ENGINE] = {
      CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {engine}};
  return configuration;
}

template <typename T> BackendValue valueOf(cudnnBackendAttributeType_t type, T number) {
  BackendValue v{type, std::vector<unsigned char>(sizeof(T)), {}};
  std::memcpy(v.bytes.data(), &number, sizeof(T));
  return v;
}

/// An attribute as a program reads it: set by it, or made by finalizing.
std::optional<BackendValue> readable(const std::shared_ptr<BackendNode> &n, int name) {
  switch (name) {
  case CUDNN_ATTR_ENGINEHEUR_RESULTS:
    return BackendValue{CUDNN_TYPE_BACKEND_DESCRIPTOR,
                        {},
                        {configurationOf(n->nodes(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH).at(0))}};
  case CUDNN_ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT:
    return valueOf(CUDNN_TYPE_INT64, int64_t(1));
  case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
  case CUDNN_ATTR_ENGINECFG_WORKSPACE_SIZE:
    return valueOf(CUDNN_TYPE_INT64, int64_t(0));
  case CUDNN_ATTR_ENGINECFG_SHARED_MEMORY_USED:
    return valueOf(CUDNN_TYPE_INT32, int32_t(0));
  case CUDNN_ATTR_ENGINECFG_KNOB_CHOICES: // what a program has chosen changes nothing
    return n->has(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES)
               ? n->values.at(CUDNN_ATTR_ENGINECFG_KNOB_CHOICES)
               : BackendValue{CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {}};
  case CUDNN_ATTR_ENGINE_KNOB_INFO:
  case CUDNN_ATTR_ENGINE_LAYOUT_INFO:
  case CUDNN_ATTR_ENGINECFG_INTERMEDIATE_INFO:
    return BackendValue{CUDNN_TYPE_BACKEND_DESCRIPTOR, {}, {}};
  case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
    return BackendValue{CUDNN_TYPE_NUMERICAL_NOTE, {}, {}};
  case CUDNN_ATTR_ENGINE_BEHAVIOR_NOTE:
    return BackendValue{CUDNN_TYPE_BEHAVIOR_NOTE, {}, {}};
  default:
    break;
  }
  const auto found = n->values.find(name);
  if (found == n->values.end())
    return std::nullopt;
  return found->second;
}

[[noreturn]] void refuseAttribute(const BackendNode &n, int name) {
  thread_local std::string why; // a sentence's caller does not keep it
  why = "descriptors of type " + std::to_string(n.type) + " have no attribute " +
        std::to_string(name) + ", or it was not set";
  refuse(CUDNN_STATUS_NOT_SUPPORTED, why.c_str());
}

} // namespace

double BackendNode::number(cudnnBackendAttributeName_t name, double otherwise) const {
  const auto found = values.find(name);
  if (found == values.end())
    return otherwise;
  return found->second.type == CUDNN_TYPE_DOUBLE ? get<double>(name) : double(get<float>(name));
}

const BackendNodes &BackendNode::nodes(cudnnBackendAttributeName_t name) const {
  const auto found = values.find(name);
  need(found != values.end() && !found->second.nodes.empty(), "an attribute was not set");
  return found->second.nodes;
}

Tensor tensorOf(const BackendNode &node) {
  need(node.type == CUDNN_BACKEND_TENSOR_DESCRIPTOR, "a descriptor is not a tensor's");
  const auto dims = node.all<int64_t>(CUDNN_ATTR_TENSOR_DIMENSIONS),
             strides = node.all<int64_t>(CUDNN_ATTR_TENSOR_STRIDES);
  need(dims.size() == strides.size() && !dims.empty() && dims.size() <= size_t(max_dims),
       "a tensor's dimensions and strides do not go together");
  supported(node.get<int64_t>(CUDNN_ATTR_TENSOR_VECTOR_COUNT, 1) == 1,
            "vectors of elements are not supported here");
  Tensor t;
  t.type = node.get<cudnnDataType_t>(CUDNN_ATTR_TENSOR_DATA_TYPE);
  needKnown(t.type);
  t.set = true;
  for (size_t i = 0; i < dims.size(); ++i) {
    need(dims[i] > 0, "a dimension is not positive");
    t.dim[size_t(t.n)] = dims[i];
    t.stride[size_t(t.n++)] = strides[i];
  }
  return t;
}

} // namespace heddle::cudnn

using namespace heddle;
using namespace heddle::cudnn;

cudnnStatus_t cudnnBackendCreateDescriptor(cudnnBackendDescriptorType_t type,
                                           cudnnBackendDescriptor_t *descriptor) {
  return call(__func__, [&] {
    needPointers(descriptor);
    supported(unsigned(type) <= CUDNN_BACKEND_OPERATION_CONTRACT_BAND_MATRIX_DESCRIPTOR,
              "there is no such descriptor");
    auto *made = new BackendDescriptor{std::make_shared<BackendNode>()};
    made->node->type = type;
    *descriptor = library::handles<BackendDescriptor>().add(made);
  });
}

cudnnStatus_t cudnnBackendDestroyDescriptor(cudnnBackendDescriptor_t descriptor) {
  return call(__func__, [&] { destroy(static_cast<BackendDescriptor *>(descriptor)); });
}

cudnnStatus_t cudnnBackendInitialize(cudnnBackendDescriptor_t descriptor) {
  return call(__func__, [&] {
    auto &o = object(descriptor);
    const auto type = o.node->type;
    o.node = std::make_shared<BackendNode>();
    o.node->type = type;
  });
}

cudnnStatus_t cudnnBackendFinalize(cudnnBackendDescriptor_t descriptor) {
  return call(__func__, [&] {
    auto &o = object(descriptor);
    check(*o.node);
    o.node->finalized = true;
  });
}

cudnnStatus_t cudnnBackendSetAttribute(cudnnBackendDescriptor_t descriptor,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t count,
                                       const void *elements) {
  return call(__func__, [&] {
    auto &o = object(descriptor);
    need(!o.node->finalized, "the descriptor was finalized already");
    need(count >= 0 && (elements || count == 0), "a pointer is null");
    need(unsigned(type) <= CUDNN_TYPE_RNG_DISTRIBUTION, "there is no such type",
         CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE);
    BackendValue value{type, {}, {}};
    if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
      const auto *others = static_cast<const cudnnBackendDescriptor_t *>(elements);
      for (int64_t i = 0; i < count; ++i)
        value.nodes.push_back(object(others[i]).node);
    } else {
      const auto *bytes = static_cast<const unsigned char *>(elements);
      value.bytes.assign(bytes, bytes + size_t(count) * elementSize(type));
    }
    o.node->values[name] = std::move(value);
  });
}

cudnnStatus_t cudnnBackendGetAttribute(const cudnnBackendDescriptor_t descriptor,
                                       cudnnBackendAttributeName_t name,
                                       cudnnBackendAttributeType_t type, int64_t requested,
                                       int64_t *count, void *elements) {
  return call(__func__, [&] {
    const auto &o = object(descriptor);
    need(o.node->finalized, "the descriptor was not finalized",
         CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED);
    need(requested >= 0 && (elements || count), "a pointer is null");
    const auto value = readable(o.node, name);
    if (!value)
      refuseAttribute(*o.node, name);
    need(value->type == type, "the attribute has another type",
         CUDNN_STATUS_BAD_PARAM_ATTRIBUTE_TYPE);
    if (type == CUDNN_TYPE_BACKEND_DESCRIPTOR) {
      // The program's descriptors become names of the nodes.
      auto *const to = static_cast<cudnnBackendDescriptor_t *>(elements);
      for (int64_t i = 0; to && i < std::min(requested, int64_t(value->nodes.size())); ++i) {
        need(object(to[i]).node->type == value->nodes[size_t(i)]->type,
             "a descriptor has another type than the attribute");
        object(to[i]).node = value->nodes[size_t(i)];
      }
      give(count, int64_t(value->nodes.size()));
      return;
    }
    const size_t size = elementSize(type), all = value->bytes.size() / size;
    if (elements && requested > 0)
      std::memcpy(elements, value->bytes.data(), std::min(size_t(requested), all) * size);
    give(count, int64_t(all));
  });
}

cudnnStatus_t cudnnBackendExecute(cudnnHandle_t handle, cudnnBackendDescriptor_t plan,
                                  cudnnBackendDescriptor_t pack) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const BackendNode &p = *object(plan).node, &v = *object(pack).node;
    need(p.type == CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR &&
             v.type == CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR,
         "the descriptors are no plan and pack");
    need(p.finalized && v.finalized, "a descriptor was not finalized",
         CUDNN_STATUS_BAD_PARAM_NOT_FINALIZED);
    const BackendNode &graph = p.node(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG)
                                   .node(CUDNN_ATTR_ENGINECFG_ENGINE)
                                   .node(CUDNN_ATTR_ENGINE_OPERATION_GRAPH);
    BackendRun r;
    r.operations = graph.nodes(CUDNN_ATTR_OPERATIONGRAPH_OPS);
    const auto ids = v.all<int64_t>(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS);
    const auto pointers = v.all<void *>(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS);
    for (size_t i = 0; i < ids.size(); ++i)
      r.data[ids[i]] = pointers[i];
    // What the operations need must be there; values on the host are taken along.
    for (const auto &operation : r.operations)
      for (const auto &[attribute, value] : operation->values)
        for (const auto &t : value.nodes) {
          if (t->type != CUDNN_BACKEND_TENSOR_DESCRIPTOR ||
              t->get<bool>(CUDNN_ATTR_TENSOR_IS_VIRTUAL, false))
            continue;
          const int64_t id = t->get<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID);
          const auto found = r.data.find(id);
          need(found != r.data.end() && found->second, "a tensor has no pointer in the pack");
          if (t->get<bool>(CUDNN_ATTR_TENSOR_IS_BY_VALUE, false)) {
            const auto *bytes = static_cast<const unsigned char *>(found->second);
            r.by_value[id].assign(bytes, bytes + tensorOf(*t).bytes());
          }
        }
    run(handle, name, [r = std::move(r)] { runGraph(r); });
  });
}
