// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of floats by oneDNN. It chooses layouts of its own for speed; primitives, once made,
// are kept with the reorders between these and the program's layouts.
#include "calls.h"
#include "onednn_version.h"

#include <cstdlib>
#include <list>
#include <map>
#include <mutex>
#include <optional>

namespace heddle::cudnn {
namespace {

using dnnl::memory;

const dnnl::engine &cpu() {
  static const auto &engine = *new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return engine;
}

/// A tensor in the program's layout, and in whatever layout oneDNN likes best.
struct Layouts {
  memory::desc program, any;
};

Layouts layoutsOf(const Tensor &t, int groups = 0) {
  memory::dims dims(t.dim.begin(), t.dim.begin() + t.n);
  memory::dims strides(t.stride.begin(), t.stride.begin() + t.n);
  if (groups > 1) {
    dims[0] /= groups;
    dims.insert(dims.begin(), groups);
    strides.insert(strides.begin(), strides[0] * dims[1]);
  }
  const auto f32 = memory::data_type::f32;
  return {{dims, f32, strides}, {dims, f32, memory::format_tag::any}};
}

/// One of a convolution's tensors: the program's layout, oneDNN's, and the way between them.
struct Side {
  memory::desc program, inside;
  std::optional<dnnl::reorder> reorder;

  void set(const memory::desc &p, const memory::desc &i, bool is_output) {
    program = p;
    inside = i;
    if (p != i)
      reorder.emplace(is_output ? dnnl::reorder::primitive_desc(cpu(), i, cpu(), p)
                                : dnnl::reorder::primitive_desc(cpu(), p, cpu(), i));
  }
};

struct Prepared {
  Side x, w, y;
  dnnl::primitive primitive;
  memory::desc scratchpad;
};

memory::dims spatial(const Convolution &c, const int *values, int minus = 0) {
  memory::dims d;
  for (int i = 0; i < c.n; ++i)
    d.push_back(values[i] - minus);
  return d;
}

template <typename Descriptor>
void finish(Prepared &p, Pass pass, const Descriptor &pd, const memory::desc &x,
            const memory::desc &w, const memory::desc &y, const memory::desc &x_in,
            const memory::desc &w_in, const memory::desc &y_in) {
  p.x.set(x, x_in, pass == Pass::data);
  p.w.set(w, w_in, pass == Pass::filter);
  p.y.set(y, y_in, pass == Pass::forward);
  p.scratchpad = pd.scratchpad_desc();
}

std::shared_ptr<const Prepared> prepare(Pass pass, const Convolution &c,
                                        const ConvolutionTensors &t) {
  using Forward = dnnl::convolution_forward;
  using Data = dnnl::convolution_backward_data;
  using Filter = dnnl::convolution_backward_weights;
  const auto [x, ax] = layoutsOf(t.x);
  const auto [w, aw] = layoutsOf(t.w, c.groups);
  const auto [y, ay] = layoutsOf(t.y);
  const auto strides = spatial(c, c.stride), dilates = spatial(c, c.dilation, 1),
             before = spatial(c, c.pad), after = spatial(c, c.after);
  dnnl::primitive_attr attributes;
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  const auto direct = dnnl::algorithm::convolution_direct;
  const auto kind = pass == Pass::forward ? dnnl::prop_kind::forward_inference
                                          : dnnl::prop_kind::forward_training;
  const auto forward = describeForward<Forward>(cpu(), attributes, kind, direct, ax, aw, ay,
                                                strides, dilates, before, after);
  auto p = std::make_shared<Prepared>();
  if (pass == Pass::forward) {
    p->primitive = Forward(forward);
    finish(*p, pass, forward, x, w, y, forward.src_desc(), forward.weights_desc(),
           forward.dst_desc());
  } else if (pass == Pass::data) {
    const auto pd = describeBackward<Data>(cpu(), attributes, forward, direct, ax, aw, ay, strides,
                                           dilates, before, after);
    p->primitive = Data(pd);
    finish(*p, pass, pd, x, w, y, pd.diff_src_desc(), pd.weights_desc(), pd.diff_dst_desc());
  } else {
    const auto pd = describeBackward<Filter>(cpu(), attributes, forward, direct, ax, aw, ay,
                                             strides, dilates, before, after);
    p->primitive = Filter(pd);
    finish(*p, pass, pd, x, w, y, pd.src_desc(), pd.diff_weights_desc(), pd.diff_dst_desc());
  }
  return p;
}

/// What tells one convolution from another.
std::vector<int64_t> keyOf(Pass pass, const Convolution &c, const ConvolutionTensors &t) {
  std::vector<int64_t> key{int64_t(pass), c.n, c.groups};
  for (int i = 0; i < c.n; ++i)
    key.insert(key.end(), {c.pad[i], c.after[i], c.stride[i], c.dilation[i]});
  for (const Tensor *tensor : {&t.x, &t.w, &t.y})
    for (int i = 0; i < tensor->n; ++i)
      key.insert(key.end(), {tensor->dim[size_t(i)], tensor->stride[size_t(i)]});
  return key;
}

std::shared_ptr<const Prepared> prepared(Pass pass, const Convolution &c,
                                         const ConvolutionTensors &t) {
  using Key = std::vector<int64_t>;
  static auto &mutex = *new std::mutex;
  static auto &cache = *new std::map<Key, std::shared_ptr<const Prepared>>;
  static auto &order = *new std::list<Key>;
  constexpr size_t most = 512;
  Key key = keyOf(pass, c, t);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = cache.find(key); found != cache.end())
      return found->second;
  }
  auto made = prepare(pass, c, t);
  const std::lock_guard lock(mutex);
  if (cache.emplace(key, made).second)
    order.push_back(std::move(key));
  if (order.size() > most) {
    cache.erase(order.front());
    order.pop_front();
  }
  return made;
}

/// Memory that a stream's thread keeps from one convolution to the next.
void *scratch(size_t slot, size_t bytes) {
  struct Free {
    void operator()(void *p) const { std::free(p); }
  };
  struct Slot {
    std::unique_ptr<void, Free> memory;
    size_t bytes = 0;
  };
  thread_local std::array<Slot, 4> slots;
  Slot &s = slots[slot];
  if (s.bytes < bytes) {
    const size_t rounded = (bytes + 4095) / 4096 * 4096;
    s.memory.reset(); // before more is asked for
    s.bytes = 0;
    s.memory.reset(std::aligned_alloc(4096, rounded));
    if (!s.memory)
      throw std::bad_alloc();
    s.bytes = rounded;
  }
  return s.memory.get();
}

} // namespace
} // namespace heddle::cudnn

using namespace heddle::cudnn;

void heddleDnnConvolve(Pass pass, const Convolution &c, const ConvolutionTensors &t, float *x,
                       float *w, float *y) {
  const auto p = prepared(pass, c, t);
  thread_local dnnl::stream stream(cpu());
  const Side *sides[] = {&p->x, &p->w, &p->y};
  float *const data[] = {x, w, y};
  const size_t output = pass == Pass::data ? 0 : (pass == Pass::filter ? 1 : 2);
  memory inside[3], program[3];
  for (size_t i = 0; i < 3; ++i) {
    const Side &s = *sides[i];
    program[i] = memory(s.program, cpu(), data[i]);
    inside[i] = s.reorder ? memory(s.inside, cpu(), scratch(i, s.inside.get_size())) : program[i];
    if (s.reorder && i != output)
      s.reorder->execute(stream, program[i], inside[i]);
  }
  const bool f = pass == Pass::forward;
  std::unordered_map<int, memory> arguments{
      {pass == Pass::data ? DNNL_ARG_DIFF_SRC : DNNL_ARG_SRC, inside[0]},
      {pass == Pass::filter ? DNNL_ARG_DIFF_WEIGHTS : DNNL_ARG_WEIGHTS, inside[1]},
      {f ? DNNL_ARG_DST : DNNL_ARG_DIFF_DST, inside[2]}};
  if (const size_t bytes = p->scratchpad.get_size())
    arguments[DNNL_ARG_SCRATCHPAD] = memory(p->scratchpad, cpu(), scratch(3, bytes));
  p->primitive.execute(stream, arguments);
  if (sides[output]->reorder)
    sides[output]->reorder->execute(stream, inside[output], program[output]);
  stream.wait();
}
