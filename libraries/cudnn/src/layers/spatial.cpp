// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spatial transformers: grids of places from affine maps, and bilinear sampling at these places.
#include "parallel.h"
#include "tensor.h"

#include <cmath>

struct cudnnSpatialTransformerStruct {
  heddle::cudnn::Tensor output;
};

using namespace heddle::cudnn;

HEDDLE_CUDNN_DESCRIPTOR(SpatialTransformerDescriptor, cudnnSpatialTransformerStruct)

cudnnStatus_t cudnnSetSpatialTransformerNdDescriptor(cudnnSpatialTransformerDescriptor_t descriptor,
                                                     cudnnSamplerType_t sampler,
                                                     cudnnDataType_t type, const int n,
                                                     const int dims[]) {
  return call(__func__, [&] {
    auto &d = live(descriptor);
    need(sampler == CUDNN_SAMPLER_BILINEAR, "there is no such sampler");
    supported(n <= 4, "spatial transformers have 4 dimensions");
    need(n == 4, "the number of dimensions is not 4");
    d.output = makeTensor(type, CUDNN_TENSOR_NCHW, n, dims);
  });
}

namespace {

Tensor outputOf(const cudnnSpatialTransformerStruct *descriptor) {
  const Tensor t = live(descriptor).output;
  need(t.set, "a descriptor was not set");
  return t;
}
Tensor gridOf(const Tensor &t) { return packedTensor(t.type, {t.dim[0], t.dim[2], t.dim[3], 2}); }
Tensor thetaOf(const Tensor &t) { return packedTensor(t.type, {t.dim[0], 2, 3}); }

/// Coordinates go from -1 in the first element's centre to 1 in the last one's.
double coordinate(int64_t i, int64_t n) { return n > 1 ? -1 + 2.0 * double(i) / double(n - 1) : 0; }

template <typename F> void eachPlace(const Tensor &t, const F &f) {
  for (int64_t i = 0; i < t.dim[0]; ++i)
    for (int64_t h = 0; h < t.dim[2]; ++h)
      for (int64_t w = 0; w < t.dim[3]; ++w) {
        const double place[3] = {coordinate(w, t.dim[3]), coordinate(h, t.dim[2]), 1};
        f(i, (i * t.dim[2] + h) * t.dim[3] + w, place);
      }
}

/// The four elements around a place, with their weights and the weights' derivatives.
struct Corners {
  struct Corner {
    int64_t at; // -1 outside of the image
    double weight, by_x, by_y;
  } corner[4];

  Corners(double gx, double gy, int64_t height, int64_t width) {
    const double to_x = double(width - 1) / 2, to_y = double(height - 1) / 2;
    const double x = (gx + 1) * to_x, y = (gy + 1) * to_y;
    const double left = std::floor(x), top = std::floor(y);
    for (int k = 0; k < 4; ++k) {
      const double cx = left + k % 2, cy = top + k / 2;
      const double wx = 1 - std::fabs(x - cx), wy = 1 - std::fabs(y - cy);
      const bool inside = cx >= 0 && cx < double(width) && cy >= 0 && cy < double(height);
      corner[k] = {inside ? int64_t(cy) * width + int64_t(cx) : -1, wx * wy,
                   (k % 2 ? 1 : -1) * to_x * wy, (k / 2 ? 1 : -1) * to_y * wx};
    }
  }
};

template <typename T>
void sample(const Tensor &xt, const T *x, const T *grid, const Tensor &yt, T *y) {
  const int64_t plane = yt.spatial(), inputs = xt.spatial(), channels = xt.dim[1];
  parallelEach(yt.dim[0] * plane, 64, [&](int64_t i) {
    const Corners corners(double(grid[2 * i]), double(grid[2 * i + 1]), xt.dim[2], xt.dim[3]);
    for (int64_t c = 0; c < channels; ++c) {
      const T *from = x + (i / plane * channels + c) * inputs;
      double sum = 0;
      for (const auto &k : corners.corner)
        if (k.at >= 0)
          sum += k.weight * double(from[k.at]);
      y[(i / plane * channels + c) * plane + i % plane] = T(sum);
    }
  });
}

template <typename T>
void sampleBackward(const Tensor &xt, const T *x, const T *grid, const Tensor &yt, const T *dy,
                    T *dx, T *dgrid) {
  const int64_t plane = yt.spatial(), inputs = xt.spatial(), channels = xt.dim[1];
  std::fill_n(dx, xt.count(), T(0));
  parallelEach(yt.dim[0], 1, [&](int64_t image) {
    for (int64_t i = image * plane; i < (image + 1) * plane; ++i) {
      const Corners corners(double(grid[2 * i]), double(grid[2 * i + 1]), xt.dim[2], xt.dim[3]);
      double by_x = 0, by_y = 0;
      for (int64_t c = 0; c < channels; ++c) {
        const int64_t base = (image * channels + c) * inputs;
        const double above = double(dy[(image * channels + c) * plane + i % plane]);
        for (const auto &k : corners.corner)
          if (k.at >= 0) {
            dx[base + k.at] += T(above * k.weight);
            by_x += above * double(x[base + k.at]) * k.by_x;
            by_y += above * double(x[base + k.at]) * k.by_y;
          }
      }
      dgrid[2 * i] = T(by_x);
      dgrid[2 * i + 1] = T(by_y);
    }
  });
}

void checkSampler(const Tensor &t, const Tensor &xt, const Tensor &yt) {
  needSameShape(yt, t);
  need(xt.n == 4 && xt.dim[0] == yt.dim[0] && xt.dim[1] == yt.dim[1],
       "the input has not the output's images and channels");
}

} // namespace

cudnnStatus_t
cudnnSpatialTfGridGeneratorForward(cudnnHandle_t handle,
                                   const cudnnSpatialTransformerDescriptor_t descriptor,
                                   const void *theta, void *grid) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor t = outputOf(descriptor);
    needPointers(theta, grid);
    run(handle, name, [=] {
      byWidth(isWide(t.type), [&]<typename T>() {
        const In<T> map(thetaOf(t), theta);
        Out<T> out(gridOf(t), grid);
        eachPlace(t, [&](int64_t image, int64_t i, const double *place) {
          for (int64_t r = 0; r < 2; ++r) {
            double sum = 0;
            for (int64_t k = 0; k < 3; ++k)
              sum += double(map[image * 6 + r * 3 + k]) * place[k];
            out[2 * i + r] = T(sum);
          }
        });
        out.finish();
      });
    });
  });
}

cudnnStatus_t
cudnnSpatialTfGridGeneratorBackward(cudnnHandle_t handle,
                                    const cudnnSpatialTransformerDescriptor_t descriptor,
                                    const void *dgrid, void *dtheta) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor t = outputOf(descriptor);
    needPointers(dgrid, dtheta);
    run(handle, name, [=] {
      byWidth(isWide(t.type), [&]<typename T>() {
        const In<T> above(gridOf(t), dgrid);
        std::vector<double> sums(size_t(t.dim[0] * 6));
        eachPlace(t, [&](int64_t image, int64_t i, const double *place) {
          for (int64_t r = 0; r < 2; ++r)
            for (int64_t k = 0; k < 3; ++k)
              sums[size_t(image * 6 + r * 3 + k)] += double(above[2 * i + r]) * place[k];
        });
        writeElements(thetaOf(t), dtheta, sums.data(), {});
      });
    });
  });
}

cudnnStatus_t cudnnSpatialTfSamplerForward(cudnnHandle_t handle,
                                           cudnnSpatialTransformerDescriptor_t descriptor,
                                           const void *alpha, const cudnnTensorDescriptor_t x_desc,
                                           const void *x, const void *grid, const void *beta,
                                           cudnnTensorDescriptor_t y_desc, void *y) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor t = outputOf(descriptor), xt = contents(x_desc), yt = contents(y_desc);
    checkSampler(t, xt, yt);
    needPointers(x, grid, y);
    const Blend blend(alpha, beta, yt.type);
    run(handle, name, [=] {
      byWidth(isWide(t.type), [&]<typename T>() {
        const In<T> in(xt, x), places(gridOf(t), grid);
        Out<T> out(yt, y, blend, {x});
        sample<T>(xt, in.data(), places.data(), yt, out.data());
        out.finish();
      });
    });
  });
}

cudnnStatus_t cudnnSpatialTfSamplerBackward(cudnnHandle_t handle,
                                            cudnnSpatialTransformerDescriptor_t descriptor,
                                            const void *alpha, const cudnnTensorDescriptor_t x_desc,
                                            const void *x, const void *beta,
                                            const cudnnTensorDescriptor_t dx_desc, void *dx,
                                            const void *grid_alpha,
                                            const cudnnTensorDescriptor_t dy_desc, const void *dy,
                                            const void *grid, const void *grid_beta, void *dgrid) {
  return call(__func__, [&, name = __func__] {
    live(handle);
    const Tensor t = outputOf(descriptor), xt = contents(x_desc), dxt = contents(dx_desc),
                 dyt = contents(dy_desc);
    checkSampler(t, xt, dyt);
    needSameShape(xt, dxt);
    needPointers(x, dx, dy, grid, dgrid);
    const Blend blend(alpha, beta, dxt.type), grid_blend(grid_alpha, grid_beta, t.type);
    run(handle, name, [=] {
      byWidth(isWide(t.type), [&]<typename T>() {
        const In<T> in(xt, x), places(gridOf(t), grid), above(dyt, dy);
        Out<T> below(dxt, dx, blend, {x, dy}), to_grid(gridOf(t), dgrid, grid_blend, {grid});
        sampleBackward<T>(xt, in.data(), places.data(), dyt, above.data(), below.data(),
                          to_grid.data());
        below.finish();
        to_grid.finish();
      });
    });
  });
}
