// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnvjpeg
//
// nvJPEG decodes what it has encoded: every format of output, batches, phases, regions, files that
// are no JPEG files or broken ones.
#include "jpeg_check.h"

constexpr int width = 67, height = 45;
constexpr nvjpegChromaSubsampling_t all_subsamplings[] = {
    NVJPEG_CSS_444, NVJPEG_CSS_422, NVJPEG_CSS_420, NVJPEG_CSS_440, NVJPEG_CSS_411, NVJPEG_CSS_410};
constexpr int chroma[][2] = {{67, 45}, {34, 45}, {34, 23}, {67, 23}, {17, 45}, {17, 23}};

nvjpegStatus_t decode(const Bytes &file, nvjpegOutputFormat_t format, Picture &to) {
  State state;
  const nvjpegStatus_t status =
      nvjpegDecode(library(), state, file.data(), file.size(), format, &to.image, nullptr);
  CHECK_CUDA(cudaDeviceSynchronize());
  return status;
}

// The formats of colours have the same bytes in other places.
void checkColours(const Bytes &file, const Bytes &original, double allowed) {
  Picture rgbi({{width * 3, height}}), bgri({{width * 3, height}});
  Picture rgb({{width, height}, {width, height}, {width, height}});
  Picture bgr({{width, height}, {width, height}, {width, height}});
  CHECK_JPEG(decode(file, NVJPEG_OUTPUT_RGBI, rgbi));
  CHECK_JPEG(decode(file, NVJPEG_OUTPUT_BGRI, bgri));
  CHECK_JPEG(decode(file, NVJPEG_OUTPUT_RGB, rgb));
  CHECK_JPEG(decode(file, NVJPEG_OUTPUT_BGR, bgr));
  const Bytes pixels = rgbi.read(0), turned = bgri.read(0);
  CHECK(distance(pixels, original) < allowed);
  for (int c = 0; c < 3; ++c) {
    const Bytes one = rgb.read(c), other = bgr.read(2 - c);
    for (int i = 0; i < width * height; ++i) {
      CHECK_EQ(one[i], pixels[3 * i + c]);
      CHECK_EQ(other[i], pixels[3 * i + c]);
      CHECK_EQ(turned[3 * i + 2 - c], pixels[3 * i + c]);
    }
  }
}

// Colours of the luminance and the chroma that the planes have.
void checkPlanes(const Bytes &file, const Info &info, const Bytes &pixels) {
  std::vector<std::pair<int, int>> sizes;
  for (int c = 0; c < 3; ++c)
    sizes.push_back({info.widths[c], info.heights[c]});
  Picture yuv(sizes), unchanged(sizes), y({sizes[0]});
  CHECK_JPEG(decode(file, NVJPEG_OUTPUT_YUV, yuv));
  CHECK_JPEG(decode(file, NVJPEG_OUTPUT_UNCHANGED, unchanged));
  CHECK_JPEG(decode(file, NVJPEG_OUTPUT_Y, y));
  Bytes planes[3];
  for (int c = 0; c < 3; ++c) {
    planes[c] = yuv.read(c);
    CHECK(planes[c] == unchanged.read(c));
  }
  CHECK(planes[0] == y.read(0));
  int far = 0;
  for (int row = 0; row < height; ++row)
    for (int column = 0; column < width; ++column) {
      const int x = column * info.widths[1] / width, down = row * info.heights[1] / height;
      const double luma = planes[0][row * width + column];
      const double red = planes[2][down * info.widths[1] + x] - 128.0;
      const double wanted = std::min(255.0, std::max(0.0, luma + 1.402 * red));
      far += std::abs(wanted - pixels[3 * (row * width + column)]) > 40;
    }
  CHECK(far < width * height / 100);
}

void checkSubsamplings() {
  const Bytes original = colours(width, height);
  for (size_t i = 0; i < std::size(all_subsamplings); ++i) {
    const Bytes file = encode(original, width, height, {95, 0, all_subsamplings[i]});
    const Info info = infoOf(file);
    CHECK_EQ(info.components, 3);
    CHECK_EQ(info.subsampling, all_subsamplings[i]);
    CHECK_EQ(info.widths[0], width);
    CHECK_EQ(info.heights[0], height);
    for (int c = 1; c < 3; ++c) {
      CHECK_EQ(info.widths[c], chroma[i][0]);
      CHECK_EQ(info.heights[c], chroma[i][1]);
    }
    checkColours(file, original, i == 0 ? 3 : 25);
    checkPlanes(file, info, decodeColours(file));
  }
  const Bytes gray = encode(original, width, height, {95, 0, NVJPEG_CSS_GRAY});
  const Info info = infoOf(gray);
  CHECK_EQ(info.components, 1);
  CHECK_EQ(info.subsampling, NVJPEG_CSS_GRAY);
  Picture y({{width, height}});
  CHECK_JPEG(decode(gray, NVJPEG_OUTPUT_Y, y));
  const Bytes luminance = y.read(0), pixels = decodeColours(gray);
  for (int i = 0; i < width * height; ++i)
    for (int c = 0; c < 3; ++c)
      CHECK_EQ(pixels[3 * i + c], luminance[i]);
}

void checkBatches() {
  const Bytes files[] = {encode(colours(40, 30), 40, 30),
                         encode(colours(64, 16), 64, 16, {80, 0, NVJPEG_CSS_420}),
                         encode(colours(9, 33), 9, 33, {80, 1, NVJPEG_CSS_422})};
  std::vector<std::unique_ptr<Picture>> to;
  std::vector<const unsigned char *> data;
  std::vector<size_t> lengths;
  std::vector<nvjpegImage_t> images;
  for (const Bytes &file : files) {
    const Info info = infoOf(file);
    to.push_back(std::make_unique<Picture>(
        std::vector<std::pair<int, int>>{{info.widths[0] * 3, info.heights[0]}}));
    data.push_back(file.data());
    lengths.push_back(file.size());
    images.push_back(to.back()->image);
  }
  State state;
  CHECK_JPEG(nvjpegDecodeBatchedInitialize(library(), state, 3, 1, NVJPEG_OUTPUT_RGBI));
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  for (int round = 0; round < 2; ++round)
    CHECK_JPEG(
        nvjpegDecodeBatched(library(), state, data.data(), lengths.data(), images.data(), stream));
  CHECK_CUDA(cudaStreamSynchronize(stream));
  CHECK_CUDA(cudaStreamDestroy(stream));
  for (int i = 0; i < 3; ++i)
    CHECK(to[i]->read(0) == decodeColours(files[i]));
}

struct Phases {
  Phases() {
    CHECK_JPEG(nvjpegDecoderCreate(library(), NVJPEG_BACKEND_HYBRID, &decoder));
    CHECK_JPEG(nvjpegDecoderStateCreate(library(), decoder, &state));
    CHECK_JPEG(nvjpegBufferPinnedCreate(library(), nullptr, &pinned));
    CHECK_JPEG(nvjpegBufferDeviceCreate(library(), nullptr, &device));
    CHECK_JPEG(nvjpegStateAttachPinnedBuffer(state, pinned));
    CHECK_JPEG(nvjpegStateAttachDeviceBuffer(state, device));
    CHECK_JPEG(nvjpegJpegStreamCreate(library(), &bits));
    CHECK_JPEG(nvjpegDecodeParamsCreate(library(), &params));
    CHECK_JPEG(nvjpegDecodeParamsSetOutputFormat(params, NVJPEG_OUTPUT_RGBI));
  }
  ~Phases() {
    CHECK_JPEG(nvjpegDecodeParamsDestroy(params));
    CHECK_JPEG(nvjpegJpegStreamDestroy(bits));
    CHECK_JPEG(nvjpegJpegStateDestroy(state));
    CHECK_JPEG(nvjpegBufferPinnedDestroy(pinned));
    CHECK_JPEG(nvjpegBufferDeviceDestroy(device));
    CHECK_JPEG(nvjpegDecoderDestroy(decoder));
  }
  Bytes run(int w, int h) {
    Picture to({{w * 3, h}});
    CHECK_JPEG(nvjpegDecodeJpegHost(library(), decoder, state, params, bits));
    CHECK_JPEG(nvjpegDecodeJpegTransferToDevice(library(), decoder, state, bits, nullptr));
    CHECK_JPEG(nvjpegDecodeJpegDevice(library(), decoder, state, &to.image, nullptr));
    CHECK_CUDA(cudaDeviceSynchronize());
    return to.read(0);
  }
  nvjpegJpegDecoder_t decoder = nullptr;
  nvjpegJpegState_t state = nullptr;
  nvjpegBufferPinned_t pinned = nullptr;
  nvjpegBufferDevice_t device = nullptr;
  nvjpegJpegStream_t bits = nullptr;
  nvjpegDecodeParams_t params = nullptr;
};

void checkPhases() {
  Bytes file = encode(colours(width, height), width, height,
                      {90, 0, NVJPEG_CSS_420, NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN});
  const Bytes whole = decodeColours(file);
  Phases phases;
  CHECK_JPEG(nvjpegJpegStreamParse(library(), file.data(), file.size(), 0, 1, phases.bits));
  std::fill(file.begin(), file.end(), 0); // it was kept
  unsigned w = 0, h = 0, n = 0;
  nvjpegJpegEncoding_t encoding{};
  nvjpegChromaSubsampling_t subsampling{};
  nvjpegExifOrientation_t orientation{};
  int unsupported = -1;
  CHECK_JPEG(nvjpegJpegStreamGetFrameDimensions(phases.bits, &w, &h));
  CHECK(w == width && h == height);
  CHECK_JPEG(nvjpegJpegStreamGetComponentDimensions(phases.bits, 2, &w, &h));
  CHECK(w == 34 && h == 23);
  CHECK_JPEG(nvjpegJpegStreamGetComponentsNum(phases.bits, &n));
  CHECK_EQ(n, 3u);
  CHECK_JPEG(nvjpegJpegStreamGetJpegEncoding(phases.bits, &encoding));
  CHECK_EQ(encoding, NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN);
  CHECK_JPEG(nvjpegJpegStreamGetChromaSubsampling(phases.bits, &subsampling));
  CHECK_EQ(subsampling, NVJPEG_CSS_420);
  CHECK_JPEG(nvjpegJpegStreamGetExifOrientation(phases.bits, &orientation));
  CHECK_EQ(orientation, NVJPEG_ORIENTATION_UNKNOWN);
  CHECK_JPEG(nvjpegDecoderJpegSupported(phases.decoder, phases.bits, phases.params, &unsupported));
  CHECK_EQ(unsupported, 0);
  CHECK(phases.run(width, height) == whole);
  CHECK_JPEG(nvjpegDecodeParamsSetROI(phases.params, 10, 6, 33, 20));
  const Bytes part = phases.run(33, 20);
  int different = 0;
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 33 * 3; ++x)
      different += part[y * 99 + x] != whole[(y + 6) * width * 3 + 30 + x];
  CHECK_EQ(different, 0);
  CHECK_JPEG(nvjpegDecodeParamsSetROI(phases.params, 0, 0, -1, -1));
  CHECK(phases.run(width, height) == whole);
}

void checkBroken() {
  const Bytes file = encode(colours(width, height), width, height);
  const auto statusOf = [](const Bytes &bytes) {
    Info info;
    return nvjpegGetImageInfo(library(), bytes.data(), bytes.size(), &info.components,
                              &info.subsampling, info.widths, info.heights);
  };
  CHECK_EQ(statusOf(Bytes(100, 7)), NVJPEG_STATUS_BAD_JPEG);
  CHECK_EQ(statusOf({0}), NVJPEG_STATUS_INCOMPLETE_BITSTREAM);
  CHECK_EQ(statusOf(Bytes(file.begin(), file.begin() + 30)), NVJPEG_STATUS_INCOMPLETE_BITSTREAM);
  CHECK_JPEG(statusOf(Bytes(file.begin() + 2, file.end()))); // the first marker may be missing
  Picture to({{width * 3, height}});
  CHECK(decode(Bytes(file.begin(), file.begin() + 30), NVJPEG_OUTPUT_RGBI, to) !=
        NVJPEG_STATUS_SUCCESS);
  CHECK_EQ(decode(Bytes(100, 7), NVJPEG_OUTPUT_RGBI, to), NVJPEG_STATUS_BAD_JPEG);
  for (unsigned char value : to.read(0))
    CHECK_EQ(value, 0xa5);
  Bytes arithmetic = file; // the frame's marker
  for (size_t i = 0; i + 1 < arithmetic.size(); ++i)
    if (arithmetic[i] == 0xff && arithmetic[i + 1] == 0xc0)
      arithmetic[i + 1] = 0xc9;
  CHECK_EQ(decode(arithmetic, NVJPEG_OUTPUT_RGBI, to), NVJPEG_STATUS_JPEG_NOT_SUPPORTED);
  CHECK_EQ(statusOf(arithmetic), NVJPEG_STATUS_JPEG_NOT_SUPPORTED);
  State state;
  CHECK_EQ(nvjpegDecode(library(), state, nullptr, 4, NVJPEG_OUTPUT_RGBI, &to.image, nullptr),
           NVJPEG_STATUS_INVALID_PARAMETER);
  CHECK_EQ(nvjpegDecode(library(), state, file.data(), file.size(), nvjpegOutputFormat_t(99),
                        &to.image, nullptr),
           NVJPEG_STATUS_INVALID_PARAMETER);
  // What a file lacks at its end is not missed.
  CHECK_JPEG(decode(Bytes(file.begin(), file.end() - 2), NVJPEG_OUTPUT_RGBI, to));
  CHECK(to.read(0) == decodeColours(file));
  CHECK_JPEG(decode(Bytes(file.begin(), file.end() - 300), NVJPEG_OUTPUT_RGBI, to));
  const Bytes part = to.read(0), whole = decodeColours(file);
  CHECK(std::equal(part.begin(), part.begin() + width * 3 * 8, whole.begin()));
}

int main() {
  checkSubsamplings();
  checkBatches();
  checkPhases();
  checkBroken();
  CHECK_JPEG(nvjpegDestroy(library()));
  RETURN_RESULT();
}
