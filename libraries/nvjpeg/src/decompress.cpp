// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "decompress.h"

#include <algorithm>
#include <csetjmp>
#include <cstdio>
#include <jpeglib.h>

#include <jerror.h>

namespace heddle::nvjpeg {
namespace {

// libjpeg tells errors by a function that may not return: it jumps to the call below. What is on
// the stack between has no destructors.
struct Errors : jpeg_error_mgr {
  std::jmp_buf back;
  bool ended_early = false; // the file ends within a scan
  char text[JMSG_LENGTH_MAX] = "";
};

void fail(j_common_ptr info) {
  auto *errors = static_cast<Errors *>(info->err);
  errors->format_message(info, errors->text);
  std::longjmp(errors->back, 1);
}

void warn(j_common_ptr info, int level) {
  auto *errors = static_cast<Errors *>(info->err);
  if (level >= 0)
    return; // what there is to say beside
  ++errors->num_warnings;
  errors->ended_early |= errors->msg_code == JWRN_HIT_MARKER; // a scan has too few codes
  errors->format_message(info, errors->text);
}

class Decompressor {
public:
  Decompressor() {
    info_.err = jpeg_std_error(&errors_);
    errors_.error_exit = fail;
    errors_.emit_message = warn;
  }
  ~Decompressor() { jpeg_destroy_decompress(&info_); }

  /// False if an error has ended it.
  bool run(Bytes file, const Decoding &what, std::vector<Plane> &planes) {
    if (setjmp(errors_.back))
      return false;
    jpeg_create_decompress(&info_);
    jpeg_mem_src(&info_, file.data, static_cast<unsigned long>(file.size));
    jpeg_read_header(&info_, TRUE);
    info_.do_fancy_upsampling = what.interpolate;
    if (what.reduction > 1) {
      info_.scale_num = 1;
      info_.scale_denom = unsigned(what.reduction);
    }
    what.colours ? readColours(planes) : readComponents(planes);
    jpeg_finish_decompress(&info_);
    return true;
  }

  const Errors &errors() const { return errors_; }

private:
  void readColours(std::vector<Plane> &planes);
  void readComponents(std::vector<Plane> &planes);
  void reserve(std::vector<Plane> &planes);
  void keepRows(std::vector<Plane> &planes, unsigned row_group);

  jpeg_decompress_struct info_{};
  Errors errors_{};
  std::vector<std::vector<unsigned char>> group_; // the rows of an MCU, padded, by component
  std::vector<std::vector<JSAMPROW>> rows_;
};

// Ink on white; what Adobe's programs write is inverted.
void inkToColours(Plane &plane) {
  std::vector<unsigned char> colours(size_t(plane.width) * size_t(plane.height) * 3);
  for (size_t i = 0; i < colours.size() / 3; ++i)
    for (size_t channel = 0; channel < 3; ++channel)
      colours[3 * i + channel] =
          static_cast<unsigned char>(plane.pixels[4 * i + channel] * plane.pixels[4 * i + 3] / 255);
  plane.pixels = std::move(colours);
  plane.channels = 3;
}

void Decompressor::readColours(std::vector<Plane> &planes) {
  const bool four = info_.num_components == 4;
  info_.out_color_space = four ? JCS_CMYK : JCS_RGB;
  jpeg_start_decompress(&info_);
  planes.resize(1);
  Plane &plane = planes.front();
  plane.width = int(info_.output_width);
  plane.height = int(info_.output_height);
  plane.channels = info_.output_components;
  plane.pixels.resize(plane.rowBytes() * size_t(plane.height));
  while (info_.output_scanline < info_.output_height) {
    JSAMPROW row = plane.pixels.data() + plane.rowBytes() * info_.output_scanline;
    jpeg_read_scanlines(&info_, &row, 1);
  }
  if (!four)
    return;
  if (!info_.saw_Adobe_marker)
    std::for_each(plane.pixels.begin(), plane.pixels.end(),
                  [](unsigned char &value) { value = static_cast<unsigned char>(255 - value); });
  inkToColours(plane);
}

void Decompressor::reserve(std::vector<Plane> &planes) {
  planes.resize(size_t(info_.num_components));
  group_.resize(planes.size());
  rows_.resize(planes.size());
  for (size_t i = 0; i < planes.size(); ++i) {
    const jpeg_component_info &component = info_.comp_info[i];
    planes[i].width = int(component.downsampled_width);
    planes[i].height = int(component.downsampled_height);
    planes[i].pixels.resize(planes[i].rowBytes() * size_t(planes[i].height));
    const size_t width = size_t(component.width_in_blocks) * DCTSIZE;
    const size_t rows = size_t(component.v_samp_factor) * DCTSIZE;
    group_[i].resize(width * rows);
    rows_[i].resize(rows);
    for (size_t row = 0; row < rows; ++row)
      rows_[i][row] = group_[i].data() + row * width;
  }
}

void Decompressor::keepRows(std::vector<Plane> &planes, unsigned row_group) {
  for (size_t i = 0; i < planes.size(); ++i) {
    Plane &plane = planes[i];
    const size_t first = row_group * rows_[i].size();
    for (size_t row = 0; row < rows_[i].size() && first + row < size_t(plane.height); ++row)
      std::copy_n(rows_[i][row], plane.rowBytes(),
                  plane.pixels.begin() + long((first + row) * plane.rowBytes()));
  }
}

void Decompressor::readComponents(std::vector<Plane> &planes) {
  info_.raw_data_out = TRUE;
  info_.out_color_space = info_.jpeg_color_space;
  jpeg_start_decompress(&info_);
  reserve(planes);
  JSAMPARRAY arrays[MAX_COMPONENTS];
  for (size_t i = 0; i < planes.size(); ++i)
    arrays[i] = rows_[i].data();
  const unsigned lines = unsigned(info_.max_v_samp_factor) * DCTSIZE;
  for (unsigned group = 0; info_.output_scanline < info_.output_height; ++group) {
    jpeg_read_raw_data(&info_, arrays, lines);
    keepRows(planes, group);
  }
}

} // namespace

// What is missing at a file's end is gray, as NVIDIA leaves it out, unless that is to be an error.
nvjpegStatus_t decompress(Bytes file, const Decoding &what, std::vector<Plane> &planes,
                          std::string &why) {
  std::vector<unsigned char> with_start;
  if (!hasStart(file)) {
    with_start = {0xff, 0xd8};
    with_start.insert(with_start.end(), file.data, file.data + file.size);
    file = {with_start.data(), with_start.size()};
  }
  Decompressor decompressor;
  const bool done = decompressor.run(file, what, planes);
  const Errors &errors = decompressor.errors();
  why = errors.text;
  if (!done)
    return errors.msg_code == JERR_NO_QUANT_TABLE || errors.msg_code == JERR_NO_HUFF_TABLE
               ? NVJPEG_STATUS_JPEG_NOT_SUPPORTED
               : NVJPEG_STATUS_BAD_JPEG;
  if (what.strict && errors.ended_early)
    return NVJPEG_STATUS_INCOMPLETE_BITSTREAM;
  return what.strict && errors.num_warnings ? NVJPEG_STATUS_BAD_JPEG : NVJPEG_STATUS_SUCCESS;
}

} // namespace heddle::nvjpeg
