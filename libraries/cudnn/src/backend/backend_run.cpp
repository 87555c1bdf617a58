// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs graphs of operations: one after another, in the order in which their inputs are there.
// Convolutions go the way of cudnnConvolutionForward; the other operations are loops in double.
#include "backend_run.h"

#include "convolution.h"
#include "parallel.h"
#include "pooling.h"
#include "reduce.h"

#include <cmath>
#include <exception>
#include <mutex>
#include <optional>
#include <set>

namespace heddle::cudnn {
namespace {

using Values = std::vector<double>;

void convolution(const BackendNode &op, BackendTensors &t) {
  const bool forward = op.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
             data = op.type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR;
  const auto base = forward ? CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA
                            : (data ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA
                                    : CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_FILTER_ALPHA);
  // Alpha, beta, the descriptor, the filter, the data and the output follow each other.
  const auto at = [&](int i) { return cudnnBackendAttributeName_t(base + i); };
  const auto x = t.at(op.node(at(4))), w = t.at(op.node(at(3))), y = t.at(op.node(at(5)));
  const BackendNode &d = op.node(at(2));
  Convolution c;
  c.n = int(d.get<int64_t>(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS));
  need(c.n > 0 && c.n <= 3 && x.tensor.n == c.n + 2,
       "the numbers of dimensions do not go together");
  c.mode = d.get<cudnnConvolutionMode_t>(CUDNN_ATTR_CONVOLUTION_CONV_MODE);
  const auto list = [&](cudnnBackendAttributeName_t name, cudnnBackendAttributeName_t other,
                        int *to) {
    const auto v = d.has(name)    ? d.all<int64_t>(name)
                   : d.has(other) ? d.all<int64_t>(other)
                                  : std::vector<int64_t>(size_t(c.n), 1);
    need(v.size() >= size_t(c.n), "a list has fewer elements than there are dimensions");
    std::copy_n(v.begin(), c.n, to);
  };
  list(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, c.stride);
  list(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_ATTR_CONVOLUTION_DILATIONS, c.dilation);
  list(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, c.pad);
  list(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, c.after);
  c.groups = int(x.tensor.dim[1] / w.tensor.dim[1]);
  need(c.groups > 0, "the filter has more channels than the input");
  const ConvolutionTensors tensors{x.tensor, w.tensor, y.tensor};
  checkConvolution(c, tensors);
  if (t.isTrial())
    return;
  convolve(forward ? Pass::forward : (data ? Pass::data : Pass::filter), c, tensors, x.data, w.data,
           y.data, {op.number(at(0), 1), op.number(at(1), 0)});
}

void genStats(const BackendNode &op, BackendTensors &t) {
  const auto x = t.at(op.node(CUDNN_ATTR_OPERATION_GENSTATS_XDESC)),
             sum = t.at(op.node(CUDNN_ATTR_OPERATION_GENSTATS_SUMDESC)),
             squares = t.at(op.node(CUDNN_ATTR_OPERATION_GENSTATS_SQSUMDESC));
  Values v = x.read(), to(size_t(sum.tensor.count()));
  reduceTensor<double>(CUDNN_REDUCE_TENSOR_ADD, true, x.tensor, v.data(), sum.tensor, to.data());
  sum.write(to);
  for (double &e : v)
    e *= e;
  reduceTensor<double>(CUDNN_REDUCE_TENSOR_ADD, true, x.tensor, v.data(), squares.tensor,
                       to.data());
  squares.write(to);
}

Pooling poolingOf(const BackendNode &d) {
  Pooling p;
  switch (d.get<cudnnResampleMode_t>(CUDNN_ATTR_RESAMPLE_MODE)) {
  case CUDNN_RESAMPLE_MAXPOOL:
    p.mode = CUDNN_POOLING_MAX;
    break;
  case CUDNN_RESAMPLE_AVGPOOL_INCLUDE_PADDING:
    p.mode = CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
    break;
  case CUDNN_RESAMPLE_AVGPOOL_EXCLUDE_PADDING:
    p.mode = CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING;
    break;
  default:
    supported(false, "resampling by interpolation is not supported");
  }
  const auto list = [&](cudnnBackendAttributeName_t name, int *to) {
    // Windows and strides are fractions or whole numbers.
    if (d.values.at(name).type == CUDNN_TYPE_FRACTION) {
      int n = 0;
      for (const auto &f : d.all<cudnnFraction_t>(name)) {
        supported(f.denominator == 1, "windows of fractions are not supported");
        to[n++] = int(f.numerator);
      }
      p.n = n;
      return;
    }
    const auto v = d.all<int64_t>(name);
    std::copy(v.begin(), v.end(), to);
    p.n = int(v.size());
  };
  list(CUDNN_ATTR_RESAMPLE_WINDOW_DIMS, p.window);
  list(CUDNN_ATTR_RESAMPLE_STRIDES, p.stride);
  list(CUDNN_ATTR_RESAMPLE_PRE_PADDINGS, p.pad);
  return p;
}

void resampleForward(const BackendNode &op, BackendTensors &t) {
  const auto x = t.at(op.node(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_XDESC)),
             y = t.at(op.node(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_YDESC));
  supported(!op.has(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_IDXDESC),
            "resampling with an index tensor is not supported");
  Values v(size_t(y.tensor.count()));
  poolForward<double>(poolingOf(op.node(CUDNN_ATTR_OPERATION_RESAMPLE_FWD_DESC)), x.tensor,
                      x.read().data(), y.tensor, v.data());
  y.write(v);
}

void resampleBackward(const BackendNode &op, BackendTensors &t) {
  const auto dx = t.at(op.node(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DXDESC)),
             dy = t.at(op.node(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DYDESC));
  const Pooling p = poolingOf(op.node(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_DESC));
  supported(p.mode != CUDNN_POOLING_MAX || op.has(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_XDESC),
            "a maximum's gradient needs the input, not an index tensor");
  Values x(size_t(dx.tensor.count())), v(x.size());
  if (op.has(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_XDESC))
    x = t.at(op.node(CUDNN_ATTR_OPERATION_RESAMPLE_BWD_XDESC)).read();
  poolBackward<double>(p, dx.tensor, x.data(), dy.tensor, dy.read().data(), v.data());
  dx.write(v);
}

void concatenate(const BackendNode &op, BackendTensors &t) {
  const auto y = t.at(op.node(CUDNN_ATTR_OPERATION_CONCAT_OUTPUT_DESC));
  const auto axis = op.get<int64_t>(CUDNN_ATTR_OPERATION_CONCAT_AXIS);
  need(axis >= 0 && axis < y.tensor.n, "the axis is out of range");
  int64_t outer = 1, inner = 1, first = 0;
  for (int i = 0; i < y.tensor.n; ++i)
    (i < axis ? outer : inner) *= i == axis ? 1 : y.tensor.dim[size_t(i)];
  const int64_t all = y.tensor.dim[size_t(axis)];
  Values v(size_t(y.tensor.count()));
  for (const auto &node : op.nodes(CUDNN_ATTR_OPERATION_CONCAT_INPUT_DESCS)) {
    const auto x = t.at(*node);
    const Values from = x.read();
    const int64_t part = x.tensor.dim[size_t(axis)];
    need(x.tensor.count() == outer * part * inner && first + part <= all,
         "an input's dimensions do not go with the output's");
    for (int64_t o = 0; o < outer; ++o)
      std::copy_n(from.begin() + o * part * inner, part * inner,
                  v.begin() + (o * all + first) * inner);
    first += part;
  }
  y.write(v);
}

/// Where each element of a tensor without gaps lies; nothing if there are gaps.
std::optional<std::vector<int64_t>> places(const Tensor &t) {
  std::vector<int64_t> all;
  std::vector<bool> taken(size_t(t.count()));
  for (int64_t i = 0; i < t.count(); ++i) {
    int64_t place = 0, rest = i;
    for (int d = t.n - 1; d >= 0; --d) {
      place += rest % t.dim[size_t(d)] * t.stride[size_t(d)];
      rest /= t.dim[size_t(d)];
    }
    if (place < 0 || place >= t.count() || taken[size_t(place)])
      return std::nullopt;
    taken[size_t(place)] = true;
    all.push_back(place);
  }
  return all;
}

/// Takes elements from one way to lie in memory to another; as they come where there are gaps.
template <typename T>
void move(const T *from, const std::optional<std::vector<int64_t>> &before,
          const std::optional<std::vector<int64_t>> &after, int64_t count, T *to) {
  if (!before || !after) {
    std::copy_n(from, count, to);
    return;
  }
  const Buffer<T> memory(count);
  for (int64_t i = 0; i < count; ++i)
    memory[(*before)[size_t(i)]] = from[i];
  for (int64_t i = 0; i < count; ++i)
    to[i] = memory[(*after)[size_t(i)]];
}

// Elements stay where they are in memory, so that other strides make a transpose.
void reshape(const BackendNode &op, BackendTensors &t) {
  const BackendNode &from = op.node(CUDNN_ATTR_OPERATION_RESHAPE_XDESC),
                    &to = op.node(CUDNN_ATTR_OPERATION_RESHAPE_YDESC);
  const auto x = t.at(from), y = t.at(to);
  need(x.tensor.count() == y.tensor.count(), "the tensors have different numbers of elements");
  if (t.isTrial())
    return;
  byWidth(x.isWide(), [&]<typename T>() {
    Out<T> out(y.tensor, y.data, {}, {x.data});
    Tensor view = t.described(to);
    if (t.described(from).isPacked() && x.tensor.isPacked() && view.span() == view.count()) {
      view.type = x.tensor.type;
      readElements(view, x.data, out.data());
    } else {
      const In<T> in(x.tensor, x.data);
      move(in.data(), places(t.described(from)), places(view), view.count(), out.data());
    }
    out.finish();
  });
}

#define A(name) CUDNN_ATTR_OPERATION_##name
struct Entry {
  BackendPorts ports;
  void (*run)(const BackendNode &, BackendTensors &);
};
const std::map<int, Entry> &operations() {
  static const auto &table = *new std::map<int, Entry>{
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR,
       {{{A(CONVOLUTION_FORWARD_X), A(CONVOLUTION_FORWARD_W)}, {A(CONVOLUTION_FORWARD_Y)}},
        convolution}},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR,
       {{{A(CONVOLUTION_BWD_DATA_DY), A(CONVOLUTION_BWD_DATA_W)}, {A(CONVOLUTION_BWD_DATA_DX)}},
        convolution}},
      {CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_FILTER_DESCRIPTOR,
       {{{A(CONVOLUTION_BWD_FILTER_DY), A(CONVOLUTION_BWD_FILTER_X)},
         {A(CONVOLUTION_BWD_FILTER_DW)}},
        convolution}},
      {CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR,
       {{{A(POINTWISE_XDESC), A(POINTWISE_BDESC), A(POINTWISE_TDESC), A(POINTWISE_DYDESC)},
         {A(POINTWISE_YDESC), A(POINTWISE_DXDESC)}},
        runPointwise}},
      {CUDNN_BACKEND_OPERATION_MATMUL_DESCRIPTOR,
       {{{A(MATMUL_ADESC), A(MATMUL_BDESC)}, {A(MATMUL_CDESC)}}, runMatmul}},
      {CUDNN_BACKEND_OPERATION_REDUCTION_DESCRIPTOR,
       {{{A(REDUCTION_XDESC)}, {A(REDUCTION_YDESC)}}, runReduction}},
      {CUDNN_BACKEND_OPERATION_RNG_DESCRIPTOR,
       {{{A(RNG_SEED), A(RNG_OFFSET_DESC)}, {A(RNG_YDESC)}}, runRandom}},
      {CUDNN_BACKEND_OPERATION_GEN_STATS_DESCRIPTOR,
       {{{A(GENSTATS_XDESC)}, {A(GENSTATS_SUMDESC), A(GENSTATS_SQSUMDESC)}}, genStats}},
      {CUDNN_BACKEND_OPERATION_BN_FINALIZE_STATISTICS_DESCRIPTOR,
       {{{A(BN_FINALIZE_Y_SUM_DESC), A(BN_FINALIZE_Y_SQ_SUM_DESC)},
         {A(BN_FINALIZE_EQ_SCALE_DESC), A(BN_FINALIZE_EQ_BIAS_DESC), A(BN_FINALIZE_SAVED_MEAN_DESC),
          A(BN_FINALIZE_SAVED_INV_STD_DESC)}},
        runFinalizeStatistics}},
      {CUDNN_BACKEND_OPERATION_NORM_FORWARD_DESCRIPTOR,
       {{{A(NORM_FWD_XDESC), A(NORM_FWD_SCALE_DESC), A(NORM_FWD_BIAS_DESC)}, {A(NORM_FWD_YDESC)}},
        runNormForward}},
      {CUDNN_BACKEND_OPERATION_NORM_BACKWARD_DESCRIPTOR,
       {{{A(NORM_BWD_XDESC), A(NORM_BWD_DYDESC)}, {A(NORM_BWD_DXDESC)}}, runNormBackward}},
      {CUDNN_BACKEND_OPERATION_RESAMPLE_FWD_DESCRIPTOR,
       {{{A(RESAMPLE_FWD_XDESC)}, {A(RESAMPLE_FWD_YDESC)}}, resampleForward}},
      {CUDNN_BACKEND_OPERATION_RESAMPLE_BWD_DESCRIPTOR,
       {{{A(RESAMPLE_BWD_DYDESC)}, {A(RESAMPLE_BWD_DXDESC)}}, resampleBackward}},
      {CUDNN_BACKEND_OPERATION_CONCAT_DESCRIPTOR,
       {{{A(CONCAT_INPUT_DESCS)}, {A(CONCAT_OUTPUT_DESC)}}, concatenate}},
      {CUDNN_BACKEND_OPERATION_RESHAPE_DESCRIPTOR,
       {{{A(RESHAPE_XDESC)}, {A(RESHAPE_YDESC)}}, reshape}},
  };
  return table;
}
#undef A

/// The identifiers of the tensors that an operation reads or writes.
std::set<int64_t> tensorsOf(const BackendNode &op,
                            const std::vector<cudnnBackendAttributeName_t> &names) {
  std::set<int64_t> ids;
  for (const auto name : names)
    if (op.has(name))
      for (const auto &n : op.values.at(name).nodes) // a seed may be a number
        ids.insert(n->get<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID));
  return ids;
}

/// The operations, each behind those whose results it reads.
BackendNodes ordered(const BackendNodes &given) {
  std::set<int64_t> missing;
  for (const auto &op : given)
    missing.merge(tensorsOf(*op, portsOf(op->type)->writes));
  BackendNodes rest = given, order;
  while (!rest.empty()) {
    const auto next = std::find_if(rest.begin(), rest.end(), [&](const auto &op) {
      const auto reads = tensorsOf(*op, portsOf(op->type)->reads);
      return std::none_of(reads.begin(), reads.end(),
                          [&](int64_t id) { return missing.count(id); });
    });
    supported(next != rest.end(), "the graph has a cycle",
              CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
    for (const int64_t id : tensorsOf(**next, portsOf((*next)->type)->writes))
      missing.erase(id);
    order.push_back(*next);
    rest.erase(next);
  }
  return order;
}

} // namespace

const BackendPorts *portsOf(cudnnBackendDescriptorType_t operation) {
  const auto found = operations().find(operation);
  return found == operations().end() ? nullptr : &found->second.ports;
}

void checkGraph(const BackendNode &graph) {
  const auto &ops = graph.nodes(CUDNN_ATTR_OPERATIONGRAPH_OPS);
  for (const auto &op : ops)
    supported(portsOf(op->type) != nullptr, "the graph has an operation that is not supported",
              CUDNN_STATUS_NOT_SUPPORTED_GRAPH_PATTERN);
  BackendTensors trial(nullptr);
  for (const auto &op : ordered(ops))
    operations().at(op->type).run(*op, trial);
}

BackendTensor BackendTensors::at(const BackendNode &node) {
  Tensor t = tensorOf(node);
  if (isTrial())
    return {t, nullptr};
  const size_t before = size_t(cut(slices_, slice_, t)) * sizeOf(t.type);
  const auto id = node.get<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID);
  if (node.get<bool>(CUDNN_ATTR_TENSOR_IS_VIRTUAL, false)) {
    // What no program sees is kept without rounding to a narrow type.
    const Tensor packed = packedLike(t, BackendTensor{t, nullptr}.isWide());
    auto found = virtual_.find(id);
    if (found == virtual_.end())
      found = virtual_.emplace(id, take(int64_t(packed.bytes()))).first;
    return {packed, found->second.buffer.data()};
  }
  if (const auto found = run_->by_value.find(id); found != run_->by_value.end())
    return {t, const_cast<unsigned char *>(found->second.data()) + before};
  return {t, static_cast<unsigned char *>(run_->data.at(id)) + before};
}

void BackendTensors::forget(int64_t id) {
  if (const auto found = virtual_.find(id); found != virtual_.end()) {
    spare_.push_back(std::move(found->second));
    virtual_.erase(found);
  }
}

BackendTensors::Memory BackendTensors::take(int64_t bytes) {
  const auto fits = std::find_if(spare_.begin(), spare_.end(), [bytes](const Memory &memory) {
    return memory.bytes >= bytes && memory.bytes <= 2 * bytes;
  });
  if (fits == spare_.end())
    return {bytes, Buffer<unsigned char>(bytes)};
  Memory memory = std::move(*fits);
  spare_.erase(fits);
  return memory;
}

namespace {

/// What is used last by each operation.
std::vector<std::vector<int64_t>> lastUses(const BackendNodes &order) {
  std::map<int64_t, size_t> last;
  for (size_t i = 0; i < order.size(); ++i)
    for (const auto &[name, value] : order[i]->values)
      for (const auto &node : value.nodes)
        if (node->type == CUDNN_BACKEND_TENSOR_DESCRIPTOR)
          last[node->get<int64_t>(CUDNN_ATTR_TENSOR_UNIQUE_ID)] = i;
  std::vector<std::vector<int64_t>> uses(order.size());
  for (const auto &[id, use] : last)
    uses[use].push_back(id);
  return uses;
}

} // namespace

void runGraph(const BackendRun &run) {
  const BackendNodes order = ordered(run.operations);
  const auto last = lastUses(order);
  const Slices slices = slicesOf(order);
  const auto runSlices = [&](int64_t begin, int64_t end) {
    BackendTensors tensors(&run, slices);
    for (int64_t slice = begin; slice < end; ++slice) {
      tensors.select(slice);
      for (size_t i = 0; i < order.size(); ++i) {
        operations().at(order[i]->type).run(*order[i], tensors);
        for (const int64_t id : last[i])
          tensors.forget(id);
      }
    }
  };
  if (slices.count() < omp_get_max_threads()) // cores share the work within a slice
    return runSlices(0, slices.count());
  std::mutex mutex;
  std::exception_ptr failure;
  parallelFor(slices.count(), 0, [&](int64_t begin, int64_t end) {
    try {
      runSlices(begin, end);
    } catch (...) {
      const std::lock_guard lock(mutex);
      failure = std::current_exception();
    }
  });
  if (failure)
    std::rethrow_exception(failure);
}

} // namespace heddle::cudnn
