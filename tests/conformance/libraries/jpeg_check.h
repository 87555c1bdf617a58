// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nvJPEG in few lines: pictures in device memory, files, and what makes one of the other.
#pragma once

#include "../check.h"

#include <cmath>
#include <memory>
#include <nvjpeg.h>
#include <string>

#define CHECK_JPEG(call) CHECK_EQ((call), NVJPEG_STATUS_SUCCESS)

using Bytes = std::vector<unsigned char>;

inline nvjpegHandle_t library() {
  static nvjpegHandle_t handle = [] {
    nvjpegHandle_t made = nullptr;
    CHECK_JPEG(nvjpegCreateSimple(&made));
    return made;
  }();
  return handle;
}

/// Up to four channels of rows, each with some bytes behind it that stay as they are.
class Picture {
public:
  Picture(std::vector<std::pair<int, int>> row_bytes_and_rows) : sizes(row_bytes_and_rows) {
    for (size_t i = 0; i < sizes.size(); ++i) {
      image.pitch[i] = sizes[i].first + 13;
      channels.push_back(
          std::make_unique<DeviceBuffer<unsigned char>>(image.pitch[i] * sizes[i].second));
      image.channel[i] = *channels.back();
      CHECK_CUDA(cudaMemset(image.channel[i], 0xa5, image.pitch[i] * sizes[i].second));
    }
  }
  /// The rows without what is behind them, which must be as it was.
  Bytes read(int channel) const {
    const Bytes all = channels[channel]->download();
    Bytes result;
    for (int y = 0; y < sizes[channel].second; ++y)
      for (size_t x = 0; x < image.pitch[channel]; ++x)
        if (const unsigned char value = all[y * image.pitch[channel] + x];
            int(x) < sizes[channel].first)
          result.push_back(value);
        else
          CHECK_EQ(value, 0xa5);
    return result;
  }
  void write(int channel, const Bytes &rows) {
    CHECK_CUDA(cudaMemcpy2D(image.channel[channel], image.pitch[channel], rows.data(),
                            sizes[channel].first, sizes[channel].first, sizes[channel].second,
                            cudaMemcpyHostToDevice));
  }
  std::vector<std::pair<int, int>> sizes;
  nvjpegImage_t image{};
  std::vector<std::unique_ptr<DeviceBuffer<unsigned char>>> channels;
};

/// A smooth picture, interleaved.
inline Bytes colours(int width, int height) {
  Bytes result;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < 3; ++c)
        result.push_back(static_cast<unsigned char>(
            128 + 100 * std::sin(0.05 * (x * (c + 1) - y * (3 - c)) + c)));
  return result;
}

struct Settings {
  int quality = 95, optimized = 0;
  nvjpegChromaSubsampling_t subsampling = NVJPEG_CSS_444;
  nvjpegJpegEncoding_t encoding = NVJPEG_ENCODING_BASELINE_DCT;
};

class Encoder {
public:
  explicit Encoder(const Settings &settings = {}) {
    CHECK_JPEG(nvjpegEncoderStateCreate(library(), &state, nullptr));
    CHECK_JPEG(nvjpegEncoderParamsCreate(library(), &params, nullptr));
    CHECK_JPEG(nvjpegEncoderParamsSetQuality(params, settings.quality, nullptr));
    CHECK_JPEG(nvjpegEncoderParamsSetOptimizedHuffman(params, settings.optimized, nullptr));
    CHECK_JPEG(nvjpegEncoderParamsSetSamplingFactors(params, settings.subsampling, nullptr));
    CHECK_JPEG(nvjpegEncoderParamsSetEncoding(params, settings.encoding, nullptr));
  }
  ~Encoder() {
    CHECK_JPEG(nvjpegEncoderParamsDestroy(params));
    CHECK_JPEG(nvjpegEncoderStateDestroy(state));
  }
  Bytes file() const {
    size_t length = 0;
    CHECK_JPEG(nvjpegEncodeRetrieveBitstream(library(), state, nullptr, &length, nullptr));
    Bytes result(length);
    CHECK_JPEG(nvjpegEncodeRetrieveBitstream(library(), state, result.data(), &length, nullptr));
    CHECK_EQ(length, result.size());
    return result;
  }
  nvjpegEncoderState_t state = nullptr;
  nvjpegEncoderParams_t params = nullptr;
};

inline Bytes encode(const Bytes &pixels, int width, int height, const Settings &settings = {}) {
  Picture source({{width * 3, height}});
  source.write(0, pixels);
  Encoder encoder(settings);
  CHECK_JPEG(nvjpegEncodeImage(library(), encoder.state, encoder.params, &source.image,
                               NVJPEG_INPUT_RGBI, width, height, nullptr));
  return encoder.file();
}

/// The root of the mean square of what two pictures differ by.
inline double distance(const Bytes &a, const Bytes &b) {
  CHECK_EQ(a.size(), b.size());
  double sum = 0;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum / double(a.size()));
}

struct Info {
  int components = 0, widths[NVJPEG_MAX_COMPONENT], heights[NVJPEG_MAX_COMPONENT];
  nvjpegChromaSubsampling_t subsampling{};
};
inline Info infoOf(const Bytes &file) {
  Info info;
  CHECK_JPEG(nvjpegGetImageInfo(library(), file.data(), file.size(), &info.components,
                                &info.subsampling, info.widths, info.heights));
  return info;
}

class State {
public:
  State() { CHECK_JPEG(nvjpegJpegStateCreate(library(), &state)); }
  ~State() { CHECK_JPEG(nvjpegJpegStateDestroy(state)); }
  operator nvjpegJpegState_t() const { return state; }

private:
  nvjpegJpegState_t state = nullptr;
};

inline Bytes decodeColours(const Bytes &file) {
  const Info info = infoOf(file);
  Picture to({{info.widths[0] * 3, info.heights[0]}});
  State state;
  CHECK_JPEG(nvjpegDecode(library(), state, file.data(), file.size(), NVJPEG_OUTPUT_RGBI, &to.image,
                          nullptr));
  CHECK_CUDA(cudaDeviceSynchronize());
  return to.read(0);
}
