// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Convolutions of cuDNN: all passes against plain loops, in every layout and type, with alpha and
// beta; algorithms and workspaces; bias and activation; streams, graphs, threads, bad arguments.
//
// flags: -std=c++17 -lcudnn

#include "cudnn_check.h"

#include <cuda_fp16.h>
#include <string>
#include <thread>

namespace {

cudnnHandle_t handle;

struct Case {
  int n, c, h, w, k, r, s, pad, stride, dilation, groups;
  cudnnConvolutionMode_t mode;
  int out(int size, int window) const {
    return (size + 2 * pad - ((window - 1) * dilation + 1)) / stride + 1;
  }
  int p() const { return out(h, r); }
  int q() const { return out(w, s); }
  size_t xs() const { return size_t(n) * c * h * w; }
  size_t ws() const { return size_t(k) * (c / groups) * r * s; }
  size_t ys() const { return size_t(n) * k * p() * q(); }
};
const Case cases[] = {
    {2, 3, 8, 7, 4, 3, 3, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION},
    {1, 4, 9, 9, 6, 3, 2, 0, 2, 1, 2, CUDNN_CROSS_CORRELATION},
    {2, 2, 10, 11, 3, 3, 3, 2, 1, 2, 1, CUDNN_CONVOLUTION},
    {1, 16, 6, 6, 32, 1, 1, 0, 1, 1, 1, CUDNN_CROSS_CORRELATION},
    {3, 8, 7, 5, 8, 5, 3, 2, 2, 1, 8, CUDNN_CONVOLUTION},
};

/// f(x's index, w's index, y's index) of all that meet.
template <class F> void each(const Case &a, F f) {
  const int cg = a.c / a.groups, kg = a.k / a.groups;
  for (int n = 0; n < a.n; ++n)
    for (int k = 0; k < a.k; ++k)
      for (int c = 0; c < cg; ++c)
        for (int p = 0; p < a.p(); ++p)
          for (int q = 0; q < a.q(); ++q)
            for (int r = 0; r < a.r; ++r)
              for (int s = 0; s < a.s; ++s) {
                const int h = p * a.stride - a.pad + r * a.dilation,
                          w = q * a.stride - a.pad + s * a.dilation;
                if (h < 0 || h >= a.h || w < 0 || w >= a.w)
                  continue;
                const bool flip = a.mode == CUDNN_CONVOLUTION;
                const int rr = flip ? a.r - 1 - r : r, ss = flip ? a.s - 1 - s : s;
                f(size_t((n * a.c + k / kg * cg + c) * a.h + h) * a.w + w,
                  size_t((k * cg + c) * a.r + rr) * a.s + ss,
                  size_t((n * a.k + k) * a.p() + p) * a.q() + q);
              }
}

struct Setup {
  Case a;
  TensorDescriptor x, y;
  FilterDescriptor w;
  ConvolutionDescriptor conv;
  Setup(const Case &given, cudnnDataType_t type, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW)
      : a(given) {
    OK(cudnnSetTensor4dDescriptor(x, format, type, a.n, a.c, a.h, a.w));
    OK(cudnnSetTensor4dDescriptor(y, format, type, a.n, a.k, a.p(), a.q()));
    OK(cudnnSetFilter4dDescriptor(w, type, format, a.k, a.c / a.groups, a.r, a.s));
    OK(cudnnSetConvolution2dDescriptor(conv, a.pad, a.pad, a.stride, a.stride, a.dilation,
                                       a.dilation, a.mode,
                                       type == CUDNN_DATA_DOUBLE ? type : CUDNN_DATA_FLOAT));
    OK(cudnnSetConvolutionGroupCount(conv, a.groups));
    OK(cudnnSetConvolutionMathType(conv, CUDNN_FMA_MATH));
  }
};

template <class T> void passes(const Case &a) {
  Setup s(a, DataType<T>::value);
  Array<T> x(a.xs(), 1), w(a.ws(), 2), y(a.ys(), 3);
  const T alpha = T(0.5), beta = T(-2), one = 1, zero = 0;
  const double allowed = sizeof(T) == 8 ? 1e-12 : 2e-5;
  std::vector<double> ex = x.values(), ew = w.values(), ey = y.values();
  for (double &v : ey)
    v *= -2;
  each(a, [&](size_t i, size_t j, size_t o) { ey[o] += 0.5 * ex[i] * ew[j]; });
  Array<char> workspace(1 << 22);
  size_t bytes = 0;
  OK(cudnnGetConvolutionForwardWorkspaceSize(handle, s.x, s.w, s.conv, s.y,
                                             CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, &bytes));
  OK(cudnnConvolutionForward(handle, &alpha, s.x, x, s.w, w, s.conv,
                             CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, workspace, bytes, &beta, s.y,
                             y));
  compare(y, ey, allowed);
  // The gradients of the sum of y's elements times themselves.
  std::vector<double> dx(a.xs(), 0), dw(a.ws(), 0), dy = y.values();
  each(a, [&](size_t i, size_t j, size_t o) {
    dx[i] += dy[o] * ew[j];
    dw[j] += dy[o] * ex[i];
  });
  OK(cudnnGetConvolutionBackwardDataWorkspaceSize(handle, s.w, s.y, s.conv, s.x,
                                                  CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, &bytes));
  OK(cudnnConvolutionBackwardData(handle, &one, s.w, w, s.y, y, s.conv,
                                  CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, workspace, bytes, &zero, s.x,
                                  x));
  compare(x, dx, 4 * allowed);
  x.set(ex);
  OK(cudnnGetConvolutionBackwardFilterWorkspaceSize(handle, s.x, s.y, s.conv, s.w,
                                                    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, &bytes));
  OK(cudnnConvolutionBackwardFilter(handle, &alpha, s.x, x, s.y, y, s.conv,
                                    CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, workspace, bytes, &one,
                                    s.w, w));
  for (size_t i = 0; i < dw.size(); ++i)
    dw[i] = 0.5 * dw[i] + ew[i];
  compare(w, dw, 8 * allowed);
}

void layouts() {
  // NHWC has the same results, half is rounded once.
  const Case a = {2, 8, 6, 5, 8, 3, 3, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION};
  const float one = 1, zero = 0;
  std::vector<double> ey(a.ys(), 0);
  Array<float> x(a.xs(), 1), w(a.ws(), 2), y(a.ys());
  each(a, [&](size_t i, size_t j, size_t o) { ey[o] += double(x[i]) * w[j]; });
  Setup nchw(a, CUDNN_DATA_FLOAT), nhwc(a, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NHWC);
  Array<float> x2(a.xs()), w2(a.ws()), y2(a.ys());
  OK(cudnnTransformTensor(handle, &one, nchw.x, x, &zero, nhwc.x, x2));
  for (int k = 0; k < a.k; ++k)
    for (int c = 0; c < a.c; ++c)
      for (int i = 0; i < 9; ++i)
        w2[size_t((k * 9 + i) * a.c + c)] = w[size_t((k * a.c + c) * 9 + i)];
  Array<char> workspace(1 << 22);
  OK(cudnnConvolutionForward(handle, &one, nhwc.x, x2, nhwc.w, w2, nhwc.conv,
                             CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, workspace,
                             workspace.count, &zero, nhwc.y, y2));
  OK(cudnnTransformTensor(handle, &one, nhwc.y, y2, &zero, nchw.y, y));
  compare(y, ey, 2e-5);
  Setup half(a, CUDNN_DATA_HALF);
  Array<__half> xh(a.xs()), wh(a.ws()), yh(a.ys());
  for (size_t i = 0; i < a.xs(); ++i)
    xh[i] = __float2half(x[i]);
  for (size_t i = 0; i < a.ws(); ++i)
    wh[i] = __float2half(w[i]);
  OK(cudnnConvolutionForward(handle, &one, half.x, xh, half.w, wh, half.conv,
                             CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, workspace,
                             workspace.count, &zero, half.y, yh));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (size_t i = 0; i < a.ys(); ++i)
    CHECK_NEAR(double(__half2float(yh[i])), ey[i], 0.02 * std::max(1.0, std::fabs(ey[i])));
}

void threeDimensions() {
  const int xd[] = {1, 2, 4, 5, 6}, wd[] = {3, 2, 2, 3, 2}, pad[] = {1, 0, 1}, stride[] = {1, 2, 1},
            dilation[] = {1, 1, 2};
  TensorN x(CUDNN_DATA_FLOAT, {1, 2, 4, 5, 6});
  FilterDescriptor w;
  ConvolutionDescriptor c;
  OK(cudnnSetFilterNdDescriptor(w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, 5, wd));
  OK(cudnnSetConvolutionNdDescriptor(c, 3, pad, stride, dilation, CUDNN_CROSS_CORRELATION,
                                     CUDNN_DATA_FLOAT));
  int n = 0, gp[3], gs[3], gd[3], yd[5];
  cudnnConvolutionMode_t mode;
  cudnnDataType_t type;
  OK(cudnnGetConvolutionNdDescriptor(c, 3, &n, gp, gs, gd, &mode, &type));
  CHECK(n == 3 && gp[0] == 1 && gs[1] == 2 && gd[2] == 2 && mode == CUDNN_CROSS_CORRELATION);
  OK(cudnnGetConvolutionNdForwardOutputDim(c, x, w, 5, yd));
  CHECK(yd[0] == 1 && yd[1] == 3 && yd[2] == 5 && yd[3] == 2 && yd[4] == 6);
  TensorN y(CUDNN_DATA_FLOAT, {yd[0], yd[1], yd[2], yd[3], yd[4]});
  Array<float> xa(240, 1), wa(72, 2), ya(180);
  const float one = 1, zero = 0;
  OK(cudnnConvolutionForward(handle, &one, x, xa, w, wa, c,
                             CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, y, ya));
  CHECK_CUDA(cudaDeviceSynchronize());
  for (int k = 0, o = 0; k < 3; ++k)
    for (int z = 0; z < yd[2]; ++z)
      for (int p = 0; p < yd[3]; ++p)
        for (int q = 0; q < yd[4]; ++q, ++o) {
          double sum = 0;
          for (int i = 0; i < 24; ++i) {
            const int ch = i / 12, t = i / 6 % 2, r = i / 2 % 3, s = i % 2;
            const int d = z - 1 + t, h = p * 2 + r, v = q - 1 + 2 * s;
            if (d >= 0 && d < xd[2] && h < xd[3] && v >= 0 && v < xd[4])
              sum += double(xa[size_t(((ch * 4 + d) * 5 + h) * 6 + v)]) * wa[size_t(k * 24 + i)];
          }
          CHECK_NEAR(ya[size_t(o)], sum, 1e-5);
        }
}

template <class Perf, class Max, class Get, class Find>
void algorithmsOf(Max max, Get get, Find find) {
  int count = 0, returned = 0;
  OK(max(&count));
  CHECK(count > 1);
  std::vector<Perf> p(size_t(count) + 2);
  for (int searched = 0; searched < 2; ++searched) {
    if (searched)
      OK(find(count, &returned, p.data()));
    else
      OK(get(count, &returned, p.data()));
    CHECK(returned > 0 && returned <= count);
    CHECK_EQ(p[0].status, CUDNN_STATUS_SUCCESS);
    CHECK(!searched || p[0].time >= 0);
    OK(get(1, &returned, p.data()));
    CHECK_EQ(returned, 1);
  }
}

void algorithms() {
  const Case a = cases[0];
  Setup s(a, CUDNN_DATA_FLOAT);
  Array<float> x(a.xs(), 1), w(a.ws(), 2), y(a.ys(), 3);
  Array<char> work(1 << 22);
  for (int ex = 0; ex < 2; ++ex) {
    algorithmsOf<cudnnConvolutionFwdAlgoPerf_t>(
        [](int *n) { return cudnnGetConvolutionForwardAlgorithmMaxCount(handle, n); },
        [&](int n, int *m, auto *p) {
          return cudnnGetConvolutionForwardAlgorithm_v7(handle, s.x, s.w, s.conv, s.y, n, m, p);
        },
        [&](int n, int *m, auto *p) {
          return ex ? cudnnFindConvolutionForwardAlgorithmEx(handle, s.x, x, s.w, w, s.conv, s.y, y,
                                                             n, m, p, work, work.count)
                    : cudnnFindConvolutionForwardAlgorithm(handle, s.x, s.w, s.conv, s.y, n, m, p);
        });
    algorithmsOf<cudnnConvolutionBwdDataAlgoPerf_t>(
        [](int *n) { return cudnnGetConvolutionBackwardDataAlgorithmMaxCount(handle, n); },
        [&](int n, int *m, auto *p) {
          return cudnnGetConvolutionBackwardDataAlgorithm_v7(handle, s.w, s.y, s.conv, s.x, n, m,
                                                             p);
        },
        [&](int n, int *m, auto *p) {
          return ex ? cudnnFindConvolutionBackwardDataAlgorithmEx(handle, s.w, w, s.y, y, s.conv,
                                                                  s.x, x, n, m, p, work, work.count)
                    : cudnnFindConvolutionBackwardDataAlgorithm(handle, s.w, s.y, s.conv, s.x, n, m,
                                                                p);
        });
    algorithmsOf<cudnnConvolutionBwdFilterAlgoPerf_t>(
        [](int *n) { return cudnnGetConvolutionBackwardFilterAlgorithmMaxCount(handle, n); },
        [&](int n, int *m, auto *p) {
          return cudnnGetConvolutionBackwardFilterAlgorithm_v7(handle, s.x, s.y, s.conv, s.w, n, m,
                                                               p);
        },
        [&](int n, int *m, auto *p) {
          return ex ? cudnnFindConvolutionBackwardFilterAlgorithmEx(
                          handle, s.x, x, s.y, y, s.conv, s.w, w, n, m, p, work, work.count)
                    : cudnnFindConvolutionBackwardFilterAlgorithm(handle, s.x, s.y, s.conv, s.w, n,
                                                                  m, p);
        });
  }
}

void biasAndActivation() {
  const Case a = cases[3];
  Setup s(a, CUDNN_DATA_FLOAT);
  Array<float> x(a.xs(), 1), w(a.ws(), 2), y(a.ys()), z(a.ys(), 3), b(size_t(a.k), 4),
      db(size_t(a.k), 5);
  Tensor4 bias(CUDNN_DATA_FLOAT, 1, a.k, 1, 1);
  ActivationDescriptor relu;
  OK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  const float alpha1 = 1, alpha2 = 0.5f, one = 1;
  std::vector<double> ey(a.ys(), 0), edb = db.values();
  each(a, [&](size_t i, size_t j, size_t o) { ey[o] += double(x[i]) * w[j]; });
  const size_t plane = size_t(a.p() * a.q());
  for (size_t i = 0; i < ey.size(); ++i)
    ey[i] = std::max(0.0, ey[i] + 0.5 * z[i] + b[i / plane % size_t(a.k)]);
  Array<char> work(1 << 22);
  OK(cudnnConvolutionBiasActivationForward(handle, &alpha1, s.x, x, s.w, w, s.conv,
                                           CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, work,
                                           work.count, &alpha2, s.y, z, bias, b, relu, s.y, y));
  compare(y, ey, 2e-5);
  OK(cudnnConvolutionBackwardBias(handle, &alpha2, s.y, y, &one, bias, db));
  for (size_t i = 0; i < ey.size(); ++i)
    edb[i / plane % size_t(a.k)] += 0.5 * ey[i];
  compare(db, edb, 2e-5);
}

void others() {
  const Case a = cases[0];
  Setup s(a, CUDNN_DATA_FLOAT);
  cudnnReorderType_t reorder;
  cudnnMathType_t math;
  int groups, v[6], n, c, h, w;
  cudnnConvolutionMode_t mode;
  cudnnDataType_t type;
  OK(cudnnSetConvolutionReorderType(s.conv, CUDNN_NO_REORDER));
  OK(cudnnGetConvolutionReorderType(s.conv, &reorder));
  OK(cudnnGetConvolutionMathType(s.conv, &math));
  OK(cudnnGetConvolutionGroupCount(s.conv, &groups));
  CHECK(reorder == CUDNN_NO_REORDER && math == CUDNN_FMA_MATH && groups == 1);
  OK(cudnnGetConvolution2dDescriptor(s.conv, v, v + 1, v + 2, v + 3, v + 4, v + 5, &mode, &type));
  CHECK(v[0] == 1 && v[2] == 1 && v[5] == 1 && mode == a.mode && type == CUDNN_DATA_FLOAT);
  OK(cudnnGetConvolution2dForwardOutputDim(s.conv, s.x, s.w, &n, &c, &h, &w));
  CHECK(n == a.n && c == a.k && h == a.p() && w == a.q());
  // Columns: one for each output, a row for each channel and tap.
  Array<float> x(a.xs(), 1), col(size_t(a.c * 9 * a.n * a.p() * a.q()));
  OK(cudnnIm2Col(handle, s.x, x, s.w, s.conv, col));
  double sum = 0, expected = 0;
  for (double e : col.values())
    sum += e;
  const Case one = {a.n, a.c, a.h, a.w, 1, 3, 3, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION};
  each(one, [&](size_t i, size_t, size_t) { expected += x[i]; });
  CHECK_NEAR(sum, expected, 1e-3);
  for (auto check : {cudnnCnnVersionCheck})
    OK(check());
#ifdef HEDDLE_CUDNN
  cudnnConvolutionFwdAlgo_t forward = CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
  cudnnConvolutionBwdDataAlgo_t data = CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT;
  cudnnConvolutionBwdFilterAlgo_t filter = CUDNN_CONVOLUTION_BWD_FILTER_ALGO_COUNT;
  OK(cudnnGetConvolutionForwardAlgorithm(handle, s.x, s.w, s.conv, s.y,
                                         CUDNN_CONVOLUTION_FWD_NO_WORKSPACE, 0, &forward));
  OK(cudnnGetConvolutionBackwardDataAlgorithm(handle, s.w, s.y, s.conv, s.x,
                                              CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST, 0, &data));
  OK(cudnnGetConvolutionBackwardFilterAlgorithm(
      handle, s.x, s.y, s.conv, s.w, CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT, 1,
      &filter));
  CHECK(forward == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM &&
        data < CUDNN_CONVOLUTION_BWD_DATA_ALGO_COUNT &&
        filter == CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0);
  OK(cudnnCnnInferVersionCheck());
  OK(cudnnCnnTrainVersionCheck());
  Array<float> f(a.ws(), 2), g(a.ws()), bias(4, 3), to(4);
  OK(cudnnReorderFilterAndBias(handle, s.w, CUDNN_NO_REORDER, f, g, 1, bias, to));
  compare(g, f.values(), 0);
  compare(to, bias.values(), 0);
  UNSUPPORTED(cudnnGetFoldedConvBackwardDataDescriptors(
      handle, s.w, s.y, s.conv, s.x, CUDNN_TENSOR_NCHW, nullptr, nullptr, nullptr, nullptr, nullptr,
      nullptr, nullptr, nullptr));
#endif
}

/// Work is in stream order, becomes a node of a graph, and handles serve threads side by side.
void streamsAndThreads() {
  const Case a = cases[0];
  Setup s(a, CUDNN_DATA_FLOAT);
  Array<float> x(a.xs(), 1), w(a.ws(), 2), y(a.ys()), xs(a.xs());
  const float one = 1, zero = 0;
  std::vector<double> ey(a.ys(), 0);
  each(a, [&](size_t i, size_t j, size_t o) { ey[o] += double(x[i]) * w[j]; });
  const auto forward = [&](cudnnHandle_t h, float *from, float *to) {
    return cudnnConvolutionForward(h, &one, s.x, from, s.w, w, s.conv,
                                   CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, s.y,
                                   to);
  };
  OK(forward(handle, x, y)); // prepares, outside of the capture
  compare(y, ey, 2e-5);
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  OK(cudnnSetStream(handle, stream));
  CHECK_CUDA(cudaMemcpyAsync(xs, x, a.xs() * sizeof(float), cudaMemcpyDefault, stream));
  OK(forward(handle, xs, y));
  CHECK_CUDA(cudaMemsetAsync(xs, 0, a.xs() * sizeof(float), stream));
  compare(y, ey, 2e-5);
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  CHECK_CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  OK(forward(handle, x, y));
  CHECK_CUDA(cudaStreamEndCapture(stream, &graph));
  CHECK_CUDA(cudaGraphInstantiate(&exec, graph, 0));
  for (int run = 0; run < 2; ++run) {
    CHECK_CUDA(cudaMemset(y, 0, a.ys() * sizeof(float)));
    CHECK_CUDA(cudaGraphLaunch(exec, stream));
    compare(y, ey, 2e-5);
  }
  CHECK_CUDA(cudaGraphExecDestroy(exec));
  CHECK_CUDA(cudaGraphDestroy(graph));
  OK(cudnnSetStream(handle, nullptr));
  CHECK_CUDA(cudaStreamDestroy(stream));
  Array<float> y1(a.ys()), y2(a.ys());
  const auto work = [&](float *to) {
    cudnnHandle_t mine;
    if (cudnnCreate(&mine) != CUDNN_STATUS_SUCCESS)
      return;
    for (int i = 0; i < 10; ++i)
      if (forward(mine, x, to) != CUDNN_STATUS_SUCCESS)
        break;
    cudaDeviceSynchronize();
    cudnnDestroy(mine);
  };
  std::thread one_thread(work, y1.data), other(work, y2.data);
  one_thread.join();
  other.join();
  compare(y1, ey, 2e-5);
  compare(y2, ey, 2e-5);
}

void badArguments() {
  const Case a = cases[0];
  Setup s(a, CUDNN_DATA_FLOAT);
  Array<float> x(a.xs()), w(a.ws()), y(a.ys());
  const float one = 1, zero = 0;
  const auto forward = [&](cudnnTensorDescriptor_t xd, const void *xp, cudnnTensorDescriptor_t yd) {
    return cudnnConvolutionForward(handle, &one, xd, xp, s.w, w, s.conv,
                                   CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, yd,
                                   y);
  };
  BAD(forward(nullptr, x, s.y));
  BAD(forward(s.x, nullptr, s.y));
  BAD(forward(s.x, x, s.x));
  BAD(cudnnSetConvolution2dDescriptor(s.conv, -1, 0, 1, 1, 1, 1, CUDNN_CONVOLUTION,
                                      CUDNN_DATA_FLOAT));
  BAD(cudnnSetConvolution2dDescriptor(s.conv, 0, 0, 0, 1, 1, 1, CUDNN_CONVOLUTION,
                                      CUDNN_DATA_FLOAT));
  BAD(cudnnSetConvolutionGroupCount(s.conv, 0));
  int n, c, h, v;
  Tensor4 small(CUDNN_DATA_FLOAT, 1, 5, 8, 8);
  BAD(cudnnGetConvolution2dForwardOutputDim(s.conv, small, s.w, &n, &c, &h, &v));
#ifdef HEDDLE_CUDNN // an H100 takes it
  UNSUPPORTED(cudnnConvolutionForward(handle, &one, s.x, x, s.w, w, s.conv,
                                      CUDNN_CONVOLUTION_FWD_ALGO_DIRECT, nullptr, 0, &zero, s.y,
                                      y));
#endif
}

} // namespace

int main() {
  OK(cudnnCreate(&handle));
  for (const Case &a : cases) {
    passes<float>(a);
    passes<double>(a);
  }
  layouts();
  threeDimensions();
  algorithms();
  biasAndActivation();
  others();
  streamsAndThreads();
  badArguments();
  OK(cudnnDestroy(handle));
  RETURN_RESULT();
}
