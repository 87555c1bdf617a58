// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "colour.h"

#include "pixels.h"

namespace heddle::npp {
namespace {

// The white of D65, and XYZ of RGB (NPP documentation, "RGBToLUV").
constexpr float white_x = 0.312713f, white_y = 0.329016f;
constexpr float white_divisor = -2 * white_x + 12 * white_y + 3;
constexpr float white_u = 4 * white_x / white_divisor, white_v = 9 * white_y / white_divisor;

__device__ void toXyz(const float *rgb, float *xyz) {
  const float r = rgb[0] / 255, g = rgb[1] / 255, b = rgb[2] / 255;
  xyz[0] = 0.412453f * r + 0.35758f * g + 0.180423f * b;
  xyz[1] = 0.212671f * r + 0.71516f * g + 0.072169f * b;
  xyz[2] = 0.019334f * r + 0.119193f * g + 0.950227f * b;
}

__device__ void fromXyz(const float *xyz, float *rgb) {
  rgb[0] = 255 * (3.240479f * xyz[0] - 1.537150f * xyz[1] - 0.498535f * xyz[2]);
  rgb[1] = 255 * (-0.969256f * xyz[0] + 1.875991f * xyz[1] + 0.041556f * xyz[2]);
  rgb[2] = 255 * (0.055648f * xyz[0] - 0.204043f * xyz[1] + 1.057311f * xyz[2]);
}

__device__ void toLuv(const float *rgb, float *out) {
  float xyz[3];
  toXyz(rgb, xyz);
  const float divisor = xyz[0] + 15 * xyz[1] + 3 * xyz[2];
  const float u = divisor == 0 ? white_u : 4 * xyz[0] / divisor;
  const float v = divisor == 0 ? white_v : 9 * xyz[1] / divisor;
  const float l = fminf(fmaxf(116 * cbrtf(xyz[1]) - 16, 0.0f), 100.0f);
  out[0] = l * 255 / 100;
  out[1] = (13 * l * (u - white_u) + 134) * 255 / 354;
  out[2] = (13 * l * (v - white_v) + 140) * 255 / 262;
}

__device__ void fromLuv(const float *in, float *rgb) {
  const float l = in[0] * 100 / 255;
  float xyz[3] = {0, 0, 0};
  if (l > 0) {
    const float u = (in[1] * 354 / 255 - 134) / (13 * l) + white_u;
    const float v = (in[2] * 262 / 255 - 140) / (13 * l) + white_v;
    const float root = (l + 16) / 116;
    xyz[1] = root * root * root;
    xyz[0] = xyz[1] * 9 * u / (4 * v);
    xyz[2] = xyz[1] * (12 - 3 * u - 20 * v) / (4 * v);
  }
  fromXyz(xyz, rgb);
}

__device__ float labCurve(float t) { return t > 0.008856f ? cbrtf(t) : 7.787f * t + 16.0f / 116; }
__device__ float labCurveBack(float t) {
  return t > 0.206893f ? t * t * t : (t - 16.0f / 116) / 7.787f;
}
constexpr float lab_x = 0.950455f, lab_z = 1.088753f;

__device__ void toLab(const float *rgb, float *out) {
  float xyz[3];
  toXyz(rgb, xyz);
  const float x = labCurve(xyz[0] / lab_x), y = labCurve(xyz[1]), z = labCurve(xyz[2] / lab_z);
  out[0] = (116 * y - 16) * 255 / 100;
  out[1] = 500 * (x - y) + 128;
  out[2] = 200 * (y - z) + 128;
}

__device__ void fromLab(const float *in, float *rgb) {
  const float y = (in[0] * 100 / 255 + 16) / 116;
  const float xyz[3] = {labCurveBack(y + (in[1] - 128) / 500) * lab_x, labCurveBack(y),
                        labCurveBack(y - (in[2] - 128) / 200) * lab_z};
  fromXyz(xyz, rgb);
}

// Hues go from 0 to 1, beginning with red.
__device__ float hueOf(const float *c, float most, float range) {
  if (range == 0)
    return 0;
  const float sixth = c[0] == most   ? (c[1] - c[2]) / range
                      : c[1] == most ? 2 + (c[2] - c[0]) / range
                                     : 4 + (c[0] - c[1]) / range;
  return (sixth < 0 ? sixth + 6 : sixth) / 6;
}

__device__ void toHlsOrHsv(const float *rgb, float *out, bool hsv) {
  const float c[3] = {rgb[0] / 255, rgb[1] / 255, rgb[2] / 255};
  const float most = fmaxf(c[0], fmaxf(c[1], c[2])), least = fminf(c[0], fminf(c[1], c[2]));
  const float range = most - least, sum = most + least;
  out[0] = 255 * hueOf(c, most, range);
  if (hsv) {
    out[1] = most == 0 ? 0 : 255 * range / most;
    out[2] = 255 * most;
  } else {
    out[1] = 255 * sum / 2;
    out[2] = range == 0 ? 0 : 255 * range / (sum <= 1 ? sum : 2 - sum);
  }
}

// From the least and the most of the three to the one that a hue (in sixths) gives.
__device__ float hueValue(float least, float most, float hue) {
  hue = hue < 0 ? hue + 6 : hue >= 6 ? hue - 6 : hue;
  if (hue < 1)
    return least + (most - least) * hue;
  if (hue < 3)
    return most;
  return hue < 4 ? least + (most - least) * (4 - hue) : least;
}

__device__ void fromHlsOrHsv(const float *in, float *rgb, bool hsv) {
  const float hue = in[0] / 255 * 6;
  float least, most;
  if (hsv) {
    most = in[2] / 255;
    least = most * (1 - in[1] / 255);
  } else {
    const float light = in[1] / 255, saturation = in[2] / 255;
    most = light <= 0.5f ? light * (1 + saturation) : light + saturation - light * saturation;
    least = 2 * light - most;
  }
  rgb[0] = 255 * hueValue(least, most, hue + 2);
  rgb[1] = 255 * hueValue(least, most, hue);
  rgb[2] = 255 * hueValue(least, most, hue - 2);
}

__device__ void convert(const Colour &g, const float *in, float *out) {
  switch (g.model) {
  case Model::ToLuv:
    return toLuv(in, out);
  case Model::FromLuv:
    return fromLuv(in, out);
  case Model::ToLab:
    return toLab(in, out);
  case Model::FromLab:
    return fromLab(in, out);
  case Model::ToHls:
  case Model::ToHsv:
    return toHlsOrHsv(in, out, g.model == Model::ToHsv);
  case Model::FromHls:
  case Model::FromHsv:
    return fromHlsOrHsv(in, out, g.model == Model::FromHsv);
  default:
    for (int i = 0; i < 4; ++i) {
      const float *m = g.matrix[i];
      out[i] = m[0] * in[0] + m[1] * in[1] + m[2] * in[2] + m[3] * in[3] + m[4];
    }
  }
}

// A whole number that is truncated stays itself in spite of rounding errors.
__device__ void store(const Components &to, int i, int x, int y, float v, Round round) {
  if (round == Round::TowardZero && to.type < Type::F32)
    v += 1e-4f;
  storeAt<float>(to.data[i] + (y >> to.shift_y[i]) * to.step[i], to.type,
                 (long long)(x >> to.shift_x[i]) * to.stride[i], v, round);
}

// A thread converts the pixels that share their chroma in the destination, and stores their mean.
__global__ void colours(Colour g) {
  const int across = 1 << g.dst.shift_x[1], down = 1 << g.dst.shift_y[1];
  const int x0 = (blockIdx.x * blockDim.x + threadIdx.x) * across;
  if (x0 >= g.width)
    return;
  for (int y0 = blockIdx.y * down; y0 < g.height; y0 += gridDim.y * down) {
    float sums[4] = {0, 0, 0, 0};
    int pixels = 0;
    for (int y = y0; y < y0 + down && y < g.height; ++y)
      for (int x = x0; x < x0 + across && x < g.width; ++x) {
        float in[4] = {0, 0, 0, 0}, out[4] = {0, 0, 0, 0};
        for (int i = 0; i < 4; ++i)
          if (i < g.src.count)
            in[i] = loadAt<float>(g.src.data[i] + (y >> g.src.shift_y[i]) * g.src.step[i],
                                  g.src.type, (long long)(x >> g.src.shift_x[i]) * g.src.stride[i]);
        convert(g, in, out);
        for (int i = 0; i < 4; ++i) {
          if (i < g.dst.count && !g.dst.shift_x[i])
            store(g.dst, i, x, y, i == 3 && g.alpha >= 0 ? float(g.alpha) : out[i], g.round);
          sums[i] += out[i];
        }
        ++pixels;
      }
    for (int i = 0; i < 4; ++i)
      if (i < g.dst.count && g.dst.shift_x[i])
        store(g.dst, i, x0, y0, sums[i] / pixels, g.round);
  }
}

// The polynomial through four levels' values, as Lagrange wrote it.
__device__ double cubicThrough(const Table &g, int first, double v) {
  double sum = 0;
  for (int i = 0; i < 4; ++i) {
    double product = loadAt<double>(g.values, g.type, first + i);
    const double at = loadAt<double>(g.levels, g.type, first + i);
    for (int j = 0; j < 4; ++j) {
      const double other = loadAt<double>(g.levels, g.type, first + j);
      if (j != i)
        product *= (v - other) / (at - other);
    }
    sum += product;
  }
  return sum;
}

__device__ double lookUp(const Table &g, double v) {
  if (g.how == Lookup::Palette)
    return loadAt<double>(g.values, g.type, (long long)v & ((1 << g.count) - 1));
  if (!(v >= loadAt<double>(g.levels, g.type, 0)) ||
      !(v < loadAt<double>(g.levels, g.type, g.count - 1)))
    return v;
  int begin = 0, end = g.count - 1;
  while (end - begin > 1) {
    const int middle = (begin + end) / 2;
    if (loadAt<double>(g.levels, g.type, middle) <= v)
      begin = middle;
    else
      end = middle;
  }
  const double value = loadAt<double>(g.values, g.type, begin);
  if (g.how == Lookup::Steps)
    return value;
  if (g.how == Lookup::Cubic && g.count >= 4)
    return cubicThrough(g, min(max(begin - 1, 0), g.count - 4), v);
  const double low = loadAt<double>(g.levels, g.type, begin);
  const double high = loadAt<double>(g.levels, g.type, begin + 1);
  return value + (loadAt<double>(g.values, g.type, begin + 1) - value) * (v - low) / (high - low);
}

__global__ void lookUpAll(Table g) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= g.width)
    return;
  const long long e = (long long)x * g.stride;
  for (int y = blockIdx.y; y < g.height; y += gridDim.y)
    storePixel<double>(g.dst, e, y, lookUp(g, loadPixel<double>(g.src, e, y)));
}

} // namespace

cudaError_t launch(const Colour &work, cudaStream_t stream) {
  const int across = 1 << work.dst.shift_x[1], down = 1 << work.dst.shift_y[1];
  colours<<<gridFor((work.width + across - 1) / across, (work.height + down - 1) / down), 256, 0,
            stream>>>(work);
  return cudaGetLastError();
}

cudaError_t launch(const Table &work, cudaStream_t stream) {
  lookUpAll<<<gridFor(work.width, work.height), 256, 0, stream>>>(work);
  return cudaGetLastError();
}

} // namespace heddle::npp
