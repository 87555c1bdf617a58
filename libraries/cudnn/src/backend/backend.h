// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend API's descriptors. A descriptor is a program's name for a node; a node's attributes
// are values, or other nodes, which live on when the program destroys their descriptors.
#pragma once

#include "tensor.h"

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace heddle::cudnn {

struct BackendNode;
using BackendNodes = std::vector<std::shared_ptr<BackendNode>>;

struct BackendValue {
  cudnnBackendAttributeType_t type;
  std::vector<unsigned char> bytes;
  BackendNodes nodes;
};

struct BackendNode {
  cudnnBackendDescriptorType_t type;
  bool finalized = false;
  std::map<int, BackendValue> values;

  bool has(cudnnBackendAttributeName_t name) const { return values.contains(name); }
  /// The elements of an attribute that has been set.
  template <typename T> std::vector<T> all(cudnnBackendAttributeName_t name) const {
    const auto found = values.find(name);
    need(found != values.end(), "an attribute was not set");
    std::vector<T> v(found->second.bytes.size() / sizeof(T));
    std::copy_n(found->second.bytes.data(), v.size() * sizeof(T),
                reinterpret_cast<unsigned char *>(v.data()));
    return v;
  }
  template <typename T> T get(cudnnBackendAttributeName_t name) const {
    const auto found = values.find(name);
    need(found != values.end(), "an attribute was not set");
    need(found->second.bytes.size() == sizeof(T), "an attribute has not one element");
    T value;
    std::copy_n(found->second.bytes.data(), sizeof(T), reinterpret_cast<unsigned char *>(&value));
    return value;
  }
  template <typename T> T get(cudnnBackendAttributeName_t name, T otherwise) const {
    return has(name) ? get<T>(name) : otherwise;
  }
  /// A number that is float or double, as the program has set it.
  double number(cudnnBackendAttributeName_t name, double otherwise) const;
  const BackendNodes &nodes(cudnnBackendAttributeName_t name) const;
  const BackendNode &node(cudnnBackendAttributeName_t name) const { return *nodes(name).at(0); }
};

struct BackendDescriptor {
  std::shared_ptr<BackendNode> node;
};

/// The tensor that a tensor's node describes.
Tensor tensorOf(const BackendNode &node);

/// Refuses a graph with an operation that is not there.
void checkGraph(const BackendNode &graph);

/// What an execution takes: the operations and where their tensors are.
struct BackendRun {
  BackendNodes operations;
  std::map<int64_t, void *> data;
  std::map<int64_t, std::vector<unsigned char>> by_value;
};
void runGraph(const BackendRun &run);

/// The attributes of an operation that name what it writes, and those that name what it reads.
struct BackendPorts {
  std::vector<cudnnBackendAttributeName_t> reads, writes;
};
const BackendPorts *portsOf(cudnnBackendDescriptorType_t operation);

} // namespace heddle::cudnn
