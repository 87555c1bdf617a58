// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cuDNN's convolutions beside oneDNN called directly, in the same run, in turn. oneDNN does the
// same task: data in the program's layout (NCHW), brought to the layouts that its convolution
// chooses and back, with all primitives and memory made before. The last column is its convolution
// alone.
//
//   heddlecc -O2 bench/libraries/cudnn.cpp -lcudnn -ldnnl -o cudnn && ./cudnn
#include "../../libraries/cudnn/src/convolution/onednn_version.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cudnn.h>
#include <functional>
#include <vector>

namespace {

using dnnl::memory;

void check(int result, const char *call) {
  if (result == 0)
    return;
  std::fprintf(stderr, "%s failed: %d\n", call, result);
  std::exit(1);
}
#define CHECK(call) check(int(call), #call)

struct Shape {
  const char *name;
  int n, c, size, k, window, pad, stride;
  int out() const { return (size + 2 * pad - window) / stride + 1; }
};
const Shape shapes[] = {
    {"first layer 7x7/2", 4, 3, 224, 64, 7, 3, 2},
    {"3x3, 64 channels", 4, 64, 56, 64, 3, 1, 1},
    {"1x1, 64 to 256", 4, 64, 56, 256, 1, 0, 1},
    {"3x3, 128 channels", 4, 128, 28, 128, 3, 1, 1},
    {"3x3, 256 channels", 4, 256, 14, 256, 3, 1, 1},
    {"1x1, 1024 to 512", 4, 1024, 14, 512, 1, 0, 1},
    {"LeNet's second", 64, 6, 14, 16, 5, 0, 1},
};
enum Pass { forward, data, filter };
const char *const passes[] = {"forward", "data", "filter"};

double seconds(const std::function<void()> &f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// oneDNN with everything made before.
struct Direct {
  dnnl::engine cpu{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{cpu};
  std::vector<std::function<void()>> before, after;
  std::function<void()> convolution;

  Direct(const Shape &s, Pass pass, float *x, float *w, float *y) {
    const auto f32 = memory::data_type::f32;
    const auto tag = memory::format_tag::nchw, any = memory::format_tag::any;
    const memory::dims xd{s.n, s.c, s.size, s.size}, wd{s.k, s.c, s.window, s.window},
        yd{s.n, s.k, s.out(), s.out()}, stride{s.stride, s.stride}, pad{s.pad, s.pad};
    const memory::desc plain[] = {{xd, f32, tag}, {wd, f32, tag}, {yd, f32, tag}},
                       own[] = {{xd, f32, any}, {wd, f32, any}, {yd, f32, any}};
    const auto direct = dnnl::algorithm::convolution_direct;
    const dnnl::primitive_attr plainly;
    const auto fd = heddle::cudnn::describeForward<dnnl::convolution_forward>(
        cpu, plainly,
        pass == forward ? dnnl::prop_kind::forward_inference : dnnl::prop_kind::forward_training,
        direct, own[0], own[1], own[2], stride, pad, pad);
    memory::desc inside[3];
    dnnl::primitive primitive;
    int names[3] = {DNNL_ARG_SRC, DNNL_ARG_WEIGHTS, DNNL_ARG_DST};
    if (pass == forward) {
      primitive = dnnl::convolution_forward(fd);
      inside[0] = fd.src_desc(), inside[1] = fd.weights_desc(), inside[2] = fd.dst_desc();
    } else if (pass == data) {
      const auto d = heddle::cudnn::describeBackward<dnnl::convolution_backward_data>(
          cpu, plainly, fd, direct, own[0], own[1], own[2], stride, pad, pad);
      primitive = dnnl::convolution_backward_data(d);
      inside[0] = d.diff_src_desc(), inside[1] = d.weights_desc(), inside[2] = d.diff_dst_desc();
      names[0] = DNNL_ARG_DIFF_SRC, names[2] = DNNL_ARG_DIFF_DST;
    } else {
      const auto d = heddle::cudnn::describeBackward<dnnl::convolution_backward_weights>(
          cpu, plainly, fd, direct, own[0], own[1], own[2], stride, pad, pad);
      primitive = dnnl::convolution_backward_weights(d);
      inside[0] = d.src_desc(), inside[1] = d.diff_weights_desc(), inside[2] = d.diff_dst_desc();
      names[1] = DNNL_ARG_DIFF_WEIGHTS, names[2] = DNNL_ARG_DIFF_DST;
    }
    float *const pointers[] = {x, w, y};
    const int output = pass == forward ? 2 : (pass == data ? 0 : 1);
    std::unordered_map<int, memory> arguments;
    for (int i = 0; i < 3; ++i) {
      const memory program(plain[i], cpu, pointers[i]);
      const memory mine = plain[i] == inside[i] ? program : memory(inside[i], cpu);
      arguments[names[i]] = mine;
      if (plain[i] == inside[i])
        continue;
      const memory from = i == output ? mine : program, to = i == output ? program : mine;
      const dnnl::reorder reorder(from, to);
      (i == output ? after : before).push_back([=, this]() mutable {
        dnnl::reorder(reorder).execute(stream, const_cast<memory &>(from),
                                       const_cast<memory &>(to));
      });
    }
    convolution = [=, this] { primitive.execute(stream, arguments); };
  }
  void all() {
    for (const auto &f : before)
      f();
    convolution();
    for (const auto &f : after)
      f();
    stream.wait();
  }
};

struct Cudnn {
  cudnnHandle_t handle;
  cudnnTensorDescriptor_t xt, yt;
  cudnnFilterDescriptor_t wt;
  cudnnConvolutionDescriptor_t conv;
  explicit Cudnn(const Shape &s) {
    const auto nchw = CUDNN_TENSOR_NCHW;
    const auto f = CUDNN_DATA_FLOAT;
    CHECK(cudnnCreate(&handle));
    CHECK(cudnnCreateTensorDescriptor(&xt));
    CHECK(cudnnCreateTensorDescriptor(&yt));
    CHECK(cudnnCreateFilterDescriptor(&wt));
    CHECK(cudnnCreateConvolutionDescriptor(&conv));
    CHECK(cudnnSetTensor4dDescriptor(xt, nchw, f, s.n, s.c, s.size, s.size));
    CHECK(cudnnSetTensor4dDescriptor(yt, nchw, f, s.n, s.k, s.out(), s.out()));
    CHECK(cudnnSetFilter4dDescriptor(wt, f, nchw, s.k, s.c, s.window, s.window));
    CHECK(cudnnSetConvolution2dDescriptor(conv, s.pad, s.pad, s.stride, s.stride, 1, 1,
                                          CUDNN_CROSS_CORRELATION, f));
  }
  void run(Pass pass, float *x, float *w, float *y) {
    const float one = 1, zero = 0;
    if (pass == forward)
      CHECK(cudnnConvolutionForward(handle, &one, xt, x, wt, w, conv,
                                    CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, yt,
                                    y));
    else if (pass == data)
      CHECK(cudnnConvolutionBackwardData(handle, &one, wt, w, yt, y, conv,
                                         CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &zero, xt,
                                         x));
    else
      CHECK(cudnnConvolutionBackwardFilter(handle, &one, xt, x, yt, y, conv,
                                           CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0, &zero,
                                           wt, w));
    CHECK(cudaDeviceSynchronize());
  }
};

} // namespace

int main() {
  std::printf("%-20s %-8s %10s %10s %7s %12s\n", "convolution", "", "cuDNN", "oneDNN", "ratio",
              "without moves");
  for (const Shape &s : shapes)
    for (const Pass pass : {forward, data, filter}) {
      const auto make = [](size_t n) {
        float *p;
        CHECK(cudaMalloc(&p, n * sizeof(float)));
        for (size_t i = 0; i < n; ++i)
          p[i] = float(i % 13) / 13;
        return p;
      };
      float *x = make(size_t(s.n) * s.c * s.size * s.size),
            *w = make(size_t(s.k) * s.c * s.window * s.window),
            *y = make(size_t(s.n) * s.k * s.out() * s.out());
      Cudnn ours(s);
      Direct direct(s, pass, x, w, y);
      double best[3] = {1e9, 1e9, 1e9};
      for (int round = 0; round < 30; ++round) {
        best[0] = std::min(best[0], seconds([&] { ours.run(pass, x, w, y); }));
        best[1] = std::min(best[1], seconds([&] { direct.all(); }));
        best[2] = std::min(best[2], seconds([&] {
                             direct.convolution();
                             direct.stream.wait();
                           }));
      }
      std::printf("%-20s %-8s %8.3fms %8.3fms %7.2f %10.3fms\n", s.name, passes[pass],
                  best[0] * 1e3, best[1] * 1e3, best[1] / best[0], best[2] * 1e3);
      CHECK(cudaFree(x));
      CHECK(cudaFree(w));
      CHECK(cudaFree(y));
    }
  return 0;
}
