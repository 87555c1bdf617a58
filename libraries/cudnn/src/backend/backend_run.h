// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensors of a graph that runs, and operations with files of their own.
#pragma once

#include "backend.h"
#include "backend_slices.h"

namespace heddle::cudnn {

struct BackendTensor {
  Tensor tensor;
  void *data; // null in a trial

  /// Whether its numbers need double: those of float and of narrower types are kept in float.
  bool isWide() const {
    return tensor.type == CUDNN_DATA_DOUBLE || tensor.type == CUDNN_DATA_INT32 ||
           tensor.type == CUDNN_DATA_INT64;
  }
  std::vector<double> read() const {
    std::vector<double> values(size_t(tensor.count()));
    if (data)
      readElements(tensor, data, values.data());
    return values;
  }
  void write(const std::vector<double> &values) const {
    need(int64_t(values.size()) == tensor.count(), "a result has not its tensor's dimensions");
    if (data)
      writeElements(tensor, data, values.data(), {});
  }
};

class BackendTensors {
public:
  /// Without a run, operations are only tried: what they refuse, the graph is refused for.
  explicit BackendTensors(const BackendRun *run) : run_(run) {}
  BackendTensors(const BackendRun *run, const Slices &slices) : run_(run), slices_(slices) {}
  /// Only this slice of the tensors from now on.
  void select(int64_t slice) { slice_ = slice; }
  bool isTrial() const { return run_ == nullptr; }
  BackendTensor at(const BackendNode &node);
  /// As the program has described it, or its slice.
  Tensor described(const BackendNode &node) const {
    Tensor t = tensorOf(node);
    cut(slices_, slice_, t);
    return t;
  }
  /// Nothing reads the tensor any more: its memory is for another one.
  void forget(int64_t id);

private:
  struct Memory {
    int64_t bytes;
    Buffer<unsigned char> buffer;
  };
  Memory take(int64_t bytes);

  const BackendRun *run_;
  Slices slices_;
  int64_t slice_ = 0;
  std::map<int64_t, Memory> virtual_;
  std::vector<Memory> spare_;
};

void runPointwise(const BackendNode &op, BackendTensors &t);
void runMatmul(const BackendNode &op, BackendTensors &t);
void runReduction(const BackendNode &op, BackendTensors &t);
void runRandom(const BackendNode &op, BackendTensors &t);
void runFinalizeStatistics(const BackendNode &op, BackendTensors &t);
void runNormForward(const BackendNode &op, BackendTensors &t);
void runNormBackward(const BackendNode &op, BackendTensors &t);

} // namespace heddle::cudnn
