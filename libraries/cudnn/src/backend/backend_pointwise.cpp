// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backend's operations element by element.
#include "backend_run.h"
#include "parallel.h"

#include <cmath>

namespace heddle::cudnn {
namespace {

struct Parameters {
  double low, high, slope, elu, softplus, swish;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }
double gelu(double x) { return x * 0.5 * (1 + std::erf(x * M_SQRT1_2)); }
double geluInner(double x) { return M_2_SQRTPI * M_SQRT1_2 * (x + 0.044715 * x * x * x); }

double forward(cudnnPointwiseMode_t mode, const Parameters &p, double x, double b, double t) {
  switch (mode) {
#define VALUE(name, value)                                                                         \
  case CUDNN_POINTWISE_##name:                                                                     \
    return value
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
  return 0;
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

/// A tensor's values at the places of another one, dimensions of 1 repeated.
struct Repeated {
  std::vector<double> values;
  Broadcast at;
  Repeated(const BackendTensor &t, const Tensor &to) : values(t.read()), at(t.tensor, to) {}
  double operator()(int64_t i) const { return values[size_t(at.isSame() ? i : at(i))]; }
};

} // namespace

void runPointwise(const BackendNode &op, BackendTensors &t) {
  const BackendNode &d = op.node(CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
  const auto mode = d.get<cudnnPointwiseMode_t>(CUDNN_ATTR_POINTWISE_MODE);
  const Parameters p{d.number(CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP, 0),
                     d.number(CUDNN_ATTR_POINTWISE_RELU_UPPER_CLIP, HUGE_VAL),
                     d.number(CUDNN_ATTR_POINTWISE_RELU_LOWER_CLIP_SLOPE, 0),
                     d.number(CUDNN_ATTR_POINTWISE_ELU_ALPHA, 1),
                     d.number(CUDNN_ATTR_POINTWISE_SOFTPLUS_BETA, 1),
                     d.number(CUDNN_ATTR_POINTWISE_SWISH_BETA, 1)};
  const bool backward = mode >= CUDNN_POINTWISE_RELU_BWD && mode < CUDNN_POINTWISE_CMP_EQ;
  const auto y = t.at(op.node(backward ? CUDNN_ATTR_OPERATION_POINTWISE_DXDESC
                                       : CUDNN_ATTR_OPERATION_POINTWISE_YDESC));
  std::vector<double> out(size_t(y.tensor.count()));
  if (mode == CUDNN_POINTWISE_GEN_INDEX) {
    const auto axis = d.get<int64_t>(CUDNN_ATTR_POINTWISE_AXIS);
    need(axis >= 0 && axis < y.tensor.n, "the axis is out of range");
    int64_t inner = 1;
    for (int i = int(axis) + 1; i < y.tensor.n; ++i)
      inner *= y.tensor.dim[size_t(i)];
    for (size_t i = 0; i < out.size(); ++i)
      out[i] = double(int64_t(i) / inner % y.tensor.dim[size_t(axis)]);
    y.write(out);
    return;
  }
  const Repeated x(t.at(op.node(CUDNN_ATTR_OPERATION_POINTWISE_XDESC)), y.tensor);
  const auto other = [&](cudnnBackendAttributeName_t name) {
    return op.has(name) ? std::optional<Repeated>(Repeated(t.at(op.node(name)), y.tensor))
                        : std::nullopt;
  };
  const auto b = other(backward ? CUDNN_ATTR_OPERATION_POINTWISE_DYDESC
                                : CUDNN_ATTR_OPERATION_POINTWISE_BDESC),
             select = other(CUDNN_ATTR_OPERATION_POINTWISE_TDESC);
  need(!backward || b, "the gradient of the output was not given");
  const double alpha1 = op.number(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA1, 1),
               alpha2 = op.number(CUDNN_ATTR_OPERATION_POINTWISE_ALPHA2, 1);
  for (int64_t i = 0; i < y.tensor.count(); ++i) {
    const double second = b ? (*b)(i) : 0;
    out[size_t(i)] =
        backward ? second * slope(mode, p, x(i))
                 : forward(mode, p, alpha1 * x(i), alpha2 * second, select ? (*select)(i) : 0);
  }
  y.write(out);
}

} // namespace heddle::cudnn
