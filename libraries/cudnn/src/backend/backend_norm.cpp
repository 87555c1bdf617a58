// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The backend's normalisations. Which elements are normalised together follows from the dimensions
// of the means: those that are 1 there are averaged over.
#include "backend_run.h"

#include <cmath>

namespace heddle::cudnn {
namespace {

using Values = std::vector<double>;

#define FWD(name) CUDNN_ATTR_OPERATION_NORM_FWD_##name
#define BWD(name) CUDNN_ATTR_OPERATION_NORM_BWD_##name

/// The shape of the statistics that go with a mode.
Tensor statisticsShape(cudnnBackendNormMode_t mode, const Tensor &x, const Tensor &scale) {
  Tensor s = packedLike(x, true);
  for (int i = 0; i < s.n; ++i) {
    const bool kept = mode == CUDNN_BATCH_NORM      ? i == 1
                      : mode == CUDNN_INSTANCE_NORM ? i < 2
                                                    : scale.dim[size_t(i)] != x.dim[size_t(i)];
    if (!kept)
      s.dim[size_t(i)] = 1;
  }
  supported(mode != CUDNN_GROUP_NORM, "normalisation by groups is not supported");
  return s;
}

double scalarAt(const BackendNode &op, BackendTensors &t, cudnnBackendAttributeName_t name,
                double otherwise) {
  return op.has(name) ? t.at(op.node(name)).read()[0] : otherwise;
}

void writeIf(const BackendNode &op, BackendTensors &t, cudnnBackendAttributeName_t name,
             const Values &values) {
  if (op.has(name))
    t.at(op.node(name)).write(values);
}

struct Statistics {
  Values mean, inverse, variance;
  double size;
};

Statistics statisticsOf(const Values &x, const Broadcast &set, size_t sets, bool centred,
                        double epsilon) {
  Statistics s{Values(sets), Values(sets), Values(sets), double(x.size()) / double(sets)};
  if (centred)
    for (size_t i = 0; i < x.size(); ++i)
      s.mean[size_t(set(int64_t(i)))] += x[i] / s.size;
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t k = size_t(set(int64_t(i)));
    s.variance[k] += (x[i] - s.mean[k]) * (x[i] - s.mean[k]) / s.size;
  }
  for (size_t k = 0; k < sets; ++k)
    s.inverse[k] = 1 / std::sqrt(s.variance[k] + epsilon);
  return s;
}

void updateRunning(const BackendNode &op, BackendTensors &t, const Statistics &s) {
  if (!op.has(FWD(INPUT_RUNNING_MEAN_DESC)) || !op.has(FWD(OUTPUT_RUNNING_MEAN_DESC)))
    return;
  const double f = scalarAt(op, t, FWD(EXP_AVG_FACTOR_DESC), 1);
  Values mean = t.at(op.node(FWD(INPUT_RUNNING_MEAN_DESC))).read(),
         variance = t.at(op.node(FWD(INPUT_RUNNING_VAR_DESC))).read();
  for (size_t k = 0; k < mean.size(); ++k) {
    mean[k] = (1 - f) * mean[k] + f * s.mean[k];
    variance[k] =
        (1 - f) * variance[k] + f * s.variance[k] * (s.size > 1 ? s.size / (s.size - 1) : 1);
  }
  t.at(op.node(FWD(OUTPUT_RUNNING_MEAN_DESC))).write(mean);
  t.at(op.node(FWD(OUTPUT_RUNNING_VAR_DESC))).write(variance);
}

} // namespace

void runNormForward(const BackendNode &op, BackendTensors &t) {
  const auto mode = op.get<cudnnBackendNormMode_t>(FWD(MODE));
  const bool training = op.get<cudnnBackendNormFwdPhase_t>(FWD(PHASE)) == CUDNN_NORM_FWD_TRAINING;
  const auto xt = t.at(op.node(FWD(XDESC))), scale = t.at(op.node(FWD(SCALE_DESC)));
  const Tensor shape = statisticsShape(mode, xt.tensor, scale.tensor);
  const Broadcast set(shape, xt.tensor), parameter(scale.tensor, xt.tensor);
  const Values x = xt.read(), gamma = scale.read();
  const Values beta =
      op.has(FWD(BIAS_DESC)) ? t.at(op.node(FWD(BIAS_DESC))).read() : Values(gamma.size());
  Statistics s;
  if (!training && mode == CUDNN_BATCH_NORM) {
    s.mean = t.at(op.node(FWD(MEAN_DESC))).read();
    s.inverse = t.at(op.node(FWD(INV_VARIANCE_DESC))).read();
  } else {
    s = statisticsOf(x, set, size_t(shape.count()), mode != CUDNN_RMS_NORM,
                     scalarAt(op, t, FWD(EPSILON_DESC), 0));
  }
  Values y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t k = size_t(set(int64_t(i))), p = size_t(parameter(int64_t(i)));
    y[i] = gamma[p] * (x[i] - s.mean[k]) * s.inverse[k] + beta[p];
  }
  t.at(op.node(FWD(YDESC))).write(y);
  if (!training)
    return;
  if (mode != CUDNN_RMS_NORM)
    writeIf(op, t, FWD(MEAN_DESC), s.mean);
  writeIf(op, t, FWD(INV_VARIANCE_DESC), s.inverse);
  updateRunning(op, t, s);
}

void runNormBackward(const BackendNode &op, BackendTensors &t) {
  const auto mode = op.get<cudnnBackendNormMode_t>(BWD(MODE));
  const auto xt = t.at(op.node(BWD(XDESC))), scale = t.at(op.node(BWD(SCALE_DESC)));
  const Tensor shape = statisticsShape(mode, xt.tensor, scale.tensor);
  const Broadcast set(shape, xt.tensor), parameter(scale.tensor, xt.tensor);
  const bool centred = mode != CUDNN_RMS_NORM;
  const Values x = xt.read(), gamma = scale.read(), dy = t.at(op.node(BWD(DYDESC))).read();
  const size_t sets = size_t(shape.count());
  Statistics s = statisticsOf(x, set, sets, centred, scalarAt(op, t, BWD(EPSILON_DESC), 0));
  if (op.has(BWD(INV_VARIANCE_DESC))) {
    s.inverse = t.at(op.node(BWD(INV_VARIANCE_DESC))).read();
    if (centred)
      s.mean = t.at(op.node(BWD(MEAN_DESC))).read();
  }
  Values sum(sets), product(sets), d_scale(gamma.size()), d_bias(gamma.size()), dx(x.size());
  const auto normal = [&](size_t i, size_t k) { return (x[i] - s.mean[k]) * s.inverse[k]; };
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t k = size_t(set(int64_t(i))), p = size_t(parameter(int64_t(i)));
    sum[k] += dy[i] * gamma[p] / s.size;
    product[k] += dy[i] * gamma[p] * normal(i, k) / s.size;
    d_scale[p] += dy[i] * normal(i, k);
    d_bias[p] += dy[i];
  }
  for (size_t i = 0; i < x.size(); ++i) {
    const size_t k = size_t(set(int64_t(i))), p = size_t(parameter(int64_t(i)));
    dx[i] = s.inverse[k] * (dy[i] * gamma[p] - (centred ? sum[k] : 0) - normal(i, k) * product[k]);
  }
  t.at(op.node(BWD(DXDESC))).write(dx);
  writeIf(op, t, BWD(DSCALE_DESC), d_scale);
  writeIf(op, t, BWD(DBIAS_DESC), d_bias);
}

#define BN(name) CUDNN_ATTR_OPERATION_BN_FINALIZE_##name

void runFinalizeStatistics(const BackendNode &op, BackendTensors &t) {
  supported(op.get<cudnnBnFinalizeStatsMode_t>(BN(STATS_MODE)) ==
                CUDNN_BN_FINALIZE_STATISTICS_TRAINING,
            "statistics are finalized for training only");
  const Values sum = t.at(op.node(BN(Y_SUM_DESC))).read(),
               squares = t.at(op.node(BN(Y_SQ_SUM_DESC))).read(),
               scale = t.at(op.node(BN(SCALE_DESC))).read(),
               bias = t.at(op.node(BN(BIAS_DESC))).read();
  const double n = scalarAt(op, t, BN(ACCUM_COUNT_DESC), 1),
               epsilon = scalarAt(op, t, BN(EPSILON_DESC), 0),
               f = scalarAt(op, t, BN(EXP_AVERATE_FACTOR_DESC), 1);
  const size_t count = sum.size();
  Values mean(count), inverse(count), eq_scale(count), eq_bias(count), running_mean(count),
      running_variance(count);
  const bool runs = op.has(BN(PREV_RUNNING_MEAN_DESC));
  if (runs) {
    running_mean = t.at(op.node(BN(PREV_RUNNING_MEAN_DESC))).read();
    running_variance = t.at(op.node(BN(PREV_RUNNING_VAR_DESC))).read();
  }
  for (size_t i = 0; i < count; ++i) {
    mean[i] = sum[i] / n;
    const double variance = std::fmax(squares[i] / n - mean[i] * mean[i], 0);
    inverse[i] = 1 / std::sqrt(variance + epsilon);
    eq_scale[i] = scale[i] * inverse[i];
    eq_bias[i] = bias[i] - mean[i] * eq_scale[i];
    running_mean[i] = (1 - f) * running_mean[i] + f * mean[i];
    running_variance[i] = (1 - f) * running_variance[i] + f * variance * (n > 1 ? n / (n - 1) : 1);
  }
  writeIf(op, t, BN(SAVED_MEAN_DESC), mean);
  writeIf(op, t, BN(SAVED_INV_STD_DESC), inverse);
  writeIf(op, t, BN(EQ_SCALE_DESC), eq_scale);
  writeIf(op, t, BN(EQ_BIAS_DESC), eq_bias);
  if (runs) {
    writeIf(op, t, BN(UPDATED_RUNNING_MEAN_DESC), running_mean);
    writeIf(op, t, BN(UPDATED_RUNNING_VAR_DESC), running_variance);
  }
}

} // namespace heddle::cudnn
