// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "header.h"

#include <algorithm>
#include <cstring>

namespace heddle::nvjpeg {
namespace {

// Markers, behind 0xff.
constexpr unsigned char soi = 0xd8, eoi = 0xd9, sos = 0xda, dht = 0xc4, jpg = 0xc8, dac = 0xcc,
                        app0 = 0xe0, app1 = 0xe1, app14 = 0xee, app15 = 0xef, comment = 0xfe;

bool isFrame(unsigned char marker) {
  return marker >= 0xc0 && marker <= 0xcf && marker != dht && marker != jpg && marker != dac;
}
bool standsAlone(unsigned char marker) {
  return marker == 0x01 || (marker >= 0xd0 && marker <= eoi); // TEM, RSTn, SOI, EOI
}

int number(const unsigned char *bytes) { return bytes[0] << 8 | bytes[1]; }

int ceiling(int a, int b) { return (a + b - 1) / b; }

nvjpegStatus_t readFrame(unsigned char marker, Bytes segment, Header &header, const char *&why) {
  if (segment.size < 6) {
    why = "the frame's header is too short";
    return NVJPEG_STATUS_BAD_JPEG;
  }
  header.encoding =
      marker <= 0xc3 ? nvjpegJpegEncoding_t(marker) : NVJPEG_ENCODING_UNKNOWN; // SOF0 to SOF3
  if (header.encoding == NVJPEG_ENCODING_UNKNOWN) {
    why = "it is coded neither sequentially nor progressively by Huffman's codes";
    return NVJPEG_STATUS_JPEG_NOT_SUPPORTED;
  }
  header.precision = segment.data[0];
  header.height = number(segment.data + 1);
  header.width = number(segment.data + 3);
  header.components = segment.data[5];
  if (header.components > NVJPEG_MAX_COMPONENT) {
    why = "there are more than four components";
    return NVJPEG_STATUS_JPEG_NOT_SUPPORTED;
  }
  if (header.width == 0 || header.height == 0 || header.components == 0 ||
      segment.size < size_t(6 + 3 * header.components)) {
    why = "the frame has no pixels, or no components";
    return NVJPEG_STATUS_BAD_JPEG;
  }
  for (int i = 0; i < header.components; ++i) {
    const unsigned char *one = segment.data + 6 + 3 * i;
    header.component[i] = {one[0], one[1] >> 4, one[1] & 15};
    if (std::min(one[1] >> 4, one[1] & 15) < 1 || std::max(one[1] >> 4, one[1] & 15) > 4) {
      why = "a sampling factor is not from 1 to 4";
      return NVJPEG_STATUS_BAD_JPEG;
    }
  }
  return NVJPEG_STATUS_SUCCESS;
}

// TIFF's first directory in an Exif segment.
void readExif(Bytes segment, Header &header) {
  if (segment.size < 14 || std::memcmp(segment.data, "Exif\0\0", 6) != 0)
    return;
  const unsigned char *tiff = segment.data + 6;
  const size_t size = segment.size - 6;
  const bool big = tiff[0] == 'M';
  const auto at16 = [&](size_t i) -> unsigned {
    return i + 2 > size ? 0 : big ? tiff[i] << 8 | tiff[i + 1] : tiff[i + 1] << 8 | tiff[i];
  };
  const size_t directory = big ? at16(4) << 16 | at16(6) : at16(6) << 16 | at16(4);
  const unsigned entries = directory + 2 <= size ? at16(directory) : 0;
  for (unsigned i = 0; i < entries; ++i)
    if (const size_t entry = directory + 2 + 12 * size_t(i); at16(entry) == 0x0112)
      if (const unsigned value = at16(entry + 8); value >= 1 && value <= 8)
        header.orientation = nvjpegExifOrientation_t(value);
}

// JFIF's and Adobe's segments tell what another file may not have.
void keepMetadata(unsigned char marker, Bytes segment, Header &header) {
  if (marker != comment && (marker <= app0 || marker > app15 || marker == app14))
    return;
  auto &kept = header.metadata.emplace_back(1, marker);
  kept.insert(kept.end(), segment.data, segment.data + segment.size);
}

// What a scan's header says of its components, and whether there is anything behind it.
nvjpegStatus_t checkScan(Bytes segment, size_t behind, const Header &header, const char *&why) {
  const size_t count = segment.size ? segment.data[0] : 0;
  bool known = count > 0 && segment.size >= 1 + 2 * count;
  for (size_t i = 0; known && i < count; ++i)
    known = std::any_of(header.component, header.component + header.components,
                        [&](const Component &one) { return one.id == segment.data[1 + 2 * i]; });
  why = "the scan has no pixels, or is of components that the frame has not";
  if (!known || behind == 0)
    return NVJPEG_STATUS_BAD_JPEG;
  for (int i = 0; i < header.components; ++i)
    if (header.component[i].h == 3 || header.component[i].v == 3) {
      why = "a component is sampled three times";
      return NVJPEG_STATUS_BAD_JPEG;
    }
  return NVJPEG_STATUS_SUCCESS;
}

} // namespace

bool hasStart(Bytes file) { return file.size >= 2 && file.data[0] == 0xff && file.data[1] == soi; }

nvjpegStatus_t readHeader(Bytes file, Upto upto, Header &header, const char *&why) {
  if (file.size < 2) {
    why = "it is shorter than any JPEG file";
    return NVJPEG_STATUS_INCOMPLETE_BITSTREAM;
  }
  if (file.data[0] != 0xff || file.data[1] < 0xc0 || file.data[1] == 0xff) {
    why = "it does not begin as a JPEG file does";
    return NVJPEG_STATUS_BAD_JPEG;
  }
  bool has_frame = false;
  for (size_t at = hasStart(file) ? 2 : 0;;) {
    while (at < file.size && file.data[at] != 0xff) // what does not belong there is skipped
      ++at;
    while (at < file.size && file.data[at] == 0xff)
      ++at;
    if (at >= file.size) {
      why = "it ends before the first scan";
      return NVJPEG_STATUS_INCOMPLETE_BITSTREAM;
    }
    const unsigned char marker = file.data[at++];
    if (marker == 0 || standsAlone(marker))
      continue;
    const size_t length = at + 2 <= file.size ? size_t(number(file.data + at)) : 0;
    if (length < 2 || at + length > file.size) {
      why = "it ends within its header";
      return NVJPEG_STATUS_INCOMPLETE_BITSTREAM;
    }
    const Bytes segment{file.data + at + 2, length - 2};
    at += length;
    if (isFrame(marker)) {
      if (const nvjpegStatus_t status = readFrame(marker, segment, header, why))
        return status;
      has_frame = true;
      if (upto == Upto::Frame)
        return NVJPEG_STATUS_SUCCESS;
    } else if (marker == app1) {
      readExif(segment, header);
    }
    keepMetadata(marker, segment, header);
    if (marker == sos && has_frame)
      return upto == Upto::Pixels ? checkScan(segment, file.size - at, header, why)
                                  : NVJPEG_STATUS_SUCCESS;
    if (marker == sos) {
      why = "a scan comes before the frame";
      return NVJPEG_STATUS_BAD_JPEG;
    }
  }
}

int Header::mostH() const {
  int most = 1;
  for (int i = 0; i < components; ++i)
    most = std::max(most, component[i].h);
  return most;
}
int Header::mostV() const {
  int most = 1;
  for (int i = 0; i < components; ++i)
    most = std::max(most, component[i].v);
  return most;
}
int Header::widthOf(int i) const { return ceiling(width * component[i].h, mostH()); }
int Header::heightOf(int i) const { return ceiling(height * component[i].v, mostV()); }

bool factorsOf(nvjpegChromaSubsampling_t subsampling, int &h, int &v) {
  switch (subsampling) {
  case NVJPEG_CSS_444:
  case NVJPEG_CSS_GRAY:
    return h = 1, v = 1, true;
  case NVJPEG_CSS_422:
    return h = 2, v = 1, true;
  case NVJPEG_CSS_420:
    return h = 2, v = 2, true;
  case NVJPEG_CSS_440:
    return h = 1, v = 2, true;
  case NVJPEG_CSS_411:
    return h = 4, v = 1, true;
  case NVJPEG_CSS_410:
    return h = 4, v = 2, true;
  case NVJPEG_CSS_410V:
    return h = 2, v = 4, true;
  default:
    return false;
  }
}

nvjpegChromaSubsampling_t Header::subsampling() const {
  if (components == 1)
    return NVJPEG_CSS_GRAY;
  const bool same = std::all_of(component, component + components, [&](const Component &one) {
    return one.h == component[0].h && one.v == component[0].v;
  });
  if (components == 4 && same)
    return NVJPEG_CSS_444;
  if (components != 3 || component[1].h != component[2].h || component[1].v != component[2].v)
    return NVJPEG_CSS_UNKNOWN;
  for (int css = NVJPEG_CSS_444; css <= NVJPEG_CSS_410V; ++css) {
    int h = 0, v = 0;
    if (css != NVJPEG_CSS_GRAY && factorsOf(nvjpegChromaSubsampling_t(css), h, v) &&
        component[0].h == h * component[1].h && component[0].v == v * component[1].v)
      return nvjpegChromaSubsampling_t(css);
  }
  return NVJPEG_CSS_UNKNOWN;
}

} // namespace heddle::nvjpeg
