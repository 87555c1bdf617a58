// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// flags: -lnvjpeg
//
// nvJPEG encodes: formats of input, subsampled planes, quality and kinds of files, tables and
// comments of another file, the order of streams, and what it refuses.
#include "jpeg_check.h"

#include <algorithm>

constexpr int width = 80, height = 48;

// All forms of the same colours give the same file.
void checkInputs() {
  const Bytes pixels = colours(width, height);
  Bytes turned, planes[3];
  for (size_t i = 0; i < pixels.size(); i += 3)
    for (int c = 0; c < 3; ++c) {
      turned.push_back(pixels[i + 2 - c]);
      planes[c].push_back(pixels[i + c]);
    }
  Picture rgbi({{width * 3, height}}), bgri({{width * 3, height}});
  Picture rgb({{width, height}, {width, height}, {width, height}});
  Picture bgr({{width, height}, {width, height}, {width, height}});
  rgbi.write(0, pixels);
  bgri.write(0, turned);
  for (int c = 0; c < 3; ++c) {
    rgb.write(c, planes[c]);
    bgr.write(2 - c, planes[c]);
  }
  std::vector<Bytes> files;
  Encoder encoder({90, 0, NVJPEG_CSS_420});
  const std::pair<const Picture *, nvjpegInputFormat_t> forms[] = {{&rgbi, NVJPEG_INPUT_RGBI},
                                                                   {&bgri, NVJPEG_INPUT_BGRI},
                                                                   {&rgb, NVJPEG_INPUT_RGB},
                                                                   {&bgr, NVJPEG_INPUT_BGR}};
  for (const auto &[from, format] : forms) {
    CHECK_JPEG(nvjpegEncodeImage(library(), encoder.state, encoder.params, &from->image, format,
                                 width, height, nullptr));
    files.push_back(encoder.file());
    CHECK(files.back() == files.front());
  }
  CHECK(distance(decodeColours(files.front()), pixels) < 15);
}

// Planes of luminance and chroma come back as they were, however they are subsampled.
void checkPlanes() {
  const Bytes pixels = colours(width, height);
  const nvjpegChromaSubsampling_t kinds[] = {NVJPEG_CSS_444, NVJPEG_CSS_422, NVJPEG_CSS_420,
                                             NVJPEG_CSS_440, NVJPEG_CSS_411};
  for (nvjpegChromaSubsampling_t kind : kinds) {
    const Bytes file = encode(pixels, width, height, {100, 0, kind});
    const Info info = infoOf(file);
    std::vector<std::pair<int, int>> sizes;
    for (int c = 0; c < 3; ++c)
      sizes.push_back({info.widths[c], info.heights[c]});
    Picture yuv(sizes), again(sizes);
    State state;
    CHECK_JPEG(nvjpegDecode(library(), state, file.data(), file.size(), NVJPEG_OUTPUT_YUV,
                            &yuv.image, nullptr));
    Encoder encoder({100, 0, kind});
    CHECK_JPEG(nvjpegEncodeYUV(library(), encoder.state, encoder.params, &yuv.image, kind, width,
                               height, nullptr));
    const Bytes second = encoder.file();
    CHECK_EQ(infoOf(second).subsampling, kind);
    CHECK_JPEG(nvjpegDecode(library(), state, second.data(), second.size(), NVJPEG_OUTPUT_YUV,
                            &again.image, nullptr));
    CHECK_CUDA(cudaDeviceSynchronize());
    for (int c = 0; c < 3; ++c)
      CHECK(distance(yuv.read(c), again.read(c)) < 2);
  }
}

void checkKinds() {
  const Bytes pixels = colours(width, height);
  size_t last = 0;
  double nearest = 1000;
  for (int quality : {10, 50, 90, 100}) {
    const Bytes file = encode(pixels, width, height, {quality});
    CHECK(file.size() > last);
    last = file.size();
    const double off = distance(decodeColours(file), pixels);
    CHECK(off < nearest);
    nearest = off;
  }
  const Bytes plain = encode(pixels, width, height, {90});
  const Bytes optimized = encode(pixels, width, height, {90, 1});
  const Bytes progressive = encode(
      pixels, width, height, {90, 0, NVJPEG_CSS_444, NVJPEG_ENCODING_PROGRESSIVE_DCT_HUFFMAN});
  CHECK(optimized.size() < plain.size());
  CHECK(decodeColours(optimized) == decodeColours(plain));
  CHECK(decodeColours(progressive) == decodeColours(plain));
  size_t bound = 0;
  Encoder encoder({100});
  CHECK_JPEG(nvjpegEncodeGetBufferSize(library(), encoder.params, width, height, &bound));
  CHECK(bound >= encode(pixels, width, height, {100}).size());
}

// A file that is made like another one, whose comment and tables it takes.
void checkCopies() {
  const Bytes pixels = colours(width, height);
  Bytes first = encode(pixels, width, height, {37});
  const unsigned char comment[] = {0xff, 0xfe, 0, 9, 'h', 'e', 'd', 'd', 'l', 'e', 0};
  first.insert(first.begin() + 2, comment, std::end(comment));
  nvjpegJpegStream_t bits;
  CHECK_JPEG(nvjpegJpegStreamCreate(library(), &bits));
  CHECK_JPEG(nvjpegJpegStreamParse(library(), first.data(), first.size(), 1, 1, bits));
  Picture source({{width * 3, height}});
  source.write(0, pixels);
  Encoder encoder({90});
  CHECK_JPEG(nvjpegEncoderParamsCopyMetadata(encoder.state, encoder.params, bits, nullptr));
  CHECK_JPEG(nvjpegEncoderParamsCopyQuantizationTables(encoder.params, bits, nullptr));
  CHECK_JPEG(nvjpegEncoderParamsCopyHuffmanTables(encoder.state, encoder.params, bits, nullptr));
  CHECK_JPEG(nvjpegEncodeImage(library(), encoder.state, encoder.params, &source.image,
                               NVJPEG_INPUT_RGBI, width, height, nullptr));
  const Bytes second = encoder.file();
  CHECK(std::search(second.begin(), second.end(), comment, std::end(comment)) != second.end());
  CHECK(decodeColours(second) == decodeColours(first));
  CHECK_JPEG(nvjpegJpegStreamDestroy(bits));
}

__global__ void fill(unsigned char *pixels, size_t pitch, unsigned char value) {
  const long long start = clock64();
  while (clock64() - start < 1000000)
    ;
  for (int x = threadIdx.x; x < width * 3; x += blockDim.x)
    pixels[blockIdx.x * pitch + x] = value;
}

// What is encoded is what the stream has written before.
void checkOrder() {
  Picture source({{width * 3, height}});
  cudaStream_t stream;
  CHECK_CUDA(cudaStreamCreate(&stream));
  Encoder encoder({100});
  DeviceBuffer<unsigned char> device(100000);
  for (unsigned char value : {10, 200}) {
    fill<<<height, 64, 0, stream>>>(source.image.channel[0], source.image.pitch[0], value);
    CHECK_JPEG(nvjpegEncodeImage(library(), encoder.state, encoder.params, &source.image,
                                 NVJPEG_INPUT_RGBI, width, height, stream));
    size_t length = 100000;
    CHECK_JPEG(
        nvjpegEncodeRetrieveBitstreamDevice(library(), encoder.state, device, &length, stream));
    CHECK_CUDA(cudaStreamSynchronize(stream));
    const Bytes file = encoder.file();
    CHECK_EQ(length, file.size());
    Bytes copied = device.download();
    copied.resize(length);
    CHECK(copied == file);
    CHECK(distance(decodeColours(file), Bytes(width * height * 3, value)) < 2);
  }
  CHECK_CUDA(cudaStreamDestroy(stream));
}

void checkRefused() {
  Picture source({{width * 3, height}});
  Encoder encoder;
  size_t nothing = 0;
  CHECK_EQ(nvjpegEncodeRetrieveBitstream(library(), encoder.state, nullptr, &nothing, nullptr),
           NVJPEG_STATUS_INTERNAL_ERROR);
  CHECK_EQ(nvjpegEncoderParamsSetSamplingFactors(encoder.params, NVJPEG_CSS_410V, nullptr),
           NVJPEG_STATUS_JPEG_NOT_SUPPORTED);
  CHECK_EQ(nvjpegEncoderParamsSetSamplingFactors(encoder.params, NVJPEG_CSS_UNKNOWN, nullptr),
           NVJPEG_STATUS_INVALID_PARAMETER);
  for (int quality : {0, -1, 101})
    CHECK_EQ(nvjpegEncoderParamsSetQuality(encoder.params, quality, nullptr),
             NVJPEG_STATUS_INVALID_PARAMETER);
  CHECK_EQ(nvjpegEncodeImage(library(), encoder.state, encoder.params, &source.image,
                             nvjpegInputFormat_t(2), width, height, nullptr),
           NVJPEG_STATUS_INVALID_PARAMETER);
  CHECK_EQ(nvjpegEncodeImage(library(), encoder.state, encoder.params, &source.image,
                             NVJPEG_INPUT_RGBI, 0, height, nullptr),
           NVJPEG_STATUS_INVALID_PARAMETER);
  CHECK_JPEG(nvjpegEncodeImage(library(), encoder.state, encoder.params, &source.image,
                               NVJPEG_INPUT_RGBI, width, height, nullptr));
  size_t length = 10;
  unsigned char few[10];
  CHECK_EQ(nvjpegEncodeRetrieveBitstream(library(), encoder.state, few, &length, nullptr),
           NVJPEG_STATUS_INVALID_PARAMETER);
}

int main() {
  checkInputs();
  checkPlanes();
  checkKinds();
  checkCopies();
  checkOrder();
  checkRefused();
  CHECK_JPEG(nvjpegDestroy(library()));
  RETURN_RESULT();
}
