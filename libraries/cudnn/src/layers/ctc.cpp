// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Connectionist temporal classification (Graves et al., 2006), in double, with label 0 as the
// blank.
#include "parallel.h"
#include "tensor.h"

#include <cmath>
#include <limits>

struct cudnnCTCLossStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnLossNormalizationMode_t normalization = CUDNN_LOSS_NORMALIZATION_NONE;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  cudnnCTCGradMode_t gradient = CUDNN_CTC_ZERO_OOB_GRADIENTS;
  int longest = 255;
};

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(CTCLossDescriptor, cudnnCTCLossStruct)

namespace {

void setLoss(cudnnCTCLossDescriptor_t descriptor, const cudnnCTCLossStruct &to) {
  auto &d = live(descriptor);
  supported(to.type == CUDNN_DATA_FLOAT, "CTC losses are computed for CUDNN_DATA_FLOAT");
  need(unsigned(to.normalization) <= CUDNN_LOSS_NORMALIZATION_SOFTMAX &&
           unsigned(to.nan) <= CUDNN_PROPAGATE_NAN &&
           unsigned(to.gradient) <= CUDNN_CTC_SKIP_OOB_GRADIENTS,
       "there is no such mode");
  need(to.longest >= 0, "the longest label is negative");
  d = to;
}

} // namespace

cudnnStatus_t cudnnSetCTCLossDescriptor(cudnnCTCLossDescriptor_t descriptor, cudnnDataType_t type) {
  return call(__func__, [&] { setLoss(descriptor, {type}); });
}
cudnnStatus_t cudnnSetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t descriptor, cudnnDataType_t type,
                                          cudnnLossNormalizationMode_t normalization,
                                          cudnnNanPropagation_t nan) {
  return call(__func__, [&] { setLoss(descriptor, {type, normalization, nan}); });
}
cudnnStatus_t cudnnSetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t descriptor,
                                           cudnnDataType_t type,
                                           cudnnLossNormalizationMode_t normalization,
                                           cudnnNanPropagation_t nan, int longest) {
  return call(__func__, [&] {
    setLoss(descriptor, {type, normalization, nan, CUDNN_CTC_ZERO_OOB_GRADIENTS, longest});
  });
}
cudnnStatus_t cudnnSetCTCLossDescriptor_v9(cudnnCTCLossDescriptor_t descriptor,
                                           cudnnDataType_t type,
                                           cudnnLossNormalizationMode_t normalization,
                                           cudnnCTCGradMode_t gradient, int longest) {
  return call(__func__, [&] {
    setLoss(descriptor, {type, normalization, CUDNN_NOT_PROPAGATE_NAN, gradient, longest});
  });
}

cudnnStatus_t cudnnGetCTCLossDescriptor(cudnnCTCLossDescriptor_t descriptor,
                                        cudnnDataType_t *type) {
  return call(__func__, [&] { give(type, live(descriptor).type); });
}
cudnnStatus_t cudnnGetCTCLossDescriptorEx(cudnnCTCLossDescriptor_t descriptor,
                                          cudnnDataType_t *type,
                                          cudnnLossNormalizationMode_t *normalization,
                                          cudnnNanPropagation_t *nan) {
  return call(__func__, [&] {
    const auto &d = live(descriptor);
    give(type, d.type);
    give(normalization, d.normalization);
    give(nan, d.nan);
  });
}
cudnnStatus_t cudnnGetCTCLossDescriptor_v8(cudnnCTCLossDescriptor_t descriptor,
                                           cudnnDataType_t *type,
                                           cudnnLossNormalizationMode_t *normalization,
                                           cudnnNanPropagation_t *nan, int *longest) {
  return call(__func__, [&] {
    const auto &d = live(descriptor);
    give(type, d.type);
    give(normalization, d.normalization);
    give(nan, d.nan);
    give(longest, d.longest);
  });
}
cudnnStatus_t cudnnGetCTCLossDescriptor_v9(cudnnCTCLossDescriptor_t descriptor,
                                           cudnnDataType_t *type,
                                           cudnnLossNormalizationMode_t *normalization,
                                           cudnnCTCGradMode_t *gradient, int *longest) {
  return call(__func__, [&] {
    const auto &d = live(descriptor);
    give(type, d.type);
    give(normalization, d.normalization);
    give(gradient, d.gradient);
    give(longest, d.longest);
  });
}

namespace {

constexpr double never = -std::numeric_limits<double>::infinity();

double addLogs(double a, double b) {
  if (a == never || b == never)
    return std::max(a, b);
  return std::max(a, b) + std::log1p(std::exp(-std::fabs(a - b)));
}

/// One sequence: log probabilities of `letters` letters at each of `times` times, and its labels
/// with blanks between, before and behind them.
struct Sequence {
  int64_t times, letters;
  std::vector<double> logs;
  std::vector<int> path;

  double log(int64_t t, size_t s) const { return logs[size_t(t * letters + path[s])]; }
  bool mayskip(size_t s) const { return s >= 2 && path[s] != 0 && path[s] != path[s - 2]; }

  /// The logarithms of the sums over all ways that come to (t, s), and those that go on from there.
  std::vector<double> prefixes() const {
    const size_t n = path.size();
    std::vector<double> a(size_t(times) * n, never);
    for (int64_t t = 0; t < times; ++t)
      for (size_t s = 0; s < n; ++s) {
        const size_t at = size_t(t) * n + s;
        double sum = t == 0 ? (s < 2 ? 0 : never) : a[at - n];
        if (t > 0 && s >= 1)
          sum = addLogs(sum, a[at - n - 1]);
        if (t > 0 && mayskip(s))
          sum = addLogs(sum, a[at - n - 2]);
        a[at] = sum + log(t, s);
      }
    return a;
  }
  std::vector<double> suffixes() const {
    const size_t n = path.size();
    std::vector<double> b(size_t(times) * n, never);
    for (int64_t t = times - 1; t >= 0; --t)
      for (size_t s = n; s-- > 0;) {
        const size_t at = size_t(t) * n + s;
        if (t == times - 1) {
          b[at] = s + 2 >= n ? 0 : never;
          continue;
        }
        double sum = b[at + n] + log(t + 1, s);
        if (s + 1 < n)
          sum = addLogs(sum, b[at + n + 1] + log(t + 1, s + 1));
        if (s + 2 < n && mayskip(s + 2))
          sum = addLogs(sum, b[at + n + 2] + log(t + 1, s + 2));
        b[at] = sum;
      }
    return b;
  }
};

struct Loss {
  cudnnCTCLossStruct d;
  Tensor pt, gt; // times, sequences, letters
  const float *probabilities;
  float *costs, *gradients;

  Sequence sequence(const In<float> &p, int64_t i, const int *labels, int count, int times) const {
    Sequence s{times, pt.dim[2], {}, {0}};
    for (int k = 0; k < count; ++k)
      s.path.insert(s.path.end(), {labels[k], 0});
    s.logs.resize(size_t(s.times * s.letters));
    for (int64_t t = 0; t < times; ++t) {
      const float *row = p.data() + (t * pt.dim[1] + i) * s.letters;
      double *to = s.logs.data() + t * s.letters;
      double sum = 0, most = never;
      for (int64_t k = 0; k < s.letters; ++k)
        most = std::max(most, double(row[k]));
      for (int64_t k = 0; k < s.letters; ++k)
        sum += std::exp(double(row[k]) - most);
      for (int64_t k = 0; k < s.letters; ++k)
        to[k] = d.normalization == CUDNN_LOSS_NORMALIZATION_SOFTMAX
                    ? double(row[k]) - most - std::log(sum)
                    : std::log(double(row[k]));
    }
    return s;
  }
  /// The cost of sequence i, and its gradient by the letters' activations before softmax.
  void one(int64_t i, const Sequence &s, double *gradient) const {
    const size_t n = s.path.size();
    const auto a = s.prefixes(), b = s.suffixes();
    const size_t last = size_t(s.times - 1) * n;
    const double total = n > 1 ? addLogs(a[last + n - 1], a[last + n - 2]) : a[last + n - 1];
    costs[i] = float(-total);
    if (!gradient)
      return;
    const bool impossible = total == never;
    for (int64_t t = 0; t < s.times; ++t) {
      double *row = gradient + (t * pt.dim[1] + i) * s.letters;
      for (int64_t k = 0; k < s.letters; ++k)
        row[k] = impossible ? (d.nan == CUDNN_PROPAGATE_NAN ? NAN : 0)
                            : std::exp(s.logs[size_t(t * s.letters + k)]);
      for (size_t k = 0; k < n && !impossible; ++k)
        row[s.path[k]] -= std::exp(a[size_t(t) * n + k] + b[size_t(t) * n + k] - total);
    }
  }
  void operator()(const int *labels, const int *label_lengths, const int *input_lengths) const {
    const In<float> p(pt, probabilities);
    std::vector<double> gradient(gradients ? size_t(gt.count()) : 0);
    if (gradients && d.gradient == CUDNN_CTC_SKIP_OOB_GRADIENTS)
      readElements(gt, gradients, gradient.data());
    std::vector<int64_t> first(size_t(pt.dim[1]) + 1);
    for (int64_t i = 0; i < pt.dim[1]; ++i) {
      need(label_lengths[i] >= 0 && label_lengths[i] <= d.longest && input_lengths[i] > 0 &&
               input_lengths[i] <= pt.dim[0],
           "a length is out of range");
      first[size_t(i) + 1] = first[size_t(i)] + label_lengths[i];
    }
    for (int64_t k = 0; k < first.back(); ++k)
      need(labels[k] > 0 && labels[k] < pt.dim[2], "a label is out of range");
    parallelEach(pt.dim[1], 1, [&](int64_t i) {
      one(i, sequence(p, i, labels + first[size_t(i)], label_lengths[i], input_lengths[i]),
          gradients ? gradient.data() : nullptr);
    });
    if (gradients)
      writeElements(gt, gradients, gradient.data(), {});
  }
};

Loss lossOf(const cudnnCTCLossStruct *descriptor, const cudnnTensorStruct *p_desc,
            const void *probabilities, void *costs, const cudnnTensorStruct *g_desc,
            void *gradients, cudnnCTCLossAlgo_t algorithm) {
  const Tensor pt = contents(p_desc), gt = gradients ? contents(g_desc) : pt;
  needSameShape(pt, gt);
  need(pt.n == 3, "the probabilities have not 3 dimensions");
  supported(pt.type == CUDNN_DATA_FLOAT && gt.type == CUDNN_DATA_FLOAT,
            "CTC losses are computed for CUDNN_DATA_FLOAT");
  need(unsigned(algorithm) <= CUDNN_CTC_LOSS_ALGO_NON_DETERMINISTIC, "there is no such algorithm");
  needPointers(probabilities, costs);
  return {live(descriptor),
          pt,
          gt,
          static_cast<const float *>(probabilities),
          static_cast<float *>(costs),
          static_cast<float *>(gradients)};
}

} // namespace

cudnnStatus_t cudnnGetCTCLossWorkspaceSize(cudnnHandle_t handle,
                                           const cudnnTensorDescriptor_t p_desc,
                                           const cudnnTensorDescriptor_t, const int *labels,
                                           const int *label_lengths, const int *input_lengths,
                                           cudnnCTCLossAlgo_t, cudnnCTCLossDescriptor_t descriptor,
                                           size_t *bytes) {
  return call(__func__, [&] {
    live(handle);
    live(descriptor);
    (void)contents(p_desc);
    needPointers(labels, label_lengths, input_lengths, bytes);
    *bytes = 0;
  });
}

cudnnStatus_t cudnnGetCTCLossWorkspaceSize_v8(cudnnHandle_t handle, cudnnCTCLossAlgo_t,
                                              cudnnCTCLossDescriptor_t descriptor,
                                              const cudnnTensorDescriptor_t p_desc,
                                              const cudnnTensorDescriptor_t, size_t *bytes) {
  return call(__func__, [&] {
    live(handle);
    live(descriptor);
    (void)contents(p_desc);
    needPointers(bytes);
    *bytes = 0;
  });
}

cudnnStatus_t cudnnCTCLoss(cudnnHandle_t handle, const cudnnTensorDescriptor_t p_desc,
                           const void *probabilities, const int labels[], const int label_lengths[],
                           const int input_lengths[], void *costs,
                           const cudnnTensorDescriptor_t g_desc, void *gradients,
                           cudnnCTCLossAlgo_t algorithm, cudnnCTCLossDescriptor_t descriptor,
                           void *, size_t) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Loss loss =
        lossOf(descriptor, p_desc, probabilities, costs, g_desc, gradients, algorithm);
    needPointers(labels, label_lengths, input_lengths);
    // The labels are in host memory, so they are taken along.
    const size_t n = size_t(loss.pt.dim[1]);
    const std::vector<int> lengths(label_lengths, label_lengths + n),
        times(input_lengths, input_lengths + n);
    size_t all = 0;
    for (const int length : lengths) {
      need(length >= 0, "a length is negative");
      all += size_t(length);
    }
    const std::vector<int> letters(labels, labels + all);
    run(handle, name, [=] { loss(letters.data(), lengths.data(), times.data()); });
  });
}

cudnnStatus_t cudnnCTCLoss_v8(cudnnHandle_t handle, cudnnCTCLossAlgo_t algorithm,
                              cudnnCTCLossDescriptor_t descriptor,
                              const cudnnTensorDescriptor_t p_desc, const void *probabilities,
                              const int labels[], const int label_lengths[],
                              const int input_lengths[], void *costs,
                              const cudnnTensorDescriptor_t g_desc, void *gradients, size_t,
                              void *) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Loss loss =
        lossOf(descriptor, p_desc, probabilities, costs, g_desc, gradients, algorithm);
    needPointers(labels, label_lengths, input_lengths);
    run(handle, name, [=] { loss(labels, label_lengths, input_lengths); });
  });
}
