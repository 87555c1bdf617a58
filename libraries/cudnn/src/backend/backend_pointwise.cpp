// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backend's operations element by element.
#include "backend_run.h"
#include "parallel.h"

#include <cmath>
#include <optional>

namespace heddle::cudnn {
namespace {

struct Parameters {
  double low, high, slope, elu, softplus, swish, alpha1, alpha2;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double gelu(double x) { return x * 0.5 * (1 + std::erf(x * M_SQRT1_2)); }
double geluInner(double x) { return M_2_SQRTPI * M_SQRT1_2 * (x + 0.044715 * x * x * x); }

/// A row of an operand: its elements, or one element again and again.
template <typename T> struct Row {
  const T *data;
  int64_t step;
};

/// A row of results. Without a length it only refuses modes that there are not.
template <typename T>
void forward(cudnnPointwiseMode_t mode, const Parameters &p, int64_t n, Row<T> xs, Row<T> bs,
             Row<T> ts, T *out) {
  switch (mode) {
#define VALUE(name, value)                                                                         \
  case CUDNN_POINTWISE_##name:                                                                     \
    for (int64_t i = 0; i < n; ++i) {                                                              \
      [[maybe_unused]] const double x = p.alpha1 * double(xs.data[i * xs.step]),                   \
                                    b = p.alpha2 * double(bs.data[i * bs.step]),                   \
                                    t = double(ts.data[i * ts.step]);                              \
      out[i] = T(value);                                                                           \
    }                                                                                              \
    return
    VALUE(ADD, x + b);
    VALUE(MUL, x * b);
    VALUE(MIN, std::fmin(x, b));
    VALUE(MAX, std::fmax(x, b));
    VALUE(SQRT, std::sqrt(x));
    VALUE(ADD_SQUARE, x + b * b);
    VALUE(DIV, x / b);
    VALUE(MOD, std::fmod(x, b));
    VALUE(POW, std::pow(x, b));
    VALUE(SUB, x - b);
    VALUE(ABS, std::fabs(x));
    VALUE(CEIL, std::ceil(x));
    VALUE(COS, std::cos(x));
    VALUE(EXP, std::exp(x));
    VALUE(FLOOR, std::floor(x));
    VALUE(LOG, std::log(x));
    VALUE(NEG, -x);
    VALUE(RSQRT, 1 / std::sqrt(x));
    VALUE(SIN, std::sin(x));
    VALUE(TAN, std::tan(x));
    VALUE(ERF, std::erf(x));
    VALUE(IDENTITY, x);
    VALUE(RECIPROCAL, 1 / x);
    VALUE(ATAN2, std::atan2(x, b));
    VALUE(RELU_FWD, x > p.low ? std::fmin(x, p.high) : p.low + p.slope * (x - p.low));
    VALUE(TANH_FWD, std::tanh(x));
    VALUE(SIGMOID_FWD, sigmoid(x));
    VALUE(ELU_FWD, x > 0 ? x : p.elu * std::expm1(x));
    VALUE(GELU_FWD, gelu(x));
    VALUE(SOFTPLUS_FWD,
          std::log1p(std::exp(-std::fabs(p.softplus * x))) / p.softplus + std::fmax(x, 0));
    VALUE(SWISH_FWD, x * sigmoid(p.swish * x));
    VALUE(GELU_APPROX_TANH_FWD, 0.5 * x * (1 + std::tanh(geluInner(x))));
    VALUE(CMP_EQ, x == b);
    VALUE(CMP_NEQ, x != b);
    VALUE(CMP_GT, x > b);
    VALUE(CMP_GE, x >= b);
    VALUE(CMP_LT, x < b);
    VALUE(CMP_LE, x <= b);
    VALUE(LOGICAL_AND, x != 0 && b != 0);
    VALUE(LOGICAL_OR, x != 0 || b != 0);
    VALUE(LOGICAL_NOT, x == 0);
    VALUE(BINARY_SELECT, t != 0 ? x : b);
#undef VALUE
  default:
    supported(false, "the mode of an operation element by element is not supported");
  }
}

/// The derivative at x (for those that are usually given the output, too).
double slope(cudnnPointwiseMode_t mode, const Parameters &p, double x) {
  switch (mode) {
  case CUDNN_POINTWISE_RELU_BWD:
    return x > p.low ? (x < p.high ? 1 : 0) : p.slope;
  case CUDNN_POINTWISE_TANH_BWD:
    return 1 - std::tanh(x) * std::tanh(x);
  case CUDNN_POINTWISE_SIGMOID_BWD:
    return sigmoid(x) * (1 - sigmoid(x));
  case CUDNN_POINTWISE_ELU_BWD:
    return x > 0 ? 1 : p.elu * std::exp(x);
  case CUDNN_POINTWISE_GELU_BWD:
    return 0.5 * (1 + std::erf(x * M_SQRT1_2)) +
           x * std::exp(-x * x / 2) * M_2_SQRTPI * M_SQRT1_2 / 2;
  case CUDNN_POINTWISE_SOFTPLUS_BWD:
    return sigmoid(p.softplus * x);
  case CUDNN_POINTWISE_SWISH_BWD: {
    const double s = sigmoid(p.swish * x);
    return s + p.swish * x * s * (1 - s);
  }
  case CUDNN_POINTWISE_GELU_APPROX_TANH_BWD: {
    const double h = std::tanh(geluInner(x));
    return 0.5 * (1 + h) +
           0.5 * x * (1 - h * h) * M_2_SQRTPI * M_SQRT1_2 * (1 + 3 * 0.044715 * x * x);
  }
  default:
    supported(false, "the mode of an operation element by element is not supported");
  }
  return 0;
}

template <typename T>
void backward(cudnnPointwiseMode_t mode, const Parameters &p, int64_t n, Row<T> xs, Row<T> dys,
              T *out) {
  for (int64_t i = 0; i < n; ++i)
    out[i] = T(double(dys.data[i * dys.step]) * slope(mode, p, double(xs.data[i * xs.step])));
}

/// A tensor's rows at the places of another one's, dimensions of 1 repeated.
template <typename T> class Repeated {
public:
  Repeated(const std::optional<BackendTensor> &t, const Tensor &to) {
    if (!t)
      return;
    at_.emplace(t->tensor, to);
    values_.emplace(t->tensor, t->data);
  }
  Row<T> row(int64_t first) const {
    static constexpr T nothing = 0;
    return at_ ? Row<T>{values_->data() + (at_->isSame() ? first : (*at_)(first)), at_->innerStep()}
               : Row<T>{&nothing, 0};
  }

private:
  std::optional<Broadcast> at_;
  std::optional<In<T>> values_;
};

Parameters parametersOf(const BackendNode &op, const BackendNode &d) {
  return {d.number(CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP, 0),
          d.number(CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, HUGE_VAL),
          d.number(CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE, 0),
          d.number(CUDNN_ATTR_POINTWISE_ELU_ALPHA, 1),
          d.number(CUDNN_ATTR_POINTWISE_SOFTPLUS_BETA, 1),
          d.number(CUDNN_ATTR_POINTWISE_SWISH_BETA, 1),
          op.number(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, 1),
          op.number(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, 1)};
}

void generateIndex(const BackendNode &d, const BackendTensor &y) {
  const auto axis = d.get<int64_t>(CUDNN_ATTR_POINTWISE_AXIS);
  need(axis >= 0 && axis < y.tensor.n, "the axis is out of range");
  if (!y.data)
    return;
  int64_t inner = 1;
  for (int i = int(axis) + 1; i < y.tensor.n; ++i)
    inner *= y.tensor.dim[size_t(i)];
  const int64_t all = y.tensor.dim[size_t(axis)];
  Out<double> out(y.tensor, y.data);
  parallelEach(y.tensor.count() / inner, std::max<int64_t>(1, 16384 / inner),
               [&](int64_t i) { std::fill_n(out.data() + i * inner, inner, double(i % all)); });
  out.finish();
}

struct Operands {
  BackendTensor y, x;
  std::optional<BackendTensor> b, t; // b: backward, the gradient
  bool backward;

  bool isWide() const {
    return y.isWide() || x.isWide() || (b && b->isWide()) || (t && t->isWide());
  }
};

Operands operandsOf(const BackendNode &op, bool backward, BackendTensors &t) {
  const auto other = [&](cudnnBackendAttributeName_t name) {
    return op.has(name) ? std::optional(t.at(op.node(name))) : std::nullopt;
  };
  return {t.at(op.node(backward ? CUDNN_ATTR_OPERATION_POINTWISE_DXDESC
                                : CUDNN_ATTR_OPERATION_POINTWISE_YDESC)),
          t.at(op.node(CUDNN_ATTR_OPERATION_POINTWISE_XDESC)),
          other(backward ? CUDNN_ATTR_OPERATION_POINTWISE_DYDESC
                         : CUDNN_ATTR_OPERATION_POINTWISE_BDESC),
          other(CUDNN_ATTR_OPERATION_POINTWISE_TDESC), backward};
}

template <typename T>
void compute(cudnnPointwiseMode_t mode, const Parameters &p, const Operands &o) {
  const Tensor &to = o.y.tensor;
  const Repeated<T> x(o.x, to), b(o.b, to), t(o.t, to);
  // A repeated operand may lie where the result does.
  Out<T> out(to, o.y.data, {}, {o.x.data, o.b ? o.b->data : nullptr, o.t ? o.t->data : nullptr});
  const int64_t length = to.dim[size_t(to.n - 1)];
  parallelEach(to.count() / length, std::max<int64_t>(1, 4096 / length), [&](int64_t row) {
    const int64_t first = row * length;
    if (o.backward)
      backward<T>(mode, p, length, x.row(first), b.row(first), out.data() + first);
    else
      forward<T>(mode, p, length, x.row(first), b.row(first), t.row(first), out.data() + first);
  });
  out.finish();
}

} // namespace

void runPointwise(const BackendNode &op, BackendTensors &t) {
  const BackendNode &d = op.node(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
  const auto mode = d.get<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE);
  const Parameters p = parametersOf(op, d);
  const bool is_backward = mode >= CUDNN_POINTWISE_RELU_BWD && mode < CUDNN_POINTWISE_CMP_EQ;
  if (mode == CUDNN_POINTWISE_GEN_INDEX)
    return generateIndex(d, t.at(op.node(CUDNN_ATTR_OPERATION_POINTWISE_YDESC)));
  const Operands o = operandsOf(op, is_backward, t);
  need(!is_backward || o.b, "the gradient of the output was not given");
  if (t.isTrial()) {
    for (const auto *each : {&o.x, o.b ? &*o.b : nullptr, o.t ? &*o.t : nullptr})
      if (each)
        (void)Broadcast(each->tensor, o.y.tensor);
    if (is_backward)
      (void)slope(mode, p, 0);
    else
      forward<double>(mode, p, 0, {}, {}, {}, nullptr);
    return;
  }
  byWidth(o.isWide(), [&]<typename T>() { compute<T>(mode, p, o); });
}

} // namespace heddle::cudnn
